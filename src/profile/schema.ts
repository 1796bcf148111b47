import * as v from 'valibot'

/** The most requests under way at once. */
export const MOST_AT_ONCE = 100

const profileFields = {
  baseUrl: v.string(),
  apiKey: v.optional(v.string()),
  // Accept only names of variables, so a key given here by mistake is not printed as a name.
  apiKeyEnv: v.optional(
    v.pipe(v.string(), v.regex(/^[A-Za-z_]\w*$/, 'expected the name of a variable')),
  ),
  apiKeyFile: v.optional(v.string()),
  apiKeyCommand: v.optional(
    v.pipe(
      v.array(v.pipe(v.string(), v.regex(/^[^\0]*$/, 'expected text'))),
      v.check(([program]) => Boolean(program), 'expected a command'),
    ),
  ),
  caFile: v.optional(v.string()),
  allowHttp: v.optional(v.boolean()),
  concurrency: v.optional(
    v.pipe(
      v.number(),
      v.check(
        (count) => Number.isInteger(count) && count >= 1 && count <= MOST_AT_ONCE,
        `expected a whole number from 1 to ${MOST_AT_ONCE}`,
      ),
    ),
  ),
}

/** A configuration file: named profiles, or one profile `default` at the top level. */
export const configurationSchema = v.strictObject({
  ...profileFields,
  baseUrl: v.optional(v.string()),
  profiles: v.optional(v.record(v.string(), v.strictObject(profileFields))),
  defaultProfile: v.optional(v.string()),
  trustedProjects: v.optional(v.array(v.string())),
  profile: v.optional(v.string()),
  naming: v.optional(
    v.strictObject({
      pattern: v.exactOptional(v.string()),
      example: v.exactOptional(v.string()),
      description: v.exactOptional(v.string()),
    }),
  ),
  timeout: v.optional(v.union([v.number(), v.string()])),
  retries: v.optional(v.number()),
})

export type Configuration = v.InferOutput<typeof configurationSchema>
export type ProfileFields = NonNullable<Configuration['profiles']>[string]
