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
const hoursAgo = v.pipe(count, v.maxValue(47, 'expected at most 47'))
const timestamp = v.pipe(
  v.string(),
  v.check(isUtcTime, 'expected a UTC time such as 2026-01-05T10:00:00Z'),
)
const flagType = v.picklist(['release', 'experiment', 'operational', 'kill-switch', 'permission'])
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
      name: v.exactOptional(text),
      description: v.exactOptional(v.string()),
      mode: modeSchema,
      featureNaming: v.exactOptional(
        exactObject({
          pattern: text,
          example: v.exactOptional(v.string()),
          description: v.exactOptional(v.string()),
        }),
      ),
      linkTemplates: v.exactOptional(
        v.array(exactObject({ title: v.exactOptional(v.string()), urlTemplate: text })),
      ),
    }),
  ),
  flags: v.array(
    exactObject({
      name: text,
      project: v.string(),
      type: v.exactOptional(flagType),
      description: v.exactOptional(v.string()),
      stale: v.exactOptional(v.boolean()),
      createdAt: v.exactOptional(timestamp),
      environments: v.exactOptional(
        v.array(
          exactObject({
            name: text,
            enabled: v.exactOptional(v.boolean()),
            lastSeenAt: v.exactOptional(v.nullable(timestamp)),
          }),
        ),
      ),
      usage: v.array(
        exactObject({
          appName: v.string(),
          environment: v.string(),
          timestamp: v.exactOptional(timestamp),
          hoursAgo: v.exactOptional(hoursAgo),
          yes: count,
          no: count,
          variants: v.exactOptional(variants),
        }),
      ),
      seenApplications: v.array(v.string()),
    }),
  ),
  unknownFlags: v.exactOptional(
    v.array(exactObject({ name: text, appName: v.string(), environment: v.string() })),
  ),
})
