import { describe, expect, it, test } from 'vitest'
import { environment, flagadm } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'
import { daysAgo, feature, type FeatureWorld } from '../flags/service.ts'

const unknown = { bannr: ['web', 'ios'], 'old-flag': ['web'] }

const run = (argv: readonly string[], names: Record<string, string[]> = unknown) =>
  feature(['unknown', ...argv], {}, { unknown: names })

it('lists names with the applications that ask for them', async () => {
  const { code, stdout } = await run([])
  expect(
    stdout,
  ).toBe(`Names that SDKs ask for and no flag has, or only an archived one, on http://service

Name      Application  Environment  Last seen
─────────────────────────────────────────────
bannr     ios          production   2 h ago
bannr     web          production   2 h ago
old-flag  web          production   2 h ago

2 unknown names
`)
  expect(code).toBe(0)
})

it('has the formats of a list', async () => {
  expect((await run(['-o', 'names'])).stdout).toBe('bannr\nold-flag\n')
  expect((await run(['-o', 'csv', '--limit', '1'])).stdout).toBe(
    `name,application,environment,seenAt,status,project,archivedAt,archivedBy\r\nbannr,ios,production,${daysAgo(0.1)},unknown,,,\r\n`,
  )
  const jsonl = (await run(['-o', 'jsonl', '--reverse', '--limit', '1'])).stdout
  expect(JSON.parse(jsonl)).toMatchObject({ name: 'old-flag', application: 'web' })
  expect(JSON.parse((await run(['--json'])).stdout).unknownFlags).toHaveLength(2)
  expect((await run(['--json', '--limit', '1'])).code).toBe(2)
  expect((await run([], {})).stdout).toContain(
    '\nNo unknown names, and no archived flags that are asked for.\n',
  )
})

it('warns if the limit of the service was reached', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 1000 }, (_, index) => [`n${index}`, ['web']]),
  )
  const text = 'the service lists at most 1,000 names'
  expect((await run([], many)).stdout).toContain(`\nIncomplete: ${text}\n`)
  expect((await run(['-o', 'names'], many)).stderr).toBe(`warning: Incomplete: ${text}\n`)
  expect((await run(['-o', 'jsonl'], many)).stdout).toContain(text)
})

it('keeps an application whose environments are not reported', async () => {
  const reports = [
    { appName: 'web', environments: [] },
    { appName: 'ios', environments: [{ environment: 'production', seenAt: daysAgo(0.1) }] },
  ]
  const unknownFlags = [{ name: 'bannr', lastSeenAt: daysAgo(0.1), reports }]
  const { url } = await serve((response, { url }) =>
    url.endsWith('unknown-flags')
      ? json(response, 200, { unknownFlags })
      : json(response, 404, { message: 'not found' }),
  )
  const { stdout } = await flagadm(['feature', 'unknown', '-o', 'csv'], { env: environment(url) })
  expect(stdout).toContain(
    `bannr,ios,production,${daysAgo(0.1)},unknown,,,\r\nbannr,web,,,unknown,,,\r\n`,
  )
})

it('says that the service got no usage at all', async () => {
  const silent = await feature(['unknown'], {}, { unknown: {}, usageYesterday: 0 })
  expect(silent.stdout).toContain(
    '\nIncomplete: the service got no usage yesterday: SDKs may not report\n',
  )
  const used = await feature(['unknown'], {}, { unknown: {}, usageYesterday: 1 })
  expect(used.stdout).not.toContain('Incomplete')
})

test.each([
  ['403: no', { forbidden: /statistics/ }],
  ['500: database is down', { failing: /statistics/ }],
  ['404: not found', {}],
])('says that it is not known whether the service gets usage: %s', async (problem, world) => {
  const empty = await feature(['unknown', '--retries', '0'], {}, { unknown: {}, ...world })
  expect(empty.code).toBe(0)
  expect(empty.stdout).toContain(
    `\nIncomplete: it is not known whether the service gets usage: ${problem}\n`,
  )
  const unknown = { nix: ['web'] }
  expect((await feature(['unknown'], {}, { unknown, ...world })).stdout).not.toContain('Incomplete')
})

