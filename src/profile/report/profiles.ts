import { displayPath } from '../../paths.ts'
import { type TokenKind, tokenName } from '../../service/token.ts'
import type { Host } from '../../host.ts'
import { alignedLines, fieldLines } from '../../old/output/fields.ts'
import type { Printer } from '../../old/output/printer.ts'
import { linesOf, type Safe, safe } from '../../old/output/text.ts'
import { textWidth, wrapIndented } from '../../old/output/width.ts'
import { type Source, sourceText } from '../configuration.ts'

/** A profile as `profile list` shows it. */
export interface ListedProfile {
  name: string
  /** The address; undefined if it is invalid. */
  baseUrl: string | undefined
  /** Where its key comes from, for example `apiKeyEnv STAGING_KEY`; undefined if it has none. */
  apiKey: string | undefined
  file: string
  /** Why a command uses this profile by default; undefined if it does not. */
  default: string | undefined
}

const labels = ['Address', 'API key', 'File', 'Default']

/** The profiles as a table, or as a list if that is too wide; the default one is marked. */
export function profilesText(
  profiles: readonly ListedProfile[],
  host: Host,
  { text, style, width = Number.POSITIVE_INFINITY }: Printer,
): Safe {
  const rows = profiles.map(({ name, baseUrl, apiKey, file, default: reason }) => [
    reason === undefined ? safe`  ${text(name)}` : safe`* ${text(name)}`,
    text(baseUrl ?? 'invalid'),
    text(apiKey ?? 'none'),
    text(displayPath(file, host)),
    text(reason ?? ''),
  ])
  const marked = (line: Safe) => (line.startsWith('*') ? style.bold(line) : line)
  const titles = [safe`  Profile`, ...labels.map(text)]
  const [head = safe``, ...lines] = alignedLines([titles, ...rows])
  if (lines.every((line) => textWidth(line) <= width)) {
    return linesOf([style.dim(head), ...lines.map(marked)])
  }
  const fieldsOf = (cells: readonly Safe[]) =>
    labels.map((label, index) => [label, cells[index] || undefined] as const)
  return linesOf(
    rows.flatMap(([name = safe``, ...cells]) => [
      marked(name),
      ...fieldLines(fieldsOf(cells), '    ', width),
    ]),
  )
}

/** A value that a command uses, and where it comes from. */
export interface EffectiveValue {
  value: string
  /** The kind of token, for the API key. */
  kind?: TokenKind | 'unknown'
  /** Why the kind is unknown or the key is not used. */
  problem?: string
  origin: {
    kind: Source['kind']
    /** The option, the variable or the path of the file. */
    name: string
    line: number | undefined
  }
}

function placeOf(origin: EffectiveValue['origin'], host: Host): string {
  const place = sourceText(origin, host)
  return origin.line === undefined ? place : `${place}:${origin.line}`
}

/** The effective values as text, one line each, with the origin. */
export function effectiveText(
  values: ReadonlyMap<string, EffectiveValue>,
  host: Host,
  { text, style, width }: Printer,
): Safe {
  const rows = [...values].map(([name, { value, kind, problem, origin }]) => {
    const shown = kind ? `${tokenName(kind)}, ${value}` : value
    const cells = [text(name), text(shown), style.dim(text(placeOf(origin, host)))]
    // Last, because it is long and would widen the columns of all rows.
    return problem === undefined ? cells : [...cells, text(problem)]
  })
  return linesOf(alignedLines(rows, width))
}

/** A change of the user's configuration. */
export interface ProfileChange {
  action: 'added' | 'removed' | 'used'
  profile: string
  baseUrl?: string
  file: string
  /** The file that a typed key was written to. */
  keyFile?: string | undefined
  /** Set for a new profile that is the default. */
  default?: true | undefined
}

/** The change in one sentence. */
export function changeText(
  change: ProfileChange,
  host: Host,
  { text, style, width }: Printer,
): Safe {
  const { action, profile, baseUrl = '', file, keyFile, default: isDefault } = change
  const name = style.bold(text(profile))
  const place = text(displayPath(file, host))
  const sentences = {
    added: safe`${style.green(text('Added'))} profile ${name} (${text(baseUrl)}) to ${place}`,
    removed: safe`${style.green(text('Removed'))} profile ${name} from ${place}`,
    used: safe`Profile ${name} is now the default in ${place}`,
  }
  const key =
    keyFile === undefined ? safe`` : safe`; its key is in ${text(displayPath(keyFile, host))}`
  const role = isDefault ? safe` as the default` : safe``
  return linesOf(wrapIndented(safe`${sentences[action]}${role}${key}`, width))
}
