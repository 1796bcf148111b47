// Inputs that grow, and the commands that read them. `npm run bench` doubles them; a test runs them once.

const project = { id: 'default', name: 'Default', mode: 'open' }
const rows = ['table', 'json', 'jsonl', 'csv', 'tsv', 'markdown']
const reports = ['html', 'github', 'junit']

const inFormats = (formats, words) => formats.map((format) => `${words} -o ${format}`)

const readsFlags = [
  ...inFormats([...rows, 'names'], 'feature list --project default'),
  ...inFormats([...rows, 'openmetrics'], 'feature usage --project default'),
  'feature usage --project default --since 24h --by hour',
  ...inFormats([...rows, 'names', ...reports], 'feature review --project default'),
  ...inFormats(rows, 'feature history --project default --since 24h'),
]
const handlesFlags = [
  ...readsFlags,
  ...inFormats(
    ['text', 'json'],
    'feature archive --project default --force --dry-run --names-from names.txt',
  ),
  ...inFormats(
    ['text', 'json'],
    'feature off --project default -e production --dry-run --names-from names.txt',
  ),
  ...inFormats(
    [...rows, 'names', ...reports, 'gitlab', 'sarif'].filter(
      (format) => !['table', 'html'].includes(format),
    ),
    'naming check --project default --pattern x-[a-z]+',
  ),
  'naming diff --project default --pattern x-[a-z]+ -o markdown',
]
const readsSettings = [
  ...inFormats(rows, 'project list'),
  ...inFormats(['text', 'table', 'yaml', 'json', 'csv'], 'project settings get --all-projects'),
  'project settings get --all-projects --common -o yaml',
  ...inFormats(['text', 'json', 'markdown'], 'project settings plan -f settings.json'),
  ...inFormats(['text', 'json'], 'project settings apply -f settings.json --dry-run'),
  ...inFormats(['text', 'json', 'csv', 'github', 'gitlab', 'sarif'], 'naming lint --all-projects'),
]

const many = (count, item) => Array.from({ length: count }, (_, index) => item(index))
const strategies = [{ name: 'flexibleRollout' }]
const on = [{ name: 'production', enabled: true, strategies }]
const usageOf = (appName) => ({ appName, environment: 'production', yes: 3, no: 1 })

function flags(count, more) {
  return many(count, (index) => {
    return { name: `flag-${index}`, project: 'default', environments: on, ...more(index) }
  })
}

/** Flags in the sandbox, and a file with the first of their names. */
function ofFlags(make, commands = handlesFlags) {
  return {
    commands,
    seed: (size) => ({ projects: [project], flags: make(size) }),
    files: (size) => {
      const names = make(size).map(({ name }) => name)
      return { 'names.txt': `${names.join('\n')}\n` }
    },
  }
}

/** Projects in the sandbox, and a file with the same settings and another mode. */
function ofSettings(make) {
  return {
    commands: readsSettings,
    seed: (size) => ({ projects: make(size), flags: [] }),
    files: (size) => {
      const settings = make(size).map(({ id, ...own }) => [id, { ...own, mode: 'private' }])
      return { 'settings.json': JSON.stringify({ projects: Object.fromEntries(settings) }) }
    },
  }
}

const long = (letter, size) => letter.repeat(80 * size)

/** Each with a seed of the sandbox, or what a service answers, of a size. */
export const growing = {
  'flags and their rows': ofFlags((size) => flags(2 * size, () => ({ usage: [usageOf('app')] }))),
  'letters of a name': ofFlags((size) =>
    flags(30, (index) => ({ name: `${index}-${'x'.repeat(2 * size)}` })),
  ),
  'letters of an application': ofFlags(
    (size) => flags(30, () => ({ usage: [usageOf(long('y', size))] })),
    readsFlags,
  ),
  'accents of an application': ofFlags(
    (size) => flags(30, () => ({ usage: [usageOf(long('y\u0301', size))] })),
    readsFlags,
  ),
  'letters of an environment': ofFlags(
    (size) =>
      flags(30, () => ({ environments: [{ name: long('e', size), enabled: true, strategies }] })),
    readsFlags,
  ),
  'letters of a type': {
    commands: [
      ...inFormats([...rows, 'names'], 'feature list --project default'),
      ...inFormats([...rows, ...reports], 'feature review --project default'),
    ],
    answers: (size) => ({
      '/api/admin/projects/default/features': {
        features: many(30, (index) => {
          const environments = [{ name: 'production', enabled: true, lastSeenAt: null }]
          return { name: `flag-${index}`, type: long('t', size), environments }
        }),
      },
    }),
  },
  environments: ofFlags((size) =>
    flags(30, () => ({
      environments: many(size, (index) => ({
        name: index === 0 ? 'production' : `e-${index}`,
        enabled: true,
        strategies,
      })),
    })),
  ),
  'rows of a flag': ofFlags(
    (size) => flags(10, () => ({ usage: many(size, (index) => usageOf(`app-${index}`)) })),
    readsFlags,
  ),
  'levels of dependencies': ofFlags((size) =>
    flags(2 * size, (index) =>
      index === 0 ? {} : { dependencies: [{ feature: `flag-${index - 1}` }] },
    ),
  ),
  'flags that depend on one': ofFlags((size) =>
    flags(2 * size, (index) => (index === 0 ? {} : { dependencies: [{ feature: 'flag-0' }] })),
  ),
  projects: ofSettings((size) =>
    many(2 * size, (index) => {
      const featureNaming = { pattern: `team${index}-[a-z]+`, example: `team${index}-a` }
      return { id: `team${index}`, mode: 'open', featureNaming }
    }),
  ),
  'letters of settings': ofSettings((size) =>
    many(20, (index) => {
      const description = `${long('a ', size)}\n${long('b', size)}`
      const linkTemplates = [
        { title: long('l', size), urlTemplate: `https://x/${long('u', size)}` },
      ]
      const featureNaming = { pattern: '[a-z]+', example: 'a', description }
      return { id: `team${index}`, mode: 'open', featureNaming, linkTemplates }
    }),
  ),
  'flags to revive': {
    commands: inFormats(['text', 'json'], 'feature revive -f archived.yaml --dry-run'),
    seed: (size) => ({
      projects: [project],
      flags: [
        { name: 'parent', project: 'default', environments: on },
        ...flags(10 * size, () => ({ archived: true })),
      ],
      events: many(10 * size, (index) => {
        const featureName = `flag-${index}`
        const event = { minutesAgo: 60, type: 'feature-archived', createdBy: 'ada' }
        return { ...event, project: 'default', featureName }
      }),
    }),
    files: (size, service) => {
      const saved = many(10 * size, (index) => ({
        name: `flag-${index}`,
        dependencies: [{ feature: 'parent', enabled: true }],
        environments: ['production'],
        withoutStrategy: [],
      }))
      const savedAt = new Date(Date.now() - 2 * 3_600_000).toISOString()
      const head = { version: 1, service, project: 'default', savedAt }
      return { 'archived.yaml': JSON.stringify({ ...head, flags: saved }) }
    },
  },
}
