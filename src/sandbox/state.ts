import { mergeNaming, noNaming } from './rule.ts'
import { defaultSeed } from './default-seed.ts'
import type { Seed, SeedFlag, SeedProject, SeedUnknownFlag } from './seed.ts'
import type { SandboxProject } from './settings.ts'
import { type SandboxClock, frozenNow } from './usage.ts'

/** The state of a running sandbox. Routes may change any part of it. */
export interface SandboxState {
  projects: Map<string, SandboxProject>
  flags: Map<string, SeedFlag>
  unknownFlags: readonly SeedUnknownFlag[]
  /** Every environment, sorted. */
  environments: string[]
  /** Serves only what the specification describes. */
  specOnly: boolean
  clock(): SandboxClock
}

export interface StateOptions {
  /** The projects of an online shop by default. */
  seed?: Seed | undefined
  /** Keeps usage as it is in the seed. */
  frozen: boolean
  /** Serves only what the specification describes; everything else is a 404. */
  specOnly?: boolean | undefined
  /** Milliseconds since the epoch. */
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

function projectOf(project: SeedProject, specOnly: boolean): SandboxProject {
  const { id, featureNaming = {}, linkTemplates = [] } = project
  return {
    name: id,
    description: null,
    ...project,
    featureNaming: mergeNaming(noNaming, featureNaming),
    linkTemplates: specOnly ? [] : linkTemplates,
  }
}

/** The state that a sandbox starts with. */
export function initialState({
  seed = defaultSeed,
  frozen,
  specOnly = false,
  now,
}: StateOptions): SandboxState {
  return {
    projects: new Map(seed.projects.map((project) => [project.id, projectOf(project, specOnly)])),
    flags: new Map(seed.flags.map((flag) => [flag.name, flag])),
    unknownFlags: seed.unknownFlags ?? [],
    environments: environmentsOf(seed),
    specOnly,
    clock: () => ({ now: frozen ? frozenNow : now(), frozen }),
  }
}
