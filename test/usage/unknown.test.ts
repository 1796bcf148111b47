import { expect, it } from 'vitest'
import { environment, flagadm } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'
import { daysAgo, feature } from '../flags/service.ts'

const unknown = { bannr: ['web', 'ios'], 'old-flag': ['web'] }

const run = (argv: readonly string[], names: Record<string, string[]> = unknown) =>
  feature(['unknown', ...argv], {}, { unknown: names })

it('lists names with the applications that ask for them', async () => {
  const { code, stdout } = await run([])
  expect(stdout).toBe(`Names that SDKs asked for but no flag has, on http://service

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
    `name,application,environment,seenAt\r\nbannr,ios,production,${daysAgo(0.1)}\r\n`,
  )
  const jsonl = (await run(['-o', 'jsonl', '--reverse', '--limit', '1'])).stdout
  expect(JSON.parse(jsonl)).toMatchObject({ name: 'old-flag', application: 'web' })
  expect(JSON.parse((await run(['--json'])).stdout).unknownFlags).toHaveLength(2)
  expect((await run(['--json', '--limit', '1'])).code).toBe(2)
  expect((await run([], {})).stdout).toContain('\nNo unknown names.\n')
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
  expect(stdout).toContain(`bannr,ios,production,${daysAgo(0.1)}\r\nbannr,web,,\r\n`)
})

it('says that the service got no usage at all', async () => {
  const silent = await feature(['unknown'], {}, { unknown: {}, usageYesterday: 0 })
  expect(silent.stdout).toContain(
    '\nIncomplete: the service got no usage yesterday: SDKs may not report\n',
  )
  const used = await feature(['unknown'], {}, { unknown: {}, usageYesterday: 1 })
  expect(used.stdout).not.toContain('Incomplete')
})
