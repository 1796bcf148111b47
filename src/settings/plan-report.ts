import { causeText, commonKind, errorJson, FlagadmError } from '../errors.ts'
import { groupBy } from '../groups.ts'
import type { Relation } from '../naming/analysis/relation.ts'
import { lengthProblem } from '../naming/rule.ts'
import { counted, type Incomplete, incompleteLines, listed } from '../output/incomplete.ts'
import type { Line, Part } from '../output/text.ts'
import { changeJson, changeLines } from './settings-text.ts'
import { idIn } from './defaults.ts'
import { type BreakingFlags, changingOf, type PlannedProject, removesRule } from './comparison.ts'
import type { SettingsField } from './settings.ts'

export interface Plan {
  projects: readonly PlannedProject[]
  baseUrl: string
  target: string
  /** Projects that no document declares; null if the service does not list projects. */
  undeclaredProjects?: readonly string[] | null
  incomplete?: readonly Incomplete[]
}

/** The warning about a project that becomes private, for which set asks. */
export function privacyWarning({ projectId, before, after }: PlannedProject): string[] {
  const isMade = after.mode === 'private' && before.mode !== 'private'
  return isMade ? [`project ${projectId} becomes private: only its members will see it`] : []
}

/** The warning about a project whose stored rule is removed. */
export function removalWarning(project: PlannedProject): string[] {
  if (!removesRule(project)) return []
  return [`the naming rule of project ${project.projectId} is removed: any flag name is accepted`]
}

/** What to consider about the new rule of a project, as sentences. */
export function ruleConcerns({ rule, after, undecided = [] }: PlannedProject): string[] {
  const concerns = new Set(undecided)
  const tooLong = lengthProblem(after.featureNaming)
  if (rule?.flags) for (const text of breakingTexts(rule.flags, 'the new rule')) concerns.add(text)
  else if (rule && tooLong !== undefined) concerns.add(tooLong)
  return [...concerns]
}

/** What to consider before the changes of several projects, as sentences. */
export function concernsOf(projects: readonly PlannedProject[]): string[] {
  return changingOf(projects).flatMap((project) => [
    ...privacyWarning(project),
    ...removalWarning(project),
    ...ruleConcerns(project).map((concern) => `project ${project.projectId}: ${concern}`),
  ])
}

function countOf(items: readonly { status: string }[], status: string): number {
  return items.filter((item) => item.status === status).length
}

/** `3 projects: 1 changed, 1 unchanged, 1 failed`: these statuses, and others that occur. */
export function countsText(
  items: readonly { status: string }[],
  always: readonly string[],
  words: Readonly<Record<string, string>> = {},
): string {
  const statuses = new Set([...always, ...items.map(({ status }) => status)])
  const counts = Array.from(
    statuses,
    (status) => `${countOf(items, status)} ${words[status] ?? status}`,
  )
  return `${counted(items.length, 'project')}: ${counts.join(', ')}`
}

/** Why a rule needs attention, such as `2 of 5 existing flags break it: a, b`; empty if it does not. */
function breakingTexts({ total, breaking, undecided }: BreakingFlags, rule = 'it') {
  const of = `of ${counted(total, 'existing flag')}`
  const text = (names: readonly string[], what: string) =>
    names.length > 0 ? [`${names.length} ${of} ${what}: ${listed(names, 3)}`] : []
  return [
    ...text(breaking, `${breaking.length === 1 ? 'breaks' : 'break'} ${rule}`),
    ...text(undecided, 'could not be matched in time'),
  ]
}

const relationTexts: Record<Relation | 'new' | 'removed', Part> = {
  new: 'new rule',
  removed: { magenta: 'rule removed' },
  equal: 'accepts the same names',
  narrower: 'narrower',
  wider: 'wider',
  overlapping: 'accepts some other names',
  disjoint: 'accepts other names only',
  undecided: 'effect not known',
}

