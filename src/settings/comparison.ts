import pMap from 'p-map'
import { failureOf, type FlagadmError, withParts } from '../errors.ts'
import { Budget } from '../naming/analysis/budget.ts'
import type { Relation } from '../naming/analysis/relation.ts'
import { createNameMatcher, enforcedPattern, lengthProblem } from '../naming/rule.ts'
import { type Service, unlessMissing } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import { operations } from '../service/operations.ts'
import type { PartialSettings, Settings } from '../service/settings-document.ts'
import type { Declaration } from './documents.ts'
import {
  changesBetween,
  type FieldChange,
  isRuleField,
  noSettings,
  type SettingsField,
  undeclaredFields,
  withSettings,
} from './settings.ts'
import { createReader } from './stored.ts'
import { type RuleCheck, verifyKeptRule } from './verify.ts'

export interface BreakingFlags {
  total: number
  breaking: string[]
  undecided: string[]
}

export interface PlannedProject {
  projectId: string
  status: 'changed' | 'unchanged' | 'missing' | 'failed'
  /** Why the project is missing or failed. Then it has no changes. */
  failure?: FlagadmError | undefined
  before: Settings
  wanted: PartialSettings
  after: Settings
  changes: FieldChange[]
  /** The fields whose values are defaults of the document. */
  inherited: readonly SettingsField[]
  /** The effect of the rule, if the pattern changes or the names of existing flags are checked. */
  rule?: {
    /** How the set of accepted names changes; undefined if the pattern stays as it is. */
    relation: Awaited<ReturnType<typeof relationOf>>
    /** Undefined if the service does not list the flags, or the pattern is too long to check. */
    flags: BreakingFlags | undefined
  }
  /** What could not be decided about a rule that changes, as sentences. */
  undecided?: readonly string[]
  /** Stored fields that the document leaves out, if that was asked for. */
  undeclared?: SettingsField[]
}

/** Whether a change removes a stored rule, so that flags may have any name. */
export function removesRule({ before, after }: PlannedProject): boolean {
  return before.featureNaming.pattern !== '' && after.featureNaming.pattern === ''
}

/** Whether a change sends a rule; one that is stored already is not sent. */
export function changesRule({ changes }: PlannedProject): boolean {
  return changes.some(({ field }) => isRuleField(field))
}

export function changingOf(projects: readonly PlannedProject[]): PlannedProject[] {
  return projects.filter(({ status }) => status === 'changed')
}

/** The existing flags of a project that would break a pattern; undefined if that cannot be found out. */
async function breakingFlags(
  service: Service,
  projectId: string,
  pattern: string,
  signal: AbortSignal,
): Promise<BreakingFlags | undefined> {
  if (lengthProblem({ pattern }) !== undefined) return undefined
  const listed = await unlessMissing(service.read(operations.projectFeatures, { projectId }))
  if (!listed) return undefined
  const names = listed.data.features.map(({ name }) => name).sort()
  const verdicts = await createNameMatcher(enforcedPattern(pattern), signal)(names)
  return {
    total: names.length,
    breaking: names.filter((_, index) => verdicts[index] === false),
    undecided: names.filter((_, index) => verdicts[index] === 'timeout'),
  }
}

async function relationOf(
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<Relation | 'new' | 'removed' | undefined> {
  if (from === to) return undefined
  if (from === '') return 'new'
  if (to === '') return 'removed'
  const { relate } = await import('../naming/analysis/relation.ts')
  return (await relate(from, to, new Budget(signal))).relation
}

export function compare(
  projectId: string,
  before: Settings,
  wanted: PartialSettings,
): PlannedProject {
  const after = withSettings(before, wanted)
  const changes = changesBetween(before, after)
  const status = changes.length > 0 ? 'changed' : 'unchanged'
  return { projectId, status, before, wanted, after, changes, inherited: [] }
}

export interface ComparisonOptions {
  /** Checks rules that change; without it, they are not checked. */
  checkRule: RuleCheck | undefined
  /** Whether to check existing flags with patterns that do not change, too. */
  checkNames?: true
  /** Whether to find stored fields that the documents leave out. */
  strict?: true
}

/** Compares declared projects with the stored ones, in their order. */
export function compareProjects(
  { service, concurrency, progress }: Pick<Connection, 'service' | 'concurrency' | 'progress'>,
  declared: readonly Pick<Declaration, 'projectId' | 'wanted' | 'inherited'>[],
  { checkRule, checkNames, strict }: ComparisonOptions,
  signal: AbortSignal,
): Promise<PlannedProject[]> {
  const read = createReader(service)
  const compareOne = async ({ projectId, wanted, inherited }: (typeof declared)[number]) => {
    const compared = { ...compare(projectId, await read(projectId, wanted), wanted), inherited }
    const { before, after } = compared
    if (checkRule) await verifyKeptRule(compared, signal)
    if (checkRule && changesRule(compared)) {
      compared.undecided = (await checkRule(wanted)).undecided
    }
    if (strict) compared.undeclared = undeclaredFields(before, wanted)
    const [from, to] = [before.featureNaming.pattern, after.featureNaming.pattern]
    if (from === to && !(checkNames && to)) return compared
    const relation = await relationOf(from, to, signal)
    const flags = await breakingFlags(service, projectId, to, signal)
    return { ...compared, rule: { relation, flags } }
  }
  const failed = (projectId: string, error: unknown): PlannedProject => {
    const failure = failureOf(error)
    if (failure.isGeneral && declared.length > 1) throw withParts(failure, { projectId: undefined })
    const isMissing = failure.kind === 'notFound' && !failure.isLacking
    const status = isMissing ? 'missing' : 'failed'
    return { ...compare(projectId, noSettings, {}), status, failure }
  }
  const task = { verb: 'Reading', noun: 'project', total: declared.length } as const
  return progress.track(task, (advance) => {
    const compareNext = (project: (typeof declared)[number]) =>
      compareOne(project)
        .catch((error) => failed(project.projectId, error))
        .finally(advance)
    return pMap(declared, compareNext, { concurrency })
  })
}
