import * as v from 'valibot'
import { MAX_CONCURRENCY, MAX_RETRIES } from '../input/values.ts'
import { isReservedName } from '../paths.ts'

// Some letters are invisible (U+3164), so they are excluded.
const PROFILE_NAME = /^(?!.*\p{Default_Ignorable_Code_Point})[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u

/** What is wrong with the name of a profile, which is used on command lines and as the name of a key file. */
export function nameProblem(name: string): string | undefined {
  if (!PROFILE_NAME.test(name)) {
    return 'invalid profile name: use letters, digits, dots, hyphens and underscores; begin with a letter or digit'
  }
  // The schema ignores the first two, which every object inherits.
  const isReserved = ['constructor', 'prototype', 'sandbox'].includes(name) || isReservedName(name)
  return isReserved ? `the profile name '${name}' is reserved` : undefined
}

function wholeNumberFrom(min: number, max: number, description: string) {
  const expected = `expected a whole number from ${min} to ${max}`
  return v.pipe(
    v.number(),
    v.integer(expected),
    v.minValue(min, expected),
    v.maxValue(max, expected),
    v.description(description),
  )
}

const text = (description: string) => v.pipe(v.string(), v.description(description))

const texts = (description: string) =>
  v.exactOptional(v.pipe(v.array(v.string()), v.description(description)))

const baseUrl = text('address of the service, without /api')

export const profileFields = {
  baseUrl,
  apiKey: v.optional(text('API key')),
  // Accept only names of variables, so a key given here by mistake is not printed as a name.
  apiKeyEnv: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[A-Za-z_]\w*$/, 'expected the name of a variable'),
      v.description('environment variable that contains the API key'),
    ),
  ),
  apiKeyFile: v.optional(text('file that contains the API key')),
  apiKeyCommand: v.optional(
    v.pipe(
      v.array(v.pipe(v.string(), v.regex(/^[^\0]*$/, 'expected text'))),
      v.minLength(1, 'expected a command'),
      v.check(([program]) => program !== '', 'expected a command'),
      v.description('command and arguments that print the API key'),
    ),
  ),
  caFile: v.optional(text('file of certificates to trust')),
  allowHttp: v.optional(v.pipe(v.boolean(), v.description('allow a plain http address'))),
  concurrency: v.optional(wholeNumberFrom(1, MAX_CONCURRENCY, 'concurrent requests')),
}

export const keyFields = ['apiKey', 'apiKeyEnv', 'apiKeyFile', 'apiKeyCommand'] as const

/** Whether a text is a day of the calendar, such as `2027-03-31`. */
function isDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === day
}

const profileName = v.pipe(
  v.string(),
  v.check(
    (name) => nameProblem(name) === undefined,
    ({ input }) => `${nameProblem(input)}`,
  ),
)

const keptName = v.pipe(
  v.string(),
  v.nonEmpty('expected a name'),
  v.description("name of a flag; '*' matches any text"),
)

const keptFlags = v.strictObject({
  name: keptName,
  reason: v.exactOptional(text('why they stay')),
  until: v.exactOptional(
    v.pipe(
      v.string(),
      v.check((day) => isDay(day), 'expected a day, such as 2027-03-31'),
      v.description('the last day on which they stay'),
    ),
  ),
})

/** A configuration file: named profiles, or one profile `default` at the top level. */
export const configurationSchema = v.pipe(
  v.strictObject({
    ...profileFields,
    baseUrl: v.optional(baseUrl),
    profiles: v.optional(v.record(profileName, v.strictObject(profileFields))),
    defaultProfile: v.optional(text('profile to use, in the configuration of a user')),
    profile: v.optional(text('profile to use, in the configuration of a project')),
    naming: v.optional(
      v.strictObject({
        pattern: v.exactOptional(v.string()),
        example: v.exactOptional(v.string()),
        description: v.exactOptional(v.string()),
      }),
    ),
    scan: v.optional(
      v.strictObject({
        paths: texts('source code: globs from the folder of this file'),
        exclude: texts('what to leave out: globs from the folder of this file'),
        calls: texts('functions that take a flag name: isOn, isOn:2 or isOn:key'),
        match: texts('regular expressions with a group named flag or constant'),
      }),
    ),
    review: v.optional(
      v.strictObject({
        keep: v.exactOptional(
          v.pipe(
            v.array(v.union([keptName, keptFlags])),
            v.description('flags that stay, as if they were of a permanent type'),
          ),
        ),
      }),
    ),
    timeout: v.optional(
      v.pipe(
        v.union([v.number(), v.string()]),
        v.description('deadline of one request: 10, 10s or 5m'),
      ),
    ),
    retries: v.optional(wholeNumberFrom(0, MAX_RETRIES, 'further attempts after a failed one')),
  }),
  v.check(
    ({ profiles = {}, ...top }) =>
      [top, ...Object.values(profiles)].every(
        (fields) => keyFields.filter((field) => fields[field] !== undefined).length < 2,
      ),
    `a profile has only one of ${keyFields.join(', ')}`,
  ),
  v.check(
    ({ baseUrl, ...fields }) =>
      baseUrl !== undefined || !Object.keys(profileFields).some((field) => field in fields),
    'a profile at the top level requires baseUrl',
  ),
)

export type Configuration = v.InferOutput<typeof configurationSchema>
export type ProfileFields = NonNullable<Configuration['profiles']>[string]
