import { describe, expect, test } from 'vitest'
import { checkShape } from '../../src/input/shape.ts'
import type { Operation } from '../../src/service/operations.ts'
import { examples } from '../support/operations.ts'
import { formats, hostileApplications, hostileFlag } from './cases/applications.ts'
import { enabledFlag, project, recordsOf, spans } from './cases/history.ts'
import { newNames } from './cases/new-names.ts'
import { reads, send } from './cases/reads.ts'
import { type Outcome, refusals } from './cases/refusals.ts'
import { rules } from './cases/rules.ts'
import { before, settingsCases } from './cases/settings.ts'
import { expectedOf, put, run, type Target } from './cases/target.ts'
import { illegalTemplates, settingsBefore, updates } from './cases/updates.ts'
import { usageCases, usedFlag } from './cases/usage.ts'

const set = ['project', 'settings', 'set', 'default']
// Control and hidden characters except line breaks.
const dangerous = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

/** The parts of a refusal that the specification fixes. */
function outcomeOf(code: number | null, stderr: string): Outcome {
  const [line = ''] = stderr.trimEnd().split('\n').slice(-1)
  if (line === '') return { code: code ?? -1 }
  const { status, name, id } = JSON.parse(line).error
  return {
    code: code ?? -1,
    ...(status && { status }),
    ...(name && { name }),
    id: id !== undefined,
  }
}

const hour = 3_600_000

/** Records in an order that does not depend on the service. */
function comparable<T extends { hoursAgo: number; environment: string; appName: string }>(
  records: readonly T[],
): string[] {
  return records.map((record) => JSON.stringify(Object.entries(record).sort())).sort()
}

/** Reads the raw metrics of the used flag: records with their distance from the newest hour. */
async function rawRecords(target: Target, query: string) {
  const path = `/api/admin/client-metrics/features/${enabledFlag}/raw${query}`
  const { data } = JSON.parse(await (await send(target, { path })).text())
  const times: number[] = data.map(({ timestamp }: { timestamp: string }) => Date.parse(timestamp))
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  const newest = Math.max(...times)
  expect(newest % hour).toBe(0)
  return data.map(({ timestamp, featureName, ...record }: Record<string, string>) => {
    expect(featureName).toBe(enabledFlag)
    return { ...record, hoursAgo: (newest - Date.parse(String(timestamp))) / hour }
  })
}

/** The reads beyond the specification, which behave like those of the real service. */
function testReads(target: () => Target): void {
  describe('optional reads', () => {
    test.each(reads)('%s returns %i and the expected body', async (path, status, expected) => {
      const response = await send(target(), { path })
      expect(response.status).toBe(status)
      expect(JSON.parse(await response.text())).toMatchObject(expectedOf(expected, target()))
    })

    test.each(spans)('raw metrics with the query %j cover %i hours', async (query, buckets) => {
      expect(comparable(await rawRecords(target(), query))).toEqual(comparable(recordsOf(buckets)))
    })

    test('the response about the user of an admin key contains the key', async () => {
      const response = await send(target(), { path: '/api/admin/user' })
      expect(JSON.parse(await response.text())).toMatchObject({
        user: { type: 'admin', secret: target().keys.full },
        permissions: [{ permission: 'ADMIN' }],
      })
    })

    const settings = `/api/admin/projects/${project}/settings`
    const overview = { path: `/api/admin/projects/${project}/overview` }

    test.each(updates)('sending %j changes %j', async (sent, changed) => {
      await send(target(), { method: 'PUT', path: settings, body: settingsBefore })
      const response = await send(target(), { method: 'PUT', path: settings, body: sent })
      expect(response.status).toBe(200)
      const stored = JSON.parse(await (await send(target(), overview)).text())
      expect(stored).toMatchObject({ ...settingsBefore, ...changed })
    })

    test.each(illegalTemplates)('the link templates %j are refused', async (linkTemplates) => {
      const update = { method: 'PUT', path: settings } as const
      await send(target(), { ...update, body: settingsBefore })
      expect((await send(target(), { ...update, body: { linkTemplates } })).status).toBe(400)
      const stored = JSON.parse(await (await send(target(), overview)).text())
      expect(stored).toMatchObject(settingsBefore)
    })

    test.each(newNames)('%j is accepted or refused for a new flag', async (body, outcome) => {
      await send(target(), { method: 'PUT', path: settings, body: settingsBefore })
      const path = '/api/admin/features/validate'
      const response = await send(target(), { method: 'POST', path, body })
      const expected = expectedOf(outcome, target())
      const text = await response.text()
      expect(response.status).toBe(expected.status)
      if (expected.body) expect(JSON.parse(text)).toMatchObject(expected.body)
      else expect(text).toBe('')
    })
  })
}

