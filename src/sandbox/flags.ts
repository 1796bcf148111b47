import * as v from 'valibot'
import { groupBy } from '../groups.ts'
import { exactObject } from '../input/shape.ts'
import { isAnyOf, pageOf, record } from './events.ts'
import type { SeedFlag, SeedStrategy } from './seed.ts'
import { acceptsName, bodyOf } from './settings.ts'
import { type RouteCall, Refusal, requireProject, type SandboxState } from './state.ts'
import { lastUsed } from './usage.ts'

/** When a flag was created, if its seed does not say. */
const CREATED_AT = '2025-06-02T08:00:00.000Z'

/** The strategy of a flag that is on, if its seed has none. */
const forEveryone: SeedStrategy = { name: 'flexibleRollout', parameters: { rollout: '100' } }

const environmentTypes: Readonly<Record<string, string>> = {
  development: 'development',
  production: 'production',
}

/** The flags of a project that are not archived; empty for an unknown project. */
function flagsOf(id: string, { flags }: SandboxState): SeedFlag[] {
  return [...flags.values()].filter(({ project, archived }) => project === id && !archived)
}

function environmentStates(flag: SeedFlag, state: SandboxState) {
  const { usage = [] } = flag
  const all: SeedFlag['environments'] = state.environments.map((name) => ({ name }))
  const environments = flag.environments ?? all
  return environments.map(({ name, strategies: _, ...seeded }) => ({
    name,
    type: environmentTypes[name] ?? 'preproduction',
    variantCount: 0,
    enabled: usage.some(({ environment, yes }) => environment === name && yes > 0),
    lastSeenAt: lastUsed(flag, name, state),
    ...seeded,
  }))
}

function detailedEnvironments(flag: SeedFlag, state: SandboxState) {
  return environmentStates(flag, state).map((environment) => {
    const seeded = flag.environments?.find(({ name }) => name === environment.name)
    const { strategies = environment.enabled ? [forEveryone] : [] } = seeded ?? {}
    return { ...environment, strategies }
  })
}

/** The latest time at which one of the flags was seen; null if none was. */
function lastSighting(flags: readonly SeedFlag[], state: SandboxState): string | null {
  const times = flags
    .flatMap((flag) => [flag, ...environmentStates(flag, state)])
    .flatMap(({ lastSeenAt }) => lastSeenAt ?? [])
  return times.sort().at(-1) ?? null
}

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

/** @throws 404 for an unknown or archived flag, and one of another project */
function requireFlag(project: string, name: string, { flags }: SandboxState): SeedFlag {
  const flag = flags.get(name)
  if (flag?.project === project && !flag.archived) return flag
  throw new Refusal(404, `There is no feature flag with the name ${name} in project ${project}`)
}

/** Any number above 0 is that of a person. */
const userOf = (name: string) => ({ id: 1, name, imageUrl: '' })

