import type { Context } from '../command/context.ts'
import {
  type AddedNames,
  type CodeChanges,
  codeGaps,
  type CodeRequest,
  type GivenRevision,
  searchChanges,
  searchGaps,
  unreadAt,
  type UnreadFile,
} from '../code/index.ts'
import { refuseUsage } from '../errors.ts'
import { configuredProblems } from '../naming/configured-problems.ts'
import type { Incomplete } from '../output/incomplete.ts'
import type { ProjectOptions } from '../project/selection.ts'
import type { Attempt } from '../requests/each.ts'
import type { Connection } from '../service/connection.ts'
import { type Absence, readAbsences } from '../flags/absences.ts'
import type { Selection } from '../flags/selection.ts'
import type { Decision } from '../review/decide.ts'
import { type Findings, type ReferenceRow, rowsOfName } from './rows.ts'
import { readFlagTypes } from '../flags/types.ts'
import { reviewFlags } from '../review/flags.ts'
import { NOT_SEEN_FOR } from '../review/options.ts'

// The names that were added to the code and removed from it since a revision, and what a reader of the change wants to
// know of them.

/** The options that ask for changes of the code. */
export interface ChangeOptions {
  addedSince?: string | undefined
  removedSince?: string | undefined
}

/** @throws a usage error for two revisions */
function changeRevision({ addedSince, removedSince }: ChangeOptions): GivenRevision {
  if (addedSince === undefined) return { name: removedSince ?? '', option: '--removed-since' }
  if (removedSince !== undefined && removedSince !== addedSince) {
    const message = '--added-since and --removed-since require the same revision'
    refuseUsage(message, 'give both the same one, or run the command twice')
  }
  return { name: addedSince, option: '--added-since' }
}

function addedRows({ names, doubts }: AddedNames, revision: string): ReferenceRow[] {
  return [...names].flatMap(([name, places]) =>
    places.map(({ origin: _, ...place }): ReferenceRow => {
      const doubt = doubts.get(name)
      const status = doubt && `unclear: ${doubt.file} could not be read at ${revision}`
      const isUnclear = doubt !== undefined
      return { name, change: 'added', ...place, status, isUnclear, inCode: true }
    }),
  )
}

function removedRows({ names, now }: CodeChanges['removed']): ReferenceRow[] {
  return [...names].flatMap(([name, places]) =>
    rowsOfName(now, name).flatMap((row) =>
      places.map(({ file, line, column, text }): ReferenceRow => {
        return { ...row, change: 'removed', file, line, column, text, kind: 'text' }
      }),
    ),
  )
}

/** Files, each once for each reason. */
function distinctFiles(files: readonly UnreadFile[]): UnreadFile[] {
  return [...new Map(files.map((gap) => [`${gap.file}:${gap.reason}`, gap])).values()]
}

interface ComparedSelection {
  /** Known names: those that are given, or the flags of projects; undefined without any. */
  knownNames: readonly string[] | undefined
  /** Whether they are given: added names are those of lookups otherwise. */
  isGiven: boolean
}

/** The names that are new in the code, and those that are no longer in it, where they were. */
export async function findChangedNames(
  context: Context,
  { knownNames, isGiven }: ComparedSelection,
  request: CodeRequest,
  options: ChangeOptions,
): Promise<Findings & { changes: CodeChanges }> {
  const revision = changeRevision(options)
  const ofLookups = 'of lookups' as const
  const wanted = {
    revision,
    added: options.addedSince === undefined ? undefined : isGiven ? knownNames : ofLookups,
    removed: options.removedSince === undefined ? undefined : (knownNames ?? ofLookups),
  }
  const changes = await searchChanges(context, wanted, request)
  const { added, removed, selection } = changes
  const { now, before } = removed
  const unread = distinctFiles([
    ...added.unread,
    ...now.unread,
    ...unreadAt([...added.unreadBefore, ...before.unread], revision.name),
  ])
  const newLookups = isGiven ? [] : codeGaps({ ...added, unread: [], isNew: true })
  const { unresolved, lookups } = isGiven && added.unresolved.length > 0 ? added : now
  return {
    changes,
    rows: [...addedRows(added, revision.name), ...removedRows(removed)],
    unresolved: [
      ...(isGiven
        ? []
        : added.unresolved.map((lookup) => ({ ...lookup, change: 'added' as const }))),
      ...before.unresolved.map((lookup) => ({ ...lookup, revision: revision.name })),
    ],
    unread,
    lookups: added.lookups + added.lookupsBefore,
    files: selection.files.length,
    gaps: [
      ...newLookups,
      ...searchGaps({ ...now, unresolved, lookups, unread: [] }),
      ...codeGaps({ ...before, unread, revision: revision.name }),
    ],
  }
}

