import { groupBy } from '../groups.ts'
import { Refusal } from './http.ts'
import type { SeedFlag } from './seed.ts'
import type { SandboxProject } from './settings.ts'
import type { SandboxState } from './state.ts'
import { lastUsed } from './usage.ts'

/** The default for creation times that the seed leaves out. */
export const defaultCreatedAt = '2025-06-02T08:00:00.000Z'

/** A project by its id; throws 404 for an unknown one. */
export function requireProject(id: string, { projects }: SandboxState): SandboxProject {
  const project = projects.get(id)
  if (!project) throw new Refusal(404, `No project with the id ${id} exists`)
  return project
}

/** The flags of a project that are not archived; empty for an unknown project. */
export function flagsOf(id: string, { flags }: SandboxState): SeedFlag[] {
  return [...flags.values()].filter(({ project, archived }) => project === id && !archived)
}

/** When a flag was last seen in each environment that it has. */
export function flagEnvironments(flag: SeedFlag, state: SandboxState) {
  const clock = state.clock()
  const environments = flag.environments ?? state.environments.map((name) => ({ name }))
  return environments.map(({ name, ...seeded }) => {
    const used = flag.usage.some(({ environment, yes }) => environment === name && yes > 0)
    return {
      name,
      enabled: used,
      type: name === 'production' ? 'production' : 'development',
      lastSeenAt: lastUsed(flag, name, clock),
      ...seeded,
    }
  })
}

/** The latest time at which one of the flags was seen; null if none was. */
export function lastReported(flags: readonly SeedFlag[], state: SandboxState): string | null {
  const times = flags
    .flatMap((flag) => [flag, ...flagEnvironments(flag, state)])
    .flatMap(({ lastSeenAt }) => lastSeenAt ?? [])
  return times.sort().at(-1) ?? null
}

/** `GET /api/admin/projects` */
export function projectList(state: SandboxState) {
  const projects = [...state.projects.values()].map(({ id, name, description, mode }) => {
    const flags = flagsOf(id, state)
    return {
      id,
      name,
      description,
      mode,
      health: 100,
      featureCount: flags.length,
      memberCount: 0,
      createdAt: defaultCreatedAt,
      archivedAt: null,
      lastReportedFlagUsage: lastReported(flags, state),
    }
  })
  return { version: 1, projects }
}

function typeCounts(flags: SeedFlag[]) {
  const groups = groupBy(flags, ({ type = 'release' }) => type)
  return Array.from(groups, ([type, { length: count }]) => ({ type, count }))
}

/** `GET /api/admin/projects/:id/overview` */
export function projectOverview(id: string, state: SandboxState) {
  const { name, description, mode, featureNaming, linkTemplates } = requireProject(id, state)
  return {
    name,
    description,
    mode,
    featureNaming,
    linkTemplates,
    environments: state.environments.map((environment) => ({ environment })),
    defaultStickiness: 'default',
    health: 100,
    featureTypeCounts: typeCounts(flagsOf(id, state)),
    members: 0,
    createdAt: defaultCreatedAt,
    updatedAt: defaultCreatedAt,
    archivedAt: null,
    version: 1,
  }
}