/** What a new rule means for any flag, for the line of its pattern or of the project. */
function effectNotes({ rule, undecided = [] }: PlannedProject): Part[] {
  const effect = rule?.relation === undefined ? [] : [relationTexts[rule.relation]]
  const open = undecided.map((reason) => ({ magenta: reason }))
  const isUnknown = rule !== undefined && rule.flags === undefined
  const unknown = isUnknown ? [{ magenta: 'the existing flags are not known' }] : []
  return [...effect, ...open, ...unknown]
}

function flagNotes({ rule }: PlannedProject): Part[] {
  return rule?.flags ? breakingTexts(rule.flags).map((text) => ({ red: text })) : []
}

/** Notes after a text: `: would change; narrower`. */
function afterColon(notes: readonly Part[]): Line {
  return notes.flatMap((note, index) => [index === 0 ? ': ' : '; ', note])
}

/** The changes of a project below a head without its name. @param ownNotes what is only said of this project */
function blockOf(project: PlannedProject, ownNotes: readonly Part[]) {
  const { status, inherited, undeclared = [] } = project
  const ruleNotes = [...effectNotes(project), ...ownNotes]
  const notes = (field: SettingsField): Part[] => {
    const isPrivate = field === 'mode' && privacyWarning(project).length > 0
    return [
      ...(inherited.includes(field) ? ['from defaults'] : []),
      ...(isPrivate ? [{ magenta: 'only its members will see it' }] : []),
      ...(field === 'featureNaming.pattern' ? ruleNotes : []),
    ]
  }
  const hasPattern = project.changes.some(({ field }) => field === 'featureNaming.pattern')
  const facts: Part[] = [
    status === 'changed' ? { magenta: 'would change' } : { dim: status },
    ...(hasPattern ? [] : ruleNotes),
    ...(undeclared.length > 0 ? [{ magenta: `not declared: ${undeclared.join(', ')}` }] : []),
  ]
  return { head: afterColon(facts), lines: changeLines(project.changes, notes) }
}

/** A project whose inherited values have `{project}` for its id, as in the document. */
function asDeclared(project: PlannedProject): PlannedProject {
  const { projectId, inherited } = project
  const changes = project.changes.map((change) => {
    const { field, to } = change
    if (!inherited.includes(field) || typeof to !== 'string') return change
    return { ...change, to: to.replaceAll(idIn(field, projectId), '{project}') }
  })
  return { ...project, changes }
}

// A comment on a pull request leaves out a line that is too long.
const IDS_ON_LINE = 8

function idLines(projects: readonly PlannedProject[]): Line[] {
  const ids = projects.map(({ projectId }) => projectId)
  const starts = Array.from({ length: Math.ceil(ids.length / IDS_ON_LINE) }, (_, line) => line)
  return starts.map((line) => {
    const some = ids.slice(line * IDS_ON_LINE, (line + 1) * IDS_ON_LINE).join(', ')
    return [line === 0 ? '  in ' : '     ', some]
  })
}

/** The projects of a plan as blocks: one for all that have the same change. */
function changeBlocks(projects: readonly PlannedProject[]): Line[][] {
  const groups = groupBy(projects, (project) => JSON.stringify(blockOf(asDeclared(project), [])))
  return Array.from(groups.values(), (group) => {
    const [first, ...others] = group
    if (others.length === 0) {
      const { head, lines } = blockOf(first, flagNotes(first))
      return [[{ bold: first.projectId }, ...head], ...lines]
    }
    const { head, lines } = blockOf(asDeclared(first), [])
    const exceptions = group.flatMap((project): Line[] => {
      const notes = flagNotes(project)
      return notes.length > 0 ? [['  ', { bold: project.projectId }, ...afterColon(notes)]] : []
    })
    const name = counted(group.length, 'project')
    return [[{ bold: name }, ...head], ...lines, ...idLines(group), ...exceptions]
  })
}

export function hasBreaking({ rule }: PlannedProject): boolean {
  return Boolean(rule?.flags?.breaking.length)
}

/** Whether it is not known which flags of a project break its rule. */
export function isInconclusive({ rule }: PlannedProject): boolean {
  return rule !== undefined && (rule.flags === undefined || rule.flags.undecided.length > 0)
}

