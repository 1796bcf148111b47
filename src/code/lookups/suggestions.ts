import { HASHES, slotOf } from '../files/word-filter.ts'
import { isTest } from '../lexer/file-names.ts'

const FLAG = '(?:[fF]lag|[fF]eature|[tT]oggle)'
// Names of functions that change flags or show them, and those of .NET and Android.
const VERB =
  '(?:[sS]et|[aA]dd|[cC]reate|[uU]pdate|[dD]elete|[rR]emove|[hH]andle|[tT]oggle|[eE]nable|[dD]isable|on[A-Z])'
const OTHER = `(?:${VERB}|(?:HasFlag|hasSystemFeature)$)`
const STATE = '_?(?:[gG]ate|[iI]d|[kK]ey|[eE]nabled|[dD]isabled|[aA]ctive|[oO]n|[vV]alue)(?:Async)?'
const METHOD = '(?:[iI]s_?)?(?:[eE]nabled|[aA]ctive)'
const FUNCTION = new RegExp(String.raw`^(?:(?!_*${OTHER}).*${FLAG}(?:${STATE})?|${METHOD})\??$`)
// The function, or the object of the method, is one for flags.
const OF_FLAGS = new RegExp(String.raw`${FLAG}[\w$?!.:>-]*$`)
// A name or a constant, `'x'`, `FLAG`, `Flags.x` or `flags.X`, as the first argument or the second.
const PATH = String.raw`[A-Z][A-Z\d_]{2,60}|[A-Z][\w$]{1,60}(?:(?:\.|::)(?!class\b)[\w$]{1,60}){1,3}|(?:[\w$]{1,60}(?:\.|::)){1,3}[A-Z][\w$]{2,60}`
const VALUE = String.raw`["'\x60:][\w.-]{2,99}["'\x60]?|${PATH}`
const ARGUMENTS = new RegExp(
  String.raw`^\(\s{0,20}(?:([\w$.]{1,60}),\s{0,20})??(${VALUE})\s{0,20}[,)]`,
)
// More bytes than the object or the arguments have.
const MAX_LENGTH = 300
// Fewer names are not a habit of the project.
const MIN_VALUES = 3
// More would take too much memory.
const MAX_VALUES = 1000

/** Finds functions that may take the names of flags. */
export class Suggestions {
  /** The constants of calls, with a file of each, by the text for `--call`. */
  readonly #uses = new Map<string, Map<string, string>>()
  /** The last hash at a slot of a word that is none of them. */
  readonly #others = new Int32Array(HASHES)

  /** Adds the call of a function, whose name is at some bytes. */
  add(file: string, bytes: Buffer, hash: number, start: number, end: number): void {
    const slot = slotOf(hash)
    if (this.#others[slot] === hash) return
    const textOf = (from: number, to: number) => bytes.toString('latin1', from, to)
    const name = textOf(start, end)
    if (!FUNCTION.test(name)) {
      this.#others[slot] = hash
      return
    }
    const [, first, value] = ARGUMENTS.exec(textOf(end, end + MAX_LENGTH)) ?? []
    const isOfFlags = OF_FLAGS.test(textOf(end - MAX_LENGTH, end))
    if (!isOfFlags || value === undefined || isTest(file)) return
    const call = first === undefined ? name : `${name}:2`
    const values = this.#uses.get(call) ?? new Map()
    if (values.size < MAX_VALUES) values.set(value, file)
    this.#uses.set(call, values)
  }

  /**
   * The texts for `--call`, those with the most names first.
   * @param known the functions that are lookups
   */
  calls(known: ReadonlySet<string>): string[] {
    return [...this.#uses]
      .filter(
        ([call, values]) =>
          values.size >= MIN_VALUES &&
          new Set(values.values()).size > 1 &&
          !known.has(functionOf(call)),
      )
      .sort(([, one], [, other]) => other.size - one.size)
      .map(([call]) => call)
  }
}

/** The function in `isOn:2`. */
export function functionOf(call: string): string {
  return call.replace(':2', '')
}
