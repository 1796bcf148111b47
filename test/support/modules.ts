import { readdirSync, readFileSync } from 'node:fs'

/** A TypeScript file of the repository. */
export interface Module {
  /** Its path from the root of the repository. */
  path: string
  code: string
}

const root = new URL('../../', import.meta.url)

/** The TypeScript files of a folder, those in its folders included. */
export function modulesIn(folder: 'src' | 'test'): Module[] {
  return readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.includes('node_modules'))
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .map((path) => ({ path, code: readFileSync(new URL(path, root), 'utf8') }))
}

/** The number of the line that has the character at an offset. */
export function lineAt({ code }: Module, offset: number): number {
  return code.slice(0, offset).split('\n').length
}
