import type { ChalkInstance } from 'chalk'
import type { FormatOf } from '../../output/formats.ts'
import type { SettingsValue } from '../changes.ts'
import {
  type ComparedProject,
  countStatuses,
  isCompared,
  type Plan,
  type PlannedProject,
  type RuleEffect,
} from '../planned.ts'
import { changeJson, changesText, fieldLabels, shownPart } from './changes.ts'
import { jsonReport } from '../../output/json.ts'
import { codeSpan, markdownTable } from '../../output/markdown.ts'
import { counted } from '../../output/phrases.ts'
import { relations } from '../../naming/report/relations.ts'
import { isolate, safeText } from '../../output/escapes.ts'

/** A plan and the service that it is for. */
export interface PlanReport extends Plan {
  baseUrl: string
  /** Profile and address, as shown to the user. */
  target: string
}

const MAX_SHOWN = 5

const unlisted = 'not known, since the service does not list projects'

/** `2 changed, 58 unchanged`, with the other statuses if there are any. */
function summary({ projects }: Plan): string {
  const counts = countStatuses(projects)
  const always = [`${counts.changed} changed`, `${counts.unchanged} unchanged`]
  const others = [
    ...(counts.missing > 0 ? [`${counts.missing} missing`] : []),
    ...(counts.failed > 0 ? [`${counts.failed} failed`] : []),
  ]
  return [...always, ...others].join(', ')
}

function flagsText(rule: RuleEffect, show: (name: string) => string): string {
  if (!rule.flags) return 'the existing flags are not known'
  const { total, breaking, undecided } = rule.flags
  const shown = (names: readonly string[]) =>
    names.slice(0, MAX_SHOWN).map(show).join(', ') + (names.length > MAX_SHOWN ? ', …' : '')
  const parts = [
    ...(breaking.length > 0
      ? [`${breaking.length} of ${total} existing flags break it: ${shown(breaking)}`]
      : []),
    ...(undecided.length > 0
      ? [`${undecided.length} of ${total} could not be matched in time: ${shown(undecided)}`]
      : []),
  ]
  return parts.length > 0 ? parts.join('; ') : `none of ${total} existing flags breaks it`
}

function ruleText(rule: RuleEffect, show: (name: string) => string): string {
  return `${rule.relation}: ${relations[rule.relation]}; ${flagsText(rule, show)}`
}

function comparedLines(project: ComparedProject, strict: boolean, style: ChalkInstance): string[] {
  const { changes, rule, undeclared, warning } = project
  return [
    ...changesText(changes, style),
    ...(rule ? [`  rule         ${ruleText(rule, safeText)}`] : []),
    ...(warning === undefined ? [] : [`  ${style.yellow('warning')}      ${warning}`]),
    ...(strict && undeclared.length > 0 ? [`  undeclared   ${undeclared.join(', ')}`] : []),
  ]
}

function projectLines(project: PlannedProject, strict: boolean, style: ChalkInstance): string[] {
  const id = style.bold(safeText(project.projectId))
  if (isCompared(project)) {
    const paint = project.status === 'changed' ? style.yellow : style.dim
    return [`${id}: ${paint(project.status)}`, ...comparedLines(project, strict, style)]
  }
  return [`${id}: ${style.red(project.status)}`, `  ${safeText(project.problem)}`]
}

export function planText(plan: PlanReport, style: ChalkInstance): string {
  const strict = plan.undeclared !== undefined
  const lines = [
    `Plan for ${safeText(plan.target)}`,
    '',
    ...plan.projects.flatMap((project) => projectLines(project, strict, style)),
    ...(plan.undeclared ?? []).map(
      (id) => `${style.bold(safeText(id))}: ${style.yellow('undeclared')}`,
    ),
    ...(plan.undeclared === null ? [`${style.yellow('other projects')}: ${unlisted}`] : []),
    ...(plan.projects.length > 0 || plan.undeclared?.length ? [''] : []),
    `${counted(plan.projects.length, 'project')}: ${summary(plan)}`,
  ]
  return isolate(`${lines.join('\n')}\n`)
}

function projectJson(project: PlannedProject, strict: boolean): object {
  const { projectId, status } = project
  if (!isCompared(project)) return { projectId, status, error: project.error }
  const { changes, rule, undeclared, warning } = project
  return {
    projectId,
    status,
    changes: changes.map(changeJson),
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

function planJson(plan: PlanReport): string {
  const { baseUrl, projects, undeclared } = plan
  const strict = undeclared !== undefined
  return jsonReport({
    baseUrl,
    projects: projects.map((project) => projectJson(project, strict)),
    undeclared,
    summary: countStatuses(projects),
  })
}

function valueCell(value: SettingsValue): string {
  if (value.length === 0) return '(unset)'
  if (typeof value === 'string') return codeSpan(shownPart(value))
  return value
    .map(({ title, urlTemplate }) => codeSpan(title ? `${title}: ${urlTemplate}` : urlTemplate))
    .join(', ')
}

function projectMarkdown(project: PlannedProject, strict: boolean): string[] {
  const title = `**${codeSpan(project.projectId)}**: ${project.status}`
  if (!isCompared(project)) return [title, '', codeSpan(project.problem), '']
  const { changes, rule, undeclared, warning } = project
  const columns = [{ title: 'Field' }, { title: 'Old' }, { title: 'New' }]
  const rows = changes.map(({ field, from, to }) => [
    fieldLabels[field],
    valueCell(from),
    valueCell(to),
  ])
  return [
    title,
    '',
    ...(rows.length > 0 ? [markdownTable(columns, rows)] : []),
    ...(rule ? [`**Rule** ${ruleText(rule, codeSpan)}`, ''] : []),
    ...(warning === undefined ? [] : [`**Warning** ${warning}`, '']),
    ...(strict && undeclared.length > 0 ? [`**Undeclared** ${undeclared.join(', ')}`, ''] : []),
  ]
}

/** A plan for a comment on a pull request; projects that do not change are only counted. */
function planMarkdown(plan: PlanReport): string {
  const strict = plan.undeclared !== undefined
  const isShown = (project: PlannedProject) =>
    project.status !== 'unchanged' ||
    (strict && isCompared(project) && project.undeclared.length > 0)
  const lines = [
    `**Plan for ${codeSpan(plan.baseUrl)}**: ${summary(plan)}`,
    '',
    ...plan.projects.filter(isShown).flatMap((project) => projectMarkdown(project, strict)),
    ...(plan.undeclared?.length
      ? [`**Projects that no file declares** ${plan.undeclared.map(codeSpan).join(', ')}`, '']
      : []),
    ...(plan.undeclared === null ? [`**Other projects** ${unlisted}`, ''] : []),
  ]
  return isolate(`${lines.join('\n').trimEnd()}\n`)
}

export async function renderPlan(
  format: FormatOf<'plan'>,
  plan: PlanReport,
  style: () => Promise<ChalkInstance>,
): Promise<string> {
  switch (format) {
    case 'text':
      return planText(plan, await style())
    case 'json':
      return planJson(plan)
    case 'markdown':
      return planMarkdown(plan)
  }
}
