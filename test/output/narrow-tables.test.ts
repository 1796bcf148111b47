// Tables on narrow terminals, with names as long as Unleash allows.
import { expect, it, test } from 'vitest'
import type { Seed } from '../../src/sandbox/seed.ts'
import { textWidth } from '../../src/output/width.ts'
import { flagadm } from '../support/flagadm.ts'
import { loadCommands } from '../support/program.ts'
import { sandboxOf } from '../support/sandbox.ts'

const MAX_NAME = 100

/** A name of 100 characters, of which only the last ones differ from those of others. */
function longest(what: string, index: number): string {
  const end = `-v${index}`
  return `${what}-${'mobile-booking-'.repeat(MAX_NAME)}`.slice(0, MAX_NAME - end.length) + end
}

const projects: Seed['projects'] = [0, 1].map((index) => ({
  id: longest('project', index),
  name: longest('name', index),
  mode: 'protected',
  featureNaming: { pattern: `${longest('pattern', index)}.+`, example: '', description: '' },
}))

const environments = ['production', 'staging'].map((name, index) => longest(name, index))

const flags: Seed['flags'] = [0, 1, 2].map((index) => ({
  name: longest('flag', index),
  project: projects[index % 2]?.id ?? '',
  environments: environments.map((name) => ({ name, enabled: index === 0 })),
  usage: environments.map((environment, app) => ({
    appName: longest('application', app),
    environment,
    yes: 123_456_789,
    no: 98_765_432,
    variants: { [longest('blue', 0)]: 123_456_789 },
  })),
}))

const unknownFlags: Seed['unknownFlags'] = [0, 1].map((index) => ({
  name: longest('unknown', index),
  appName: longest('application', index),
  environment: environments[index] ?? '',
}))

const events: Seed['events'] = flags.map(({ name, project }, index) => ({
  minutesAgo: index,
  type: 'feature-strategy-update',
  createdBy: longest('author', index),
  project,
  featureName: name,
  environment: environments[index % 2] ?? '',
  preData: { title: longest('before', index) },
  data: { title: longest('after', index) },
}))

const files = {
  [`work/src/${longest('folder', 0)}/a.ts`]: flags.map(({ name }) => `on('${name}')\n`).join(''),
  'work/empty/a.ts': '',
  'home/.config/flagadm/config.yaml': JSON.stringify({
    profiles: Object.fromEntries(
      projects.map(({ id }) => [id, { baseUrl: `https://${id}.example.com`, apiKeyEnv: 'KEY' }]),
    ),
  }),
}

const flagNames = flags.map(({ name }) => name)
const projectIds = projects.map(({ id }) => id)

interface Case {
  command: string
  /** The titles of the columns that are keys and answers, at 60 and 80 columns. */
  columns: readonly string[]
  /** The names in the first column. */
  names: readonly string[]
}

const tables: readonly Case[] = [
  {
    command: 'feature list --all-projects',
    columns: ['Flag', 'product…', 'staging…'],
    names: flagNames,
  },
  {
    command: 'feature usage --all-projects',
    columns: ['Flag', 'Environment', 'Total', 'Share'],
    names: flagNames,
  },
  {
    command: 'feature usage --all-projects --since 24h',
    columns: ['Flag', 'Application', 'Environment', 'Total', 'Share'],
    names: flagNames,
  },
  {
    command: 'feature usage --all-projects --since 3h --by hour',
    columns: ['Flag', 'Hour (UTC)', 'Total', 'Share'],
    names: flagNames,
  },
  {
    command: 'feature usage --all-projects --since 24h --group-by variant',
    columns: ['Flag', 'Variant', 'Selected', 'Share'],
    names: flagNames,
  },
  {
    command: 'feature review --all-projects',
    columns: ['Flag', 'Verdict', 'Reason'],
    names: flagNames,
  },
  {
    command: 'feature history --all-projects',
    columns: ['When (UTC)', 'Change'],
    names: events.map(({ minutesAgo }) => `${minutesAgo}`),
  },
  {
    command: 'feature unknown',
    columns: ['Name', 'Application', 'Environment'],
    names: unknownFlags.map(({ name }) => name),
  },
  {
    command: 'feature references --all-projects --scan src',
    columns: ['Flag', 'Place'],
    names: flagNames,
  },
  {
    command: 'feature references --all-projects --scan empty --unreferenced',
    columns: ['Flag', 'Status'],
    names: flagNames,
  },
  {
    command: 'project list',
    columns: ['Project', 'Flags'],
    names: projectIds,
  },
  {
    command: 'project settings get --all-projects -o table',
    columns: ['Project', 'Mode', 'Pattern'],
    names: projectIds,
  },
  {
    command: 'profile list',
    columns: ['Profile', 'Address', 'API key'],
    names: projectIds,
  },
]

/** The lines of a table, its titles, and the first cells of its rows, each once. */
function partsOf(stdout: string) {
  const [above = '', below = ''] = stdout.split(/^─+\n/m)
  const titles = above.trimEnd().split('\n').at(-1) ?? ''
  const rows = below.split('\n\n')[0]?.trimEnd().split('\n') ?? []
  return {
    lines: [titles, ...rows],
    titles: titles.trim().split(/ {2,}/),
    // A name that is that of the row above is left out; a mark takes two columns.
    names: new Set(
      rows.filter((line) => !line.startsWith('   ')).map((line) => line.trim().split(/ {2,}/)[0]),
    ),
  }
}

