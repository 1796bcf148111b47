// The JSON of `feature references`, with which a review elsewhere knows the flags of a repository.
import * as v from 'valibot'
import type { Context } from '../command/context.ts'
import type { Provenance, UnreadFile } from '../code/index.ts'
import { refuseUsage } from '../errors.ts'
import { groupBy } from '../groups.ts'
import { inputName } from '../input/files.ts'
import { parseJsonFile } from '../input/json.ts'
import { checkShape, describeProblem, plainAddress, timestamp } from '../input/shape.ts'
import { timeOf } from '../input/time.ts'
import type { TimeSpan } from '../input/values.ts'
import { counted } from '../output/incomplete.ts'
import type { Place } from '../output/problems.ts'
import { agoText, DAY_MS, isoText } from '../output/time.ts'
import { type Connection, lastingName } from '../service/connection.ts'

/** What a search of code has read, and with what gaps. */
interface Reading extends Provenance {
  /** In milliseconds since the epoch. */
  readAt: number
  /** The service whose flags were searched for; undefined for names alone. */
  service: string | undefined
  files: number
  unread: readonly UnreadFile[]
  unresolved: readonly unknown[]
}

/** The fields of the JSON before the rows. */
export function headOf(reading: Reading) {
  const { readAt, service, repository, commit, committedAt, paths } = reading
  return {
    readAt: isoText(readAt),
    service: service ?? null,
    repository,
    commit,
    committedAt,
    paths,
    files: reading.files,
    unread: reading.unread,
    unresolved: reading.unresolved.length,
  }
}

const count = v.pipe(
  v.number(),
  v.check((value) => Number.isSafeInteger(value) && value >= 0, 'expected a count'),
)

const rowSchema = v.object({
  name: v.pipe(v.nullable(v.string()), v.description('name of a flag; null for a place')),
  inCode: v.pipe(v.nullable(v.boolean()), v.description('null if that is not known')),
  file: v.nullable(v.string()),
  line: v.nullable(count),
  column: v.nullable(count),
})

/**
 * The fields that a review reads.
 * @internal Tests make the published JSON Schema of it.
 */
export const referencesSchema = v.object({
  readAt: timestamp,
  service: v.pipe(
    v.nullable(plainAddress),
    v.description('address of the service, if it was asked'),
  ),
  repository: v.pipe(plainAddress, v.description('address of its origin, or name of its folder')),
  commit: v.nullable(v.string()),
  committedAt: v.nullable(timestamp),
  paths: v.pipe(
    v.array(v.string()),
    v.minLength(1, 'expected at least one path'),
    v.description('from the root of the repository'),
  ),
  files: v.pipe(count, v.description('how many files were read')),
  unread: v.array(v.object({ file: v.string(), reason: v.string() })),
  unresolved: v.pipe(count, v.description('how many lookups could not be read')),
  references: v.array(rowSchema),
})
type ReferencesFile = v.InferOutput<typeof referencesSchema>
type Row = v.InferOutput<typeof rowSchema>

/** What is known about a flag in the code of a repository. */
interface FoundFlag {
  /** Undefined if that is not known. */
  isInCode: boolean | undefined
  /** The first place where it is, or may be. */
  place: Place
  /** How many places there are. */
  places: number
}

export interface SearchedRepository {
  /** The file that has it. */
  path: string
  /** The address of the repository, or the name of its folder. */
  repository: string
  /** A short name that no other repository has. */
  name: string
  /** Why each flag may be in it that it does not seem to have, as parts of a sentence. */
  doubts: readonly string[]
  unread: readonly string[]
  /** By name; a flag that was not searched for is missing. */
  flags: ReadonlyMap<string, FoundFlag>
}

/** A file that was read, as far as flags need it. */
interface KeptFile extends Omit<ReferencesFile, 'references' | 'readAt'> {
  path: string
  readAt: number
  flags: ReadonlyMap<string, FoundFlag>
}

function foundIn({ inCode, file, line, column }: Row): FoundFlag {
  const place = {
    file: file ?? undefined,
    line: line ?? undefined,
    column: column ?? undefined,
  }
  return { isInCode: inCode ?? undefined, place, places: 1 }
}

/** Which of the rows of a flag decides: one that is in the code, otherwise one of which that is not known. */
const ranks = [false, undefined, true]

