import * as v from 'valibot'
import { groupBy } from '../groups.ts'
import { exactObject } from '../input/shape.ts'
import { isAnyOf, pageOf, record } from './events.ts'
import type { SeedFlag } from './seed.ts'
import { acceptsName, bodyOf } from './settings.ts'
import { type RouteCall, Refusal, requireProject, type SandboxState } from './state.ts'
import { lastUsed } from './usage.ts'

/** When a flag was created, if its seed does not say. */
const CREATED_AT = '2025-06-02T08:00:00.000Z'

/** The flags of a project that are not archived; empty for an unknown project. */
function flagsOf(id: string, { flags }: SandboxState): SeedFlag[] {
  return [...flags.values()].filter(({ project, archived }) => project === id && !archived)
}

function environmentStates(flag: SeedFlag, state: SandboxState) {
  const { usage = [], environments = state.environments.map((name) => ({ name })) } = flag
  return environments.map(({ name, ...seeded }) => ({
    name,
    enabled: usage.some(({ environment, yes }) => environment === name && yes > 0),
    lastSeenAt: lastUsed(flag, name, state),
    ...seeded,
  }))
}

/** The latest time at which one of the flags was seen; null if none was. */
function lastSighting(flags: readonly SeedFlag[], state: SandboxState): string | null {
  const times = flags
    .flatMap((flag) => [flag, ...environmentStates(flag, state)])
    .flatMap(({ lastSeenAt }) => lastSeenAt ?? [])
  return times.sort().at(-1) ?? null
}

/** `GET /api/admin/projects` */
export function projectList({ state }: RouteCall) {
  const projects = [...state.projects.values()].map(({ id, name, mode }) => ({
    id,
    name,
    mode,
    featureCount: flagsOf(id, state).length,
    archivedAt: null,
    lastReportedFlagUsage: lastSighting(flagsOf(id, state), state),
  }))
  return { projects }
}

/** `GET /api/admin/projects/:id/overview` */
export function projectOverview({ project, state }: RouteCall) {
  const { id: _, ...overview } = requireProject(project, state)
  return { ...overview, environments: state.environments.map((environment) => ({ environment })) }
}

function entryOf(flag: SeedFlag, state: SandboxState) {
  const { name, type = 'release', stale = false } = flag
  return {
    name,
    type,
    stale,
    createdAt: flag.createdAt ?? CREATED_AT,
    lastSeenAt: flag.lastSeenAt ?? lastSighting([flag], state),
    environments: environmentStates(flag, state),
  }
}

/** `GET /api/admin/projects/:id/features` */
export function featureList({ project, state }: RouteCall) {
  return { features: flagsOf(project, state).map((flag) => entryOf(flag, state)) }
}

/** The names of the flags that depend on a flag and are not archived. */
function childrenOf(parent: string, { flags }: SandboxState): string[] {
  const children = [...flags.values()].filter(
    ({ archived, dependencies = [] }) =>
      !archived && dependencies.some(({ feature }) => feature === parent),
  )
  return children.map(({ name }) => name)
}

/** `GET /api/admin/projects/:id/features/:name`, also for an archived flag. */
export function featureDocument({ project, flag: name, state }: RouteCall) {
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
    children: childrenOf(name, state),
    lifecycle: { stage: archived ? 'archived' : stage, enteredStageAt: entry.createdAt },
  }
}

/** When a flag was archived, or created if the sandbox started with it; null if it is not archived. */
function archivedAt({ name, archived, createdAt = CREATED_AT }: SeedFlag, state: SandboxState) {
  if (!archived) return null
  const event = state.events.findLast(
    ({ type, featureName }) => type === 'feature-archived' && featureName === name,
  )
  return event?.createdAt ?? createdAt
}

/** `GET /api/admin/search/features`, with the parameters `query`, `project` and `archived`. */
export function search({ query, state }: RouteCall) {
  const wanted = query.get('archived') === 'IS:true'
  const features = [...state.flags.values()]
    .filter(({ name, project, archived = false }) => {
      const isFound = name.includes(query.get('query') ?? '')
      return archived === wanted && isFound && isAnyOf(query.get('project'), project)
    })
    .map((flag) => {
      const { project } = flag
      return { ...entryOf(flag, state), project, archivedAt: archivedAt(flag, state) }
    })
  return { features: pageOf(features, query, 100), total: features.length }
}

const archiveSchema = exactObject({ features: v.array(v.string()) })

/**
 * `POST /api/admin/projects/:id/archive`: ignores names that do not exist, and refuses a flag of another project or
 * one on which a flag that is not in the list depends.
 */
export function archive(call: RouteCall): undefined {
  const { project, state } = call
  const { features } = bodyOf(archiveSchema, call)
  requireProject(project, state)
  const flags = features.flatMap((name) => state.flags.get(name) ?? [])
  const foreign = flags.filter((flag) => flag.project !== project).map(({ name }) => name)
  const parents = features.filter((name) =>
    childrenOf(name, state).some((child) => !features.includes(child)),
  )
  const problem =
    foreign.length > 0
      ? `Features of another project: ${foreign.join(', ')}`
      : parents.length > 0 && `Other features depend on ${parents.join(', ')}`
  if (problem) throw new Refusal(403, problem, 'InvalidOperationError')
  for (const flag of flags) {
    state.flags.set(flag.name, { ...flag, archived: true })
    record(state, flag, 'feature-archived')
  }
}

/** `GET /api/admin/metrics/unknown-flags`: all of them were seen just now. */
export function unknownNames({ state: { unknownFlags, now } }: RouteCall) {
  const seenAt = new Date(now()).toISOString()
  const names = groupBy(unknownFlags, ({ name }) => name)
  return {
    unknownFlags: Array.from(names, ([name, rows]) => ({
      name,
      lastSeenAt: seenAt,
      reports: rows.map(({ appName, environment }) => {
        return { appName, environments: [{ environment, seenAt }] }
      }),
    })),
  }
}

const nameSchema = exactObject({
  // The names that encodeURIComponent leaves unchanged, without `.` and `..`.
  name: v.pipe(v.string(), v.regex(/^(?!\.{1,2}$)[\w.!~*'()-]{1,100}$/, 'must be URL friendly')),
  projectId: v.exactOptional(v.nullable(v.string())),
})

/** `POST /api/admin/features/validate`: refuses an invalid or existing name. A broken pattern accepts every name. */
export function validateName(call: RouteCall): undefined {
  const { flags, projects } = call.state
  const { name, projectId } = bodyOf(nameSchema, call)
  if (flags.has(name)) throw new Refusal(409, 'A flag with that name already exists')
  const pattern = projects.get(projectId ?? '')?.featureNaming.pattern
  if (!pattern || acceptsName(pattern, name) !== false) return
  const problem = `The name "${name}" does not match the project's naming pattern "${pattern}"`
  throw new Refusal(400, problem)
}
