import { LITERAL, type NameAt, nameOf } from './arguments.ts'

/** A syntax with flag names that is not a call with the flag as its first argument. */
interface Form {
  /** The files where it has this meaning. */
  files: RegExp
  /** Captures a name in the group `name`, or literals of names in the group `literals`. */
  pattern: RegExp
}

const literal = `(?<literals>["'](?:[^"'\\\\\\n]|\\\\.)*["'])`

const forms: readonly Form[] = [
  // OpenFeature: an argument or a field of this name, in any position.
  {
    files: /(?:)/,
    pattern: new RegExp(`\\bflag_?[kK]ey["']?\\s*[:=]\\s*${literal}`, 'dg'),
  },
  // Angular: `*featureEnabled="'name'; else other"`, `[featureEnabled]="['one', 'two']"`.
  {
    files: /\.(?:html?|[cm]?[jt]sx?)$/,
    pattern:
      /[*[](?:feature(?:Enabled|Disabled)|(?:boolean|string|number|object)FeatureFlag)\]?="\s*(?<literals>'[^'"\n]*'|\[[^\]"]*\])/dg,
  },
  // Laravel: a middleware, with the name after a colon.
  {
    files: /\.php$/,
    pattern: /['"]feature\.(?:en|dis)abled:(?<name>[\w.~-]+)['"]/dg,
  },
  // Twig: a tag, a filter, a test.
  {
    files: /\.twig$/,
    pattern: new RegExp(`\\{%-?\\s*feature\\s+${literal}`, 'dg'),
  },
  {
    files: /\.twig$/,
    pattern: new RegExp(
      `${literal}\\s*(?:\\|\\s*feature_(?:is_enabled|variant)\\b|is\\s+(?:not\\s+)?enabled\\b)`,
      'dg',
    ),
  },
]

const LITERALS = new RegExp(LITERAL, 'g')

/** A name in a form that begins at `start`. */
interface FormName extends NameAt {
  start: number
}

const WORD = /^(?:flag_?[kK]ey|feature(?:En|Dis)abled|\w{6,7}FeatureFlag)/
const MAX_WORD_LENGTH = 20

/**
 * The names in all forms but calls.
 * @param starts the indexes of words that can be part of a form
 */
export function formNames(text: string, file: string, starts: ReadonlySet<number>): FormName[] {
  const isLikely = (start: number) => WORD.test(text.slice(start, start + MAX_WORD_LENGTH))
  if (!/\.(?:twig|php)$/.test(file) && ![...starts].some(isLikely)) return []
  return forms
    .filter(({ files }) => files.test(file))
    .flatMap(({ pattern }) => [...text.matchAll(pattern)])
    .flatMap(({ index: start, groups = {}, indices }) => {
      const [offset = 0] = indices?.groups?.name ?? indices?.groups?.literals ?? []
      if (groups.name !== undefined) return [{ name: groups.name, offset, start }]
      const literals = [...(groups.literals ?? '').matchAll(LITERALS)]
      const names = literals.flatMap((match) => nameOf(match.groups, offset + match.index) ?? [])
      return names.map((name) => ({ ...name, start }))
    })
}
