import { readdirSync, readFileSync } from 'node:fs'

/** A TypeScript file of the repository. */
export interface Module {
  /** Its path from the root of the repository. */
  path: string
  code: string
}

const root = new URL('../../', import.meta.url)

/** The TypeScript files of a folder, those in its folders included, except for installed packages. */
export function modulesIn(folder: string): Module[] {
  return readdirSync(new URL(folder, root), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    // The real service, whose packages are installed below `test`, has tens of thousands of files.
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : modulesIn(path)
    if (!path.endsWith('.ts')) return []
    return [{ path, code: readFileSync(new URL(path, root), 'utf8') }]
  })
}

/** The number of the line that has the character at an offset. */
export function lineAt({ code }: Module, offset: number): number {
  return code.slice(0, offset).split('\n').length
}
