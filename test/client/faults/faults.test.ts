import { describe, expect, test } from 'vitest'
import { patientClock } from '../../support/clock.ts'
import { environment, flagadm, type Outcome } from '../../support/flagadm.ts'
import type { Failure, Fault, Served } from './fault.ts'
import { faults } from './faults.ts'
import { type Operation, operations } from './operations.ts'

const pauses = [100, 200]

/** Runs a cell of the matrix, with the addresses of its output replaced. */
async function runFault(fault: Fault, operation: Operation, options: readonly string[]) {
  const service = await fault.serve()
  const { clock, waits } = patientClock()
  const { url, files = {} } = service
  const argv = [...operations[operation].argv, ...options, ...(fault.argv ?? [])]
  const outcome = await flagadm(argv, { env: environment(url), files, clock })
  expect(outcome.stderr.replaceAll('\n', '')).not.toMatch(/\p{C}/u)
  expect(outcome.stderr).not.toMatch(/^ {4}at /m)
  return { ...anonymous(outcome, service, operation), waits, connections: service.connections?.() }
}

function anonymous({ code, stdout, stderr }: Outcome, { url }: Served, operation: Operation) {
  const text = (printed: string) =>
    printed
      .replaceAll(url + operations[operation].path, 'http://service/…')
      .replaceAll(url, 'http://service')
  return { code, stdout: text(stdout), stderr: text(stderr) }
}

function expectFailure(ran: Awaited<ReturnType<typeof runFault>>, failure: Failure) {
  const { code, stdout, waits, connections = failure.attempts } = ran
  expect([code, stdout]).toEqual([failure.exitCode, ''])
  expect([connections, waits]).toEqual([failure.attempts, pauses.slice(0, failure.attempts - 1)])
}

const cells = faults.flatMap((fault) =>
  (['project settings set', 'feature usage'] as const).map(
    (operation) => [`${operation} with ${fault.name}`, fault, operation] as const,
  ),
)

describe('as text, the table tells the end of', () => {
  test.each(cells)('%s', async (_name, fault, operation) => {
    const ending = fault.ends[operation]
    const ran = await runFault(fault, operation, [])
    if (ending === 'done') {
      const { code, stdout, stderr } = ran
      return expect([code, stdout, stderr]).toEqual([0, operations[operation].text, ''])
    }
    expectFailure(ran, ending)
    const hint = ending.hint === undefined ? '' : `hint: ${ending.hint}\n`
    return expect(ran.stderr).toBe(
      `error: ${operations[operation].subject.text}${ending.line}\n${hint}`,
    )
  })
})

describe('as JSON, the table tells the end of', () => {
  test.each(cells)('%s', async (_name, fault, operation) => {
    const ending = fault.ends[operation]
    const ran = await runFault(fault, operation, ['--json'])
    if (ending === 'done') {
      const { code, stdout, stderr } = ran
      return expect([code, stdout, stderr]).toEqual([0, operations[operation].json, ''])
    }
    expectFailure(ran, ending)
    const { exitCode, kind, json, hint } = ending
    expect(ran.stderr.match(/\n/g)).toEqual(['\n'])
    return expect(JSON.parse(ran.stderr)).toStrictEqual({
      error: {
        exitCode,
        kind,
        ...operations[operation].subject.json,
        ...json,
        ...(hint !== undefined && { hint }),
      },
    })
  })
})
