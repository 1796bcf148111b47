// What a contribution must bring: each test says what is missing, and where to add it. `npx vitest run test/layout test/docs`
// runs in seconds, so it comes before all other tests.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { languages } from '../../src/code/languages/all.ts'
import { findingKinds } from '../../src/naming/finding-kinds.ts'
import { lintRule } from '../../src/naming/findings.ts'
import { formats } from '../../src/output/formats.ts'
import { routes } from '../../src/sandbox/routes.ts'
import { type Operation, operations } from '../../src/service/operations.ts'
import { calls, runs, uncalled } from '../support/operations.ts'
import { loadCommands } from '../support/program.ts'
import { pages, root } from './pages.ts'

const { all } = await loadCommands()
// `help` prints what the other commands have.
const commands = all.filter(({ command, path }) => {
  return command.commands.length === 0 && path !== 'flagadm help'
})

/** A method and a path without its query and the names of its parameters. */
function shapeOf(line: string): string {
  return line.replace(/\?.*/, '').replaceAll(/:\w+|\{\w+\}/g, ':')
}

const documents = JSON.parse(readFileSync(join(root, 'test/service/openapi.json'), 'utf8'))
const documented = new Set(Object.keys(documents.operations).map(shapeOf))
const served = new Set(Object.keys(routes).map(shapeOf))

const entries = Object.entries<Operation>(operations).map(([name, operation]) => {
  return { name, operation, line: `${operation.method} ${operation.path}` }
})

const newest = entries.filter(({ operation }) => operation.until === undefined)
// The two of the specification are answered by other services as well, in their own way.
const ofUnleash = newest.filter(({ operation }) => operation.section === undefined)

const apart = ['docs/reference.md', 'CHANGELOG.md', '.github/CONTRIBUTING.md']
const described = pages.filter(({ path }) => !apart.includes(path))

it.each(entries)('the operation $name is in calls or in uncalled', ({ name }) => {
  const missing = `add ${name} to calls in test/support/operations.ts: a command line that sends the request of its example, the document, and the exact output; or to uncalled: why it cannot be there`
  expect(Object.hasOwn(calls, name) !== Object.hasOwn(uncalled, name), missing).toBe(true)
})

it.each(newest)('the operation $name has a route of the sandbox', ({ line }) => {
  const missing = `add a route '${line}' to src/sandbox/routes.ts`
  expect(served.has(shapeOf(line)), missing).toBe(true)
})

it.each(ofUnleash)('the operation $name is one of Unleash 8.2', ({ line }) => {
  const missing = `test/service/openapi.json, the document of Unleash 8.2, has no ${line}`
  expect(documented.has(shapeOf(line)), missing).toBe(true)
})

describe.each(commands)('$path', ({ path, help }) => {
  it('has a command line in runs', () => {
    const missing = `add '${path}' to runs in test/support/operations.ts: arguments with which it works, with the sandbox if it needs a service`
    expect(Object.hasOwn(runs, path), missing).toBe(true)
  })

  it('is described', () => {
    const isDescribed = described.some(({ text }) => text.includes(path.replace('flagadm ', '')))
    expect(isDescribed, `describe ${path} on the page of its subject in docs/`).toBe(true)
  })

  it('has two examples', () => {
    const lines = help(80).split('\n')
    const examples = lines.filter((line) => line.startsWith(`  ${path} `) || line === `  ${path}`)
    const missing = `give ${path} at least two examples: the second argument of withExamples`
    expect(examples.length, missing).toBeGreaterThanOrEqual(2)
  })
})

it.each(all)('the help of $path fits 80 columns', ({ path, help }) => {
  const wide = help(80)
    .split('\n')
    .filter(({ length }) => length > 80)
  expect(wide, `the help of ${path} has lines of more than 80 columns`).toEqual([])
})

it.each(Object.entries(findingKinds))('the finding %s has true examples', async (code, kind) => {
  const { signal } = new AbortController()
  const without: string[] = []
  for (const rule of kind.examples) {
    const { findings } = await lintRule(rule, signal)
    if (!findings.some((finding) => finding.code === code)) without.push(JSON.stringify(rule))
  }
  const wrong = `naming lint does not find ${code} in these examples of src/naming/finding-kinds.ts: is its check in checks (src/naming/meaning.ts) or examine (src/naming/findings.ts)?`
  expect(without, wrong).toEqual([])
})

it('every language is in the list, and every format has its file', () => {
  const folder = join(root, 'src/code/languages')
  const others = new Set(['all.ts', 'language.ts', 'of-file.ts'])
  const files = readdirSync(folder).filter((name) => !others.has(name))
  const names = new Set(languages.map(({ name }) => name))
  const missing = 'add the language to the list in src/code/languages/all.ts'
  expect(names.size, missing).toBe(files.length)
  const written = readdirSync(join(root, 'src/output/formats')).map((name) => name.slice(0, -3))
  const unlisted = written.filter((name) => !Object.hasOwn(formats, name))
  expect(unlisted, 'add the format to the table in src/output/formats.ts').toEqual([])
})

it('docs/unleash.md names only requests that flagadm sends', () => {
  const page = readFileSync(join(root, 'docs/unleash.md'), 'utf8')
  const lines = Array.from(
    page.matchAll(/`((?:GET|PUT|POST|DELETE) \/[^`]+)`/g),
    ([, line = '']) => line,
  )
  const known = new Set(entries.map(({ line }) => shapeOf(line).replace(/\/$/, '')))
  const unknown = lines.filter((line) => !known.has(shapeOf(line).replaceAll('…', '')))
  expect(unknown, 'docs/unleash.md describes these requests, which are not in operations').toEqual(
    [],
  )
})
