// What a review fails on.
import { FlagadmError, refuseUsage } from '../errors.ts'
import { emptyList } from '../input/names.ts'
import type { Emptiness } from '../command/options.ts'
import { factsOf, type FormatName } from '../output/formats.ts'
import { listed } from '../output/incomplete.ts'
import type { Severity } from '../output/problems.ts'
import type { ViewOptions } from '../output/rows.ts'
import { withoutFlagsText } from '../project/selection.ts'
import { factsOfVerdict, going, type Verdict, verdicts, verdictText } from './verdicts.ts'
import { isOfType } from '../flags/types.ts'
import type { Selection } from '../flags/selection.ts'
import { checkCodeOptions } from './code-evidence.ts'
import type { EvidenceOptions } from './options.ts'
import type { ListedRow } from './comparison.ts'
import type { ReviewOrder } from './order.ts'
export const expectations = ['removable', 'finished', 'in-use', 'unused'] as const
type Expectation = (typeof expectations)[number]
export interface ReviewOptions extends EvidenceOptions, ViewOptions {
  verdict?: readonly string[] | undefined
  expect?: Expectation | undefined
  failOn?: readonly string[] | undefined
  allowEmpty?: true | undefined
  compare?: string | undefined
  sort: ReviewOrder
}
const wholeVerdicts: readonly Verdict[] = ['removable', 'still-on', 'finished']

/** @throws a usage error for options that cannot be combined */
export function checkOptions(options: ReviewOptions): void {
  checkCodeOptions(options)
  const { application, environment, verdict, expect, compare } = options
  if (compare !== undefined && expect !== undefined) {
    refuseUsage(
      '--compare cannot be combined with --expect',
      'use --fail-on, which counts changed flags',
    )
  }
  const filter = application ? '--app' : environment && '--environment'
  // A part of the usage shows neither that a flag is unused, nor that it always answers the same.
  const shown = wholeVerdicts.find((whole) => verdict?.includes(whole))
  const expected = wholeVerdicts.find((whole) => whole === expect)
  if (!filter || (!shown && !expected)) return
  const wanted = shown ? `--verdict ${shown}` : `--expect ${expected}`
  refuseUsage(
    `${wanted} cannot be combined with ${filter}, because it leaves out usage of the flags`,
    'use --expect unused, or leave out the filter',
  )
}
const maySettle = (verdict: string) =>
  verdicts.some((own) => own === verdict && factsOfVerdict(own).isSettledByLists)

/** Whether a format shows flags of which the lists settle the verdict. A gate is about others, and a table of it need not have all. */
function showsSettled(format: FormatName, { expect, verdict, failOn }: ReviewOptions): boolean {
  const { rowsAs, isBrief } = factsOf(format)
  if (rowsAs === 'name') return false
  if (verdict && !verdict.some(maySettle)) return false
  const isGate = expect === 'removable' || (failOn !== undefined && !failOn.some(maySettle))
  return !(isGate && isBrief)
}

/** Whether the usage of every flag is read, because it is shown, compared or checked, or because a part of it does not count. */
export function readsAllUsage(format: FormatName, options: ReviewOptions): boolean {
  const { compare, application, environment, expect } = options
  if (compare !== undefined || application || environment) return true
  if (expect === 'unused' || expect === 'in-use') return true
  return showsSettled(format, options)
}

const isUsed = (verdict: string) => verdict === 'in-use' || verdict === 'finished'

/** Whether finished flags are told from others in use: `all` if the run asks for them. */
export function tellsFinished(format: FormatName, options: ReviewOptions): 'no' | 'likely' | 'all' {
  const { compare, expect, verdict, failOn } = options
  const asked = [expect, ...(verdict ?? []), ...(failOn ?? [])]
  if (asked.includes('finished')) return 'all'
  const isAsked = [...(verdict ?? []), ...(failOn ?? [])].some(isUsed)
  const isShown = showsSettled(format, options) && (verdict?.some(isUsed) ?? true)
  return compare !== undefined || isAsked || isShown ? 'likely' : 'no'
}

const countOf = (rows: readonly ListedRow[], wanted: Verdict) =>
  rows.filter(({ verdict }) => verdict === wanted).length

/** The verdicts that can be counted. @param tellsFinished whether finished flags are told from others in use */
export function countedVerdicts(tellsFinished: boolean): Verdict[] {
  return verdicts.filter((verdict) => tellsFinished || !isUsed(verdict))
}

