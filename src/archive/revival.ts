// Decides what is left to restore of flags that were archived.
import { failureOf, problemText } from '../errors.ts'
import { timeOf } from '../input/time.ts'
import { timestampText } from '../output/time.ts'
import type { Connection } from '../service/connection.ts'
import type { FeatureDocument } from '../service/schema.ts'
import { environmentsOn, type SavedFlag } from './saved-flags.ts'
import { readFlagDocuments } from '../flags/documents.ts'
import { findElsewhere } from '../flags/absences.ts'
import { type KeptEvent, readFlagEvents } from '../flags/events.ts'
import { findArchivedIn } from '../flags/search.ts'
import { readFlags } from '../flags/selection.ts'

export interface Revival {
  projectId: string
  /** The flags as they were before they were archived. */
  saved: readonly SavedFlag[]
  /** When they were saved, in milliseconds since the epoch; undefined without a file. */
  since: number | undefined
  /** The address of their service; undefined without a file. */
  service?: string
  /** The names that were given. */
  chosen: readonly string[]
}

const none: ReadonlyMap<string, string> = new Map()

/** What to do with a flag: `continue` restores the rest of what an earlier run began. */
type Action = 'revive' | 'continue' | 'none' | 'leave'

/** A flag, and what is left to restore of it. */
export interface PlannedFlag extends SavedFlag {
  action: Action
  /** The flag as it was before it was archived. */
  saved: SavedFlag
  /** Why it is left as it is, or there is nothing to do. */
  reason?: string
  /** Which other project has it, as a sentence. */
  elsewhere?: string | undefined
  /** Why it is only revived: what the file has is not what it had when it was archived last, or that is not known. */
  withheld?: string
}

type FlagDependency = NonNullable<FeatureDocument['dependencies']>[number]

/** A dependency as text, which is the same for the same condition. */
function conditionOf({ feature, enabled, variants }: FlagDependency): string {
  return JSON.stringify([feature, enabled ?? true, [...(variants ?? [])].sort()])
}

/** Whether a flag has a dependency with the same condition. */
export function hasDependency(
  { dependencies }: { dependencies?: readonly FlagDependency[] | null | undefined },
  dependency: FlagDependency,
): boolean {
  return dependencies?.some((one) => conditionOf(one) === conditionOf(dependency)) === true
}

// An archiving is one transaction, and its events have the same time.
const SAME_CHANGE_MS = 1000

function isAtArchiving(event: KeptEvent, all: readonly KeptEvent[]): boolean {
  const time = timeOf(event.createdAt) ?? 0
  return all.some(({ type, createdAt }) => {
    const distance = Math.abs((timeOf(createdAt) ?? 0) - time)
    return type === 'feature-archived' && distance <= SAME_CHANGE_MS
  })
}

/** Whether an event is part of the archiving of a flag, of its revival, or of what the file restores. */
function isExpected(event: KeptEvent, saved: SavedFlag, all: readonly KeptEvent[]): boolean {
  switch (event.type) {
    case 'feature-archived':
    case 'feature-revived':
      return true
    case 'feature-dependencies-removed':
      return isAtArchiving(event, all)
    case 'feature-dependency-added':
      return event.data !== undefined && 'feature' in event.data && hasDependency(saved, event.data)
    case 'feature-environment-enabled':
      return saved.environments.includes(event.environment ?? '')
    default:
      return false
  }
}

/** `feature-environment-disabled in production, 2026-11-27 16:10 UTC` */
function eventText({ type, environment, createdAt }: KeptEvent): string {
  const place = environment == null ? '' : ` in ${environment}`
  return `${type}${place}${createdAt == null ? '' : `, ${timestampText(createdAt, undefined)}`}`
}

