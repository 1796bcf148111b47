import pMap from 'p-map'
import { failureOf, type FlagadmError } from '../errors.ts'
import { Budget } from '../naming/budget.ts'
import type { Relation } from '../naming/relation.ts'
import { createNameMatcher, enforcedPattern, lengthProblem } from '../naming/rule.ts'
import { type Service, unlessMissing } from '../service/client.ts'
import { operations } from '../service/operations.ts'
import type { PartialSettings, Settings } from '../service/settings-document.ts'
import type { Declaration } from './documents.ts'
import {
  changesBetween,
  type FieldChange,
  type SettingsField,
  undeclaredFields,
  withSettings,
} from './settings.ts'
import { createReader } from './stored.ts'
import { verifyKeptRule } from './verify.ts'

/** The flags of a project that a rule would reject. */
export interface BreakingFlags {
  total: number
  breaking: string[]
  /** Those that could not be matched in time. */
  undecided: string[]
}

/** The effect of a pattern. */
interface RuleEffect {
  /** How the set of accepted names changes; undefined if the pattern stays as it is. */
  relation: Relation | 'new' | 'removed' | undefined
  /** Undefined if the service does not list the flags, or the pattern is too long to check. */
  flags: BreakingFlags | undefined
}

/** A declared project compared with the stored one. */
export interface ComparedProject {
  status: 'unchanged' | 'changed'
  projectId: string
  before: Settings
  wanted: PartialSettings
  after: Settings
  changes: FieldChange[]
  /** The fields whose values are defaults of the document. */
  inherited: readonly SettingsField[]
  /** Set if the pattern changes, or if the names of existing flags are checked with it. */
  rule?: RuleEffect | undefined
  /** Stored fields that the document leaves out; undefined if that was not asked for. */
  undeclared?: SettingsField[] | undefined
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

/** The projects that would change. */
export function changingOf(projects: readonly PlannedProject[]): ComparedProject[] {
  return projects.filter(isCompared).filter(({ status }) => status === 'changed')
}

/** The existing flags of a project that would break a pattern; undefined if that cannot be found out. */
export async function breakingFlags(
  service: Service,
  projectId: string,
  pattern: string,
  signal: AbortSignal,
): Promise<BreakingFlags | undefined> {
  if (lengthProblem({ pattern }) !== undefined) return undefined
  const listed = await unlessMissing(service.read(operations.projectFeatures, { projectId }))
  if (!listed) return undefined
  const names = listed.data.features.map(({ name }) => name)
  const verdicts = await createNameMatcher(enforcedPattern(pattern), signal)(names)
  return {
    total: names.length,
    breaking: names.filter((_, index) => verdicts[index] === false).sort(),
    undecided: names.filter((_, index) => verdicts[index] === 'timeout').sort(),
  }
}

async function relationOf(
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<RuleEffect['relation']> {
  if (from === to) return undefined
  if (from === '') return 'new'
  if (to === '') return 'removed'
  const { relate } = await import('../naming/relation.ts')
  return (await relate(from, to, new Budget(signal))).relation
}

/** How to compare documents with a service. */
interface ComparisonOptions {
  /** Whether to check rules that are partly stored and partly declared. */
  verify: boolean
  /** Whether to check existing flags with patterns that do not change, too. */
  checkNames?: boolean | undefined
  /** Whether to find stored fields that the documents leave out. */
  strict?: boolean | undefined
}

/** A declared project compared with its stored settings. */
export function compare(projectId: string, before: Settings, wanted: PartialSettings) {
  const after = withSettings(before, wanted)
  const changes = changesBetween(before, after)
  const status = changes.length > 0 ? 'changed' : 'unchanged'
  return { status, projectId, before, wanted, after, changes, inherited: [] } as const
}

/** Compares declared projects with the stored ones, in their order. */
export function compareProjects(
  service: Service,
  declared: readonly Declaration[],
  { verify, checkNames = false, strict }: ComparisonOptions,
  { concurrency, signal }: { concurrency: number; signal: AbortSignal },
): Promise<PlannedProject[]> {
  const read = createReader(service)
  const compareOne = async ({ projectId, wanted, inherited }: Declaration) => {
    const compared = compare(projectId, await read(projectId), wanted)
    const { before, after } = compared
    if (verify) await verifyKeptRule(before, after, signal)
    const [from, to] = [before.featureNaming.pattern, after.featureNaming.pattern]
    const hasEffect = from !== to || (checkNames && to !== '')
    const rule = hasEffect
      ? {
          relation: await relationOf(from, to, signal),
          flags: await breakingFlags(service, projectId, to, signal),
        }
      : undefined
    const undeclared = strict ? undeclaredFields(before, wanted) : undefined
    return { ...compared, inherited, rule, undeclared }
  }
  return pMap(
    declared,
    async (project): Promise<PlannedProject> => {
      try {
        return await compareOne(project)
      } catch (error) {
        const failure = failureOf(error)
        if (failure.isGeneral && declared.length > 1) throw failure
        const status = failure.kind === 'notFound' ? 'missing' : 'failed'
        return { status, projectId: project.projectId, failure }
      }
    },
    { concurrency },
  )
}
