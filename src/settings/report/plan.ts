import { errorJson } from '../../errors.ts'
import type { FormatOf } from '../../old/output/formats.ts'
import type { BreakingFlags } from '../breaking-flags.ts'
import type { SettingsValue } from '../changes.ts'
import { becomesPrivate, lacksPattern } from '../check.ts'
import {
  type ComparedProject,
  countStatuses,
  hasBreaking,
  isCompared,
  isInconclusive,
  type PlannedProject,
  type RuleEffect,
} from '../comparison.ts'
import { changeJson, changesText, failureText, fieldLabels, shownPart } from './changes.ts'
import { failedLines } from './failed.ts'
import { breakingReasons, noPatternText, nonZero, privateText } from './sentences.ts'
import { fieldLines } from '../../old/output/fields.ts'
import { jsonReport } from '../../old/output/json.ts'
import { asCode, markdownTable } from '../../old/output/markdown.ts'
import { counted } from '../../old/output/phrases.ts'
import { relationTexts as relations } from '../../naming/relation.ts'
import type { Printer } from '../../old/output/printer.ts'
import { joined, linesOf, type Safe, safe, type Sanitizer, trimEnd } from '../../old/output/text.ts'
import { wrapIndented } from '../../old/output/width.ts'

/** The changes that documents would make, and the service that has the projects. */
export interface PlanReport {
  projects: readonly PlannedProject[]
  /**
   * Projects of the service that no document declares; null if the service does not list projects,
   * undefined if that was not asked for.
   */
  undeclared: readonly string[] | null | undefined
  baseUrl: string
  /** The service as shown to the user. */
  target: string
  /** Whether existing flags were checked with the rule of each project. */
  checkNames: boolean
  /** Whether to show projects that do not change. */
  all: boolean
}

/** Shows a name or a value. */
type Show = Sanitizer['text']

const MAX_SHOWN = 5

const unlisted = safe`not known, because the service does not list projects`

/** The words for what apply would do with a project. */
function statusText({ status }: PlannedProject): string {
  return status === 'changed' ? 'would change' : status
}

/** How many projects have flags that break their rule; undefined unless that was checked. */
function breakingCount({ projects, checkNames }: PlanReport): number | undefined {
  return checkNames ? projects.filter(isCompared).filter(hasBreaking).length : undefined
}

/** `2 would change, 58 unchanged`, with the other statuses if there are any. */
function summary(plan: PlanReport): string {
  const { changed, unchanged, missing, failed } = countStatuses(plan.projects)
  const counts = [`${changed} would change`, `${unchanged} unchanged`]
  const breaking = breakingCount(plan)
  const names = breaking === undefined ? '' : `; ${breaking} with flags that break the rule`
  return [...counts, ...nonZero({ missing, failed })].join(', ') + names
}

function flagsText(flags: BreakingFlags, { text }: Sanitizer, show: Show): Safe {
  if (flags.total === 0) return safe`the project has no flags`
  const shown = (names: readonly string[]) => {
    const first = joined(names.slice(0, MAX_SHOWN).map(show), ', ')
    return names.length > MAX_SHOWN ? safe`${first}, …` : first
  }
  const reasons = breakingReasons(flags, 'it').map(
    ({ reason, names }) => safe`${text(reason)}: ${shown(names)}`,
  )
  if (reasons.length > 0) return joined(reasons, '; ')
  return text(`none of ${counted(flags.total, 'existing flag')} breaks it`)
}

function ruleText({ relation, flags }: RuleEffect, sanitizer: Sanitizer, show: Show): Safe {
  const { text } = sanitizer
  const effect = flags ? flagsText(flags, sanitizer, show) : safe`the existing flags are not known`
  if (relation === undefined) return effect
  return safe`${text(`${relation}: ${relations[relation]}`)}; ${effect}`
}

/** The reasons to consider a change before it is made; empty if there are none. */
function reasonsText({ projectId, status, before, after, body }: ComparedProject): string {
  const reasons = [
    ...(becomesPrivate(before, after) ? [privateText(projectId)] : []),
    ...(lacksPattern(body) ? [noPatternText] : []),
  ]
  return status === 'changed' ? reasons.join('; ') : ''
}

/** The facts below the changes of a project, with a label for text and a title for Markdown. */
function factsOf(project: ComparedProject, sanitizer: Sanitizer, show: Show) {
  const { changes, inherited, rule, undeclared } = project
  const { text } = sanitizer
  const fromDefaults = changes.filter(({ field }) => inherited.includes(field))
  const defaults = joined(
    fromDefaults.map(({ field }) => fieldLabels[field]),
    ', ',
  )
  return [
    { label: 'defaults', title: safe`From defaults`, value: defaults },
    { label: 'rule', title: safe`Rule`, value: rule && ruleText(rule, sanitizer, show) },
    { label: 'warning', title: safe`Warning`, value: text(reasonsText(project)) },
    { label: 'undeclared', title: safe`Undeclared`, value: text(undeclared?.join(', ') ?? '') },
  ].filter(({ value }) => value)
}

