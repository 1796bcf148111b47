import { errorJson } from '../../errors.ts'
import type { FormatOf } from '../../output/formats.ts'
import type { SettingsValue } from '../changes.ts'
import {
  type ComparedProject,
  countStatuses,
  hasBreaking,
  isCompared,
  isInconclusive,
  type Plan,
  type PlannedProject,
  type RuleEffect,
} from '../comparison.ts'
import { changeJson, changesText, failureText, fieldLabels, shownPart } from './changes.ts'
import { failedLines } from './failed.ts'
import { fieldLines } from '../../output/fields.ts'
import { jsonReport } from '../../output/json.ts'
import { codeSpan, markdownTable } from '../../output/markdown.ts'
import { counted } from '../../output/phrases.ts'
import { relations } from '../../naming/report/diff.ts'
import type { Printer } from '../../output/printer.ts'
import { joined, linesOf, type Safe, safe, type Sanitizer, trimEnd } from '../../output/text.ts'
import { wrapIndented } from '../../output/width.ts'

/** A plan and the service that it is for. */
export interface PlanReport extends Plan {
  baseUrl: string
  /** Profile and address, as shown to the user. */
  target: string
  /** Whether existing flags were checked with the rule of each project. */
  checkNames: boolean
  /** Whether to show projects that do not change. */
  all: boolean
}

const MAX_SHOWN = 5

const unlisted = safe`not known, because the service does not list projects`

/** The words for what apply would do with a project. */
const statuses: Record<PlannedProject['status'], string> = {
  changed: 'would change',
  unchanged: 'unchanged',
  missing: 'missing',
  failed: 'failed',
}

/** How many projects have flags that break their rule; undefined unless that was checked. */
function breakingCount({ projects, checkNames }: PlanReport): number | undefined {
  return checkNames ? projects.filter(isCompared).filter(hasBreaking).length : undefined
}

/** `2 would change, 58 unchanged`, with the other statuses if there are any. */
function summary(plan: PlanReport): string {
  const { projects } = plan
  const counts = countStatuses(projects)
  const always = [`${counts.changed} would change`, `${counts.unchanged} unchanged`]
  const others = [
    ...(counts.missing > 0 ? [`${counts.missing} missing`] : []),
    ...(counts.failed > 0 ? [`${counts.failed} failed`] : []),
  ]
  const breaking = breakingCount(plan)
  const names = breaking === undefined ? '' : `; ${breaking} with flags that break the rule`
  return [...always, ...others].join(', ') + names
}

function flagsText(rule: RuleEffect, show: Sanitizer['text']): Safe {
  if (!rule.flags) return safe`the existing flags are not known`
  const { total, breaking, undecided } = rule.flags
  const of = safe`${total} existing ${total === 1 ? safe`flag` : safe`flags`}`
  const shown = (names: readonly string[]) => {
    const first = joined(names.slice(0, MAX_SHOWN).map(show), ', ')
    return names.length > MAX_SHOWN ? safe`${first}, …` : first
  }
  const verb = breaking.length === 1 ? safe`breaks` : safe`break`
  if (total === 0) return safe`the project has no flags`
  const parts = [
    ...(breaking.length > 0
      ? [safe`${breaking.length} of ${of} ${verb} it: ${shown(breaking)}`]
      : []),
    ...(undecided.length > 0
      ? [safe`${undecided.length} of ${of} could not be matched in time: ${shown(undecided)}`]
      : []),
  ]
  return parts.length > 0 ? joined(parts, '; ') : safe`none of ${of} breaks it`
}

function ruleText(rule: RuleEffect, { text }: Sanitizer, show: Sanitizer['text'] = text): Safe {
  if (rule.relation === undefined) return flagsText(rule, show)
  const relation = text(`${rule.relation}: ${relations[rule.relation]}`)
  return safe`${relation}; ${flagsText(rule, show)}`
}

/** The changed fields whose new values are defaults of the document. */
function inheritedChanges({ changes, inherited }: ComparedProject): Safe[] {
  return changes
    .filter(({ field }) => inherited.includes(field))
    .map(({ field }) => fieldLabels[field])
}

function comparedLines(project: ComparedProject, strict: boolean, printer: Printer): Safe[] {
  const { text, width } = printer
  const { changes, rule, undeclared, warning } = project
  const defaults = inheritedChanges(project)
  const isOpen = strict && undeclared.length > 0
  return [
    ...changesText(changes, printer),
    ...fieldLines(
      [
        // The label of the changes above that is the longest, for the same alignment.
        ['description', undefined],
        ['defaults', defaults.length > 0 ? joined(defaults, ', ') : undefined],
        ['rule', rule && ruleText(rule, printer)],
        ['warning', warning === undefined ? undefined : text(warning)],
        ['undeclared', isOpen ? text(undeclared.join(', ')) : undefined],
      ],
      '  ',
      width,
    ),
  ]
}

function projectLines(project: ComparedProject, strict: boolean, printer: Printer): Safe[] {
  const { text, style } = printer
  const paint = project.status === 'changed' ? style.yellow : style.dim
  const status = paint(text(statuses[project.status]))
  const title = safe`${style.bold(text(project.projectId))}: ${status}`
  return [title, ...comparedLines(project, strict, printer)]
}

