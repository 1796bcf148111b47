import { execFileSync } from 'node:child_process'
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

/** A lookup of a constant of another file, which has one for each of 50. */
const lookups = (index) => {
  const name = `export const FLAG_${index} = 'feat-flag-${index}'\n`
  return `${name}if (client.isEnabled(FLAG_${index - (index % 50)})) handle()\n`
}

/**
 * Writes source files, some of which have a lookup, or all of them. In real repositories these are up to 2.9 %
 * of the files, and others have such a name without a lookup: 5 to 11 %.
 */
function writeTree(folder, files, { functions = 20, haveLookups = false, end = '' } = {}) {
  for (let index = 0; index < files; index++) {
    const place = join(folder, `module-${Math.floor(index / 50)}`)
    if (index % 50 === 0) mkdirSync(place, { recursive: true })
    const names = Array.from({ length: functions }, (_, number) => `${index}_${number}`)
    const source = names.map(functionOf).join('')
    const some = (index % 50 === 0 ? call(index) : '') + (index % 10 === 0 ? PROPERTY : '')
    const last = haveLookups ? lookups(index) : some
    writeFileSync(join(place, `file-${index}.ts`), source + end + last)
  }
}

/** A list of a million names, some percent of which fail. */
export function makeNames(folder, percent) {
  const names = Array.from({ length: 1_000_000 }, (_, index) =>
    index % 100 < percent ? `Feat_Name${index}` : `feat-name-${index}`,
  )
  const list = join(folder, `${percent}.txt`)
  writeFileSync(list, `${names.join('\n')}\n`)
  return list
}

/** A list of 300 names, of which 100 are in the files of a repository. */
export function makeKnown(folder) {
  const names = Array.from({ length: 300 }, (_, index) =>
    index < 100 ? `feat-flag-${index * 50}` : `other-flag-${index}`,
  )
  const list = join(folder, 'flags.txt')
  writeFileSync(list, `${names.join('\n')}\n`)
  return list
}

/** A repository of 6,000 source files and 5,000 ignored ones. */
export function makeRepository(folder) {
  const tree = join(folder, 'tree')
  execFileSync('git', ['init', '--quiet', tree])
  writeFileSync(join(tree, '.gitignore'), 'ignored/\n')
  writeTree(join(tree, 'src'), 6000)
  const author = ['-c', 'user.name=bench', '-c', 'user.email=bench@test']
  for (const argv of [
    ['add', '--all'],
    [...author, 'commit', '--quiet', '--message', 'tree'],
  ]) {
    execFileSync('git', argv, { cwd: tree })
  }
  writeTree(join(tree, 'ignored'), 5000)
  return tree
}

/** 50,000 files. */
export function makeWide(folder) {
  const tree = join(folder, 'wide')
  writeTree(tree, 50_000, { functions: 3 })
  return tree
}

/** 42,000 files with lookups. */
export function makeDense(folder) {
  const tree = join(folder, 'dense')
  writeTree(tree, 42_000, { functions: 3, haveLookups: true })
  return tree
}

// Texts of the same length.
const PLAIN = "track('feat-user-seen', 'feature-user', 'user.is-enabled', 'cafe12345')\n"
const COMPOSED = "track(`feat-${user}seen`, 'feature-' + user, '%s.is-enabled', 'caf\\u00e9')\n"

/** Two folders of 2,000 files with five lines of texts each, which are composed or encoded in the second one. */
export function makeComposed(folder) {
  return [PLAIN, COMPOSED].map((line, index) => {
    const tree = join(folder, `texts-${index}`)
    writeTree(tree, 2000, { end: line.repeat(5) })
    return tree
  })
}

const PLACES = 10_000

/** A folder with the references of some repositories to a service: each has 300 flags in 10,000 places. */
export function makeReferences(service, count) {
  const folder = mkdtempSync(join(tmpdir(), 'flagadm-bench-'))
  const place = (index) => ({
    name: `flag-${(index % 300) + 1}`,
    project: 'team-0',
    status: null,
    file: `src/modules/module-${index % 97}/components/file-${index}.ts`,
    line: index,
    column: 21,
    kind: 'text',
    text: `if (client.isEnabled('flag-${(index % 300) + 1}', context)) handle()`,
    inCode: true,
  })
  const references = Array.from({ length: PLACES }, (_, index) => place(index))
  for (let index = 0; index < count; index++) {
    const document = {
      readAt: new Date().toISOString(),
      service,
      repository: `https://git.example.com/shop/repository-${index}.git`,
      commit: '0123456789012345678901234567890123456789',
      committedAt: new Date().toISOString(),
      paths: ['.'],
      files: 6000,
      unread: [],
      unresolved: 0,
      references,
    }
    writeFileSync(join(folder, `${index}.json`), `${JSON.stringify(document)}\n`)
  }
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

/** A seed with the projects `team0` and so on, and a folder with their documents for each of two modes. */
export function makeProjects(folder, count) {
  const ids = Array.from({ length: count }, (_, index) => `team${index}`)
  const seed = join(folder, 'seed.json')
  const projects = ids.map((id) => ({ id, ...settingsOf(id, 'open') }))
  writeFileSync(seed, JSON.stringify({ projects, flags: [] }))
  for (const mode of ['open', 'protected']) {
    mkdirSync(join(folder, mode))
    for (const id of ids) {
      const document = { projects: { [id]: settingsOf(id, mode) } }
      writeFileSync(join(folder, mode, `${id}.yaml`), stringify(document))
    }
  }
  return seed
}
