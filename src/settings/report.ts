import { causeText, commonKind, errorJson, FlagadmError } from '../errors.ts'
import { groupBy } from '../groups.ts'
import { counted, type Incomplete, incompleteLines, listed } from '../output/incomplete.ts'
import type { Line, Part } from '../output/text.ts'
import { changeJson, changeLines } from './changes.ts'
import {
  type BreakingFlags,
  type ComparedProject,
  isCompared,
  type PlannedProject,
} from './comparison.ts'
import type { SettingsField } from './settings.ts'
import { becomesPrivate, lacksPattern, noPatternText } from './verify.ts'

/** The changes that documents would make, and the service that has the projects. */
export interface Plan {
  projects: readonly PlannedProject[]
  baseUrl: string
  /** The service as shown to the user. */
  target: string
  /** Projects that no document declares; null if the service does not list projects. */
  undeclared?: readonly string[] | null
  incomplete?: readonly Incomplete[]
}

export function privateText(projectId: string): string {
  return `project ${projectId} becomes private: only its members will see it`
}

/** How many items have a status. */
export function countOf(items: readonly { status: string }[], status: string): number {
  return items.filter((one) => one.status === status).length
}

/** `3 projects: 1 failed, 1 missing`: those of these statuses that occur. */
export function countsText(
  items: readonly { status: string }[],
  statuses: Readonly<Record<string, string>>,
  always: readonly string[] = [],
): string {
  const counts = Object.entries(statuses).flatMap(([status, word]) => {
    const count = countOf(items, status)
    return count > 0 || always.includes(status) ? [`${count} ${word}`] : []
  })
  return `${counted(items.length, 'project')}: ${counts.join(', ')}`
}

const MAX_SHOWN = 3

/** Why a rule needs attention, such as `2 of 5 existing flags break it: a, b`; empty if it does not. */
export function breakingTexts({ total, breaking, undecided }: BreakingFlags, rule = 'it') {
  const of = `of ${counted(total, 'existing flag')}`
  const text = (names: readonly string[], what: string) =>
    names.length > 0 ? [`${names.length} ${of} ${what}: ${listed(names, MAX_SHOWN)}`] : []
  return [
    ...text(breaking, `${breaking.length === 1 ? 'breaks' : 'break'} ${rule}`),
    ...text(undecided, 'could not be matched in time'),
  ]
}

const relationTexts = {
  new: 'new rule',
  removed: 'rule removed',
  equal: 'accepts the same names',
  narrower: 'narrower',
  wider: 'wider',
  overlapping: 'accepts some other names',
  disjoint: 'accepts other names only',
  undecided: 'effect not known',
}

/** What the rule of a project means, for the line of its pattern or of the project. */
function ruleNotes({ rule }: ComparedProject): Part[] {
  if (!rule) return []
  const { relation, flags } = rule
  const problems: Part[] = flags
    ? breakingTexts(flags).map((text) => ({ red: text }))
    : [{ yellow: 'the existing flags are not known' }]
  return [...(relation === undefined ? [] : [relationTexts[relation]]), ...problems]
}

/** Warnings about a change, as sentences. */
function warningsOf({ projectId, before, after, changes }: ComparedProject) {
  return {
    mode: becomesPrivate(before, after) ? privateText(projectId) : undefined,
    rule: lacksPattern(after) && changes.length > 0 ? noPatternText : undefined,
  }
}

function projectLines(project: ComparedProject): Line[] {
  const { projectId, status, changes, inherited, undeclared = [] } = project
  const warnings = warningsOf(project)
  const notes = (field: SettingsField): Part[] => [
    ...(inherited.includes(field) ? ['from defaults'] : []),
    ...(field === 'mode' && warnings.mode ? [{ yellow: 'only its members will see it' }] : []),
    ...(field === 'featureNaming.pattern' ? ruleNotes(project) : []),
  ]
  const hasPattern = changes.some(({ field }) => field === 'featureNaming.pattern')
  const facts: Part[] = [
    status === 'changed' ? { yellow: 'would change' } : { dim: status },
    ...(hasPattern ? [] : ruleNotes(project)),
    ...(warnings.rule ? [{ yellow: warnings.rule }] : []),
    ...(undeclared.length > 0 ? [{ yellow: `not declared: ${undeclared.join(', ')}` }] : []),
  ]
  const head = facts.flatMap((fact, index) => [index === 0 ? ': ' : '; ', fact])
  return [[{ bold: projectId }, ...head], ...changeLines(changes, notes)]
}

