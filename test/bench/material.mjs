import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SOURCE = `import { client } from '../client'
// most lines do not contain a flag
export function handler(request) {
  const user = request.user ?? { id: 'anonymous', roles: [] }
  return { status: 200, body: JSON.stringify({ user, at: Date.now() }) }
}
`.repeat(20)

function writeTree(folder, files) {
  for (let index = 0; index < files; index++) {
    const place = join(folder, `module-${Math.floor(index / 50)}`)
    if (index % 50 === 0) mkdirSync(place, { recursive: true })
    const call = `if (client.isEnabled('feat-flag-${index}')) handler()\n`
    writeFileSync(join(place, `file-${index}.ts`), SOURCE + call)
  }
}

/** A folder with a list of a million names (2 % failing) and a tree of 5,000 source files and 5,000 ignored ones. */
export function makeMaterial() {
  const folder = mkdtempSync(join(tmpdir(), 'flagadm-bench-'))
  const names = Array.from({ length: 1_000_000 }, (_, index) =>
    index % 50 === 0 ? `Feat_Name${index}` : `feat-name-${index}`,
  )
  writeFileSync(join(folder, 'names.txt'), `${names.join('\n')}\n`)
  mkdirSync(join(folder, 'tree', '.git'), { recursive: true })
  writeFileSync(join(folder, 'tree', '.gitignore'), 'ignored/\n')
  writeTree(join(folder, 'tree', 'src'), 5000)
  writeTree(join(folder, 'tree', 'ignored'), 5000)
  return { folder, remove: () => rmSync(folder, { recursive: true }) }
}

/** The settings of `count` projects, each with a rule of its own; as a seed and as documents. */
export function makeProjects(folder, count) {
  const settings = (id, mode) => ({
    mode,
    featureNaming: {
      pattern: `${id}-[a-z0-9]+(-[a-z0-9]+)*`,
      example: `${id}-new-basket`,
      description: 'The team,\nthen what the flag is about',
    },
    linkTemplates: [{ title: 'Issue', urlTemplate: 'https://tracker.example/{{feature}}' }],
  })
  const ids = Array.from({ length: count }, (_, index) => `team${index}`)
  const seed = join(folder, 'seed.json')
  const projects = ids.map((id) => ({ id, ...settings(id, 'open') }))
  writeFileSync(seed, JSON.stringify({ projects, flags: [] }))
  for (const mode of ['open', 'protected']) {
    mkdirSync(join(folder, mode))
    for (const id of ids) {
      const document = { projects: { [id]: settings(id, mode) } }
      writeFileSync(join(folder, mode, `${id}.json`), JSON.stringify(document, null, 2))
    }
  }
  return { seed, folderOf: (mode) => join(folder, mode) }
}