/** What the service says about names. */
interface ServiceAnswers {
  absences: ReadonlyMap<string, Absence>
  /** The verdicts on flags that were removed from the code. */
  decisions: ReadonlyMap<string, Decision>
  /** How many of them were reviewed, and what failed. */
  attempt: Attempt
  incomplete: readonly Incomplete[]
}

const NO_ANSWERS: ServiceAnswers = {
  absences: new Map(),
  decisions: new Map(),
  attempt: { requested: 0, failures: new Map() },
  incomplete: [],
}

/** Finds out why added names are not flags, and reviews the flags that were removed from the code. */
async function askService(
  context: Context,
  connection: Connection,
  selection: Selection,
  { added, removed }: CodeChanges,
  options: ProjectOptions,
): Promise<ServiceAnswers> {
  const { flags, lists } = selection
  const isOpen = (name: string) => !flags.has(name) && !selection.absences.has(name)
  const open = [...added.names.keys()].filter(isOpen)
  const absent = lists && (await readAbsences(connection.service, open, lists))
  const absences = new Map([...selection.absences, ...(absent?.absences ?? [])])
  const incomplete = [...selection.incomplete, ...(absent?.incomplete ?? [])]
  const names = [...removed.names.keys()]
  if (names.length === 0) return { ...NO_ANSWERS, absences, incomplete }
  const candidates = {
    selection: { ...selection, names, incomplete },
    names,
    types: await readFlagTypes(connection.service),
    inCode: {
      code: removed.now,
      unread: removed.now.unread,
      unreadBefore: [],
      repositories: [],
    },
  }
  const { project, allProjects } = options
  const evidence = { project, allProjects, notSeenFor: NOT_SEEN_FOR }
  const task = { tellsFinished: 'all' } as const
  const { rows, ...review } = await reviewFlags(context, connection, candidates, evidence, task)
  return {
    absences,
    decisions: new Map(rows.map((row) => [row.name, row])),
    attempt: { requested: rows.length, failures: review.failures },
    incomplete: review.incomplete,
  }
}

function absenceText({ kind, reason }: Absence): string {
  return kind === 'not-a-flag' ? `no flag yet: ${reason}` : reason
}

/**
 * Adds to the names what their reader wants to know: whether added ones break the naming rule of the configuration, or
 * have no flag yet, and whether removed flags may be archived.
 * @param connection undefined if no projects are selected
 */
export async function explainChanges(
  context: Context,
  connection: Connection | undefined,
  selection: Selection,
  { rows, changes }: { rows: readonly ReferenceRow[]; changes: CodeChanges },
  options: ProjectOptions,
): Promise<Pick<ServiceAnswers, 'attempt' | 'incomplete'> & { rows: ReferenceRow[] }> {
  const problems = await configuredProblems(context, [...changes.added.names.keys()])
  const { absences, decisions, ...reading } = connection
    ? await askService(context, connection, selection, changes, options)
    : NO_ANSWERS
  const explained = rows.map((row): ReferenceRow => {
    const { name = '', change, status } = row
    if (change === 'removed') {
      const { verdict, reasons } = decisions.get(name) ?? {}
      return { ...row, verdict, status: reasons?.join('; ') ?? status }
    }
    const problem = problems.get(name)
    const absence = absences.get(name)
    const texts = [
      status,
      absence && absenceText(absence),
      problem && `breaks the naming rule: ${problem}`,
    ]
    return { ...row, status: texts.filter(Boolean).join('; ') || undefined }
  })
  return { ...reading, rows: explained }
}