/** `GET /api/admin/projects/:id/features/:name`; an archived flag has no document. */
export function featureDocument({ project, flag: name, state }: RouteCall) {
  const flag = requireFlag(project, name, state)
  const { dependencies = [], createdBy } = flag
  const entry = entryOf(flag, state)
  const stage = entry.lastSeenAt === null ? 'initial' : 'live'
  return {
    ...entry,
    environments: detailedEnvironments(flag, state),
    project,
    archived: false,
    dependencies,
    children: childrenOf(name, state),
    lifecycle: { stage, enteredStageAt: entry.createdAt },
    ...(createdBy !== undefined && { createdBy: userOf(createdBy) }),
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
  const flags = [...state.flags.values()]
  if (query.get('sortBy') === 'lastSeenAt') {
    const seen = (flag: SeedFlag) => Date.parse(lastSighting([flag], state) ?? '') || 0
    flags.sort((one, other) => seen(other) - seen(one))
  }
  const features = flags
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

const namesSchema = exactObject({ features: v.array(v.string()) })

/** The flags of these names, archived or not. @throws 403 if one is of another project */
function flagsNamed(names: readonly string[], { project, state }: RouteCall): SeedFlag[] {
  requireProject(project, state)
  const flags = names.flatMap((name) => state.flags.get(name) ?? [])
  const foreign = flags.filter((flag) => flag.project !== project).map(({ name }) => name)
  if (foreign.length === 0) return flags
  const problem = `Features of another project: ${foreign.join(', ')}`
  throw new Refusal(403, problem, 'InvalidOperationError')
}

/**
 * `POST /api/admin/projects/:id/archive`: ignores names that do not exist, and refuses a flag of another project or
 * one on which a flag that is not in the list depends. The flags lose their dependencies.
 */
export function archive(call: RouteCall): undefined {
  const { state } = call
  const { features } = bodyOf(namesSchema, call)
  const flags = flagsNamed(features, call)
  const parents = features.filter((name) =>
    childrenOf(name, state).some((child) => !features.includes(child)),
  )
  if (parents.length > 0) {
    const problem = `Other features depend on ${parents.join(', ')}`
    throw new Refusal(403, problem, 'InvalidOperationError')
  }
  for (const flag of flags) {
    const { dependencies = [] } = flag
    state.flags.set(flag.name, { ...flag, archived: true, dependencies: [] })
    if (dependencies.length > 0) record(state, flag, 'feature-dependencies-removed')
    record(state, flag, 'feature-archived')
  }
}

/** `POST /api/admin/projects/:id/revive`: ignores names that are not archived; every environment is off afterwards. */
export function revive(call: RouteCall): undefined {
  const { state } = call
  const { features } = bodyOf(namesSchema, call)
  for (const flag of flagsNamed(features, call).filter(({ archived }) => archived)) {
    const environments = detailedEnvironments(flag, state).map((environment) => {
      return { ...environment, enabled: false }
    })
    state.flags.set(flag.name, { ...flag, archived: false, environments })
    record(state, flag, 'feature-revived')
  }
}

const dependencySchema = exactObject({
  feature: v.string(),
  enabled: v.exactOptional(v.boolean()),
  variants: v.exactOptional(v.array(v.string())),
})

/** `POST /api/admin/projects/:id/features/:name/dependencies`: a parent is a flag that has no parent itself. */
export function addDependency(call: RouteCall): undefined {
  const { project, flag: name, state } = call
  const dependency = bodyOf(dependencySchema, call)
  const child = requireFlag(project, name, state)
  const parent = state.flags.get(dependency.feature)
  const refuse = (problem: string): never => {
    throw new Refusal(403, problem, 'InvalidOperationError')
  }
  if (!parent || parent.archived) refuse(`No active feature ${dependency.feature} exists`)
  if ((parent?.dependencies ?? []).length > 0) refuse('Transitive dependency detected')
  const others = (child.dependencies ?? []).filter(({ feature }) => feature !== dependency.feature)
  state.flags.set(name, { ...child, dependencies: [...others, { enabled: true, ...dependency }] })
  record(state, child, 'feature-dependency-added', { data: { enabled: true, ...dependency } })
}

/** Switches flags on or off: all or none. One without an enabled strategy gets one that is on for everyone. */
function switchFlags(names: readonly string[], enabled: boolean, call: RouteCall): undefined {
  const { project, environment: name, state } = call
  const archived = names.filter((feature) => state.flags.get(feature)?.archived)
  if (archived.length > 0) {
    const problem = 'Cannot perform this operation on archived features'
    throw new Refusal(400, problem, 'ArchivedFeatureError')
  }
  const flags = names.map((feature) => requireFlag(project, feature, state))
  if (!state.environments.includes(name)) {
    throw new Refusal(404, `Could not find environment with name: ${name}`)
  }
  for (const flag of flags) {
    const environments = detailedEnvironments(flag, state)
    const place = environments.find((environment) => environment.name === name)
    if (!place || place.enabled === enabled) continue
    place.enabled = enabled
    if (enabled && place.strategies.every(({ disabled = false }) => disabled)) {
      place.strategies = [...place.strategies, forEveryone]
      record(state, flag, 'feature-strategy-add', { environment: name, data: forEveryone })
    }
    state.flags.set(flag.name, { ...flag, environments })
    const type = enabled ? 'feature-environment-enabled' : 'feature-environment-disabled'
    record(state, flag, type, { environment: name })
  }
}

export function switchOne(enabled: boolean) {
  return (call: RouteCall): undefined => switchFlags([call.flag], enabled, call)
}

export function switchSeveral(enabled: boolean) {
  return (call: RouteCall): undefined => {
    const { features } = bodyOf(namesSchema, call)
    return switchFlags(features, enabled, call)
  }
}

export function segmentList({ state }: RouteCall) {
  return { segments: state.segments }
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

export const featureTypes = {
  version: 1,
  types: [
    { id: 'release', name: 'Release', lifetimeDays: 40 },
    { id: 'experiment', name: 'Experiment', lifetimeDays: 40 },
    { id: 'operational', name: 'Operational', lifetimeDays: 7 },
    { id: 'kill-switch', name: 'Kill switch', lifetimeDays: null },
    { id: 'permission', name: 'Permission', lifetimeDays: null },
    { id: 'sunset', name: 'Sunset', lifetimeDays: 90 },
  ],
}
