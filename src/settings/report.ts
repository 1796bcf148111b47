import { causeText, errorJson, type FlagadmError } from '../errors.ts'
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
import { becomesPrivate, lacksPattern } from './verify.ts'

/** The changes that documents would make, and the service that has the projects. */
export interface Plan {
  projects: readonly PlannedProject[]
  baseUrl: string
  /** The service as shown to the user. */
  target: string
  /** Projects that no document declares; null if the service does not list projects. */
  undeclared?: readonly string[] | null | undefined
  incomplete?: readonly Incomplete[]
}

/** The warning about an example or a description that is sent without a pattern. */
export const noPatternText = 'some servers reject an example or a description without a pattern'

export function privateText(projectId: string): string {
  return `project ${projectId} becomes private: only its members will see it`
}

/** The counts that are not zero, with their words: `1 missing`, `2 failed`. */
export function nonZero(counts: Record<string, number>): string[] {
  return Object.entries(counts).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []))
}

/** How many items have a status. */
export function countOf(items: readonly { status: string }[], status: string): number {
  return items.filter((one) => one.status === status).length
}

const MAX_SHOWN = 3

/** Why a rule needs attention, such as `2 of 5 existing flags break it: a, b`; empty if it does not. */
export function breakingTexts({ total, breaking, undecided }: BreakingFlags, rule = 'it') {
  const of = `of ${counted(total, 'existing flag')}`
  const verb = breaking.length === 1 ? 'breaks' : 'break'
  return [
    { what: `${breaking.length} ${of} ${verb} ${rule}`, names: breaking },
    { what: `${undecided.length} ${of} could not be matched in time`, names: undecided },
  ]
    .filter(({ names }) => names.length > 0)
    .map(({ what, names }) => `${what}: ${listed(names, MAX_SHOWN)}`)
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

/** What the rule of a project means, for the line of its pattern or the project. */
function ruleNotes({ rule }: ComparedProject): Part[] {
  if (!rule) return []
  const { relation, flags } = rule
  const problems = flags && breakingTexts(flags)
  const effect: Part[] =
    problems === undefined
      ? [{ yellow: 'the existing flags are not known' }]
      : problems.map((text) => ({ red: text }))
  return [...(relation === undefined ? [] : [relationTexts[relation]]), ...effect]
}

function projectLines(project: ComparedProject): Line[] {
  const { projectId, status, changes, inherited, undeclared = [], before, after } = project
  const notes = (field: SettingsField): Part[] => [
    ...(inherited.includes(field) ? ['from defaults'] : []),
    ...(field === 'mode' && becomesPrivate(before, after)
      ? [{ yellow: 'only its members will see it' }]
      : []),
    ...(field === 'featureNaming.pattern' ? ruleNotes(project) : []),
  ]
  const hasPattern = changes.some(({ field }) => field === 'featureNaming.pattern')
  const facts: Part[] = [
    ...(hasPattern ? [] : ruleNotes(project)),
    ...(lacksPattern(after) && changes.length > 0 ? [{ yellow: noPatternText }] : []),
    ...(undeclared.length > 0 ? [{ yellow: `not declared: ${undeclared.join(', ')}` }] : []),
  ]
  const shown: Part = status === 'changed' ? { yellow: 'would change' } : { dim: status }
  const head = [{ bold: projectId }, ': ', shown, ...facts.flatMap((fact) => ['; ', fact])]
  return [head, ...changeLines(changes, notes)]
}

/** Whether flags of a project break its rule. */
export function hasBreaking({ rule }: ComparedProject): boolean {
  return (rule?.flags?.breaking.length ?? 0) > 0
}

/** Whether it is not known which flags of a project break its rule. */
export function isInconclusive({ rule }: ComparedProject): boolean {
  return rule !== undefined && (rule.flags === undefined || rule.flags.undecided.length > 0)
}

/** Why a project failed, and what to do: without what differs between projects. */
function causeOf(projectId: string, failure: FlagadmError): string {
  const path = `/projects/${encodeURIComponent(projectId)}/`
  const cause = causeText(failure).replaceAll(path, '/projects/…/')
  return failure.hint === undefined ? cause : `${cause}; ${failure.hint}`
}

/** Projects that failed, those with the same cause on one line. */
export function failureLines(
  failed: readonly { projectId: string; status: string; failure: FlagadmError }[],
): Line[] {
  const groups = groupBy(
    failed,
    ({ projectId, status, failure }) => `${status}: ${causeOf(projectId, failure)}`,
  )
  return [...groups].map(([text, group]) => [
    { bold: group.map(({ projectId }) => projectId).join(', ') },
    ': ',
    { red: text },
  ])
}

/** How many projects could not be compared, in words. */
export function failedCounts(projects: readonly PlannedProject[]): string[] {
  return nonZero({ missing: countOf(projects, 'missing'), failed: countOf(projects, 'failed') })
}

/** `2 projects: 1 would change, 1 unchanged` */
function summary(projects: readonly PlannedProject[]): string {
  const changed = `${countOf(projects, 'changed')} would change`
  const unchanged = `${countOf(projects, 'unchanged')} unchanged`
  const counts = [changed, unchanged, ...failedCounts(projects)]
  return `${counted(projects.length, 'project')}: ${counts.join(', ')}`
}

/** A plan as text. Projects without changes and problems are only counted. */
export function planLines({ projects, target, undeclared, incomplete = [] }: Plan): Line[] {
  const compared = projects.filter(isCompared)
  const isShown = (one: ComparedProject) =>
    one.status === 'changed' || one.undeclared?.length || hasBreaking(one) || isInconclusive(one)
  const lines: Line[] = [
    ...compared.filter(isShown).flatMap(projectLines),
    ...failureLines(projects.flatMap((one) => (isCompared(one) ? [] : [one]))),
    ...(undeclared ?? []).map((id) => [{ bold: id }, ': ', { yellow: 'not declared' }]),
  ]
  return [
    [`Plan for ${target}`],
    [''],
    ...lines,
    ...(lines.length > 0 ? [['']] : []),
    [summary(projects)],
    ...incompleteLines(incomplete).map((line) => [{ yellow: line }]),
  ]
}

function projectJson(project: PlannedProject): object {
  const { projectId, status } = project
  if (!isCompared(project)) return { projectId, status, error: errorJson(project.failure).error }
  const { changes, inherited, rule, undeclared, before, after } = project
  const warnings = [
    ...(becomesPrivate(before, after) ? [privateText(projectId)] : []),
    ...(lacksPattern(after) && changes.length > 0 ? [noPatternText] : []),
  ]
  return {
    projectId,
    status,
    changes: changes.map((change) => ({
      ...changeJson(change),
      ...(inherited.includes(change.field) && { inherited: true }),
    })),
    ...(rule && {
      rule: {
        relation: rule.relation,
        flags: rule.flags?.total,
        breaking: rule.flags?.breaking,
        ...(rule.flags?.undecided.length && { undecided: rule.flags.undecided }),
      },
    }),
    undeclared,
    warning: warnings.join('; ') || undefined,
  }
}

/** A plan as JSON data. */
export function planJson(
  { baseUrl, projects, undeclared, incomplete = [] }: Plan,
  checkNames: boolean,
) {
  const breaking = projects.filter(isCompared).filter(hasBreaking).length
  return {
    baseUrl,
    projects: projects.map(projectJson),
    undeclared,
    summary: {
      changed: countOf(projects, 'changed'),
      unchanged: countOf(projects, 'unchanged'),
      missing: countOf(projects, 'missing'),
      failed: countOf(projects, 'failed'),
      ...(checkNames && { breaking }),
    },
    ...(incomplete.length > 0 && { incomplete }),
  }
}
