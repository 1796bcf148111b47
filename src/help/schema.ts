import * as v from 'valibot'

const list = v.array(v.string())
const text = (description: string) => v.pipe(v.string(), v.description(description))
const type = v.picklist(['boolean', 'text', 'integer', 'duration', 'path', 'folder', 'profile'])

const argument = v.strictObject({
  name: v.string(),
  description: v.string(),
  required: v.boolean(),
  variadic: v.boolean(),
  type,
  choices: v.optional(list),
})

const option = v.strictObject({
  name: v.pipe(v.string(), v.regex(/^--/)),
  short: v.optional(v.pipe(v.string(), v.regex(/^-\w$/))),
  description: v.string(),
  group: text('heading of the option in the help'),
  type: v.pipe(type, v.description('type of the value; boolean for an option without one')),
  placeholder: v.optional(text('name of the value in the help')),
  required: v.boolean(),
  repeatable: v.boolean(),
  choices: v.optional(list),
  default: v.optional(v.union([v.string(), v.number()])),
  environment: v.optional(
    v.pipe(list, v.description('environment variables for the same setting')),
  ),
})

/** The output of `flagadm help --json`. The program only uses its type; the published schema is generated from it. */
export const helpSchema = v.strictObject({
  path: text('the full command, such as flagadm feature usage'),
  summary: v.string(),
  version: text('version of flagadm'),
  usage: v.string(),
  arguments: v.array(argument),
  options: v.array(option),
  globalOptions: v.pipe(
    v.array(option),
    v.description('options that every command accepts; for flagadm itself, they are in options'),
  ),
  formats: v.pipe(
    v.array(
      v.strictObject({
        option: v.optional(text('option with which these formats apply')),
        formats: v.pipe(list, v.description('the first one is the default')),
        defaultOn: v.optional(text('where the first one is the default, if not everywhere')),
      }),
    ),
    v.description('output formats; empty for a group of commands'),
  ),
  notes: v.pipe(list, v.description('paragraphs of the help')),
  examples: v.pipe(list, v.description('command lines')),
  exitCodes: v.array(v.strictObject({ code: v.number(), meaning: v.string() })),
  commands: v.pipe(
    v.array(v.strictObject({ path: v.string(), summary: v.string() })),
    v.description('every command below this one'),
  ),
})

export type HelpDocument = v.InferOutput<typeof helpSchema>
export type HelpOption = HelpDocument['options'][number]
export type HelpArgument = HelpDocument['arguments'][number]