/** Why the file does not have what a flag had when it was archived last; undefined if it has. @param events newest first */
function objectionOf(saved: SavedFlag, events: readonly KeptEvent[]): string | undefined {
  const archiving = events.findIndex(({ type }) => type === 'feature-archived')
  if (archiving < 0) return 'not archived since the file was written'
  const isArchivedAgain = events.slice(archiving).some(({ type }) => type === 'feature-revived')
  if (isArchivedAgain) return 'archived again since the file was written'
  const foreign = events.find((event) => !isExpected(event, saved, events))
  return foreign && `changed since it was archived (${eventText(foreign)})`
}

/**
 * Why flags are not as the file and an earlier run have left them, by name: they were archived again, someone else has
 * changed them, or that cannot be known.
 */
export async function readObjections(
  connection: Connection,
  saved: readonly SavedFlag[],
  since: number,
): Promise<Map<string, string>> {
  const names = saved.map(({ name }) => name)
  try {
    const events = await readFlagEvents(connection, names, since)
    return new Map(
      saved.flatMap((flag) => {
        const objection = objectionOf(flag, events.get(flag.name) ?? [])
        return objection === undefined ? [] : [[flag.name, objection] as const]
      }),
    )
  } catch (error) {
    const problem = problemText(failureOf(error))
    const reason = `its changes since the file was written could not be read (${problem})`
    return new Map(names.map((name) => [name, reason]))
  }
}

/** A flag that is not archived, with what an earlier run has not restored. */
function continued(saved: SavedFlag, document: FeatureDocument): PlannedFlag {
  const isOn = environmentsOn(document)
  const isOff = (environment: string) => !isOn.includes(environment)
  const missing = {
    dependencies: saved.dependencies.filter((one) => !hasDependency(document, one)),
    environments: saved.environments.filter(isOff),
    withoutStrategy: saved.withoutStrategy.filter(isOff),
  }
  if (Object.values(missing).some((list) => list.length > 0)) {
    return { ...saved, saved, ...missing, action: 'continue' }
  }
  return { ...saved, saved, action: 'none', reason: 'as it was before it was archived' }
}

/** An archived flag, with what is restored of it: nothing if the file does not have what it had last. */
function revived(saved: SavedFlag, objection: string | undefined): PlannedFlag {
  if (objection === undefined) return { ...saved, saved, action: 'revive' }
  return {
    ...saved,
    saved,
    dependencies: [],
    environments: [],
    action: 'revive',
    withheld: objection,
  }
}

/**
 * Decides what to do with each flag.
 * @throws `notFound` for an unknown project, and if the service does not list archived flags
 */
export async function planRevival(
  connection: Connection,
  { projectId, saved, since }: Revival,
): Promise<PlannedFlag[]> {
  const { service } = connection
  const { flags } = await readFlags(service, projectId, false)
  const listed = new Set(flags.map(({ name }) => name))
  const live = saved.filter(({ name }) => listed.has(name))
  const missing = saved.flatMap(({ name }) => (listed.has(name) ? [] : [name]))
  const archived = await findArchivedIn(service, projectId, missing)
  const absent = missing.filter((name) => !archived.has(name))
  const elsewhere = await findElsewhere(service, absent)
  const isFromFile = since !== undefined
  const existing = saved.filter(({ name }) => listed.has(name) || archived.has(name))
  const objections =
    isFromFile && existing.length > 0 ? await readObjections(connection, existing, since) : none
  const continuing = isFromFile ? live.filter(({ name }) => !objections.has(name)) : []
  const unchanged = continuing.map(({ name }) => name)
  const documents = await readFlagDocuments(connection, projectId, unchanged)
  return saved.map((flag): PlannedFlag => {
    const { name } = flag
    const document = documents.get(name)
    if (archived.has(name)) return revived(flag, objections.get(name))
    if (document) return continued(flag, document)
    const isLive = listed.has(name) && !isFromFile
    if (isLive) return { ...flag, saved: flag, action: 'none', reason: 'not archived' }
    const absence = `no such flag in project ${projectId}, live or archived`
    const other = elsewhere.get(name)
    const reason = objections.get(name) ?? [absence, other ?? []].flat().join('; ')
    return { ...flag, saved: flag, action: 'leave', reason, elsewhere: other }
  })
}