/**
 * Every operation of the list, with the request of its fixture.
 * @param isTested whether the target has the operation
 */
function testOperations(target: () => Target, isTested: (operation: Operation) => boolean): void {
  // Those that only older versions have are in no target.
  const listed = examples.filter(([, , operation]) => !operation.until && isTested(operation))
  describe.each(listed)(
    'the operation %s',
    (_name, example, { response, access, success = 200 }) => {
      const { method, path, body } = example
      const request = { method, path, ...(body && { body: JSON.parse(body) }) }

      test('returns what its schema expects', async () => {
        const result = await send(target(), request)
        expect(result.status).toBe(success)
        const text = await result.text()
        if (response) expect(checkShape(response, JSON.parse(text)).problem).toBe(undefined)
        else expect(text).toBe('')
      })

      test('refuses a request without a key, and one with a limited key', async () => {
        const { kind } = target()
        // The limited key is a client token for the service, which refuses it everywhere, even for
        // health, and that of a user without permissions for the sandbox.
        const isAccepted = access !== undefined && kind === 'sandbox'
        const none = access === 'none' ? 200 : 401
        expect((await send(target(), { ...request, key: 'none' })).status).toBe(none)
        expect((await send(target(), { ...request, key: 'limited' })).status).toBe(
          isAccepted ? 200 : 403,
        )
      })
    },
  )
}

function testUsage(target: () => Target): void {
  describe('usage', () => {
    test.each(usageCases)('$name is reported', async ({ options, report: expected }) => {
      const { stdout } = await run(target(), ['feature', 'usage', usedFlag, ...options])
      const report = stdout.replace(`Usage on ${target().url}\n\n`, '')
      const lines = report
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
        .replaceAll(/since \d\d:00 UTC, \d+ (?:s|min)/g, '<span>')
        .trimEnd()
      expect(lines.split(/\r?\n/)).toEqual(expectedOf(expected, target()))
    })

    test.each(formats)('hostile application names are not raw in $format', async (it) => {
      const argv = ['feature', 'usage', hostileFlag, '--verbose', '-o', it.format]
      const { code, stdout, stderr } = await run(target(), argv)
      expect(code).toBe(0)
      expect(stdout).toContain(expectedOf(it.shows, target()).text)
      expect(stderr).not.toMatch(dangerous)
      expect(stdout.replaceAll('\r\n', '\n')).not.toMatch(dangerous)
    })

    test('hostile application names keep their value in JSON', async () => {
      const { stdout } = await run(target(), ['feature', 'usage', hostileFlag, '--json'])
      expect(JSON.parse(stdout).seenApplications.toSorted()).toEqual(hostileApplications.toSorted())
    })
  })
}

/** @param specOnly whether the service has only the operations of the specification */
function testSettings(target: () => Target, specOnly = false): void {
  describe('a refusal', () => {
    test.each(refusals)('of $name with the key $key is reported', async (refusal) => {
      const { argv, key } = refusal
      const expected = (specOnly && refusal.specOnly) || refusal.expected
      const { full, limited } = target().keys
      const secret = { full, limited, wrong: '*:*.no-such-key', none: '' }[key]
      const { code, stderr } = await run(target(), [...argv, '--json'], secret)
      expect(outcomeOf(code, stderr)).toEqual(expectedOf(expected, target()))
      expect(stderr).not.toMatch(dangerous)
    })
  })

  describe('the service stores', () => {
    const { mode, ...featureNaming } = before
    const linkTemplates = [{ title: 'Issue', urlTemplate: 'https://t.test/{{feature}}' }]

    /** The link templates of the project, of a service that can be read. */
    async function links(): Promise<object | undefined> {
      if (specOnly) return undefined
      const path = '/api/admin/projects/default/overview'
      return JSON.parse(await (await send(target(), { path })).text()).linkTemplates
    }

    test.each(settingsCases)('$name', async ({ options, changed, lost }) => {
      const body = { mode, featureNaming, ...(!specOnly && { linkTemplates }) }
      expect((await put(target(), body)).status).toBe(200)
      expect(await target().stored()).toEqual(before)
      const { code, stderr } = await run(target(), [...set, ...options, '--yes'])
      const warning = `warning: stored settings unknown (404): texts and links not given may be cleared\n`
      // That existing flags break the new rule is another test's.
      const others = stderr.replace(/^warning: \d+ of \d+ existing flags break .*\n/m, '')
      expect([code, others]).toEqual([0, specOnly ? warning : ''])
      expect(await target().stored()).toEqual({
        ...before,
        ...changed,
        ...(specOnly && lost),
      })
      expect(await links()).toEqual(specOnly ? undefined : linkTemplates)
    })
  })
}