/**
 * The projects of which a plan shows the settings, and those that failed. Without `all`, projects that
 * neither change nor break a rule are only counted.
 */
function shownProjects({ projects, undeclared, all }: PlanReport) {
  const strict = undeclared !== undefined
  const isShown = (one: ComparedProject) =>
    one.status === 'changed' ||
    (strict && one.undeclared.length > 0) ||
    hasBreaking(one) ||
    isInconclusive(one)
  return {
    compared: projects.filter(isCompared).filter((one) => all || isShown(one)),
    failed: projects.flatMap((one) => (isCompared(one) ? [] : [one])),
  }
}

export function planText(plan: PlanReport, printer: Printer): Safe {
  const { text, style, width } = printer
  const strict = plan.undeclared !== undefined
  const { compared, failed } = shownProjects(plan)
  const lines = [
    ...compared.flatMap((project) => projectLines(project, strict, printer)),
    ...(plan.undeclared ?? []).map(
      (id) => safe`${style.bold(text(id))}: ${style.yellow(safe`undeclared`)}`,
    ),
    ...(plan.undeclared === null
      ? wrapIndented(safe`${style.yellow(safe`other projects`)}: ${unlisted}`, width, 2)
      : []),
  ]
  return linesOf([
    ...wrapIndented(safe`Plan for ${text(plan.target)}`, width, 2),
    safe``,
    ...lines,
    ...(lines.length > 0 ? [safe``] : []),
    ...wrapIndented(
      text(`${counted(plan.projects.length, 'project')}: ${summary(plan)}`),
      width,
      2,
    ),
    ...(failed.length > 0 ? [safe``] : []),
    ...failedLines(failed, plan.projects.length > 1, printer),
  ])
}

function projectJson(project: PlannedProject, strict: boolean): object {
  const { projectId, status } = project
  if (!isCompared(project)) return { projectId, status, error: errorJson(project.failure).error }
  const { changes, inherited, rule, undeclared, warning } = project
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
    ...(strict && { undeclared }),
    warning,
  }
}

function planJson(plan: PlanReport, sanitizer: Sanitizer): Safe {
  const { baseUrl, projects, undeclared } = plan
  const strict = undeclared !== undefined
  const document = {
    baseUrl,
    projects: projects.map((project) => projectJson(project, strict)),
    undeclared,
    summary: { ...countStatuses(projects), breaking: breakingCount(plan) },
  }
  return jsonReport(document, sanitizer)
}

function valueCell(value: SettingsValue, code: Sanitizer['text']): Safe {
  if (value.length === 0) return safe`(unset)`
  if (typeof value === 'string') return joined(shownPart(value).split('\n').map(code), '<br>')
  const links = value.map(({ title, urlTemplate }) =>
    code(title ? `${title}: ${urlTemplate}` : urlTemplate),
  )
  return joined(links, ', ')
}

function projectMarkdown(project: PlannedProject, strict: boolean, sanitizer: Sanitizer): Safe[] {
  const { text } = sanitizer
  const code: Sanitizer['text'] = (name) => codeSpan(text(name))
  const title = safe`**${code(project.projectId)}**: ${text(statuses[project.status])}`
  if (!isCompared(project)) return [title, safe``, code(failureText(project.failure)), safe``]
  const { changes, rule, undeclared, warning } = project
  const defaults = inheritedChanges(project)
  const columns = [{ title: safe`Field` }, { title: safe`Old` }, { title: safe`New` }]
  const rows = changes.map(({ field, from, to }) => [
    fieldLabels[field],
    valueCell(from, code),
    valueCell(to, code),
  ])
  return [
    title,
    safe``,
    ...(rows.length > 0 ? [markdownTable(columns, rows)] : []),
    ...(defaults.length > 0 ? [safe`**From defaults** ${joined(defaults, ', ')}`, safe``] : []),
    ...(rule ? [safe`**Rule** ${ruleText(rule, sanitizer, code)}`, safe``] : []),
    ...(warning === undefined ? [] : [safe`**Warning** ${text(warning)}`, safe``]),
    ...(strict && undeclared.length > 0
      ? [safe`**Undeclared** ${text(undeclared.join(', '))}`, safe``]
      : []),
  ]
}

/** A plan for a comment on a pull request; projects that do not change are only counted. */
function planMarkdown(plan: PlanReport, sanitizer: Sanitizer): Safe {
  const { text } = sanitizer
  const code: Sanitizer['text'] = (name) => codeSpan(text(name))
  const strict = plan.undeclared !== undefined
  const { compared, failed } = shownProjects(plan)
  const lines = [
    safe`**Plan for ${code(plan.baseUrl)}**: ${text(summary(plan))}`,
    safe``,
    ...[...compared, ...failed].flatMap((project) => projectMarkdown(project, strict, sanitizer)),
    ...(plan.undeclared?.length
      ? [
          safe`**Projects that no file declares** ${joined(plan.undeclared.map(code), ', ')}`,
          safe``,
        ]
      : []),
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