type ReportedProject = Pick<PlannedProject, 'projectId' | 'failure'> & { status: string }

/** What became of projects and why, those with the same text on one line. */
export function statusLines(projects: readonly ReportedProject[]): Line[] {
  const text = ({ projectId, status, failure }: ReportedProject) => {
    if (!failure) return status
    const path = `/projects/${encodeURIComponent(projectId)}/`
    const cause = causeText(failure).replaceAll(path, '/projects/…/')
    return [`${status}: ${cause}`, failure.hint].filter(Boolean).join('; ')
  }
  return Array.from(groupBy(projects, text), ([cause, group]) => {
    const names = group.map(({ projectId }) => projectId).join(', ')
    return [{ bold: names }, ': ', { red: cause }]
  })
}

/** The error of projects that are missing or failed: that project's own if it is the only one; undefined without any. */
export function failureOfAll(
  projects: readonly ReportedProject[],
  hint?: string,
): FlagadmError | undefined {
  const failures = projects.flatMap(({ failure }) => failure ?? [])
  const [first] = failures
  if (!first || projects.length === 1) return first
  const what = `${failures.length} of ${counted(projects.length, 'project')} failed`
  return new FlagadmError(commonKind(failures, projects.length), what, { hint })
}

/** The projects of a plan that have changes or problems, with blank lines between them. */
function projectBlocks({ projects, undeclaredProjects }: Plan): Line[] {
  const isShown = (project: PlannedProject) =>
    project.status === 'changed' ||
    project.undeclared?.length ||
    hasBreaking(project) ||
    isInconclusive(project)
  const blocks = [
    ...changeBlocks(projects.filter(isShown)),
    statusLines(projects.filter(({ failure }) => failure)),
    (undeclaredProjects ?? []).map((id) => [{ bold: id }, ': ', { magenta: 'not declared' }]),
  ]
  return blocks.filter(({ length }) => length > 0).flatMap((lines) => [...lines, ['']])
}

/** A plan as text without a heading. Projects without changes and problems are only counted. */
export function planContent(plan: Plan): Line[] {
  const { projects, incomplete = [] } = plan
  return [
    ...projectBlocks(plan),
    [countsText(projects, ['changed', 'unchanged'], { changed: 'would change' })],
    ...incompleteLines(incomplete).map((line) => [{ magenta: line }]),
  ]
}

export function planHeading({ target }: Plan): string {
  return `Plan for ${target}`
}

export function planLines(plan: Plan): Line[] {
  return [[planHeading(plan)], [''], ...planContent(plan)]
}

/** A plan that is carried out, as text: the counts follow with the results. */
export function openPlanLines(plan: Plan): Line[] {
  const gaps = incompleteLines(plan.incomplete ?? []).map((line): Line => [{ magenta: line }])
  return [[planHeading(plan)], [''], ...projectBlocks(plan), ...gaps]
}

function projectJson(project: PlannedProject): object {
  const { projectId, status, failure, changes, inherited, rule } = project
  if (failure) return { projectId, status, error: errorJson(failure).error }
  const { relation, flags } = rule ?? {}
  const { undecided = [] } = project
  const warnings = [...privacyWarning(project), ...removalWarning(project), ...undecided]
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
    undeclared: project.undeclared,
    warning: warnings.join('; ') || undefined,
  }
}

export function planJson(plan: Plan, checkNames = false): object {
  const { baseUrl, projects, undeclaredProjects, incomplete = [] } = plan
  const statuses = ['changed', 'unchanged', 'missing', 'failed']
  const counts = statuses.map((status) => [status, countOf(projects, status)])
  return {
    baseUrl,
    projects: projects.map(projectJson),
    undeclared: undeclaredProjects,
    summary: {
      ...Object.fromEntries(counts),
      ...(checkNames && { breaking: projects.filter(hasBreaking).length }),
    },
    ...(incomplete.length > 0 && { incomplete }),
  }
}
