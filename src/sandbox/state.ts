import { mergeNaming, noNaming } from './rule.ts'
import type { Seed, SeedFlag, SeedProject, SeedUnknownFlag } from './seed.ts'
import type { StoredLinkTemplate, SandboxProject } from './settings.ts'
import { type SandboxClock, frozenNow } from './usage.ts'

/** The state of a running sandbox. Routes may change any part of it. */
export interface SandboxState {
  projects: Map<string, SandboxProject>
  flags: Map<string, SeedFlag>
  unknownFlags: SeedUnknownFlag[]
  /** Every environment, sorted. */
  environments: string[]
  /** Serves only what the specification describes. */
  specOnly: boolean
  clock(): SandboxClock
}

interface StateOptions {
  seed: Seed
  frozen: boolean
  specOnly?: boolean | undefined
  now: () => number
}

function environmentsOf({ flags, unknownFlags = [] }: Seed): string[] {
  const named = [
    ...flags.flatMap(({ usage }) => usage.map(({ environment }) => environment)),
    ...flags.flatMap(({ environments = [] }) => environments.map(({ name }) => name)),
    ...unknownFlags.map(({ environment }) => environment),
  ]
  return named.length > 0 ? [...new Set(named)].sort() : ['development', 'production']
}

function projectOf(project: SeedProject, linkTemplates: StoredLinkTemplate[]): SandboxProject {
  const { id, name = id, description = null, mode, featureNaming = {} } = project
  return {
    id,
    name,
    description,
    mode,
    featureNaming: mergeNaming(noNaming, featureNaming),
    linkTemplates,
  }
}

/** The state that a sandbox starts with. */
export function initialState({ seed, frozen, specOnly = false, now }: StateOptions): SandboxState {
  const projects = seed.projects.map((project) => {
    const { linkTemplates = [] } = project
    return projectOf(project, specOnly ? [] : linkTemplates)
  })
  return {
    projects: new Map(projects.map((project) => [project.id, project])),
    flags: new Map(seed.flags.map((flag) => [flag.name, flag])),
    unknownFlags: [...(seed.unknownFlags ?? [])],
    environments: environmentsOf(seed),
    specOnly,
    clock: () => ({ now: frozen ? frozenNow : now(), frozen }),
  }
}
