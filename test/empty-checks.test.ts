import { describe, expect, it, test } from 'vitest'
import { environment, flagadm } from './support/flagadm.ts'
import { json, serve } from './support/server.ts'
import { words } from './support/text.ts'

/** The flags of projects. The rule of `ruled` is the only one. */
type Projects = Record<string, readonly string[]>

function serviceOf(projects: Projects) {
  return serve((response, { url }) => {
    const [, id = '', what] = /\/projects\/([^/]+)\/(\w+)$/.exec(url) ?? []
    const flags = projects[id] ?? []
    if (url.endsWith('/projects')) {
      return json(response, 200, { projects: Object.keys(projects).map((key) => ({ id: key })) })
    }
    if (what === 'overview' && projects[id]) {
      const pattern = id === 'ruled' ? '[a-z]+' : null
      return json(response, 200, { mode: 'open', featureNaming: { pattern } })
    }
    if (what === 'features') {
      const features = flags.map((name) => ({ name, type: 'release', environments: [] }))
      return json(response, 200, { features })
    }
    if (url.endsWith('/raw?hoursBack=48')) return json(response, 200, { data: [] })
    return json(response, 404, { message: 'not found' })
  })
}

const files = {
  'work/empty.txt': '\n',
  'work/none.yaml': 'projects: {}\n',
  'work/ruled.yaml': 'projects: {ruled: {mode: open}}\n',
  'work/src/a.ts': 'run()\n',
}

const ruleHint = 'use --rule <file> or --pattern <regex>, or set a rule for the project'

/** Runs a command line on a service with these projects. @returns also the last two lines of stderr */
async function run(argv: string, projects: Projects = {}) {
  const { url } = await serviceOf(projects)
  const outcome = await flagadm(words(argv), { env: environment(url), files })
  return { ...outcome, last: outcome.stderr.trimEnd().split('\n').slice(-2) }
}

const none: Projects = {}
const shop: Projects = { shop: [] }
const ruled: Projects = { ruled: [] }
const used: Projects = { shop: ['a'] }
const both: Projects = { shop: [], ruled: [] }

describe.each([
  ['feature review --all-projects --expect removable', none, 'the service lists no projects'],
  ['feature review --all-projects --fail-on in-use', both, 'no flags in 2 projects'],
  ['feature review --project shop --fail-on unclear', shop, 'no flags in project shop'],
  [
    'feature review --project shop --type experiment --expect unused',
    used,
    'no flags of type experiment in project shop',
  ],
  [
    'feature review a --expect removable --type experiment,permission',
    used,
    'no flags of type experiment or permission among those given',
  ],
  [
    'feature references --all-projects --scan src --fail-on unreferenced',
    none,
    'the service lists no projects',
  ],
  [
    'feature references --unreferenced --project shop --scan src --fail-on unread',
    shop,
    'no flags in project shop',
  ],
  ['naming lint --all-projects', none, 'the service lists no projects'],
  ['naming lint --all-projects', { shop: ['a'], web: [] }, 'none of 2 projects has a naming rule'],
  ['naming lint --project shop', used, 'project shop has no naming rule'],
  ['naming check --all-projects', none, 'the service lists no projects'],
  ['naming check a --all-projects', none, 'the service lists no projects'],
  ['naming check --project shop', used, 'project shop has no naming rule'],
  ['naming check --project ruled', ruled, 'no flags in project ruled'],
  [
    'naming check --all-projects',
    { shop: ['a'], ruled: [] },
    'no project has both a naming rule and flags',
  ],
  ['naming check --all-projects --pattern [a-z]+', both, 'no flags in 2 projects'],
  ['naming diff --all-projects --pattern b --fail-on any', none, 'the service lists no projects'],
  ['naming diff --project ruled --pattern b --fail-on any', ruled, 'no flags in project ruled'],
  ['naming diff --all-projects --pattern b --fail-on rejected', both, 'no flags in 2 projects'],
  [
    'project settings plan -f none.yaml --fail-on-change',
    none,
    'the documents declare no projects',
  ],
  ['project settings plan -f none.yaml --strict', both, 'the documents declare no projects'],
  ['project settings plan -f none.yaml --check-names', none, 'the documents declare no projects'],
  [
    'project settings plan -f ruled.yaml --check-names',
    ruled,
    'no declared project has both a naming rule and flags',
  ],
] as const)('%s', (argv, projects, why) => {
  it(`does not pass: ${why}`, async () => {
    const { code, last } = await run(argv, projects)
    const remedy = why.endsWith('naming rule') ? `${ruleHint}; ` : ''
    expect([code, ...last]).toEqual([
      9,
      `error: nothing to check: ${why}`,
      `hint: ${remedy}--allow-empty accepts that`,
    ])
  })

  it('passes with --allow-empty', async () => {
    const { code, last } = await run(`${argv} --allow-empty`, projects)
    expect([code, last.at(-1)]).toEqual([0, `note: nothing to check: ${why}`])
  })
})

