import type { Context } from '../context.ts'
import { errorJson, FlagadmError, problemText } from '../errors.ts'
import type { Service } from '../service/client.ts'
import { createFindUnknown } from '../projects/known.ts'
import { changesBetween, requestBody, undeclaredFields, withSettings } from './changes.ts'
import type { ComparedProject, PlannedProject, RuleEffect } from './planned.ts'
import type { StoredSettings } from './stored.ts'
import { readEach } from '../projects/flags.ts'
import { readSettingsOf } from './change.ts'
import { missingPattern, verifyKeptRule } from './check.ts'
import type { DeclaredProject } from './documents.ts'
import { breakingFlags } from './names.ts'

/** How to compare documents with a service. */
export interface ComparisonOptions {
  /** Whether to check rules that are partly stored and partly declared. */
  verify: boolean
  /** How many projects are read at once. */
  concurrency: number
}

async function ruleEffect(
  service: Service,
  projectId: string,
  { before, after }: { before: StoredSettings; after: StoredSettings },
  signal: AbortSignal,
): Promise<RuleEffect | undefined> {
  const [from, to] = [before.featureNaming.pattern, after.featureNaming.pattern]
  if (from === to) return undefined
  const { diffRules } = await import('../naming/diff.ts')
  const { relation } = await diffRules(from, to, signal)
  return { relation, flags: await breakingFlags(service, projectId, to, signal) }
}

async function compareProject(
  service: Service,
  { projectId, wanted }: DeclaredProject,
  verify: boolean,
  signal: AbortSignal,
): Promise<ComparedProject> {
  const before = await readSettingsOf(service, projectId)
  const after = withSettings(before, wanted)
  const changes = changesBetween(before, after)
  if (verify) await verifyKeptRule(before, after, signal)
  const body = requestBody(before, wanted)
  return {
    status: changes.length > 0 ? 'changed' : 'unchanged',
    projectId,
    before,
    after,
    body,
    changes,
    rule: await ruleEffect(service, projectId, { before, after }, signal),
    undeclared: undeclaredFields(before, wanted),
    warning: changes.length > 0 ? missingPattern(body) : undefined,
  }
}

/** An error as fields of a report. */
export function problemOf(failure: FlagadmError) {
  return { failure, problem: problemText(failure), error: errorJson(failure).error }
}

/** The same for a project that the service does not have. */
function unknownOf(failure: FlagadmError) {
  const problem = [failure.message, failure.hint].filter(Boolean).join('; ')
  return { ...problemOf(failure), problem }
}

/** Compares declared projects with the stored ones, in their order. */
export function compareProjects(
  context: Context,
  service: Service,
  declared: readonly DeclaredProject[],
  { verify, concurrency }: ComparisonOptions,
): Promise<PlannedProject[]> {
  const { signal } = context
  const findUnknown = createFindUnknown(service)
  const compare = async (project: DeclaredProject): Promise<PlannedProject> => {
    try {
      return await compareProject(service, project, verify, signal)
    } catch (error) {
      if (!(error instanceof FlagadmError) || error.kind === 'interrupted') throw error
      const { projectId } = project
      if (error.kind !== 'notFound') return { status: 'failed', projectId, ...problemOf(error) }
      const unknown = await findUnknown(projectId)
      const problem = unknown ? unknownOf(unknown) : problemOf(error)
      return { status: 'missing', projectId, ...problem }
    }
  }
  return readEach(context, declared, concurrency, compare)
}
