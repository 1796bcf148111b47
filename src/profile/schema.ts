import * as v from 'valibot'

const profileFields = {
  baseUrl: v.string(),
  apiKey: v.optional(v.string()),
  apiKeyEnv: v.optional(v.string()),
  apiKeyFile: v.optional(v.string()),
  apiKeyCommand: v.optional(v.pipe(v.array(v.string()), v.minLength(1, 'expected a command'))),
  caFile: v.optional(v.string()),
  allowHttp: v.optional(v.boolean()),
}

/** A configuration file: several profiles, or one at the top level, which is called `default`. */
export const configurationSchema = v.strictObject({
  ...profileFields,
  baseUrl: v.optional(v.string()),
  profiles: v.optional(v.record(v.string(), v.strictObject(profileFields))),
  defaultProfile: v.optional(v.string()),
  profile: v.optional(v.string()),
  naming: v.optional(
    v.strictObject({
      pattern: v.optional(v.string()),
      example: v.optional(v.string()),
      description: v.optional(v.string()),
    }),
  ),
  timeout: v.optional(v.number()),
  retries: v.optional(v.number()),
})

export type Configuration = v.InferOutput<typeof configurationSchema>
export type ProfileFields = NonNullable<Configuration['profiles']>[string]
