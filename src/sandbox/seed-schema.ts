import * as v from 'valibot'
import { anObject, exactObject } from './object.ts'
import { modeSchema } from './settings.ts'

// `v.record` drops these without a word.
const lostNames = ['__proto__', 'constructor', 'prototype']

const text = v.pipe(v.string(), v.minLength(1, 'expected a text that is not empty'))
const count = v.pipe(
  v.number(),
  v.safeInteger('expected a whole number'),
  v.minValue(0, 'expected a number that is not negative'),
)
const timestamp = v.pipe(
  v.string(),
  v.check(isUtcTime, 'expected a UTC time such as 2026-01-05T10:00:00Z'),
)
const variants = v.pipe(
  v.unknown(),
  anObject,
  v.check((value) => !hasLostName(value), `a variant cannot be called ${lostNames.join(' or ')}`),
  v.record(v.string(), count),
)

function isUtcTime(value: string): boolean {
  const time = Date.parse(value)
  // A day such as 30 February is moved to March by the parser.
  return (
    value.endsWith('Z') &&
    !Number.isNaN(time) &&
    new Date(time).toISOString().slice(0, 19) === value.slice(0, 19)
  )
}

function hasLostName(value: unknown): boolean {
  return Object.keys(Object(value)).some((name) => lostNames.includes(name))
}

/** The form of a seed; `Seed` describes it. */
export const seedSchema = exactObject({
  projects: v.array(
    exactObject({
      id: text,
      mode: modeSchema,
      featureNaming: v.exactOptional(
        exactObject({
          pattern: text,
          example: v.exactOptional(v.string()),
          description: v.exactOptional(v.string()),
        }),
      ),
    }),
  ),
  flags: v.array(
    exactObject({
      name: text,
      project: v.string(),
      usage: v.array(
        exactObject({
          appName: v.string(),
          environment: v.string(),
          timestamp: v.exactOptional(timestamp),
          yes: count,
          no: count,
          variants: v.exactOptional(variants),
        }),
      ),
      seenApplications: v.array(v.string()),
    }),
  ),
})