const sizes = tables.flatMap((table) => [60, 80].map((width) => ({ ...table, width })))

it.each(sizes)('$command keeps keys and answers at $width columns', async (table) => {
  const { command, columns, names, width } = table
  const seed = { projects, flags, events, unknownFlags }
  const { env } = await sandboxOf([], { seed })
  const world = { files, columns: width, env: { ...env, NO_COLOR: '1' } }
  const { stdout } = await flagadm(command.split(' '), world)
  const shown = partsOf(stdout)
  expect(shown.lines.filter((line) => textWidth(line) > width)).toEqual([])
  expect(shown.titles).toEqual(expect.arrayContaining([...columns]))
  expect(shown.names.size, stdout).toBe(names.length)
})

test('every command with a table has a case here', async () => {
  const { all } = await loadCommands()
  const withTables = all.filter(({ formats }) => formats.includes('table'))
  const paths = ['profile list', ...withTables.map(({ path }) => path.replace('flagadm ', ''))]
  const missing = paths.filter(
    (path) => !tables.some(({ command }) => `${command} `.startsWith(`${path} `)),
  )
  expect(missing, 'add the columns that these keep at 60 columns to `tables`').toEqual([])
})

// Their names differ in the middle, where tables cut them.
const similar: Seed['flags'] = ['regional', 'national'].map((kind) => ({
  name: `checkout-express-pay-with-${kind}-provider-fallback`,
  project: 'checkout',
  type: 'experiment',
  environments: ['development', 'production-europe-west', 'production-europe-east'].map((name) => ({
    name,
    enabled: true,
  })),
  usage: ['web', 'ios-app'].map((appName) => ({
    appName,
    environment: 'production-europe-west',
    yes: 1_200_000,
    no: 300_000,
    variants: { 'blue-button': 150_427, 'green-button': 149_573 },
  })),
}))

const checkout: Seed['projects'] = [{ id: 'checkout', name: 'Checkout', mode: 'open' }]

test.each([
  [['production-eu-west', 'production-us-west'], 'Flag      pr…u-west  pr…s-west\n'],
  [
    ['production-regional-cluster', 'production-national-cluster'],
    'Flag      productio  productio\n          n-nationa  n-regiona\n          l-cluster  l-cluster\n',
  ],
])('the columns of %j have different titles', async (names, titles) => {
  const flag = { name: 'discount', project: 'checkout' }
  const flagsThere = [{ ...flag, environments: names.map((name) => ({ name, enabled: true })) }]
  const { env } = await sandboxOf([], { seed: { projects: checkout, flags: flagsThere } })
  const world = { columns: 30, env: { ...env, NO_COLOR: '1' } }
  const { stdout } = await flagadm('feature list --project checkout'.split(' '), world)
  expect(stdout).toContain(`${titles}───`)
})

test('a change keeps room for its words at 60 columns', async () => {
  const { env } = await sandboxOf([], { seed: { projects, flags, events } })
  const world = { columns: 60, env: { ...env, NO_COLOR: '1' } }
  const { stdout } = await flagadm('feature history --all-projects'.split(' '), world)
  const [titles = '', ...lines] = partsOf(stdout).lines
  const start = titles.indexOf('Change')
  expect(60 - start).toBe(16)
  expect(new Set(lines.map((line) => line.slice(start)))).toEqual(new Set(['strategy: title…']))
})

const crowded = [
  'feature list --project checkout',
  'feature review --project checkout',
  'feature usage --project checkout --since 2d',
]

it.each(crowded)('%s shows no two flags with the same text at any width', async (command) => {
  const { env } = await sandboxOf([], { seed: { projects: checkout, flags: similar } })
  const world = { env: { ...env, NO_COLOR: '1' } }
  for (let columns = 50; columns <= 170; columns += 10) {
    const { stdout } = await flagadm(command.split(' '), { ...world, columns })
    const [titles = '', ...lines] = partsOf(stdout).lines
    const width = /^Flag */.exec(titles)?.[0].length
    const cells = lines.map((line) => line.slice(0, width).trim())
    // The lines of a name that goes on in the next line have no other cell.
    const text = cells.join('')
    const names = similar.map(({ name }) => name)
    const shown = new Set(cells.filter((cell) => cell.includes('…')))
    const whole = names.filter((name) => text.includes(name))
    expect(shown.size + whole.length, stdout).toBe(2)
  }
})

it('a wider terminal shows no less of the names of flags', async () => {
  const { env } = await sandboxOf([], { seed: { projects, flags } })
  const widths: number[] = []
  for (let columns = 60; columns <= 180; columns += 5) {
    const world = { columns, env: { ...env, NO_COLOR: '1' } }
    const { stdout } = await flagadm('feature review --all-projects'.split(' '), world)
    widths.push(/^Flag */m.exec(stdout)?.[0].length ?? 0)
  }
  expect(widths).toEqual(widths.toSorted((a, b) => a - b))
  expect(widths.at(-1)).toBe(MAX_NAME + 2)
})
