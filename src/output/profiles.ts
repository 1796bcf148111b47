import type { ChalkInstance } from 'chalk'
import type { ListedProfile } from '../profile/listing.ts'
import { type TokenKind, tokenNames } from '../profile/token.ts'
import { alignedLines } from './aligned.ts'
import { isolate, safeJson, safeText } from './text.ts'

/** Shortens the path of a file for people. */
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

/** The effective values for people: one line each, with the origin. */
export function effectiveText(
  values: ReadonlyMap<string, EffectiveValue>,
  shownFile: ShownFile,
  style: ChalkInstance,
): string {
  const rows = [...values].map(([name, { value, kind, problem, origin }]) => {
    const token = kind && (kind === 'unknown' ? 'token of unknown kind' : tokenNames[kind])
    const text = [token, value].filter((part) => part !== undefined).join(', ')
    const shown = problem === undefined ? text : `${text} (${problem})`
    return [name, safeText(shown), style.dim(safeText(placeOf(origin, shownFile)))]
  })
  return isolate(`${alignedLines(rows).join('\n')}\n`)
}
