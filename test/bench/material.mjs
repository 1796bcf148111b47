import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'

/** A function in which most words are its own, as in real code. */
function functionOf(name) {
  return `// Most lines do not contain a flag.
export function handle${name}(request${name}) {
  const user${name} = request${name}.user ?? { id: 'anonymous${name}', roles: [] }
  return { status: 200, body: JSON.stringify({ user${name}, at: Date.now() }) }
}
`
}

// A property with the name of a lookup.
const PROPERTY = 'export const button = { isDisabled: false }\n'

const call = (index) => `if (client.isEnabled('feat-flag-${index}')) handle()\n`

/**
 * Writes source files, some of which have a lookup. In real repositories these are up to 2.9 %
 * of the files, and others have such a name without a lookup: 5 to 11 %.
 */
function writeTree(folder, files, { functions = 20, every = 1 } = {}) {
  for (let index = 0; index < files; index++) {
    const place = join(folder, `module-${Math.floor(index / 50)}`)
    if (index % 50 === 0) mkdirSync(place, { recursive: true })
    const names = Array.from({ length: functions }, (_, number) => `${index}_${number}`)
    const source = names.map(functionOf).join('')
    const hasCall = index % every === 0
    const end = (hasCall ? call(index) : '') + (index % 10 === 0 ? PROPERTY : '')
    writeFileSync(join(place, `file-${index}.ts`), source + end)
  }
}

/**
 * A folder with lists of a million names, of which 2 % or all fail, a tree of 6,000 source files and 5,000
 * ignored ones, one with a lookup in each of 6,000 files, and one of 50,000 files.
 */
export function makeMaterial() {
  const folder = mkdtempSync(join(tmpdir(), 'flagadm-bench-'))
  const names = Array.from({ length: 1_000_000 }, (_, index) =>
    index % 50 === 0 ? `Feat_Name${index}` : `feat-name-${index}`,
  )
  writeFileSync(join(folder, 'names.txt'), `${names.join('\n')}\n`)
  const failing = names.map((_, index) => `Feat_Name${index}`)
  writeFileSync(join(folder, 'failing.txt'), `${failing.join('\n')}\n`)
  for (const [tree, every] of Object.entries({ tree: 50, dense: 1 })) {
    mkdirSync(join(folder, tree, '.git'), { recursive: true })
    writeFileSync(join(folder, tree, '.gitignore'), 'ignored/\n')
    writeTree(join(folder, tree, 'src'), 6000, { every })
  }
  writeTree(join(folder, 'tree', 'ignored'), 5000)
  writeTree(join(folder, 'wide'), 50_000, { functions: 3, every: 50 })
  return { folder, remove: () => rmSync(folder, { recursive: true }) }
}

/** Settings of a project in a mode, with a rule for names that begin with a word. */
function settingsOf(word, mode) {
  return {
    mode,
    featureNaming: {
      pattern: `${word}-[a-z0-9]+(-[a-z0-9]+)*`,
      example: `${word}-new-basket`,
      description: 'The team,\nthen what the flag is about',
    },
    linkTemplates: [{ title: 'Issue', urlTemplate: 'https://tracker.example/{{feature}}' }],
  }
}

/**
 * A seed with `count` projects called `own0` and so on, which have rules of their own, and as many
 * called `same0`, which share one; and their documents for two modes.
 */
export function makeProjects(folder, count) {
  const numbers = Array.from({ length: count }, (_, index) => index)
  const own = numbers.map((index) => ({ id: `own${index}`, word: `team${index}` }))
  const same = numbers.map((index) => ({ id: `same${index}`, word: 'shop' }))
  const seed = join(folder, 'seed.json')
  const projects = [...own, ...same].map(({ id, word }) => ({ id, ...settingsOf(word, 'open') }))
  writeFileSync(seed, JSON.stringify({ projects, flags: [] }))
  for (const [name, list] of Object.entries({ own, same })) {
    for (const mode of ['open', 'protected']) {
      const place = join(folder, `${name}-${mode}`)
      mkdirSync(place)
      for (const { id, word } of list) {
        const document = { projects: { [id]: settingsOf(word, mode) } }
        writeFileSync(join(place, `${id}.yaml`), stringify(document))
      }
    }
  }
  return seed
}
