import { setMaxListeners } from 'node:events'
import type { Writable } from 'node:stream'
import {
  type CANCEL_SYMBOL,
  confirm,
  isCancel,
  password,
  text,
  updateSettings,
} from '@clack/prompts'
import type { Context } from '../context.ts'
import { failureOf, FlagadmError } from '../errors.ts'
import type { Terminal } from '../host.ts'
import { usesColor } from '../output/color.ts'

const CTRL_D = '\u0004'
const CTRL_Z = '\u001a'

/** Throws a `FlagadmError` for an invalid answer. */
type Check = (answer: string) => unknown

const COLOR = /\u001b\[(?:[34]\d|9\d|10\d)m/g

/**
 * The terminal as the library needs it: without colours, because it checks neither `--color` nor, on some
 * versions of Node.js, `NO_COLOR`, and with columns, because it would put each character on a line of its own.
 */
function adapted(output: Terminal['output'], isColored: boolean): Writable {
  const write = (part: string) => output.write(isColored ? part : part.replace(COLOR, ''))
  return new Proxy(output, {
    get(target, name): unknown {
      if (name === 'columns') return target.columns || 80
      return name === 'write' ? write : Reflect.get(target, name)
    },
  })
}

/** Discards keys that were typed before a question, so that they do not answer it. */
async function dropTyped({ input }: Terminal): Promise<void> {
  // Otherwise the terminal holds back the keys until Enter.
  input.setRawMode?.(true)
  input.resume()
  // The first turn of the event loop may start after the phase that delivers input.
  for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate)
  input.pause()
}

/** The answer to a question; @throws an `interrupted` error on Ctrl-C */
async function answered<Answer>(asking: Promise<Answer | typeof CANCEL_SYMBOL>): Promise<Answer> {
  const answer = await asking
  if (!isCancel(answer)) return answer
  throw new FlagadmError('interrupted', 'interrupted; nothing was changed')
}

/** Questions on a terminal. Each of them throws an `interrupted` error on Ctrl-C. */
export type Questions = ReturnType<typeof createQuestions>

/** Asks on a terminal until the user interrupts. */
export function createQuestions({ host, options, out }: Context, terminal: Terminal) {
  const { input, output } = terminal
  const isColored = usesColor(options.color, output, host.env)
  const common = { input, output: adapted(output, isColored), signal: host.signal }
  // The library listens once more for each question, and Node.js warns of a leak at the eleventh.
  setMaxListeners(0, host.signal)
  // Otherwise these keys end the input, and then the process ends with exit code 0.
  updateSettings({ aliases: { [CTRL_D]: 'cancel', [CTRL_Z]: 'cancel' } })
  const checked = (message: string, check: Check) => ({
    ...common,
    message: out.printable(message),
    /** Returns the problem with an answer; undefined without one. */
    validate(answer = ''): string | undefined {
      try {
        check(answer)
        return undefined
      } catch (error) {
        const { message, hint } = failureOf(error)
        return out.printable([message, hint].filter(Boolean).join('; '))
      }
    },
  })
  return {
    /** Returns what the check makes of the answer. */
    async text<Value>(message: string, example: string, check: (answer: string) => Value) {
      const question = { ...checked(message, check), placeholder: `for example ${example}` }
      return check(await answered(text(question)))
    },
    /** Asks for text that is not shown. */
    secret: (message: string, check: Check) => answered(password(checked(message, check))),
    async confirm(message: string) {
      await dropTyped(terminal)
      return answered(confirm({ ...common, message: out.printable(message), initialValue: false }))
    },
  }
}
