import type { ChalkInstance } from 'chalk'
import type { Evidence, Expectation, Judgement, Verdict } from '../usage/gate.ts'
import { groupDigits } from './numbers.ts'
import { isolate, safeJson, safeText } from './text.ts'

/** The result of a gate. */
export interface GateReport {
  expectation: Expectation
  spanMs: number
  startedAt: string
  endedAt: string
  verdict: Verdict
  flags: { evidence: Evidence; judgement: Judgement }[]
}

function flagJson({ evidence, judgement }: GateReport['flags'][number]): string {
  const { enabled, disabled, ...rest } = evidence
  const { verdict, reason } = judgement
  const text = JSON.stringify({ ...rest, verdict, reason })
  return `${text.slice(0, -1)},"enabled":${enabled},"disabled":${disabled}}`
}

/** The evidence as one JSON document; counts are exact. */
export function gateJson({ flags, expectation, spanMs, ...rest }: GateReport): string {
  const head = JSON.stringify({ expect: expectation, spanSeconds: spanMs / 1000, ...rest })
  return safeJson(`${head.slice(0, -1)},"flags":[${flags.map(flagJson).join(',')}]}\n`)
}

const marks: Record<Verdict, string> = { holds: '✓', fails: '✗', inconclusive: '?' }

/** A line for each flag: verdict, reason, counts. */
export function gateText({ flags, expectation }: GateReport, style: ChalkInstance): string {
  const colors = { holds: style.green, fails: style.red, inconclusive: style.yellow }
  const lines = flags.map(({ evidence, judgement: { verdict, reason } }) => {
    const { flag, enabled, disabled, readings } = evidence
    const counts =
      enabled + disabled > 0n
        ? `, ${groupDigits(enabled)} enabled, ${groupDigits(disabled)} disabled`
        : ''
    const read = `${readings} ${readings === 1 ? 'reading' : 'readings'}`
    const mark = colors[verdict](`${marks[verdict]} ${verdict}`)
    return `${mark}: ${safeText(flag)} expected ${expectation}; ${safeText(reason)} (${read}${counts})\n`
  })
  return isolate(lines.join(''))
}
