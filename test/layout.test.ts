import { dirname, posix } from 'node:path'
import { expect, test } from 'vitest'
import { lineAt, modulesIn } from './support/modules.ts'

// A subject whose commands nothing else imports.
const OTHERS = 'other subjects'

// Each folder imports only from those below it. A folder inside another one is listed only if its place
// differs.
const order = [
  'cli',
  'settings',
  'feature',
  'naming',
  OTHERS,
  'code/reading',
  'project',
  'requests',
  'profile',
  'prompts',
  'sandbox',
  'cli/help-text',
  'cli/context',
  'cli/options',
  'service',
  'code',
  'output',
  'input',
  'host',
  'repository',
  'paths',
  'timed',
  'errors',
  'groups',
]

const source = modulesIn('src')
const files = source.map(({ path }) => path)
const texts = new Map(source.map(({ path, code }) => [path, code]))

/** The entry of the order that a file belongs to; for a file beside the folders, the file itself if there is none. */
function placeOf(file: string): string {
  const path = file.slice('src/'.length).replace(/(\.d)?\.ts$/, '')
  const places = order.filter((place) => path === place || path.startsWith(`${place}/`))
  return places.toSorted((a, b) => b.length - a.length)[0] ?? (path.includes('/') ? OTHERS : file)
}

/** The files that a file imports, types included. */
function importsOf(file: string): string[] {
  const specifiers = (texts.get(file) ?? '').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.ts)'/g)
  return Array.from(specifiers, ([, specifier = '']) => posix.join(dirname(file), specifier))
}

test('every file of src has a place in the order', () => {
  expect(files.filter((file) => placeOf(file) === file)).toEqual([])
})

test('imports run from the top of the order to its bottom', () => {
  const upward = files.flatMap((file) =>
    importsOf(file)
      .filter((target) => placeOf(target) !== placeOf(file))
      .filter((target) => order.indexOf(placeOf(target)) <= order.indexOf(placeOf(file)))
      .map((target) => `${file} imports ${target}`),
  )
  expect(upward).toEqual([])
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

test('at most six files are beside the folders of src', () => {
  const beside = files.filter((file) => dirname(file) === 'src')
  expect(beside.length, beside.join(', ')).toBeLessThanOrEqual(6)
})

test('no literal is spread into an object', () => {
  const spreads = [...source, ...modulesIn('test')].flatMap((module) =>
    Array.from(
      module.code.matchAll(/\.\.\.\(?\{/g),
      ({ index }) => `${module.path}:${lineAt(module, index)}`,
    ),
  )
  expect(spreads).toEqual([])
})
