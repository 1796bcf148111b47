import * as v from 'valibot'
import { isObject } from '../input/json.ts'
import { storedSettings } from './settings-document.ts'

// Far more than real documents contain. Checking more of them would take minutes.
const MAX_ROWS = 200_000
const TOO_MANY = 'a list of more than 200,000 rows'

function listOf<Entries extends v.ObjectEntries>(entries: Entries) {
  const rows = v.pipe(v.array(v.unknown()), v.maxLength(MAX_ROWS, TOO_MANY))
  return v.pipe(rows, v.array(v.object(entries)))
}

const MAX_CHARACTERS = 10_000
const TOO_LONG = 'a name of more than 10,000 characters'
const name = v.pipe(v.string(), v.maxLength(MAX_CHARACTERS, TOO_LONG))

// Sums of larger ones may be infinite.
const hasAtMost64Bits = (value: number) => Math.abs(value) < 2 ** 64
const count = v.pipe(
  v.custom<number>(Number.isInteger, 'expected an integer'),
  v.check(hasAtMost64Bits, 'an integer of more than 64 bits'),
)

// Not `v.record`, which drops a variant called `__proto__` or `constructor`.
const variants = v.pipe(
  v.custom<Record<string, number>>(isObject, 'expected an object'),
  v.check((value) => Object.keys(value).length <= MAX_ROWS, TOO_MANY),
  v.check((value) => Object.values(value).every(Number.isInteger), 'expected integers'),
  v.check((value) => Object.values(value).every(hasAtMost64Bits), 'integers of more than 64 bits'),
  v.check((value) => Object.keys(value).every(({ length }) => length <= MAX_CHARACTERS), TOO_LONG),
  v.transform((value) => Object.entries(value).map(([name, count]) => ({ name, count }))),
)

const usageRecords = listOf({
  featureName: v.nullish(name),
  appName: v.nullish(name),
  environment: v.nullish(name),
  timestamp: v.nullish(name),
  yes: v.nullish(count),
  no: v.nullish(count),
  variants: v.nullish(variants),
})

/** `featureUsageSchema`: only `lastHourUsage` is required, fields may be null, unknown ones are ignored. */
export const featureUsageSchema = v.object({
  version: v.nullish(v.number()),
  maturity: v.nullish(name),
  featureName: v.nullish(name),
  lastHourUsage: usageRecords,
  seenApplications: v.nullish(v.array(name)),
})

export type ServiceRecord = v.InferOutput<typeof featureUsageSchema>['lastHourUsage'][number]

export const projectListSchema = v.object({
  projects: listOf({
    id: name,
    name: v.nullish(name),
    mode: v.nullish(name),
    featureCount: v.nullish(count),
    archivedAt: v.nullish(name),
    lastReportedFlagUsage: v.nullish(name),
  }),
})

export type ProjectList = v.InferOutput<typeof projectListSchema>

/** A part that flagadm can do without: one of another shape is treated like a missing one. */
function optionalPart<Schema extends v.GenericSchema>(schema: Schema) {
  return v.fallback(v.nullish(schema), undefined)
}

export const strategySchema = v.object({
  name: v.nullish(name),
  disabled: v.nullish(v.boolean()),
  parameters: optionalPart(v.custom<Record<string, unknown>>(isObject)),
  constraints: optionalPart(
    v.array(
      v.looseObject({
        contextName: v.optional(v.unknown()),
        operator: v.optional(v.unknown()),
        value: v.optional(v.unknown()),
      }),
    ),
  ),
  segments: optionalPart(v.array(count)),
  variants: optionalPart(v.array(v.unknown())),
})

export type Strategy = v.InferOutput<typeof strategySchema>

export const segmentsSchema = v.object({
  // Without a project, it is one of all projects.
  segments: listOf({ id: count, name, project: optionalPart(v.nullable(name)) }),
})

export const projectOverviewSchema = v.object({
  environments: v.nullish(
    listOf({ environment: name, defaultStrategy: optionalPart(strategySchema) }),
  ),
  ...storedSettings.entries,
})

export const projectSchema = storedSettings

/** A time as the service wrote it. One that is not text cannot be read, but it is not missing. */
const timestamp = v.nullish(
  v.pipe(
    v.unknown(),
    v.transform((value) => (typeof value === 'object' ? 'not a time' : String(value))),
    v.maxLength(MAX_CHARACTERS, TOO_LONG),
  ),
)

const environmentEntries = {
  name,
  // `production` for those that users depend on; others are `development`, `test` and so on.
  type: v.nullish(name),
  enabled: v.nullish(v.boolean()),
  // Null when it was never seen there.
  lastSeenAt: timestamp,
  // Those of the environment itself; strategies have others.
  variantCount: optionalPart(count),
}

const featureEntries = {
  name,
  type: v.nullish(name),
  stale: v.nullish(v.boolean()),
  createdAt: timestamp,
  // Some versions report it only here, others only for each environment.
  lastSeenAt: timestamp,
  environments: v.nullish(listOf(environmentEntries)),
}

