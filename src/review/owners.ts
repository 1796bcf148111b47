// Whom to ask about flags that someone should act on.
import type { Context } from '../command/context.ts'
import { failureOf, FlagadmError, problemText } from '../errors.ts'
import { timeOf } from '../input/time.ts'
import type { Incomplete } from '../output/incomplete.ts'
import { readFlagEvents } from '../flags/events.ts'
import { readEach } from '../requests/each.ts'
import type { Connection } from '../service/connection.ts'
import { readCodeOwners } from './code-owners.ts'
import type { SearchedCode } from './code-evidence.ts'
import type { ListedRow } from './comparison.ts'
import { readOwnDocument } from './own-document.ts'
import { isHidden } from './shared-changes.ts'
import { factsOfVerdict } from './verdicts.ts'

// Before 5.8, users have no number, and this is what a token is called.
const UNKNOWN = 'unknown'

/** A row that may have an owner. */
type FlagRow = ListedRow & { flag: NonNullable<ListedRow['flag']> }

const hasOwner = (row: ListedRow): row is FlagRow =>
  row.flag !== undefined && row.verdict !== null && factsOfVerdict(row.verdict).isWork

/** The person to ask, by the name of the flag: null if it is known that there is none. */
type Owners = ReadonlyMap<string, string | null | undefined>

/** Reads who is to be asked from the own documents of flags; without those that cannot be read. */
async function readPersons(connection: Connection, rows: readonly FlagRow[]): Promise<Owners> {
  const persons = new Map<string, string | null | undefined>()
  const read = async ({ name, flag }: FlagRow) => {
    const { owner } = await readOwnDocument(connection.service, flag, new Map())
    persons.set(name, owner)
  }
  // A review is complete without owners.
  await readEach('flag', rows, connection, read).catch(() => undefined)
  return persons
}

/** Reads who created flags, from a service whose documents do not say so; empty if it does not show that, a failure if that is not known. */
async function readCreators(
  connection: Connection,
  rows: readonly FlagRow[],
): Promise<Owners | FlagadmError> {
  if (rows.length === 0) return new Map()
  const names = rows.map(({ name }) => name)
  const times = rows.map(({ flag }) => timeOf(flag.createdAt) ?? 0)
  const since = times.reduce((a, b) => Math.min(a, b))
  const events = await readFlagEvents(connection, names, since).catch(failureOf)
  if (events instanceof FlagadmError) return isHidden(events) ? new Map() : events
  const creators = new Map<string, string | undefined>()
  for (const [name, own] of events) {
    const event = own.find(({ type }) => type === 'feature-created')
    const { createdBy, createdByUserId } = event ?? {}
    const isPerson = createdBy !== UNKNOWN && (createdByUserId ?? 1) > 0
    creators.set(name, isPerson ? (createdBy ?? undefined) : undefined)
  }
  return creators
}

/** The rows with the owners of those that someone should act on: a person, or else who owns the first place where they are in the code, or were. */
export async function withOwners(
  { host }: Context,
  connection: Connection,
  rows: readonly ListedRow[],
  { removed }: Pick<SearchedCode, 'removed'>,
): Promise<{ rows: ListedRow[]; incomplete: Incomplete[] }> {
  const owned = rows.filter(hasOwner)
  // Documents that were read have the dependents.
  const unread = owned.filter(({ dependents }) => dependents === undefined)
  const persons = await readPersons(connection, unread)
  const personOf = ({ name, owner }: ListedRow) => (owner === undefined ? persons.get(name) : owner)
  const read = await readCreators(
    connection,
    owned.filter((row) => personOf(row) === undefined),
  )
  const creators: Owners = read instanceof FlagadmError ? new Map() : read
  const placeOf = ({ name, code }: FlagRow) => code?.places?.[0] ?? removed?.get(name)?.[0]
  const codeOwners = owned.some(placeOf) ? await readCodeOwners(host.cwd) : () => undefined
  const unknown: string[] = []
  const ownedRows = rows.map((row) => {
    if (!hasOwner(row)) return row
    const place = placeOf(row)
    const ofCode = place && codeOwners(place.file)
    const person = personOf(row) ?? creators.get(row.name)
    if (personOf(row) === undefined && !person && !ofCode) unknown.push(row.name)
    return { ...row, owner: person ?? ofCode ?? null }
  })
  if (!(read instanceof FlagadmError) || unknown.length === 0) {
    return { rows: ownedRows, incomplete: [] }
  }
  const message = `who created flags could not be read: ${problemText(read)}`
  return { rows: ownedRows, incomplete: [{ message, names: unknown }] }
}
