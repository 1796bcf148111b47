import { describe, expect, it } from 'vitest'
import { patientClock } from '../../support/clock.ts'
import { environment, flagadm } from '../../support/flagadm.ts'
import { cases, type Fixture, fixtureOf, serveFixtures } from '../../support/operations.ts'
import { connections } from './connections.ts'
import { type Fault, head, response, sends } from './fault.ts'
import { forbidden, otherSuccess, responses, unusable } from './responses.ts'

const faults = [...connections, ...responses]
const common = faults.filter(({ everyOperation }) => everyOperation)

/** The faults with their names, for titles. */
function named(list: readonly Fault[]) {
  return list.map((fault) => [fault.name, fault] as const)
}
const pauses = [100, 200]
const featureUsage = fixtureOf('featureUsage')
const updateSettings = fixtureOf('updateProjectSettings')

/** Runs the command of an operation against a fault, with the addresses in its output replaced. */
async function runFault(serve: Fault['serve'], fixture: Fixture, ...options: string[]) {
  const { path } = fixture.request
  const { url, files = {}, connections } = await serve(path)
  const { clock, waits } = patientClock()
  const world = { env: environment(url), files, clock }
  const { code, stdout, stderr } = await flagadm([...fixture.argv, ...options], world)
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

async function expectFailure(fault: Fault, fixture: Fixture): Promise<void> {
  const { run, waits, attempts = fault.attempts } = await runFault(fault.serve, fixture)
  const { exitCode, line } = fault
  const hint = hintAfter(fault, fixture)
  const hintLine = hint === undefined ? '' : `hint: ${hint}\n`
  const error = `error: ${fixture.subject.text}${line}\n${hintLine}`
  const stdout = fixture.report?.(fault) ?? ''
  const stderr = fixture.report ? 'error: a check failed\n' : error
  expect(run).toEqual({
    code: exitCode,
    stdout,
    stderr,
  })
  expect([attempts, waits]).toEqual([fault.attempts, pauses.slice(0, fault.attempts - 1)])
}

it.each(named(faults))('feature usage reports %s', (_name, fault) =>
  expectFailure(fault, featureUsage),
)

it.each(named(forbidden))('feature usage reports %s as JSON', async (_name, fault) => {
  const { run } = await runFault(fault.serve, featureUsage, '--json')
  const { exitCode, kind, json, hint } = fault
  expect(run).toMatchObject({
    code: exitCode,
    stdout: '',
  })
  expect(run.stderr.match(/\n/g)).toHaveLength(1)
  expect(JSON.parse(run.stderr).error).toEqual({
    exitCode,
    kind,
    ...featureUsage.subject.json,
    ...json,
    hint,
  })
})

const jsonType = 'Content-Type: application/json'
const usage = JSON.stringify(featureUsage.document)

it.each([
  [
    'feature usage accepts a 200 after informational responses',
    featureUsage,
    sends(
      'HTTP/1.1 100 Continue\r\n\r\n',
      'HTTP/1.1 102 Processing\r\n\r\n',
      'HTTP/1.1 103 Early Hints\r\nLink: </login>\r\n\r\n',
      response(200, [jsonType], usage),
    ),
  ],
  [
    'feature usage accepts a body that ends with the connection',
    featureUsage,
    sends(head(200, [jsonType]), usage),
  ],
  [
    'project settings set accepts a JSON document',
    updateSettings,
    sends(response(200, [jsonType], '[]')),
  ],
  [
    'project settings set accepts an empty body that is marked as compressed',
    updateSettings,
    sends(response(200, [jsonType, 'Content-Encoding: gzip'], '')),
  ],
])('%s', async (_name, fixture, serve) => {
  const { run } = await runFault(serve, fixture)
  expect(run).toEqual({
    code: 0,
    stdout: fixture.done,
    stderr: '',
  })
})

it('naming check --available reports a JSON document, which may be of something else than the service', () =>
  expectFailure(
    {
      name: 'a JSON document',
      serve: sends(response(200, [jsonType], '{}')),
      ...unusable('a body instead of an empty one'),
    },
    fixtureOf('validateFeatureName'),
  ))

describe.each(cases)('the operation %s', (_name, fixture, { success = 200 }) => {
  const { argv, done, document, request } = fixture

  it('sends exactly this request and prints the result', async () => {
    const service = await serveFixtures()
    const { clock } = patientClock()
    const { code, stdout, stderr } = await flagadm(argv, { env: environment(service.url), clock })
    const text = stdout.replaceAll(service.url, 'http://service')
    expect({ code, stdout: text, stderr }).toEqual({
      code: 0,
      stdout: done,
      stderr: '',
    })
    const requests = service.received.map(({ method, url, body }) => ({ method, path: url, body }))
    expect(requests).toContainEqual(request)
  })

  it.each(named([...common, otherSuccess(204, success)]))('reports %s', (_name, fault) =>
    expectFailure(fault, fixture),
  )

  it('reports an HTML page', () =>
    expectFailure(
      {
        name: 'an HTML page',
        serve: sends(response(200, ['Content-Type: text/html'], '<html>')),
        ...unusable(
          document ? 'text/html instead of JSON' : 'an HTML page instead of an empty body',
        ),
      },
      fixture,
    ))

  it('does not follow a redirect', async () => {
    const other = await serveFixtures()
    const location = `Location: ${other.url}${request.path}`
    const { run } = await runFault(sends(response(307, [location], '')), fixture)
    expect([run.code, other.received]).toEqual([8, []])
  })
})
