import type { Context } from '../old/context.ts'
import { type ErrorKind, FlagadmError } from '../errors.ts'
import { failureOfRun } from '../old/failures.ts'
import { isoText } from '../old/output/dates.ts'
import { gateSummary, type GateReport, type JudgedFlag, renderGate } from './report/gate.ts'
import { unknownFilters } from './filter.ts'
import { reasonText } from './report/verdict.ts'
import { isUnread } from './evidence.ts'
import { judge, type GateVerdict } from './verdict.ts'
import { type Observations, observe } from './observe.ts'
import type { GateRequest } from './request.ts'
import type { UsageSource } from './source.ts'

/**
 * Checks that flags are used, or unused, with one reading or with several over a duration, and prints the evidence.
 * @throws `checkFailed` if a flag fails or its evidence is inconclusive; if flags could not be read,
 *   their error, or `partial` if others passed
 */
export async function checkExpectation(
  context: Context,
  source: UsageSource,
  gate: GateRequest,
): Promise<void> {
  const { clock } = context.host
  const startedAt = isoText(clock.now())
  const observations = await observe(context, source, gate)
  if (observations.flags.every(isUnread)) {
    const errors = observations.flags.flatMap(({ error }) => error ?? [])
    throw failureOfRun(errors, observations.flags.length)
  }
  const flags = judgedFlags(observations, gate)
  const report: GateReport = {
    gate,
    source,
    startedAt,
    endedAt: isoText(clock.now()),
    verdict: worst(flags.map(({ verdict }) => verdict)),
    flags,
  }
  await context.write(renderGate(gate.format, report, context.printer))
  refuseUnlessPassed(report)
}

function judgedFlags({ flags, known, complete }: Observations, gate: GateRequest): JudgedFlag[] {
  const { options } = gate
  const unknown = options.allowUnknownFilter ? [] : unknownFilters(options, known)
  return flags.map((observation) => {
    const judgement = judge(observation, { gate, complete, unknown })
    const reason = reasonText(observation, judgement.doubt, gate)
    return { ...observation, ...judgement, reason }
  })
}

function worst(verdicts: readonly GateVerdict[]): GateVerdict {
  if (verdicts.includes('failed')) return 'failed'
  return verdicts.includes('inconclusive') ? 'inconclusive' : 'passed'
}

/** The kind of error that a flag contributes to the exit code; undefined if it passed. */
function kindOf({ verdict, doubt }: JudgedFlag): ErrorKind | undefined {
  if (verdict === 'passed') return undefined
  if (doubt?.kind === 'refused') return doubt.error.kind
  return doubt?.kind === 'failedReadings' ? 'unavailable' : 'checkFailed'
}

function refuseUnlessPassed(report: GateReport): void {
  const { verdict, flags } = report
  if (verdict === 'passed') return
  const kinds = new Set(flags.map(kindOf))
  const [only] = kinds
  const kind = kinds.has('checkFailed') ? 'checkFailed' : kinds.size > 1 ? 'partial' : only
  throw new FlagadmError(kind ?? 'checkFailed', gateSummary(report))
}