/** Whether flags of a project break its rule. */
export function hasBreaking({ rule }: ComparedProject): boolean {
  return (rule?.flags?.breaking.length ?? 0) > 0
}

/** Whether it is not known which flags of a project break its rule. */
export function isInconclusive({ rule }: ComparedProject): boolean {
  return rule !== undefined && (rule.flags === undefined || rule.flags.undecided.length > 0)
}

/** A project that could not be read or changed. */
interface FailedProject {
  projectId: string
  status: string
  failure: FlagadmError
}

/** Projects that failed, those with the same cause on one line. */
export function failureLines(failed: readonly FailedProject[]): Line[] {
  const text = ({ projectId, status, failure }: FailedProject) => {
    const path = `/projects/${encodeURIComponent(projectId)}/`
    const cause = causeText(failure).replaceAll(path, '/projects/…/')
    return [`${status}: ${cause}`, failure.hint].filter(Boolean).join('; ')
  }
  return Array.from(groupBy(failed, text), ([cause, group]) => {
    const names = group.map(({ projectId }) => projectId).join(', ')
    return [{ bold: names }, ': ', { red: cause }]
  })
}

/** Those of the projects that could not be compared. */
function unreadOf(projects: readonly PlannedProject[]): FailedProject[] {
  return projects.flatMap((one) => (isCompared(one) ? [] : [one]))
}

/** @throws an error if a project is missing or failed: that project's own if it is the only one */
export function refuseUnread(projects: readonly PlannedProject[]): void {
  const failures = unreadOf(projects).map(({ failure }) => failure)
  const [first] = failures
  if (!first) return
  if (projects.length === 1) throw first
  const what = countsText(projects, { missing: 'missing', failed: 'failed' })
  throw new FlagadmError(commonKind(failures, projects.length), what)
}

/** A plan as text. Projects without changes and problems are only counted. */
export function planLines({ projects, target, undeclared, incomplete = [] }: Plan): Line[] {
  const isShown = (one: ComparedProject) =>
    one.status === 'changed' || one.undeclared?.length || hasBreaking(one) || isInconclusive(one)
  const lines: Line[] = [
    ...projects.filter(isCompared).filter(isShown).flatMap(projectLines),
    ...failureLines(unreadOf(projects)),
    ...(undeclared ?? []).map((id) => [{ bold: id }, ': ', { yellow: 'not declared' }]),
  ]
  const words = {
    changed: 'would change',
    unchanged: 'unchanged',
    missing: 'missing',
    failed: 'failed',
  }
  return [
    [`Plan for ${target}`],
    [''],
    ...(lines.length > 0 ? [...lines, ['']] : []),
    [countsText(projects, words, ['changed', 'unchanged'])],
    ...incompleteLines(incomplete).map((line) => [{ yellow: line }]),
  ]
}

function projectJson(project: PlannedProject): object {
  const { projectId, status } = project
  if (!isCompared(project)) return { projectId, status, error: errorJson(project.failure).error }
  const { changes, inherited, rule, undeclared } = project
  const { relation, flags } = rule ?? {}
  const warnings = Object.values(warningsOf(project)).filter(Boolean)
  return {
    projectId,
    status,
    changes: changes.map((change) => ({
      ...changeJson(change),
      ...(inherited.includes(change.field) && { inherited: true }),
    })),
    rule: rule && {
      relation,
      flags: flags?.total,
      breaking: flags?.breaking,
      ...(flags?.undecided.length && { undecided: flags.undecided }),
    },
    undeclared,
    warning: warnings.length > 0 ? warnings.join('; ') : undefined,
  }
}

/** A plan as JSON data. */
export function planJson(plan: Plan, checkNames = false): object {
  const { baseUrl, projects, undeclared, incomplete = [] } = plan
  const statuses = ['changed', 'unchanged', 'missing', 'failed'] as const
  const counts = statuses.map((status) => [status, countOf(projects, status)])
  const breaking = checkNames && {
    breaking: projects.filter(isCompared).filter(hasBreaking).length,
  }
  return {
    baseUrl,
    projects: projects.map(projectJson),
    undeclared,
    summary: { ...Object.fromEntries(counts), ...breaking },
    ...(incomplete.length > 0 && { incomplete }),
  }
}