export const projectFeaturesSchema = v.object({ features: listOf(featureEntries) })

/** Tokens, the service itself and deleted users have no id above 0. */
const person = v.object({ id: v.nullish(count), name: v.nullish(name) })

export const featureDocumentSchema = v.object({
  ...featureEntries,
  environments: v.nullish(
    listOf({
      ...environmentEntries,
      strategies: v.nullish(v.array(strategySchema)),
    }),
  ),
  lifecycle: v.nullish(
    v.pipe(
      v.custom<object>(isObject, 'expected an object'),
      v.object({ stage: v.nullish(name), enteredStageAt: timestamp }),
    ),
  ),
  dependencies: v.nullish(
    listOf({
      feature: name,
      // Whether the other flag must be on, or off.
      enabled: v.nullish(v.boolean()),
      variants: v.nullish(v.array(name)),
    }),
  ),
  /** The flags that depend on it. */
  children: optionalPart(v.array(name)),
  project: v.nullish(name),
  archived: v.nullish(v.boolean()),
  archivedAt: timestamp,
  createdBy: optionalPart(person),
  // Who changed it, the newest first.
  collaborators: optionalPart(v.object({ users: v.nullish(listOf(person.entries)) })),
})

export type FeatureDocument = v.InferOutput<typeof featureDocumentSchema>

export type Feature = v.InferOutput<typeof projectFeaturesSchema>['features'][number]

export const featureTypesSchema = v.object({
  types: listOf({ id: name }),
})

export const foundFeaturesSchema = v.object({
  features: listOf({
    name,
    project: v.nullish(name),
    // Missing if the service ignored the filter: then the flag may not be archived.
    archivedAt: timestamp,
    createdAt: timestamp,
    lastSeenAt: timestamp,
    environments: v.nullish(listOf({ name, lastSeenAt: timestamp })),
  }),
  /** Of all pages. */
  total: v.nullish(count),
})

export type FoundFeatures = v.InferOutput<typeof foundFeaturesSchema>

export const eventsSchema = v.object({
  events: listOf({
    id: v.nullish(count),
    type: name,
    createdAt: timestamp,
    createdBy: v.nullish(name),
    createdByUserId: v.nullish(count),
    featureName: v.nullish(name),
    project: v.nullish(name),
    environment: v.nullish(name),
    // Their shape depends on the type; many types have none.
    data: v.optional(v.unknown()),
    preData: v.optional(v.unknown()),
    /** What happened, in the words of the service: Markdown. */
    summary: optionalPart(v.string()),
  }),
  /** Of all pages; the service returns no events if it could not read them. */
  total: v.nullish(count),
  totalEvents: v.nullish(count),
})

export type EventList = v.InferOutput<typeof eventsSchema>
export type FlagEvent = EventList['events'][number]

export const unknownFlagsSchema = v.object({
  unknownFlags: listOf({
    name,
    lastSeenAt: v.nullish(name),
    reports: v.nullish(
      listOf({
        appName: v.nullish(name),
        environments: v.nullish(listOf({ environment: v.nullish(name), seenAt: v.nullish(name) })),
      }),
    ),
  }),
})

export type UnknownFlags = v.InferOutput<typeof unknownFlagsSchema>

/** `GET …/client-metrics/features/:featureName/raw`: one record for each hour, environment and application. */
export const featureUsageHoursSchema = v.object({ maturity: v.nullish(name), data: usageRecords })

/** `GET …/api-tokens`: the part that flagadm uses, which has no secret. */
export const apiTokensSchema = v.object({
  tokens: listOf({
    type: v.nullish(name),
    environment: v.nullish(name),
    project: v.nullish(name),
    projects: v.nullish(v.array(name)),
    expiresAt: timestamp,
    seenAt: timestamp,
  }),
})

export const statisticsSchema = v.object({
  // How many rows of usage the service has of yesterday.
  previousDayMetricsBucketsCount: optionalPart(v.object({ enabledCount: v.nullish(v.number()) })),
})

export const healthSchema = v.object({ health: name })

/** `GET …/user`: the part that flagadm uses. For an admin token, the response contains the token. */
export const userSchema = v.object({
  user: v.object({ type: v.nullish(name) }),
  permissions: listOf({
    permission: name,
    project: v.nullish(name),
    environment: v.nullish(name),
  }),
})

export type User = v.InferOutput<typeof userSchema>

export const uiConfigSchema = v.object({
  version: v.nullish(name),
  // The edition, such as `Enterprise`.
  environment: v.nullish(name),
  maintenanceMode: v.nullish(v.boolean()),
  flags: optionalPart(v.object({ extendedUsageMetrics: optionalPart(v.boolean()) })),
})

export type UiConfig = v.InferOutput<typeof uiConfigSchema>
