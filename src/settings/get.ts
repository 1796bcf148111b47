import type { Context } from '../old/context.ts'
import { openOutput } from '../old/output/file.ts'
import { formats, refuseView } from '../old/output/formats.ts'
import { lengthProblem } from '../naming/rule.ts'
import { missingLine } from '../projects/report/missing.ts'
import { joined, safe } from '../old/output/text.ts'
import { type LintedProject, renderProjects } from './report/get.ts'
import type { StoredProject, StoredSettings } from './stored.ts'
import type { ListOptions, settingsSortKeys } from '../projects/options.ts'
import { refuseUnread } from '../projects/missing.ts'
import { singleProject } from '../projects/selection.ts'
import { byCodeUnit } from '../output/order.ts'
import { firstRows } from '../old/output/rows.ts'
import { createRuleCheck, type RuleCheck } from './check.ts'
import { readStoredProjects, type SelectionOptions, selectionOf } from './selection.ts'

type SortKey = (typeof settingsSortKeys)[number]

const sortedValues: Record<SortKey, (project: StoredProject) => string> = {
  id: ({ projectId }) => projectId,
  mode: ({ settings }) => settings.mode,
  pattern: ({ settings }) => settings.featureNaming.pattern,
}

/** The order of the options; without any, projects stay in the order of the command line. */
function orderOf({ sort, reverse }: ListOptions<SortKey>) {
  if (sort === undefined && !reverse) return () => 0
  const value = sortedValues[sort ?? 'id']
  return (a: StoredProject, b: StoredProject) =>
    byCodeUnit(value(a), value(b)) || byCodeUnit(a.projectId, b.projectId)
}

/**
 * Shows the settings of projects.
 * @throws the failure of a single project; for several, an error with the number of failures
 */
export async function getSettings(
  context: Context,
  projectIds: readonly string[],
  options: SelectionOptions & ListOptions<SortKey>,
): Promise<void> {
  const format = context.format(formats.settingsGet)
  if (format === 'yaml' || format === 'json') {
    const { sort, reverse, limit } = options
    const hint = `${format} is a document for set and plan; use -o table or -o csv`
    refuseView(format, { sort, reverse, limit }, hint)
  }
  const selection = selectionOf(projectIds, options)
  const projects = await readStoredProjects(context, selection)
  const { results, missing, failures } = projects
  if (results.length > 0 || failures.length === 0) {
    const { printer, write, close } = openOutput(context, options.outputFile)
    const isText = format === 'text' || format === 'table'
    const gap = isText ? missingLine(missing, printer) : safe``
    const isSingle = singleProject(selection) !== undefined
    const { rows } = firstRows(results, orderOf(options), options)
    const shown = format === 'table' ? await linted(rows, context.signal) : rows
    await write(joined([await renderProjects(format, shown, isSingle, printer), gap]))
    await close()
  }
  refuseUnread(projects)
}

/** Projects with the lint verdicts of their rules. */
async function linted(
  projects: readonly StoredProject[],
  signal: AbortSignal,
): Promise<LintedProject[]> {
  const checkRule = createRuleCheck(signal)
  const results: LintedProject[] = []
  for (const project of projects) {
    results.push({ ...project, lint: await lintVerdict(project.settings, checkRule) })
  }
  return results
}

/** The codes of the errors in a rule; `ok` if it has none, empty without a rule. */
async function lintVerdict(
  { featureNaming }: StoredSettings,
  checkRule: RuleCheck,
): Promise<string> {
  if (!featureNaming.pattern) return ''
  if (lengthProblem(featureNaming) !== undefined) return 'too long to check'
  const codes = (await checkRule(featureNaming)).map(({ code }) => code)
  return codes.length === 0 ? 'ok' : [...new Set(codes)].join(', ')
}