function projectLines(project: ComparedProject, printer: Printer): Safe[] {
  const { text, style, width } = printer
  const { projectId, changes } = project
  const paint = project.status === 'changed' ? style.yellow : style.dim
  const facts = factsOf(project, printer, text).map(({ label, value }) => [label, value] as const)
  return [
    safe`${style.bold(text(projectId))}: ${paint(text(statusText(project)))}`,
    ...changesText(changes, printer),
    // The longest label of the changes above, for the same alignment.
    ...fieldLines([['description', undefined], ...facts], '  ', width),
  ]
}

/**
 * The projects of which a plan shows the settings, and those that failed. Without `all`, projects that
 * neither change nor break a rule are only counted.
 */
function shownProjects({ projects, all }: PlanReport) {
  const isShown = (one: ComparedProject) =>
    one.status === 'changed' || one.undeclared?.length || hasBreaking(one) || isInconclusive(one)
  return {
    compared: projects.filter(isCompared).filter((one) => all || isShown(one)),
    failed: projects.flatMap((one) => (isCompared(one) ? [] : [one])),
  }
}

export function planText(plan: PlanReport, printer: Printer): Safe {
  const { text, style, width } = printer
  const { compared, failed } = shownProjects(plan)
  const lines = [
    ...compared.flatMap((project) => projectLines(project, printer)),
    ...(plan.undeclared ?? []).map(
      (id) => safe`${style.bold(text(id))}: ${style.yellow(safe`undeclared`)}`,
    ),
    ...(plan.undeclared === null
      ? wrapIndented(safe`${style.yellow(safe`other projects`)}: ${unlisted}`, width, 2)
      : []),
  ]
  const total = text(`${counted(plan.projects.length, 'project')}: ${summary(plan)}`)
  return linesOf([
    ...wrapIndented(safe`Plan for ${text(plan.target)}`, width, 2),
    safe``,
    ...lines,
    ...(lines.length > 0 ? [safe``] : []),
    ...wrapIndented(total, width, 2),
    ...(failed.length > 0 ? [safe``] : []),
    ...failedLines(failed, plan.projects.length > 1, printer),
  ])
}

function projectJson(project: PlannedProject): object {
  const { projectId, status } = project
  if (!isCompared(project)) return { projectId, status, error: errorJson(project.failure).error }
  const { changes, inherited, rule, undeclared } = project
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
    warning: reasonsText(project) || undefined,
  }
}

function planJson(plan: PlanReport, sanitizer: Sanitizer): Safe {
  const { baseUrl, projects, undeclared } = plan
  const document = {
    baseUrl,
    projects: projects.map(projectJson),
    undeclared,
    summary: { ...countStatuses(projects), breaking: breakingCount(plan) },
  }
  return jsonReport(document, sanitizer)
}

function valueCell(value: SettingsValue, code: Show): Safe {
  if (value.length === 0) return safe`(unset)`
  if (typeof value === 'string') return joined(shownPart(value).split('\n').map(code), '<br>')
  const links = value.map(({ title, urlTemplate }) =>
    code(title ? `${title}: ${urlTemplate}` : urlTemplate),
  )
  return joined(links, ', ')
}

function projectMarkdown(project: PlannedProject, sanitizer: Sanitizer): Safe[] {
  const { text: code } = asCode(sanitizer)
  const status = sanitizer.text(statusText(project))
  const title = safe`**${code(project.projectId)}**: ${status}`
  if (!isCompared(project)) return [title, safe``, code(failureText(project.failure)), safe``]
  const columns = [{ title: safe`Field` }, { title: safe`Old` }, { title: safe`New` }]
  const rows = project.changes.map(({ field, from, to }) => [
    fieldLabels[field],
    valueCell(from, code),
    valueCell(to, code),
  ])
  const facts = factsOf(project, sanitizer, code)
  return [
    title,
    safe``,
    ...(rows.length > 0 ? [markdownTable(columns, rows)] : []),
    ...facts.flatMap(({ title, value = safe`` }) => [safe`**${title}** ${value}`, safe``]),
  ]
}

/** A plan for a comment on a pull request; projects that do not change are only counted. */
function planMarkdown(plan: PlanReport, sanitizer: Sanitizer): Safe {
  const { text: code } = asCode(sanitizer)
  const { compared, failed } = shownProjects(plan)
  const others = joined((plan.undeclared ?? []).map(code), ', ')
  const lines = [
    safe`**Plan for ${code(plan.baseUrl)}**: ${sanitizer.text(summary(plan))}`,
    safe``,
    ...[...compared, ...failed].flatMap((project) => projectMarkdown(project, sanitizer)),
    ...(others ? [safe`**Projects that no file declares** ${others}`, safe``] : []),
    ...(plan.undeclared === null ? [safe`**Other projects** ${unlisted}`, safe``] : []),
  ]
  return linesOf([trimEnd(joined(lines, '\n'))])
}

/** The plan in a format. */
export function renderPlan(format: FormatOf<'plan'>, plan: PlanReport, printer: Printer): Safe {
  switch (format) {
    case 'text':
      return planText(plan, printer)
    case 'json':
      return planJson(plan, printer)
    case 'markdown':
      return planMarkdown(plan, printer)
  }
}
