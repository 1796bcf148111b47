import { FlagadmError } from '../errors.ts'
import { groupBy } from '../groups.ts'
import { timeOf } from '../input/time.ts'
import { byCodeUnit } from '../output/order.ts'
import { type Flag, flagOf, lastSeenIn } from '../projects/flags.ts'
import type { Unresolved } from '../code/lookups/result.ts'
import type { CodeReference } from '../names/scanning.ts'
import type { Feature, ProjectFeatures } from '../service/schema.ts'
import { documentRows, type UsageDocument } from '../usage/document.ts'
import { hasUncounted } from '../usage/evidence.ts'
import { latest } from '../usage/hourly.ts'
import { type HourlySummary, summaryOf } from '../usage/hourly-summary.ts'
import { type Counts, isUsed, mergeRows, type UsageRow, usageTotals } from '../usage/rows.ts'
import type { Span } from '../usage/span.ts'

/** A flag with what only some services report about it: such fields are undefined elsewhere. */
export interface ReviewedFlag extends Flag {
  lifecycle: Feature['lifecycle']
  /** In milliseconds since the epoch; undefined if that is not known. */
  created: number | undefined
  /** When it was last seen in any environment, in milliseconds since the epoch; undefined if that is not known. */
  lastSeen: number | undefined
  /** The names of the flags that depend on it. */
  dependents: readonly string[]
  /** Whether flags depend on it; undefined if the service does not report dependencies. */
  hasDependents: boolean | undefined
  /** Whether the service reports when the flag was last seen, as times that can be read. */
  reportsSeen: boolean
}

/** The flags in a project's list. Flags depend only on others of their project. */
export function reviewedFlags({ features }: ProjectFeatures, projectId: string): ReviewedFlag[] {
  const dependencies = features.flatMap(({ name, dependencies }) =>
    (dependencies ?? []).map(({ feature }) => ({ parent: feature, child: name })),
  )
  const byParent = groupBy(dependencies, ({ parent }) => parent)
  return features.map((feature) => {
    const flag = flagOf(feature, projectId)
    const { name, lifecycle, dependencies, children, dependencyType, environments } = feature
    const others = byParent.get(name)?.map(({ child }) => child) ?? []
    const dependents = [...new Set([...(children ?? []), ...others])].sort(byCodeUnit)
    const isReported = [dependencies, children, dependencyType].some((part) => part !== undefined)
    const hasDependents = dependents.length > 0 || dependencyType === 'parent'
    return {
      ...flag,
      lifecycle,
      created: timeOf(flag.createdAt),
      lastSeen: latest(flag.environments.map(lastSeenIn)),
      dependents,
      hasDependents: isReported || hasDependents ? hasDependents : undefined,
      reportsSeen:
        environments?.every((one) => one.lastSeenAt === null || lastSeenIn(one) !== undefined) ===
        true,
    }
  })
}

/** The usage of a flag in the last hours. */
export interface ReviewedUsage {
  summary: HourlySummary
  /** The evaluations in the span; undefined if it was not used. */
  totals: Counts | undefined
  /** Whether a record has neither count. */
  isUncounted: boolean
  /** By environment; undefined for usage whose environment the service left out. */
  environments: ReadonlyMap<string | undefined, EnvironmentUsage>
}

/** The usage of a flag in an environment. */
interface EnvironmentUsage extends Counts {
  /** The start of the last hour with usage, in milliseconds since the epoch. */
  lastUsed: number | undefined
}

function usageByEnvironment(rows: readonly UsageRow[]): ReviewedUsage['environments'] {
  const sums = mergeRows(rows, ({ environment }) => environment)
  return new Map(
    sums.map(({ environment, enabled, disabled, hourly }) => {
      return [environment, { enabled, disabled, lastUsed: hourly?.lastUsed }]
    }),
  )
}

/** The parts that a review needs of a document with hourly usage: many whole ones would not fit into memory. */
export function reviewedUsage(
  { data, span }: UsageDocument & { span: Span },
  name: string,
): ReviewedUsage {
  const rows = documentRows(data, name, span)
  return {
    summary: summaryOf(data, rows, {}, span),
    totals: isUsed(rows) ? usageTotals(rows) : undefined,
    isUncounted: hasUncounted(data, name, {}),
    environments: usageByEnvironment(rows),
  }
}

/** The evidence about a flag in source code. */
export interface CodeEvidence {
  references: readonly CodeReference[]
  /** The lookups that may use any flag, because their names could not be read. */
  unread: readonly Unresolved[]
  /** The files that may have any flag, because they could not be read. */
  unreadFiles: readonly string[]
}

/** Everything that is known about a flag. */
export interface Evidence {
  flag: ReviewedFlag
  /** An error if it could not be read. */
  usage: ReviewedUsage | FlagadmError
  /** Undefined if no code was scanned. */
  code: CodeEvidence | undefined
}

/** The usage of a flag; undefined if it could not be read. */
export function knownUsage({ usage }: Evidence): ReviewedUsage | undefined {
  return usage instanceof FlagadmError ? undefined : usage
}
