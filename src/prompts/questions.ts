import { setMaxListeners } from 'node:events'
import type { Writable } from 'node:stream'
import {
  type CANCEL_SYMBOL,
  confirm,
  isCancel,
  password,
  select,
  text,
  updateSettings,
} from '@clack/prompts'
import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import type { Terminal } from '../host.ts'
import { createSink } from '../output/stream.ts'
import { usesColor } from '../output/style.ts'
import { createSanitizer, joined, type Safe, type Sanitizer } from '../output/text.ts'
import { wrapText } from '../output/width.ts'

const CTRL_D = '\u0004'
const CTRL_Z = '\u001a'
// The library puts a mark before each line.
const MARK_WIDTH = 4

/** Throws a `FlagadmError` for an invalid answer. */
type Check = (answer: string) => unknown

/** Questions on a terminal. Each of them throws an `interrupted` error on Ctrl-C. */
export interface Questions {
  text(message: string, example: string, check: Check): Promise<string>
  /** Asks for text that is not shown. */
  secret(message: string, check: Check): Promise<string>
  /** Returns one of the keys; people see the labels, and above the question the explanation. */
  choice<Key extends string>(
    message: string,
    labels: readonly (readonly [Key, label: string])[],
    explanation: readonly string[],
  ): Promise<Key>
  confirm(message: string): Promise<boolean>
}

/** The message and the hint of the error that a check throws. */
function problemWith(
  check: Check,
  answer: string | undefined,
  { text: shown }: Sanitizer,
): Safe | undefined {
  try {
    check(answer ?? '')
    return undefined
  } catch (error) {
    if (error instanceof FlagadmError) {
      return shown([error.message, error.hint].filter(Boolean).join('; '))
    }
    throw error
  }
}

const COLOR = /\u001b\[(?:[34]\d|9\d|10\d)m/g

/**
 * The terminal as the library needs it: without colours, because it asks neither `--color` nor, on some
 * versions of Node.js, `NO_COLOR`, and with columns, because it would put each character on a line of its own.
 */
function adapted(output: Terminal['output'], isColored: boolean): Writable {
  const write = (part: string) => output.write(isColored ? part : part.replace(COLOR, ''))
  const { size } = createSink(output)
  return new Proxy(output, {
    get(target, name): unknown {
      if (name === 'columns') return size().columns
      return name === 'write' ? write : Reflect.get(target, name)
    },
  })
}

/** Asks on a terminal until the user interrupts. */
export function createQuestions(context: Context, terminal: Terminal): Questions {
  const { host, options, redactor } = context
  const { input, output } = terminal
  const isColored = usesColor(options.color, output.isTTY === true, host.env)
  const common = { input, output: adapted(output, isColored), signal: host.signal }
  // The library listens once more for each question, and Node.js warns of a leak at the eleventh.
  setMaxListeners(0, host.signal)
  // Otherwise these keys end the input, and then the process ends with exit code 0.
  updateSettings({ aliases: { [CTRL_D]: 'cancel', [CTRL_Z]: 'cancel' } })
  async function answered<Answer>(asking: Promise<Answer | typeof CANCEL_SYMBOL>): Promise<Answer> {
    const answer = await asking
    if (!isCancel(answer)) return answer
    throw new FlagadmError('interrupted', 'interrupted; nothing was changed')
  }
  const sanitizer = createSanitizer(redactor)
  const { size } = createSink(output)
  // The library leaves a blank at the start of a line that it wraps.
  const shown = (...lines: readonly string[]) =>
    joined(
      lines.flatMap((line) => wrapText(sanitizer.text(line), size().columns - MARK_WIDTH)),
      '\n',
    )
  const checked = (message: string, check: Check) => ({
    ...common,
    message: shown(message),
    validate: (answer: string | undefined) => problemWith(check, answer, sanitizer),
  })
  return {
    text: (message, example, check) =>
      answered(text({ ...checked(message, check), placeholder: `for example ${example}` })),
    secret: (message, check) => answered(password(checked(message, check))),
    async choice(message, labels, explanation) {
      const options = labels.map(([, label], value) => ({ value, label }))
      const question = { ...common, message: shown(...explanation, message), options }
      const index = await answered(select<number>(question))
      const [key] = labels[index] ?? labels[0] ?? []
      if (key === undefined) throw new Error('a choice needs options')
      return key
    },
    confirm: (message) =>
      answered(confirm({ ...common, message: shown(message), initialValue: false })),
  }
}
