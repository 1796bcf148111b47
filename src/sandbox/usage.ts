import { createHash } from 'node:crypto'
import type { SeedFlag } from './seed.ts'

type SeedRow = SeedFlag['usage'][number]

const hourLength = 3_600_000
const frozenTimestamp = '2026-01-05T10:00:00.000Z'
// A bucket that started empty would make every flag look unused to whoever tries the sandbox on the hour.
const startingShare = 0.25
const lowestHour = 0.9

/** A number from 0 up to 1 that depends on the text alone. */
function chance(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32
}

/** Part of a seed count at a time: grows through the hour, never exceeds the count, zero stays zero. */
function grown(count: number, series: string, now: number): number {
  const hours = now / hourLength
  const hour = Math.floor(hours)
  const share = startingShare + (1 - startingShare) * (hours - hour)
  const busyness = lowestHour + (1 - lowestHour) * chance(`${series} ${hour}`)
  return Math.ceil(count * share * busyness)
}

function frozenRow({ timestamp, yes, no, variants }: SeedRow) {
  return { timestamp: timestamp ?? frozenTimestamp, yes, no, variants: variants ?? {} }
}

function sum(counts: number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}

/** Variants grow by themselves and `yes` is made of them, so that they never add up to more. */
function movingRow({ yes, no, variants = {} }: SeedRow, series: string, now: number) {
  const grownVariants = Object.entries(variants).map(
    ([name, count]) => [name, grown(count, `${series} variant ${name}`, now)] as const,
  )
  const others = yes - sum(Object.values(variants))
  return {
    timestamp: new Date(Math.floor(now / hourLength) * hourLength).toISOString(),
    yes: sum(grownVariants.map(([, count]) => count)) + grown(others, `${series} yes`, now),
    no: grown(no, `${series} no`, now),
    variants: Object.fromEntries(grownVariants),
  }
}

/**
 * The usage document of a flag.
 * @param now milliseconds since the epoch; without it the seed's own counts and times are given
 */
export function usageOf(flag: SeedFlag, now?: number) {
  const { name: featureName, usage, seenApplications } = flag
  return {
    version: 1,
    maturity: 'stable',
    featureName,
    lastHourUsage: usage.map((row) => {
      const { appName, environment } = row
      const series = `${featureName} ${appName} ${environment}`
      const counts = now === undefined ? frozenRow(row) : movingRow(row, series, now)
      return { featureName, appName, environment, ...counts }
    }),
    seenApplications,
  }
}
