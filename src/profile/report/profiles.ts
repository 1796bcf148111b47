import type { ChalkInstance } from 'chalk'
import type { ListedProfile } from '../listing.ts'
import { type TokenKind, tokenNames } from '../token.ts'
import { alignedLines } from '../../output/aligned.ts'
import { isolate, safeJson, safeText } from '../../output/escapes.ts'

/** Shortens the path of a file for display. */
type ShownFile = (path: string) => string

/** The profiles as one JSON array. */
export function profilesJson(profiles: readonly ListedProfile[]): string {
  return `${safeJson(JSON.stringify(profiles))}\n`
}

/** The profiles as a table; the default one is marked. */
export function profilesText(
  profiles: readonly ListedProfile[],
  shownFile: ShownFile,
  style: ChalkInstance,
): string {
  const [titles = '', ...lines] = alignedLines([
    ['  Profile', 'Address', 'API key', 'File', 'Default'],
    ...profiles.map(({ name, baseUrl, apiKey, file, default: reason }) => [
      `${reason === undefined ? ' ' : '*'} ${safeText(name)}`,
      safeText(baseUrl ?? 'invalid'),
      safeText(apiKey ?? 'none'),
      safeText(shownFile(file)),
      safeText(reason ?? ''),
    ]),
  ])
  const shown = lines.map((line) => (line.startsWith('*') ? style.bold(line) : line))
  return isolate(`${[style.dim(titles), ...shown].join('\n')}\n`)
}

/** A value that a command uses, and where it comes from. */
export interface EffectiveValue {
  value: string
  /** The kind of token, for the API key. */
  kind?: TokenKind | 'unknown'
  /** Why the kind is unknown or the key is not used. */
  problem?: string
  origin: {
    kind: string
    /** The option, the variable or the path of the file. */
    name: string
    line?: number
  }
}

/** The effective values as one JSON object. */
export function effectiveJson(values: ReadonlyMap<string, EffectiveValue>): string {
  return `${safeJson(JSON.stringify(Object.fromEntries(values)))}\n`
}

function placeOf({ kind, name, line }: EffectiveValue['origin'], shownFile: ShownFile): string {
  const isFile = kind === 'user' || kind === 'project'
  const place = isFile ? shownFile(name) : name
  return line === undefined ? place : `${place}:${line}`
}

/** The effective values as text, one line each, with the origin. */
export function effectiveText(
  values: ReadonlyMap<string, EffectiveValue>,
  shownFile: ShownFile,
  style: ChalkInstance,
): string {
  const rows = [...values].map(([name, { value, kind, problem, origin }]) => {
    const token = kind && (kind === 'unknown' ? 'token of unknown kind' : tokenNames[kind])
    const text = [token, value].filter((part) => part !== undefined).join(', ')
    const cells = [name, safeText(text), style.dim(safeText(placeOf(origin, shownFile)))]
    // Last, since it is long and would widen the columns of all rows.
    return problem === undefined ? cells : [...cells, safeText(problem)]
  })
  return isolate(`${alignedLines(rows).join('\n')}\n`)
}

/** A change of the user's configuration. */
export interface ProfileChange {
  action: 'added' | 'removed' | 'renamed' | 'used'
  profile: string
  /** The name before, of a profile that was renamed. */
  from?: string
  baseUrl?: string
  file: string
  /** The file that a typed key was written to. */
  keyFile?: string
}

/** The change as one JSON object. */
export function changeJson(change: ProfileChange): string {
  return `${safeJson(JSON.stringify(change))}\n`
}

/** The change in one sentence. */
export function changeText(
  change: ProfileChange,
  shownFile: ShownFile,
  style: ChalkInstance,
): string {
  const { action, profile, from = '', baseUrl = '', file, keyFile } = change
  const [name, place] = [style.bold(safeText(profile)), safeText(shownFile(file))]
  const sentences = {
    added: `${style.green('Added')} profile ${name} (${safeText(baseUrl)}) to ${place}`,
    removed: `${style.green('Removed')} profile ${name} from ${place}`,
    renamed: `${style.green('Renamed')} profile ${safeText(from)} to ${name} in ${place}`,
    used: `Profile ${name} is now the default in ${place}`,
  }
  const key = keyFile === undefined ? '' : `; its key is in ${safeText(shownFile(keyFile))}`
  return isolate(`${sentences[action]}${key}\n`)
}
