import type { Context } from '../old/context.ts'
import { failureOfOne } from '../old/failures.ts'
import type { FlagadmError } from '../errors.ts'
import { Budget } from '../naming/budget.ts'
import type { Relation } from '../naming/relation.ts'
import type { Service } from '../service/client.ts'
import type { ProjectSettings } from '../service/schema.ts'
import {
  type FieldChange,
  changesBetween,
  requestBody,
  type SettingsField,
  undeclaredFields,
  withSettings,
} from './changes.ts'
import type { StoredSettings } from './stored.ts'
import { readEach } from '../projects/reading.ts'
import { createSettingsReader } from './write.ts'
import { verifyKeptRule } from './check.ts'
import type { DeclaredProject } from './document.ts'
import { type BreakingFlags, breakingFlags } from './breaking-flags.ts'

/** The effect of a pattern. */
export interface RuleEffect {
  /** How the set of accepted names changes; undefined if the pattern stays as it is. */
  relation: Relation | undefined
  /** Undefined if the service does not list the flags. */
  flags: BreakingFlags | undefined
}

/** A declared project compared with the stored one. */
export interface ComparedProject {
  status: 'unchanged' | 'changed'
  projectId: string
  before: StoredSettings
  after: StoredSettings
  /** The body to send. */
  body: ProjectSettings
  changes: FieldChange[]
  /** The fields whose values are defaults of the document. */
  inherited: SettingsField[]
  /** Set if the pattern changes, or if the names of existing flags are checked with it. */
  rule: RuleEffect | undefined
  /** Stored fields that the document leaves out; undefined if that was not asked for. */
  undeclared: SettingsField[] | undefined
}

/** A declared project that could not be compared. */
interface UnreadProject {
  status: 'missing' | 'failed'
  projectId: string
  failure: FlagadmError
}

export type PlannedProject = ComparedProject | UnreadProject

export function isCompared(project: PlannedProject): project is ComparedProject {
  return project.status === 'changed' || project.status === 'unchanged'
}

/** Whether a project has flags that break its rule. */
export function hasBreaking({ rule }: ComparedProject): boolean {
  return (rule?.flags?.breaking.length ?? 0) > 0
}

/** Whether it is unknown which flags of a project break its rule. */
export function isInconclusive({ rule }: ComparedProject): boolean {
  return rule !== undefined && (rule.flags === undefined || rule.flags.undecided.length > 0)
}

/** How many projects have each status. */
export function countStatuses(projects: readonly PlannedProject[]) {
  const counts = { changed: 0, unchanged: 0, missing: 0, failed: 0 }
  for (const { status } of projects) counts[status]++
  return counts
}

/** How to compare documents with a service. */
interface ComparisonOptions {
  /** Whether to check rules that are partly stored and partly declared. */
  verify: boolean
  /** Whether to check existing flags with patterns that do not change, too. */
  checkNames?: boolean | undefined
  /** Whether to find stored fields that the documents leave out. */
  strict?: boolean | undefined
  /** How many projects are read at once. */
  concurrency: number
}

/** The effect of a rule; undefined if its pattern stays as it is, unless names are checked with it. */
async function ruleEffect(
  service: Service,
  projectId: string,
  [from, to]: readonly [from: string, to: string],
  checkNames: boolean,
  signal: AbortSignal,
): Promise<RuleEffect | undefined> {
  if (from === to && !(checkNames && to !== '')) return undefined
  const flags = await breakingFlags(service, projectId, to, signal)
  if (from === to) return { relation: undefined, flags }
  const { relate } = await import('../naming/relation.ts')
  const { relation } = await relate(from, to, new Budget(signal))
  return { relation, flags }
}

async function compare(
  service: Service,
  { projectId, wanted, inherited }: DeclaredProject,
  before: StoredSettings,
  { verify, checkNames = false, strict }: ComparisonOptions,
  signal: AbortSignal,
): Promise<ComparedProject> {
  const after = withSettings(before, wanted)
  const changes = changesBetween(before, after)
  if (verify) await verifyKeptRule(before, after, signal)
  const body = requestBody(before, wanted)
  const patterns = [before.featureNaming.pattern, after.featureNaming.pattern] as const
  return {
    status: changes.length > 0 ? 'changed' : 'unchanged',
    projectId,
    before,
    after,
    body,
    changes,
    inherited,
    rule: await ruleEffect(service, projectId, patterns, checkNames, signal),
    undeclared: strict ? undeclaredFields(before, wanted) : undefined,
  }
}

/** Compares declared projects with the stored ones, in their order. */
export function compareProjects(
  context: Context,
  service: Service,
  declared: readonly DeclaredProject[],
  options: ComparisonOptions,
): Promise<PlannedProject[]> {
  const read = createSettingsReader(service)
  const readAndCompare = async (project: DeclaredProject): Promise<PlannedProject> => {
    const { projectId } = project
    try {
      return await compare(service, project, await read(projectId), options, context.signal)
    } catch (error) {
      const failure = failureOfOne(error, declared.length)
      const status = failure.kind === 'notFound' ? 'missing' : 'failed'
      return { status, projectId, failure }
    }
  }
  return readEach(context, declared, options.concurrency, readAndCompare)
}
