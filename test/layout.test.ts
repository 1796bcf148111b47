import { dirname, posix } from 'node:path'
import { expect, test } from 'vitest'
import { lineAt, modulesIn } from './support/modules.ts'

// The files beside the folders of src: the outside world, errors, and a few functions without a subject.
const GROUND = '.'

// Each room imports only from those below it. A folder that is not listed has commands, so that only `cli` imports from
// it. A folder inside a room is listed only if other folders of the room import from it in one direction, as in `code`.
const rooms = [
  'cli',
  'switch',
  'history',
  'archive',
  'references',
  'review',
  'usage',
  'settings',
  'check',
  'flags',
  'naming',
  'project',
  'code',
  'code/text',
  'code/lookups',
  'code/lexer',
  'code/languages',
  'code/files',
  'api',
  'requests',
  'profile',
  'sandbox',
  'prompts',
  'service',
  'command',
  'output',
  'input',
  GROUND,
]

const source = modulesIn('src')
const tests = modulesIn('test')
const files = source.map(({ path }) => path)
const texts = new Map(source.map(({ path, code }) => [path, code]))

/** The room of a file: the innermost folder that is listed. */
function roomOf(file: string): string | undefined {
  const folder = posix.relative('src', dirname(file)) || GROUND
  const containing = rooms.filter((room) => folder === room || folder.startsWith(`${room}/`))
  return containing.toSorted((a, b) => b.length - a.length)[0]
}

/** The files that a file imports, types included. */
function importsOf(file: string): string[] {
  const specifiers = (texts.get(file) ?? '').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.ts)'/g)
  return Array.from(specifiers, ([, specifier = '']) => posix.join(dirname(file), specifier))
}

/** The imports that a rule refuses. */
function importsThat(isRefused: (file: string, target: string) => boolean): string[] {
  return files.flatMap((file) =>
    importsOf(file)
      .filter((target) => isRefused(file, target))
      .map((target) => `${file} imports ${target}`),
  )
}

test('a folder from which others import is in the list of rooms', () => {
  const unlisted = importsThat((file, target) => {
    return (
      roomOf(target) === undefined && dirname(file) !== dirname(target) && roomOf(file) !== 'cli'
    )
  })
  const missing = 'add the folder to rooms in test/layout.test.ts, below those that import from it'
  expect(unlisted, missing).toEqual([])
})

test('imports run from the top of the list of rooms to its bottom', () => {
  // Folders that are not listed are directly below `cli`.
  const floorOf = (file: string) => rooms.indexOf(roomOf(file) ?? 'cli')
  const upward = importsThat((file, target) => floorOf(target) < floorOf(file))
  const remedy = 'move what is imported to the room of its user, or to one below it'
  expect(upward, remedy).toEqual([])
})

test('every folder with commands has its tests', () => {
  const commands = source.filter(({ code }) => code.includes('export const define: Define'))
  const folders = [...new Set(commands.map(({ path }) => dirname(path).replace('src/', 'test/')))]
  const untested = folders.filter(
    (folder) => !tests.some(({ path }) => path.startsWith(`${folder}/`)),
  )
  expect(untested, 'add tests of what these commands do, through run()').toEqual([])
})

test('other rooms enter code through its door', () => {
  const isInCode = (file: string) => file.startsWith('src/code/')
  const entrances = importsThat((file, target) => {
    return !isInCode(file) && isInCode(target) && target !== 'src/code/index.ts'
  })
  expect(entrances, 'export the function from src/code/index.ts').toEqual([])
})

test('no files import each other, not even through others', () => {
  const circles: string[] = []
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (done.has(file)) return
    done.add(file)
    for (const target of importsOf(file)) visit(target, [...path, file])
  }
  for (const file of files) visit(file, [])
  expect(circles).toEqual([])
})

test('no literal is spread into an object', () => {
  const spreads = [...source, ...tests].flatMap((module) =>
    Array.from(
      module.code.matchAll(/\.\.\.\(?\{/g),
      ({ index }) => `${module.path}:${lineAt(module, index)}`,
    ),
  )
  expect(spreads).toEqual([])
})
