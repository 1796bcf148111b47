// The document that undoes a run of apply.
import type { Context } from '../command/context.ts'
import { shellWord } from '../input/words.ts'
import { serviceOptions } from '../profile/same-service.ts'
import { listed } from '../output/incomplete.ts'
import { yamlText } from '../output/yaml.ts'
import { prepareUndoFile, type UndoFile } from '../requests/undo-file.ts'
import type { ShownService } from '../service/connection.ts'
import type { PartialSettings, Settings } from '../service/settings-document.ts'
import { isRuleField, type StoredProject } from './settings.ts'
import type { Plan } from './plan-report.ts'
import { createRuleCheck, settingsProblems } from './verify.ts'

const HEAD = 'projects:\n'

/** The settings of a document that restores others. It cannot unset a mode. */
function restoring({ mode, ...others }: Settings): PartialSettings {
  return mode === '' ? others : { mode, ...others }
}

/** Prepares the file: a document with the previous settings of the projects that are changed, for this service only. */
export function prepareUndo(
  context: Context,
  path: string,
  { baseUrl: service }: ShownService,
): Promise<UndoFile<StoredProject>> {
  const texts = new Map<StoredProject, string>()
  /** The lines of a project below `projects:`, made only once, because the file is written for each project. */
  const linesOf = (entry: StoredProject): string => {
    const settings = restoring(entry.settings)
    const projects = Object.fromEntries([[entry.projectId, settings]])
    const text = texts.get(entry) ?? yamlText({ projects }, context.redactor).replace(HEAD, '')
    texts.set(entry, text)
    return text
  }
  const start = yamlText({ service }, context.redactor) + HEAD
  return prepareUndoFile(context, path, (entries) => start + entries.map(linesOf).join(''))
}

/** The projects whose previous settings apply sends only with `--no-verify`. */
async function unverifiedIds(
  entries: readonly StoredProject[],
  { projects }: Plan,
  signal: AbortSignal,
): Promise<string[]> {
  const ruleProblems = createRuleCheck(signal)
  // Applying the document sends only rules that this run has changed.
  const changed = projects.filter(({ changes }) => changes.some(({ field }) => isRuleField(field)))
  const changedIds = new Set(changed.map(({ projectId }) => projectId))
  const unverified: string[] = []
  for (const { projectId, settings } of entries) {
    const rule = changedIds.has(projectId) ? await ruleProblems(settings) : []
    const problems = [...settingsProblems(restoring(settings), true), ...rule]
    if (problems.some(({ isOptional }) => isOptional)) unverified.push(projectId)
  }
  return unverified
}

/** Prints how to undo a run. */
export async function noteUndo(
  context: Context,
  file: UndoFile<StoredProject>,
  plan: Plan,
): Promise<void> {
  const { messages, closing } = context
  const { path } = file
  const entries = file.entries()
  if (entries.length === 0) {
    return messages.note(`nothing was changed, so ${path} was not written`)
  }
  const service = serviceOptions(context)
  const words = ['flagadm', 'project', 'settings', 'apply', ...service, '-f', path]
  const command = words.map(shellWord).join(' ')
  const ids = await unverifiedIds(entries, plan, closing)
  const problem = `the previous settings of ${listed(ids, 3)} have problems, so undo with:`
  if (ids.length > 0) messages.note(problem, `${command} --no-verify`)
  else messages.note('undo with:', command)
}
