import { describe, expect, test } from 'vitest'
import { patientClock } from '../../support/clock.ts'
import { environment, flagadm } from '../../support/flagadm.ts'
import { cases, type Fixture, fixtureOf, serveFixtures } from '../../support/operations.ts'
import { connections } from './connections.ts'
import { type Fault, head, response, sends } from './fault.ts'
import { forbidden, responses, unusable } from './responses.ts'

const faults = [...connections, ...responses]
const common = faults.filter(({ everyOperation }) => everyOperation)

/** The faults with their names, for titles. */
function named(list: readonly Fault[]) {
  return list.map((fault) => [fault.name, fault] as const)
}
const pauses = [100, 200]
const featureUsage = fixtureOf('featureUsage')
const updateSettings = fixtureOf('updateProjectSettings')

type Runnable = Pick<Fault, 'serve' | 'argv'>

/** Runs the command of an operation against a fault, with the addresses in its output replaced. */
async function runFault({ serve, argv = [] }: Runnable, fixture: Fixture, ...options: string[]) {
  const { path } = fixture.request
  const { url, files = {}, connections } = await serve(path)
  const { clock, waits } = patientClock()
  const world = { env: environment(url), files, clock }
  const { code, stdout, stderr } = await flagadm([...fixture.argv, ...argv, ...options], world)
  expect(stderr.replaceAll('\n', '')).not.toMatch(/\p{C}/u)
  expect(stderr).not.toMatch(/^ {4}at /m)
  const anonymous = (text: string) =>
    text.replaceAll(url + path, 'http://service/…').replaceAll(url, 'http://service')
  const run = { code, stdout: anonymous(stdout), stderr: anonymous(stderr) }
  return { run, waits, attempts: connections?.() }
}

/** The hint of a failure, which for a write without a clear answer says that it may have been made. */
function hintAfter({ kind, hint, json }: Fault, { doubt = '' }: Fixture): string | undefined {
  const isUnclear = kind === 'unavailable' && (json.status === undefined || json.status >= 500)
  return isUnclear ? `${hint}${doubt}` : hint
}

async function expectText(fault: Fault, fixture: Fixture): Promise<void> {
  const { run, waits, attempts = fault.attempts } = await runFault(fault, fixture)
  const { exitCode, line } = fault
  const hint = hintAfter(fault, fixture)
  const hintLine = hint === undefined ? '' : `hint: ${hint}\n`
  const stderr = `error: ${fixture.subject.text}${line}\n${hintLine}`
  expect(run).toEqual({ code: exitCode, stdout: '', stderr })
  expect([attempts, waits]).toEqual([fault.attempts, pauses.slice(0, fault.attempts - 1)])
}

async function expectJson(fault: Fault, fixture: Fixture): Promise<void> {
  const { run } = await runFault(fault, fixture, '--json')
  const { exitCode, kind, json } = fault
  const hint = hintAfter(fault, fixture)
  expect([run.code, run.stdout, run.stderr.match(/\n/g)]).toEqual([exitCode, '', ['\n']])
  expect(JSON.parse(run.stderr)).toStrictEqual({
    error: {
      exitCode,
      kind,
      ...fixture.subject.json,
      ...json,
      ...(hint !== undefined && { hint }),
    },
  })
}

/** The run of a command that reports the failure on stdout. */
async function expectReport(
  fault: Pick<Fault, 'serve' | 'argv' | 'exitCode' | 'line' | 'hint'>,
  fixture: Fixture,
): Promise<void> {
  const { run } = await runFault(fault, fixture)
  expect(run).toEqual({
    code: fault.exitCode,
    stdout: fixture.report?.(fault),
    stderr: 'error: a check failed\n',
  })
}

test.each(named(faults))('feature usage reports %s', (_name, fault) =>
  expectText(fault, featureUsage),
)

test.each(named(forbidden))('feature usage reports %s as JSON', (_name, fault) =>
  expectJson(fault, featureUsage),
)

const jsonType = 'Content-Type: application/json'
const usage = JSON.stringify(featureUsage.document)

test.each([
  [
    'a 200 after informational responses',
    sends(
      'HTTP/1.1 100 Continue\r\n\r\n',
      'HTTP/1.1 102 Processing\r\n\r\n',
      'HTTP/1.1 103 Early Hints\r\nLink: </login>\r\n\r\n',
      response(200, [jsonType], usage),
    ),
  ],
  ['a body that ends with the connection', sends(head(200, [jsonType]), usage)],
])('feature usage accepts %s', async (_name, serve) => {
  const { run } = await runFault({ serve }, featureUsage)
  expect(run).toEqual({ code: 0, stdout: featureUsage.done, stderr: '' })
})

test.each([
  ['a JSON document', sends(response(200, [jsonType], '[]'))],
  [
    'an empty body that is marked as compressed',
    sends(response(200, [jsonType, 'Content-Encoding: gzip'], '')),
  ],
])('project settings set accepts %s', async (_name, serve) => {
  const { run } = await runFault({ serve }, updateSettings)
  expect(run).toEqual({ code: 0, stdout: updateSettings.done, stderr: '' })
})

describe.each(cases)('the operation %s', (_name, fixture) => {
  const { argv, done, document, report, request } = fixture
  const expectEnd = (fault: Fault) => {
    return report ? expectReport(fault, fixture) : expectText(fault, fixture)
  }

  test('sends exactly this request and prints the result', async () => {
    const service = await serveFixtures()
    const { clock } = patientClock()
    const { code, stdout, stderr } = await flagadm(argv, { env: environment(service.url), clock })
    const text = stdout.replaceAll(service.url, 'http://service')
    expect([code, text, stderr]).toEqual([0, done, ''])
    const requests = service.received.map(({ method, url, body }) => ({ method, path: url, body }))
    expect(requests).toContainEqual(request)
  })

  test.each(named(common))('reports %s', (_name, fault) => expectEnd(fault))

  test('reports a page', () =>
    expectEnd({
      name: 'a page',
      serve: sends(response(200, ['Content-Type: text/html'], '<html>')),
      ...unusable(document ? 'text/html instead of JSON' : 'an HTML page instead of an empty body'),
    }))

  test('does not follow a redirect', async () => {
    const other = await serveFixtures()
    const location = `Location: ${other.url}${request.path}`
    const { run } = await runFault({ serve: sends(response(307, [location], '')) }, fixture)
    expect([run.code, other.received]).toEqual([8, []])
  })
})
