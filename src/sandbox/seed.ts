import * as v from 'valibot'
import { anObject, exactObject } from '../input/shape.ts'

const text = v.pipe(v.string(), v.nonEmpty('expected a non-empty string'))
const count = v.pipe(
  v.number(),
  v.safeInteger('expected a whole number'),
  v.minValue(0, 'expected a non-negative number'),
)
const time = v.pipe(
  v.string(),
  v.regex(/^[\dT:.-]+Z$/, 'expected a UTC time such as 2026-01-05T10:00:00Z'),
)
const flagType = v.picklist([
  'release',
  'experiment',
  'operational',
  'kill-switch',
  'permission',
  'sunset',
])

function listOf<Entries extends v.ObjectEntries>(entries: Entries) {
  return v.array(exactObject(entries))
}

function recordOf<Value extends v.GenericSchema>(value: Value) {
  return v.pipe(v.unknown(), anObject, v.record(v.string(), value))
}

/** The initial data of a sandbox, in the wire's field names; docs/sandbox.md has an example with every field. */
export const seedSchema = exactObject({
  projects: listOf({
    id: text,
    name: v.exactOptional(text),
    mode: v.picklist(['open', 'protected', 'private']),
    featureNaming: v.exactOptional(
      exactObject({
        pattern: text,
        example: v.exactOptional(v.string()),
        description: v.exactOptional(v.string()),
      }),
    ),
    linkTemplates: v.exactOptional(
      listOf({ title: v.exactOptional(v.string()), urlTemplate: text }),
    ),
  }),
  flags: listOf({
    name: text,
    project: v.string(),
    type: v.exactOptional(flagType),
    stale: v.exactOptional(v.boolean()),
    createdAt: v.exactOptional(time),
    createdBy: v.exactOptional(text),
    archived: v.exactOptional(v.boolean()),
    dependencies: v.exactOptional(
      listOf({
        feature: text,
        enabled: v.exactOptional(v.boolean()),
        variants: v.exactOptional(v.array(v.string())),
      }),
    ),
    lastSeenAt: v.exactOptional(v.nullable(time)),
    environments: v.exactOptional(
      listOf({
        name: text,
        enabled: v.exactOptional(v.boolean()),
        lastSeenAt: v.exactOptional(v.nullable(time)),
        strategies: v.exactOptional(
          listOf({
            name: text,
            disabled: v.exactOptional(v.boolean()),
            parameters: v.exactOptional(recordOf(v.string())),
            segments: v.exactOptional(v.array(count)),
          }),
        ),
      }),
    ),
    usage: v.exactOptional(
      listOf({
        appName: v.string(),
        environment: v.string(),
        timestamp: v.exactOptional(time),
        hoursAgo: v.exactOptional(v.pipe(count, v.maxValue(47, 'expected at most 47'))),
        daysAgo: v.exactOptional(
          v.pipe(count, v.minValue(2, 'expected 2 to 90'), v.maxValue(90, 'expected 2 to 90')),
        ),
        yes: count,
        no: count,
        variants: v.exactOptional(recordOf(count)),
      }),
    ),
    seenApplications: v.exactOptional(v.array(v.string())),
  }),
  segments: v.exactOptional(listOf({ id: count, name: text })),
  events: v.exactOptional(
    listOf({
      minutesAgo: count,
      type: text,
      createdBy: text,
      project: v.exactOptional(text),
      featureName: v.exactOptional(text),
      environment: v.exactOptional(text),
      data: v.exactOptional(recordOf(v.unknown())),
      preData: v.exactOptional(recordOf(v.unknown())),
    }),
  ),
  unknownFlags: v.exactOptional(
    listOf({ name: text, appName: v.string(), environment: v.string() }),
  ),
})

export type Seed = v.InferOutput<typeof seedSchema>
export type SeedFlag = Seed['flags'][number]
export type SeedStrategy = NonNullable<
  NonNullable<SeedFlag['environments']>[number]['strategies']
>[number]
export type SeedSegment = NonNullable<Seed['segments']>[number]
export type SeedRow = NonNullable<SeedFlag['usage']>[number]
export type SeedUnknownFlag = NonNullable<Seed['unknownFlags']>[number]
