// The plan that undoes a run of apply.
import type { Context } from '../command/context.ts'
import { serviceOptions } from '../command/service-options.ts'
import { memoized } from '../memoized.ts'
import { listed } from '../output/incomplete.ts'
import { yamlText } from '../output/yaml.ts'
import { prepareUndoFile, type UndoFile } from '../requests/undo-file.ts'
import type { ShownService } from '../service/connection.ts'
import type { PartialSettings } from '../service/settings-document.ts'
import { changesRule, type PlannedProject } from './comparison.ts'
import { type KeptProject, planHead } from './plan-file.ts'
import { createRuleCheck, settingsProblems } from './verify.ts'

const LIST = 'projects:\n'

/** What a plan wants to undo the changes of a project. It cannot unset a mode. */
function previousSettings(project: PlannedProject): PartialSettings {
  const { before, changes } = project
  const isChanged = (name: string) => changes.some(({ field }) => field === name)
  const { mode, featureNaming, linkTemplates } = before
  return {
    ...(isChanged('mode') && mode !== '' && { mode }),
    ...(changesRule(project) && { featureNaming }),
    ...(isChanged('linkTemplates') && { linkTemplates }),
  }
}

/** The undoing change of a project: it is made only if what the run stores is still stored. */
export function undoOf(project: PlannedProject): KeptProject {
  const { projectId, after } = project
  return { projectId, stored: after, wanted: previousSettings(project) }
}

/** Prepares the file: a plan with the previous settings of the projects that are changed, for this service only. */
export function prepareUndo(
  { host, redactor }: Context,
  path: string,
  target: ShownService,
): Promise<UndoFile<KeptProject>> {
  /** The lines of a project below `projects:`, made only once, because the file is written for each project. */
  const linesOf = memoized((entry: KeptProject) =>
    yamlText({ projects: [entry] }, redactor).replace(LIST, ''),
  )
  const start = yamlText(planHead(target), redactor) + LIST
  return prepareUndoFile({ host }, path, (entries) => start + entries.map(linesOf).join(''))
}

/** The projects whose previous settings apply sends only with `--no-verify`. */
async function unverifiedIds(
  entries: readonly KeptProject[],
  signal: AbortSignal,
): Promise<string[]> {
  const checkRule = createRuleCheck(signal)
  const unverified: string[] = []
  for (const { projectId, wanted } of entries) {
    const { errors } = await checkRule(wanted)
    const problems = [...settingsProblems(wanted, true), ...errors]
    if (problems.some(({ isOptional }) => isOptional)) unverified.push(projectId)
  }
  return unverified
}

export async function noteUndo(context: Context, file: UndoFile<KeptProject>): Promise<void> {
  const { messages, closing } = context
  const { path } = file
  const entries = file.entries()
  if (entries.length === 0) {
    return messages.note(`nothing was changed, so ${path} was not written`)
  }
  const service = serviceOptions(context)
  const command = ['flagadm', 'project', 'settings', 'apply', ...service, '--plan', path]
  const ids = await unverifiedIds(entries, closing)
  const problem = `the previous settings of ${listed(ids, 3)} have problems, so undo with:`
  if (ids.length > 0) messages.note(problem, [...command, '--no-verify'])
  else messages.note('undo with:', command)
}
