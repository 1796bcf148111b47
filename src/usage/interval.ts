import { FlagadmError } from '../errors.ts'
import { duration } from '../input/values.ts'

const MIN_INTERVAL_MS = 1000

/**
 * The value of an option that takes the pause between readings, in milliseconds.
 * @throws a usage error for other text and for less than a second
 */
export function interval(option: string, text: string): number {
  const milliseconds = /^0+[smhd]?$/.test(text) ? 0 : duration(option, text)
  if (milliseconds >= MIN_INTERVAL_MS) return milliseconds
  throw new FlagadmError('usage', `the interval '${text}' is shorter than 1s`, {
    hint: 'use --interval 1s or longer',
  })
}

/**
 * Replaces `--watch=5` with `--watch --interval 5`: if commander itself allowed a value, `--watch`
 * would take the next argument, such as the name of a flag.
 */
export function expandWatch(args: readonly string[]): string[] {
  const end = args.indexOf('--')
  const options = end === -1 ? args : args.slice(0, end)
  const expanded = options.flatMap((arg) => {
    const [, value] = /^--watch=(.*)$/s.exec(arg) ?? []
    if (value === undefined) return [arg]
    interval('--watch', value)
    return ['--watch', '--interval', value]
  })
  return [...expanded, ...args.slice(options.length)]
}
