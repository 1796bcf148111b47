import * as v from 'valibot'

/** Modes of a project: section "States and transitions" of the specification. */
export const projectModes = ['open', 'protected', 'private'] as const

/** `updateProjectEnterpriseSettingsSchema`: what may be sent. */
export const projectSettingsSchema = v.strictObject({
  // Any text: whether it is a mode is checked before sending, unless the user forgoes that.
  mode: v.exactOptional(v.string()),
  featureNaming: v.exactOptional(
    v.strictObject({
      pattern: v.exactOptional(v.string()),
      example: v.exactOptional(v.string()),
      description: v.exactOptional(v.string()),
    }),
  ),
})

export type ProjectSettings = v.InferOutput<typeof projectSettingsSchema>
export type FeatureNaming = NonNullable<ProjectSettings['featureNaming']>

// A JSON number beyond 2^53 would be rounded: `parseUsage` hands such an integer over as its digits.
const digits = /^-?\d{16,}$/

function isCount(value: unknown): value is number | string {
  return typeof value === 'number'
    ? Number.isInteger(value)
    : typeof value === 'string' && digits.test(value)
}

const count = v.pipe(
  v.custom<number | string>(isCount, 'expected an integer'),
  v.transform((value) => BigInt(value)),
)

// Not `v.record`, which drops a variant called `__proto__` or `constructor`.
const variants = v.pipe(
  v.custom<Record<string, number | string>>(isPlainObject, 'expected an object'),
  v.check((value) => Object.values(value).every(isCount), 'expected integers'),
  v.transform((value) => Object.entries(value).map(([name, n]) => ({ name, count: BigInt(n) }))),
)

/** Never asked of null, which `nullish` takes. */
function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && !Array.isArray(value)
}

/** `featureUsageSchema`: only `lastHourUsage` is required, a field may be null, unknown ones may come. */
export const featureUsageSchema = v.object({
  version: v.nullish(v.number()),
  maturity: v.nullish(v.string()),
  featureName: v.nullish(v.string()),
  lastHourUsage: v.array(
    v.object({
      featureName: v.nullish(v.string()),
      appName: v.nullish(v.string()),
      environment: v.nullish(v.string()),
      timestamp: v.nullish(v.string()),
      yes: v.nullish(count),
      no: v.nullish(count),
      variants: v.nullish(variants),
    }),
  ),
  seenApplications: v.nullish(v.array(v.string())),
})

/** A usage document with exact counts. */
export type FeatureUsage = v.InferOutput<typeof featureUsageSchema>
export type UsageRecord = FeatureUsage['lastHourUsage'][number]