/** The flags that are asked for, from the rows that have their places. */
function flagsOf(rows: readonly Row[], wanted: ReadonlySet<string>): Map<string, FoundFlag> {
  const flags = new Map<string, FoundFlag>()
  for (const row of rows) {
    if (row.name === null || !wanted.has(row.name)) continue
    const before = flags.get(row.name)
    const rank = ranks.indexOf(row.inCode ?? undefined)
    const difference = before ? rank - ranks.indexOf(before.isInCode) : 1
    if (!before || difference > 0) flags.set(row.name, foundIn(row))
    else if (difference === 0) before.places++
  }
  return flags
}

/** @throws a usage error for a file that is not such JSON */
async function readFile(
  { inputs }: Context,
  path: string,
  wanted: ReadonlySet<string>,
): Promise<KeptFile> {
  const shown = inputName(path)
  const text = await inputs.read(path, '--references-from', 'usage')
  const hint = 'feature references --json writes such a file'
  const { data, problem } = checkShape(referencesSchema, parseJsonFile(text, shown, hint))
  if (problem) {
    const what = `${shown}: not the JSON of references: ${describeProblem(problem)}`
    refuseUsage(what, hint)
  }
  const { references, readAt, ...head } = data
  return { ...head, path: shown, readAt: timeOf(readAt) ?? 0, flags: flagsOf(references, wanted) }
}

/** Whether the address of its origin identifies the repository of a file; without one, it has the name of its folder. */
const isIdentified = ({ repository, commit }: KeptFile) =>
  commit !== null && /[/:\\]/.test(repository)

/** Whether two files are about the same code. */
const identityOf = (file: KeptFile) =>
  isIdentified(file) ? JSON.stringify([file.repository, file.paths]) : file.path

/** The newest file about each code; notes the others. */
function newestOf({ messages }: Context, files: readonly KeptFile[]): KeptFile[] {
  return Array.from(groupBy(files, identityOf).values(), (same) => {
    const [newest, ...older] = same.toSorted((a, b) => b.readAt - a.readAt)
    for (const { path } of older) {
      messages.note(
        `${path}: ignored, because ${newest?.path} has newer references of the same code`,
      )
    }
    return newest ?? same[0]
  })
}

/** The last part of an address: `shop-api`. */
function shortName(repository: string): string {
  const [name = repository] =
    /(?<![^/:\\])[^/:\\]+(?=\/*$)/.exec(repository.replace(/\.git\/*$/, '')) ?? []
  return name
}

/** What tells repositories apart. */
const sourceOf = (file: KeptFile) => (isIdentified(file) ? file.repository : file.path)

/** A function to the name by which a repository is shown, which no other one has. */
function createNames(files: readonly KeptFile[]): (file: KeptFile) => string {
  const byName = groupBy(files, ({ repository }) => shortName(repository))
  return (file) => {
    const { repository, path } = file
    const name = shortName(repository)
    const isAlone = byName.get(name)?.every((one) => sourceOf(one) === sourceOf(file))
    if (isAlone) return name
    return isIdentified(file) ? repository : `${name} (${path})`
  }
}

/** Why flags that the code does not seem to have may be in it. */
function doubtsOf(
  { readAt, service, files, unread, unresolved }: KeptFile,
  connection: Connection,
  notSeenFor: TimeSpan,
): string[] {
  const doubts: string[] = []
  const age = connection.clock.now() - readAt
  if (age > notSeenFor.milliseconds) {
    doubts.push(`read ${agoText(age)} (--not-seen-for ${notSeenFor.text})`)
  }
  if (age < -DAY_MS) doubts.push('read at a time in the future')
  const ownName = lastingName(connection)
  if (service !== null && service !== ownName) doubts.push(`of ${service}, not of ${ownName}`)
  if (files === 0) doubts.push('no file was read')
  if (unread.length > 0) doubts.push(`${counted(unread.length, 'file')} could not be read`)
  if (unresolved > 0) doubts.push(`${counted(unresolved, 'lookup')} could not be read`)
  return doubts
}

/**
 * Reads what searches of other repositories found.
 * @param names of the flags that are asked for
 * @throws a usage error for a file that cannot be read, or is not such JSON
 */
export async function readRepositories(
  context: Context,
  paths: readonly string[],
  names: readonly string[],
  connection: Connection,
  notSeenFor: TimeSpan,
): Promise<SearchedRepository[]> {
  const wanted = new Set(names)
  const files: KeptFile[] = []
  // One after the other, because each may be large.
  for (const path of new Set(paths)) files.push(await readFile(context, path, wanted))
  const newest = newestOf(context, files)
  const nameOf = createNames(newest)
  return newest.map((file) => ({
    path: file.path,
    repository: file.repository,
    name: nameOf(file),
    doubts: doubtsOf(file, connection, notSeenFor),
    unread: file.unread.map((one) => one.file),
    flags: file.flags,
  }))
}