describe.each([
  [
    'feature review --names-from empty.txt --expect removable',
    'no flag names in empty.txt',
    'write one name per line',
  ],
  [
    'feature review --project shop --names-from empty.txt --fail-on in-use',
    'no flag names in empty.txt',
    'write one name per line',
  ],
  [
    'feature references --names-from empty.txt --scan src --fail-on unreferenced --unreferenced',
    'no flag names in empty.txt',
    'write one name per line',
  ],
  [
    'feature references --scan src --fail-on unresolved',
    'no lookup of a flag in 1 file',
    '--call, or scan: { calls: [isOn] } in .flagadmrc, adds functions that take a flag name',
  ],
  [
    'feature references --scan src --unknown --all-projects --fail-on unknown',
    'no lookup of a flag in 1 file',
    '--call, or scan: { calls: [isOn] } in .flagadmrc, adds functions that take a flag name',
  ],
  [
    'naming check --scan src --pattern a',
    'no flag names in 1 scanned file',
    '--call, or scan: { calls: [isOn] } in .flagadmrc, adds functions that take a flag name',
  ],
  [
    'naming check --names-from empty.txt --pattern a',
    'no flag names in empty.txt',
    'write one name per line',
  ],
  [
    'naming check --pattern a',
    'no names to check',
    'pass names, or use --names-from <file> or --scan <path>',
  ],
  [
    'naming diff --from-pattern a --pattern b --names-from empty.txt --fail-on any',
    'no flag names in empty.txt',
    'write one name per line',
  ],
])('%s', (argv, why, remedy) => {
  it('is an error of input', async () => {
    const { code, last } = await run(argv, used)
    expect([code, ...last]).toEqual([
      2,
      `error: ${why}`,
      `hint: ${remedy}; --allow-empty accepts that`,
    ])
  })

  it('passes with --allow-empty', async () => {
    const { code, last } = await run(`${argv} --allow-empty`, used)
    expect([code, last.at(-1)]).toEqual([0, `note: nothing to check: ${why}`])
  })
})

test.each([
  'feature review --all-projects',
  'feature references --scan src',
  'feature references --scan src --fail-on unread',
  'naming diff --all-projects --pattern b',
  'project settings plan -f none.yaml',
])('%s is not a check, or has checked the files, so it succeeds', async (argv) => {
  expect((await run(argv)).code).toBe(0)
})

test.each([
  ['feature review --project shop --names-from empty.txt --json --allow-empty', { flags: [] }],
  ['naming lint --all-projects --json --allow-empty', { projects: [] }],
  ['naming check --all-projects --json --allow-empty', { violations: [], projects: [] }],
])('%s has an empty report', async (argv, document) => {
  const { code, stdout } = await run(argv)
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject(document)
})

test('naming lint does not call a project without a rule free of errors', async () => {
  const { stdout } = await run('naming lint --project shop --allow-empty', used)
  expect(stdout).toBe('no naming rule\n')
})

test('projects that cannot be read are reported before the lack of rules', async () => {
  const server = await serve((response, { url }) => {
    if (!url.endsWith('/projects')) return json(response, 403, { message: 'no access' })
    return json(response, 200, { projects: [{ id: 'shop' }, { id: 'web' }] })
  })
  const argv = ['naming', 'lint', '--all-projects']
  const { code, stderr } = await flagadm(argv, { env: environment(server.url) })
  expect(code).toBe(5)
  expect(stderr).toContain('error: 2 of 2 projects could not be read\n')
})
