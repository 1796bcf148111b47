import { isTest } from '../lexer/file-names.ts'

// A name or a constant as an argument.
const VALUE = String.raw`["'\x60:][\w.-]{2,99}["'\x60]?|(?:[\w$]{1,60}(?:\.|::)){0,3}[A-Z][\w$]{2,60}`
// A call of a function whose name speaks of flags, from there on, or of a method of such an object.
const CALL = new RegExp(
  String.raw`(?:[fF]lag|[fF]eature|[tT]oggle)[\w$]{0,60}(?:(?:\.|::|->)[\w$]{1,60})?[?!]?\(\s{0,20}(?:${VALUE})\s{0,20}[,)]`,
  'g',
)
// Longer names are the work of a program.
const MAX_NAME = 60
// Functions that change flags, or show them.
const OTHER = /^(?:set|add|create|update|delete|remove|handle|describe|toggle)/i
// Fewer uses are not a habit of the project.
const MIN_USES = 3

/** Finds the function of a project that may take the names of flags. */
export class Suggestions {
  readonly #counts = new Map<string, number>()

  add(file: string, text: string): void {
    if (isTest(file)) return
    for (const { 0: call, index } of text.matchAll(CALL)) {
      const [before] = /[\w$]*$/.exec(text.slice(Math.max(0, index - MAX_NAME), index)) ?? ['']
      const path = before + call.slice(0, call.indexOf('('))
      const name = path.split(/\.|::|->/).at(-1) ?? ''
      if (OTHER.test(name)) continue
      this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
    }
  }

  /** The one with the most uses; undefined without one that has enough. */
  get call(): string | undefined {
    const [first] = [...this.#counts].sort(([, one], [, other]) => other - one)
    return first && first[1] >= MIN_USES ? first[0] : undefined
  }
}
