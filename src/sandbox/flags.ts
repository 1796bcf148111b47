import * as v from 'valibot'
import { groupBy } from '../groups.ts'
import { checkShape, exactObject } from '../input/shape.ts'
import { byCodeUnit } from '../output/order.ts'
import { Refusal } from './http.ts'
import {
  defaultCreatedAt,
  flagEnvironments,
  flagsOf,
  lastReported,
  requireProject,
} from './projects.ts'
import { ruleViolation } from './rule.ts'
import type { SeedFlag, SeedUnknownFlag } from './seed.ts'
import { invalidRequest } from './settings.ts'
import type { SandboxState } from './state.ts'

const nameLimit = 100

function entryOf(flag: SeedFlag, state: SandboxState) {
  const { name, description = null, type = 'release', stale = false } = flag
  const { createdAt = defaultCreatedAt, lastSeenAt = lastReported([flag], state) } = flag
  return {
    name,
    type,
    description,
    stale,
    createdAt,
    lastSeenAt,
    impressionData: false,
    favorite: false,
    environments: flagEnvironments(flag, state),
  }
}

/** `GET /api/admin/projects/:id/features` */
export function featureList(project: string, state: SandboxState) {
  return { version: 2, features: flagsOf(project, state).map((flag) => entryOf(flag, state)) }
}

/** The flags that depend on a flag and are not archived. */
function childrenOf(name: string, { flags }: SandboxState): SeedFlag[] {
  return [...flags.values()].filter(
    ({ archived, dependencies = [] }) =>
      !archived && dependencies.some(({ feature }) => feature === name),
  )
}

/** `GET /api/admin/projects/:id/features/:name`, also for an archived flag. */
export function featureDocument(project: string, name: string, state: SandboxState) {
  const flag = state.flags.get(name)
  if (flag?.project !== project) {
    throw new Refusal(404, `There is no feature flag with the name ${name} in project ${project}`)
  }
  const { archived = false, dependencies = [] } = flag
  const entry = entryOf(flag, state)
  const stage = entry.lastSeenAt === null ? 'initial' : 'live'
  return {
    ...entry,
    project,
    archived,
    archivedAt: archived ? entry.createdAt : null,
    dependencies,
    children: childrenOf(name, state).map((child) => child.name),
    lifecycle: { stage: archived ? 'archived' : stage, enteredStageAt: entry.createdAt },
  }
}

const archiveSchema = exactObject({ features: v.array(v.string()) })

/**
 * `POST /api/admin/projects/:id/archive`: ignores names that do not exist, and refuses a flag of another
 * project or one on which a flag that is not in the list depends.
 * @returns the changes, for the log
 */
export function archiveFlags(project: string, body: unknown, state: SandboxState): string[] {
  const { data, problem } = checkShape(archiveSchema, body)
  if (problem) throw invalidRequest(problem)
  requireProject(project, state)
  const flags = data.features.flatMap((name) => state.flags.get(name) ?? [])
  const { name: foreign } = flags.find((flag) => flag.project !== project) ?? {}
  if (foreign !== undefined) {
    throw new Refusal(403, `The flag ${foreign} is in another project`, 'InvalidOperationError')
  }
  const parents = flags
    .map(({ name }) => name)
    .filter((name) => childrenOf(name, state).some((child) => !data.features.includes(child.name)))
  if (parents.length > 0) {
    const message = `Other features depend on ${parents.join(', ')}`
    throw new Refusal(403, message, 'InvalidOperationError')
  }
  const changed = flags.filter(({ archived }) => !archived)
  for (const flag of changed) state.flags.set(flag.name, { ...flag, archived: true })
  return changed.map(({ name }) => `${name}: active → archived`)
}

/** Rows by one of their fields, sorted by its values. */
function sortedGroups(rows: readonly SeedUnknownFlag[], field: keyof SeedUnknownFlag) {
  return [...groupBy(rows, (row) => row[field])].sort(([a], [b]) => byCodeUnit(a, b))
}

/** `GET /api/admin/metrics/unknown-flags`: all of them were seen just now. */
export function unknownFlagList({ unknownFlags, clock }: SandboxState) {
  const seenAt = new Date(clock().now).toISOString()
  return {
    unknownFlags: sortedGroups(unknownFlags, 'name').map(([name, rows]) => ({
      name,
      lastSeenAt: seenAt,
      lastEventAt: null,
      reports: sortedGroups(rows, 'appName').map(([appName, own]) => ({
        appName,
        environments: own.map(({ environment }) => ({ environment, seenAt })),
      })),
    })),
  }
}

const validationSchema = exactObject({
  name: v.pipe(
    v.string(),
    v.nonEmpty('must not be empty'),
    v.maxLength(nameLimit, `must be at most ${nameLimit} characters long`),
    // The names that encodeURIComponent leaves unchanged, without `.` and `..`.
    v.regex(/^(?!\.{1,2}$)[\w.!~*'()-]+$/, 'must be URL friendly'),
  ),
  projectId: v.exactOptional(v.nullable(v.string())),
})

/** `POST /api/admin/features/validate`: refuses an invalid or existing name. */
export function validateName(body: unknown, { flags, projects }: SandboxState): void {
  const { data, problem } = checkShape(validationSchema, body)
  if (problem) throw invalidRequest(problem)
  const { name, projectId } = data
  if (flags.has(name)) throw new Refusal(409, 'A flag with that name already exists')
  const project = projects.get(projectId ?? '')
  const violation = project && ruleViolation(project.featureNaming, name)
  if (violation) throw new Refusal(400, violation)
}
