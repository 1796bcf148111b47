// Compares a review with an earlier one.
import * as v from 'valibot'
import type { Context } from '../command/context.ts'
import { refuseUsage } from '../errors.ts'
import { inputName } from '../input/files.ts'
import { parseJsonFile } from '../input/json.ts'
import { checkShape, describeProblem, plainAddress } from '../input/shape.ts'
import { listed } from '../output/incomplete.ts'
import { timeOf } from '../input/time.ts'
import { latest } from '../flags/records.ts'
import { type Verdict, verdicts } from './verdicts.ts'
import type { Selection } from '../flags/selection.ts'
import type { Row } from './flags.ts'
import { type ReviewSelection, writtenOption } from './options.ts'

/** A flag of a review; its verdict is null if only the review that it is compared with has it. */
export interface ListedRow extends Omit<Row, 'verdict'> {
  verdict: Verdict | null
  /** The project of a flag that is gone. */
  goneFrom?: string | undefined
  /** The verdict before, if the review is compared with an earlier one; null for a flag that is new. */
  before?: Verdict | null
  isChanged?: boolean
  /** Whether it has changed only because this review covers usage from before the span of the earlier one. */
  isBySpan?: boolean
}

interface EarlierFlag {
  verdict: Verdict
  projectId: string | undefined
  /** From when on its figures covered usage, in milliseconds since the epoch; undefined if that was not known. */
  from: number | undefined
}

export interface EarlierReview {
  /** When it was made, in milliseconds since the epoch; undefined if it has no flags, or not their times. */
  madeAt: number | undefined
  /** By the name of the flag. */
  flags: ReadonlyMap<string, EarlierFlag>
  /** How long the figures of all flags covered usage, in milliseconds; undefined if that was not known. */
  covered: number | undefined
  /** The names of projects and flags that it lacks. */
  unread: ReadonlySet<string>
}

const earlierSchema = v.object({
  service: plainAddress,
  selection: v.record(
    v.string(),
    v.union([v.string(), v.number(), v.boolean(), v.array(v.string())]),
  ),
  flags: v.array(
    v.object({
      flag: v.string(),
      project: v.nullish(v.string()),
      // Null for a flag that was gone.
      verdict: v.nullable(v.picklist(verdicts)),
      from: v.nullish(v.string()),
      to: v.nullish(v.string()),
    }),
  ),
  // What could not be read then is not new now.
  incomplete: v.nullish(v.array(v.object({ names: v.array(v.string()) }))),
})

/** `without --since`, `with --project shop, mail` */
function withOption(option: string, value: unknown): string {
  if (value === undefined) return `without ${option}`
  return value === true ? `with ${option}` : `with ${option} ${listed([value].flat().map(String))}`
}

/**
 * Reads the JSON of an earlier review.
 * @throws a usage error for a file that is none, or that is about another service or selection
 */
export async function readEarlier(
  { inputs }: Context,
  path: string,
  service: string,
  selection: ReviewSelection,
): Promise<EarlierReview> {
  const name = inputName(path)
  const refuse = (what: string, hint: string): never => {
    refuseUsage(`${name}: ${what}`, hint)
  }
  const hint = 'feature review --json writes such a file'
  const text = await inputs.read(path, '--compare', 'usage')
  const { data, problem } = checkShape(earlierSchema, parseJsonFile(text, name, hint))
  if (problem) return refuse(`not the JSON of a review: ${describeProblem(problem)}`, hint)
  if (data.service !== service) {
    return refuse(
      `the review is of ${data.service}, not of ${service}`,
      'use a profile for that service',
    )
  }
  const earlierSelection = new Map<string, unknown>(Object.entries(data.selection))
  const currentSelection = new Map(Object.entries(selection))
  for (const key of new Set([...currentSelection.keys(), ...earlierSelection.keys()])) {
    const [then, now] = [earlierSelection.get(key), currentSelection.get(key)]
    if (JSON.stringify(then) === JSON.stringify(now)) continue
    const option = writtenOption(key)
    const what = `the review was made ${withOption(option, then)}, this one ${withOption(option, now)}`
    return refuse(what, 'make a new one with the same names and options')
  }
  const flags = data.flags.flatMap(({ flag, project, verdict, from }) => {
    // A flag that was gone is not listed again.
    if (verdict === null) return []
    return [[flag, { verdict, projectId: project ?? undefined, from: timeOf(from) }] as const]
  })
  const names = new Set<string>()
  const [twice] = flags.find(([flag]) => names.size === names.add(flag).size) ?? []
  if (twice !== undefined) return refuse(`${twice} occurs twice`, 'remove one of the entries')
  const madeAt = timeOf(data.flags[0]?.to)
  const coveredFrom = latest(flags.map(([, { from }]) => from))
  const unread = (data.incomplete ?? []).flatMap(({ names }) => names)
  return {
    madeAt,
    covered: madeAt === undefined || coveredFrom === undefined ? undefined : madeAt - coveredFrom,
    flags: new Map(flags),
    unread: new Set(unread),
  }
}

/** A flag that only the earlier review has. */
function missingRow(
  name: string,
  projectId: string | undefined,
  before: Verdict,
  { flags, failures }: Selection,
): ListedRow {
  const common = {
    name,
    flag: flags.get(name),
    absence: undefined,
    code: undefined,
    usageState: 'unclear' as const,
    answers: [],
    goneFrom: projectId,
    before,
    isChanged: true,
  }
  if (projectId !== undefined && failures.has(projectId)) {
    return { ...common, verdict: 'unclear', reasons: [`project ${projectId} could not be read`] }
  }
  const isListed = flags.has(name)
  const reason = isListed
    ? 'left out by --type now'
    : 'neither in the lists of flags nor given any more'
  return { ...common, verdict: null, reasons: [reason] }
}

/** Whether the last usage of a flag is from before the span of the earlier review, which did not see it. */
function wasUsedBefore({ usage }: Row, earlier: EarlierFlag | undefined): boolean {
  const { lastUsed } = usage ?? {}
  return lastUsed !== undefined && earlier?.from !== undefined && lastUsed < earlier.from
}

/** The flags with what their verdicts were, and those that are gone. */
export function compareRows(
  rows: readonly Row[],
  { flags, unread }: EarlierReview,
  selection: Selection,
): ListedRow[] {
  const names = new Set(rows.map(({ name }) => name))
  const missing = [...flags].flatMap(([name, { verdict, projectId }]) => {
    return names.has(name) ? [] : [missingRow(name, projectId, verdict, selection)]
  })
  const listed = rows.map((row): ListedRow => {
    const { name, verdict } = row
    const before = flags.get(name)?.verdict ?? null
    const wasUnread = unread.has(name) || unread.has(row.flag?.projectId ?? '')
    const isKnown = before !== null || !wasUnread
    const isChanged = isKnown && before !== verdict
    return { ...row, before, isChanged, isBySpan: isChanged && wasUsedBefore(row, flags.get(name)) }
  })
  return [...listed, ...missing]
}