/** How many flags there are, and how many with each verdict; null if that is not known. */
export function countsOf(
  rows: readonly ListedRow[],
  tellsFinished: boolean,
): Record<string, number | null> {
  const counted = countedVerdicts(tellsFinished)
  const counts = verdicts.map((verdict) => {
    return [verdict, counted.includes(verdict) ? countOf(rows, verdict) : null]
  })
  return { flags: rows.length, ...Object.fromEntries(counts) }
}

/** `3 removable, 1 still on, 2 in use or finished`: used flags together if finished ones are not told apart. */
export function countsText(
  rows: readonly ListedRow[],
  tellsFinished: boolean,
  isAlwaysShown = (verdict: Verdict) => factsOfVerdict(verdict).isAlwaysCounted,
): string {
  const shown = countedVerdicts(tellsFinished).filter((verdict) => {
    return countOf(rows, verdict) > 0 || isAlwaysShown(verdict)
  })
  const used = tellsFinished ? 0 : rows.filter(({ verdict }) => isUsed(verdict ?? '')).length
  return [
    ...shown.map((verdict) => `${countOf(rows, verdict)} ${verdictText(verdict)}`),
    ...(used > 0 ? [`${used} in use or finished`] : []),
  ].join(', ')
}

function isExpected({ verdict, usageState }: ListedRow, expect: Expectation): boolean {
  switch (expect) {
    case 'removable':
    case 'finished':
      return verdict === expect
    case 'in-use':
      return usageState === 'used'
    case 'unused':
      return usageState === 'unused'
  }
}

/** Whether a row is not as expected, or has a verdict that the command fails on. */
function isFailing(row: ListedRow, { expect, failOn = [] }: ReviewOptions): boolean {
  if (row.isChanged === false) return false
  if (expect !== undefined && !isExpected(row, expect)) return true
  return row.verdict !== null && failOn.includes(row.verdict)
}

/** Without a check, what can go is worth a warning. */
export function severityOf(row: ListedRow, options: ReviewOptions): Severity {
  if (isFailing(row, options)) return 'error'
  const isCheck = options.expect !== undefined || options.failOn !== undefined
  return !isCheck && going.has(row.verdict) ? 'warning' : 'info'
}
const STILL_ON = 'feature archive --include-on archives flags that are still on'

/** The error for flags that are not as expected, or for names that are not flags; undefined without any. */
export function refusalOf(
  rows: readonly ListedRow[],
  tellsFinished: boolean,
  options: ReviewOptions,
): FlagadmError | undefined {
  const failing = rows.filter((row) => isFailing(row, options))
  // Alone, names that are not flags are another error, unless the check asks for them.
  const failsOnUnknown = options.failOn?.includes('not-a-flag')
  const decisive = failing.filter(({ verdict }) => failsOnUnknown || verdict !== 'not-a-flag')
  if (decisive.length > 0) {
    const expected = options.expect ? `, expected ${options.expect}` : ''
    const [first] = failing
    const what =
      first && failing.length === 1
        ? `${first.name} is ${verdictText(first.verdict)}`
        : `${failing.length} of ${rows.length} flags fail the check: ${countsText(failing, tellsFinished, () => false)}`
    const isOn =
      options.expect === 'removable' && failing.some(({ verdict }) => verdict === 'still-on')
    const hint = isOn ? STILL_ON : undefined
    return new FlagadmError('checkFailed', what + expected, { hint })
  }
  const unknown = rows.filter(({ verdict }) => verdict === 'not-a-flag')
  if (unknown.length === 0) return undefined
  const names = unknown.map(({ name }) => name)
  const why = names.length > 1 ? 'not flags' : unknown[0]?.reasons[0]
  return new FlagadmError('notFound', `${listed(names)}: ${why}`, { names })
}

/**
 * Why a check has no flags, wherever the code has them; undefined if it has some.
 * @param given the names that were given
 */
export function emptinessOf(
  given: readonly string[],
  { names, flags, ...projects }: Selection,
  options: ReviewOptions,
): Emptiness | undefined {
  const { expect, failOn, type, namesFrom } = options
  const isCheck = expect !== undefined || failOn !== undefined
  if (!isCheck || names.some((name) => isOfType(flags.get(name), type))) return undefined
  const which = type ? `flags of type ${type.join(' or ')}` : 'flags'
  if (given.length > 0) return { why: `no ${which} among those given` }
  return namesFrom === undefined
    ? { why: withoutFlagsText(options, projects, which) }
    : emptyList(namesFrom)
}
