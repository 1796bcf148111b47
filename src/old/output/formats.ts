import { FlagadmError } from '../../errors.ts'

/** The output formats of a command, or of one of its options. */
export interface FormatChoice<Format extends string = string> {
  /** The first one is the default. */
  formats: readonly [Format, ...Format[]]
  /** The option that has these formats; undefined for the command itself. */
  option?: string
  /** Where the first format is the default; undefined for everywhere. */
  defaultOn?: string
}

/** The output formats of all commands; help, validation and reference are made from these. */
export const formats = {
  /** Of commands whose result is one document or one sentence. */
  textOrJson: { formats: ['text', 'json'] },
  projects: { formats: ['table', 'json', 'jsonl', 'csv', 'markdown', 'names'] },
  list: { formats: ['table', 'json', 'jsonl', 'csv', 'markdown', 'names'] },
  references: { formats: ['table', 'json', 'jsonl', 'csv', 'markdown', 'github', 'names'] },
  review: { formats: ['table', 'json', 'jsonl', 'csv', 'markdown', 'github', 'names'] },
  settingsGet: { formats: ['text', 'table', 'csv', 'yaml', 'json'] },
  plan: { formats: ['text', 'json', 'markdown'] },
  usage: { formats: ['table', 'json', 'jsonl', 'csv', 'markdown', 'openmetrics'] },
  gate: { option: '--expect', formats: ['text', 'json', 'markdown', 'github', 'junit'] },
  watch: { option: '--watch', formats: ['table', 'jsonl'], defaultOn: 'a terminal' },
  lint: { formats: ['text', 'json', 'csv', 'github', 'gitlab', 'sarif'] },
  check: {
    formats: ['text', 'json', 'jsonl', 'csv', 'markdown', 'github', 'gitlab', 'junit', 'sarif'],
  },
  diff: { formats: ['text', 'json', 'markdown', 'github'] },
  completion: { formats: ['text'] },
  help: { formats: ['text'] },
} as const satisfies Record<string, FormatChoice>

/** A format of a command: `FormatOf<'lint'>`. */
export type FormatOf<Name extends keyof typeof formats> = (typeof formats)[Name]['formats'][number]

/**
 * The output format that the global options request, otherwise the default.
 * @throws a usage error for one that the command or the option does not have
 */
export function chooseFormat<Format extends string>(
  { json, output }: { json?: true | undefined; output?: string | undefined },
  { formats: known, option }: FormatChoice<Format>,
): Format {
  if (json && output !== undefined && output !== 'json') {
    throw new FlagadmError('usage', `--json cannot be combined with --output ${output}`, {
      hint: 'leave out --json or --output',
    })
  }
  const requested = output ?? (json ? 'json' : known[0])
  const format = known.find((one) => one === requested)
  if (format !== undefined) return format
  if (option === undefined) {
    throw new FlagadmError('usage', `this command has no output format '${requested}'`, {
      hint: `choose one of ${known.join(', ')}`,
    })
  }
  throw new FlagadmError('usage', `${requested} output cannot be combined with ${option}`, {
    hint: `choose one of ${known.join(', ')}`,
  })
}

/** @throws a usage error for an option that has no effect on a format, or would make it incomplete */
export function refuseView(format: string, options: object, hint: string): void {
  const [given] = Object.entries(options).find(([, value]) => value !== undefined) ?? []
  if (given === undefined) return
  const option = given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  throw new FlagadmError('usage', `${format} output cannot be combined with --${option}`, { hint })
}

/** @throws a usage error for an option without effect on the service's own document */
export function refuseWithJson(options: object): void {
  refuseView('json', options, `json is the service's own document; use -o jsonl`)
}
