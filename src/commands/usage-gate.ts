import { connect } from '../connection.ts'
import type { Context } from '../context.ts'
import { aboutFeature, errorLines, FlagadmError } from '../errors.ts'
import { type GateReport, gateJson, gateText } from '../output/gate.ts'
import type { Service } from '../service/client.ts'
import {
  type Evidence,
  type Expectation,
  isFilteredOut,
  isSettled,
  isUnseen,
  judge,
  noEvidence,
  type Verdict,
  withFailure,
  withReading,
} from '../usage/gate.ts'
import type { Shape } from '../usage/shape.ts'
import { timeOf } from '../usage/time.ts'
import { type Reading, readAll } from './usage-reading.ts'

interface Gate {
  names: readonly string[]
  shape: Shape
  concurrency: number
  intervalMs: number
  expect: Expectation
  /** 0 for one reading. */
  spanMs: number
  allowUnseen: boolean
}

const isoTime = (time: number) => new Date(time).toISOString()

/**
 * Checks that flags are used, or unused, over one reading or a span, and prints the evidence.
 * @throws `checkFailed` when it does not hold or nobody can tell, `unavailable` when too many readings failed
 */
export async function checkExpectation(context: Context, gate: Gate): Promise<void> {
  const format = context.format(['table', 'json'])
  const { service } = await connect(context)
  const started = context.host.clock.now()
  const { evidence, complete } = await gather(context, service, gate, started)
  const flags = evidence.map((one) => ({
    evidence: one,
    judgement: judge(one, gate.expect, gate.allowUnseen, complete),
  }))
  const report: GateReport = context.redactor.redactAll({
    expectation: gate.expect,
    spanMs: gate.spanMs,
    startedAt: isoTime(started),
    endedAt: isoTime(context.host.clock.now()),
    verdict: worst(flags.map(({ judgement }) => judgement.verdict)),
    flags,
  })
  await context.write(
    format === 'json' ? gateJson(report) : gateText(report, await context.style()),
  )
  for (const { flag } of evidence.filter(isFilteredOut)) {
    context.messages.warn(
      `${flag}: no record is of what --app and --environment name; are they spelt right?`,
    )
  }
  if (gate.expect === 'unused' && gate.spanMs === 0) tellWorth(context, evidence)
  refuseUnlessHolds(report)
}

function worst(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes('fails')) return 'fails'
  return verdicts.includes('inconclusive') ? 'inconclusive' : 'holds'
}

function refuseUnlessHolds({ verdict, expectation, flags }: GateReport): void {
  if (verdict === 'holds') return
  const judgements = flags.map(({ judgement }) => judgement)
  const count = (kind: Verdict) => judgements.filter((one) => one.verdict === kind).length
  const unreliable = verdict === 'inconclusive' && judgements.some((one) => one.unreliable)
  throw new FlagadmError(
    unreliable ? 'unavailable' : 'checkFailed',
    `expected ${expectation}: holds for ${count('holds')}, fails for ${count('fails')}, inconclusive for ${count('inconclusive')} of ${flags.length} flags`,
  )
}

/** Reads until every flag is settled, one that must be unused is seen, or the span is over. */
async function gather(
  context: Context,
  service: Service,
  gate: Gate,
  started: number,
): Promise<{ evidence: Evidence[]; complete: boolean }> {
  const { clock, signal } = context.host
  let evidence = gate.names.map(noEvidence)
  for (let first = true; ; first = false) {
    const readings = await readAll(service, gate.names, gate.concurrency)
    if (signal.aborted) throw new FlagadmError('interrupted', 'interrupted')
    const at = clock.now()
    if (first) refuseHopeless(readings, gate)
    tellFailures(context, readings, gate)
    evidence = evidence.map((one, index) => add(one, readings[index], gate, isoTime(at)))
    if (first) tellUnseen(context, evidence, gate)
    const seen = evidence.filter(isSettled).length
    const settled = gate.expect === 'unused' ? seen > 0 : seen === evidence.length
    const left = started + gate.spanMs - at
    if (settled || left <= 0) return { evidence, complete: left <= 0 }
    await clock.sleep(Math.min(gate.intervalMs, left), signal).catch(() => {
      throw new FlagadmError('interrupted', 'interrupted')
    })
  }
}

function add(evidence: Evidence, reading: Reading | undefined, gate: Gate, at: string): Evidence {
  return reading?.answer
    ? withReading(evidence, reading.answer.usage, gate.shape, at)
    : withFailure(evidence)
}

/** What will not mend itself within a span, or leaves nothing to judge, ends the gate at once. */
function refuseHopeless(readings: readonly Reading[], { spanMs, names }: Gate): void {
  if (readings.some(({ error }) => !error)) return
  const hopeless = readings.find(
    ({ error }) => error && (spanMs === 0 || error.kind !== 'unavailable'),
  )
  if (hopeless?.error) {
    throw names.length > 1 ? aboutFeature(hopeless.error, hopeless.name) : hopeless.error
  }
}

function tellFailures({ messages }: Context, readings: readonly Reading[], gate: Gate): void {
  const failed = readings.filter(({ error }) => error)
  const [first] = failed
  if (!first?.error) return
  const count = gate.names.length > 1 ? `${failed.length} of ${gate.names.length} flags: ` : ''
  const [line = ''] = errorLines(first.error)
  messages.warn(`a reading failed: ${count}${line.replace(/^error: /, '')}`)
}

function tellUnseen({ messages }: Context, evidence: readonly Evidence[], gate: Gate): void {
  if (gate.spanMs === 0 || gate.allowUnseen) return
  const read = evidence.filter(({ readings, failedReadings }) => readings > failedReadings)
  for (const { flag } of read.filter(isUnseen)) {
    messages.warn(`${flag}: nothing has ever seen this flag; is the name right?`)
  }
}

/** Says what a single reading proves: on real servers a new window begins at each full hour. */
function tellWorth({ host, messages }: Context, evidence: readonly Evidence[]): void {
  for (const { flag, newestRecord, seenApplications, firstSeen } of evidence) {
    if (firstSeen !== null) continue
    const time = newestRecord === null ? undefined : timeOf(newestRecord)
    const minutes = Math.round((host.clock.now() - (time ?? 0)) / 60_000)
    const record =
      time === undefined ? 'there is no record' : `the newest record is ${minutes} min old`
    const seen = `${seenApplications} ${seenApplications === 1 ? 'application has' : 'applications have'} seen the flag`
    messages.note(
      `${flag}: one reading proves little, as servers begin a new window each hour; ${record}, ${seen}; --for 65m tells more`,
    )
  }
}