function testRules(target: () => Target): void {
  describe('naming rules', () => {
    test.each(rules)(
      '$rule.pattern with the example $rule.example is sent or refused',
      async ({ rule, errors, expected }) => {
        const { pattern, example } = rule
        // What could not be checked is a question.
        const argv = [...set, '--quiet', '--no-read', '--yes']
        argv.push(`--pattern=${pattern}`, '--description=d')
        if (example !== undefined) argv.push(`--example=${example}`)
        const checked = await run(target(), argv)
        const found = [...checked.stderr.matchAll(/\(([a-z-]+)\)(?=;|\n)/g)].map(([, code]) => code)
        expect(found).toEqual(errors)
        // Send a refused rule as well, to see what the service does with it.
        const force = ['--no-verify', '--retries', '0']
        const { code } = errors.length > 0 ? await run(target(), [...argv, ...force]) : checked
        const { status } = expectedOf(expected, target())
        expect([checked.code, code]).toEqual([
          errors.length > 0 ? 2 : 0,
          { 200: 0, 400: 7, 500: 8 }[status],
        ])
        if (status === 200) expect((await target().stored()).pattern).toBe(pattern)
        else expect(errors).not.toEqual([])
      },
    )
  })
}

/** The lines of `profile check`, without the address of the service. */
async function checkLines(target: Target, key?: string) {
  const { code, stdout } = await run(target, ['profile', 'check'], key)
  const lines = stdout.trimEnd().replace(target.url, 'http://service').split(/\r?\n/)
  return { code, lines }
}

function testCheck(target: () => Target): void {
  describe('profile check', () => {
    test('finds everything with the key of an admin', async () => {
      const edition = { service: 'Open Source', sandbox: 'Sandbox' }[target().kind]
      const permission = {
        service: 'may read usage; archive flags of all projects',
        sandbox: 'may read usage; change the settings of all projects',
      }[target().kind]
      const missing = {
        service: [
          '— missing        operation that changes the settings of projects: an Enterprise feature',
        ],
        sandbox: [],
      }[target().kind]
      expect(await checkLines(target())).toEqual({
        code: 0,
        lines: [
          '✓ configuration  http://service; API key from FLAGADM_API_KEY',
          '— proxy          none',
          '✓ health         good',
          '✓ token          admin token',
          `✓ version        8.2.0, ${edition}`,
          expect.stringContaining(permission),
          '✓ reads          projects, settings, flags, unknown names, hourly usage',
          expect.stringMatching(/^[✓—] usage /),
          ...missing,
        ],
      })
    })

    test('finds that a key is limited or wrong', async () => {
      const start = { service: '✗ token', sandbox: '✗ permission' }[target().kind]
      for (const [key, expected, mark] of [
        [target().keys.limited, 5, start],
        ['*:*.no-such-key', 4, '✗ token'],
      ] as const) {
        const { code, lines } = await checkLines(target(), key)
        const failed = lines.filter((line) => line.startsWith('✗'))
        expect([code, failed]).toEqual([expected, [expect.stringContaining(mark)]])
      }
    })
  })
}

function testAdd(target: () => Target): void {
  test('profile add accepts the key of an admin, and no other', async () => {
    const argv = ['profile', 'add', 'a', '--base-url', target().url, '--api-key-env', 'KEY']
    const { full, limited } = target().keys
    const codes = []
    for (const KEY of [full, limited, '*:*.no-such-key']) {
      codes.push((await target().run(argv, { KEY })).code)
    }
    expect(codes).toEqual([0, 5, 4])
  })
}

/**
 * The tests that the real service and the sandbox have in common, from one table of cases.
 * @param target returns the service; called while the tests run
 */
export function testAgreement(target: () => Target): void {
  // First, because the real service counts per hour of the clock.
  testUsage(target)
  testOperations(target, () => true)
  testReads(target)
  testCheck(target)
  testAdd(target)
  testSettings(target)
  testRules(target)
}

/** The tests for a service that has only the operations of the specification. */
export function testSpecification(target: () => Target): void {
  testUsage(target)
  testOperations(target, ({ section }) => section !== undefined)
  testSettings(target, true)
}