describe('archived flags', () => {
  const usage = [{ hoursAgo: 2, yes: 9, no: 0 }]
  const seed = {
    shop: {
      asked: { archived: 3, production: { seen: 0.1 }, usage },
      weekly: { archived: 20, development: { seen: 4 } },
      quiet: { archived: 3, production: { seen: 4 } },
      late: { archived: 3, production: { seen: 2.97 } },
      long: { archived: 300, production: { seen: 90 } },
      live: { production: { seen: 0.1 } },
    },
    mail: { digest: { archived: true, production: { seen: 0.5 } } },
  }
  const events = [
    { type: 'feature-archived', featureName: 'asked', createdAt: daysAgo(3), createdBy: 'ada' },
  ]
  const found = (argv: readonly string[], world: FeatureWorld = {}) =>
    feature(['unknown', ...argv], seed, { events, unknown: {}, ...world })

  it('are listed if SDKs asked for them afterwards, with who archived them and who asks', async () => {
    const { code, stdout } = await found([])
    expect(
      stdout,
    ).toBe(`Names that SDKs ask for and no flag has, or only an archived one, on http://service

Name    Application  Environment  Last seen  Status    Archived  By
────────────────────────────────────────────────────────────────────
asked   web          production   2 h ago    archived  3 d ago   ada
digest  —            production   12 h ago   archived  24 h ago  —
weekly  —            development  4 d ago    archived  20 d ago  —

3 archived flags still asked for
to revive them (they stay off; revive -f with the file of --save-before restores more):
flagadm feature revive --project shop asked weekly
flagadm feature revive --project mail digest
`)
    expect(code).toBe(0)
  })

  it('fail a check, after they are printed', async () => {
    const { code, stdout, stderr } = await found(['-o', 'names', '--fail-on', 'archived'])
    expect([code, stdout]).toEqual([9, 'asked\ndigest\nweekly\n'])
    expect(stderr).toBe(`error: 3 archived flags still asked for: asked, digest, weekly
hint: take the names out of the code of these applications or, if that takes time, revive the flags (they stay off; revive -f with the file of --save-before restores more):
  flagadm feature revive --project shop asked weekly
`)
    const none = await feature(['unknown', '--fail-on', 'archived'], { shop: {} }, { unknown: {} })
    expect(none.code).toBe(0)
  })

  it('make a check inconclusive if the service gets no usage', async () => {
    const silent = { unknown: {}, usageYesterday: 0 }
    const argv = ['unknown', '--fail-on', 'archived']
    const { code, stderr } = await feature(argv, { shop: {} }, silent)
    const why = 'inconclusive: the service got no usage yesterday: SDKs may not report'
    expect([code, stderr]).toEqual([9, `error: ${why}\n`])
    const asking = { ...silent, unknown: { nix: ['web'] } }
    expect((await feature(argv, { shop: {} }, asking)).code).toBe(0)
  })

  it('are in JSON beside the document of the service', async () => {
    const { stdout } = await found(['--json'])
    const { unknownFlags, archivedFlags } = JSON.parse(stdout)
    expect(unknownFlags).toEqual([])
    expect(archivedFlags[0]).toEqual({
      name: 'asked',
      project: 'shop',
      archivedAt: daysAgo(3),
      archivedBy: 'ada',
      uses: [{ application: 'web', environment: 'production', seenAt: daysAgo(0.1) }],
      revive: 'flagadm feature revive --project shop asked',
    })
  })

  it('make a check inconclusive if they cannot be read', async () => {
    const argv = ['--fail-on', 'archived']
    const { code, stdout } = await found(argv, { failing: /search\/features/ })
    expect(code).toBe(8)
    expect(stdout).toContain('Incomplete: archived flags that SDKs ask for are not known: ')
  })

  it('are looked at for applications up to a limit, which is said', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [
        `f${index}`,
        { archived: 3, production: { seen: 0.1 + index / 100 }, usage },
      ]),
    )
    const { asked, stdout } = await feature(['unknown'], { shop: many }, { unknown: {} })
    expect(asked.filter((path) => path.includes('/raw?'))).toHaveLength(50)
    expect(stdout).toContain(
      'Incomplete: who asks for them was not looked at, or could not be read (',
    )
  })
})
