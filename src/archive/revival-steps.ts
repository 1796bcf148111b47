// The requests that restore archived flags. Each looks at what those before it have done.
import type { NextStep } from '../errors.ts'
import { groupBy } from '../groups.ts'
import type { Step, Written } from '../requests/write.ts'
import type { Connection } from '../service/connection.ts'
import { operations } from '../service/operations.ts'
import { type Dependency, environmentsOn } from './saved-flags.ts'
import { readFlagDocuments } from '../flags/documents.ts'
import { hasEnabledStrategy } from '../flags/strategies.ts'
import { readFlags } from '../flags/selection.ts'
import { hasDependency, type PlannedFlag, readObjections } from './revival.ts'

/** The names of flags, or of what a flag has. */
type Names = readonly string[]

/** A request, and what it restores. */
export interface RevivalPart {
  kind: 'flags' | 'dependency' | 'environment'
  /** The flags that it is about. */
  flags: readonly PlannedFlag[]
  /** The flag on which they depend, or the environment. */
  target: string
  /** Why it was not sent for a flag, by name. */
  left: Map<string, string>
  step: Step<Names>
}

/** Why a flag stays off: the service would add a strategy that is on for everyone. */
const NO_STRATEGY = 'no enabled strategy is left'

/** Where and when to restore. */
interface Place {
  connection: Connection
  projectId: string
  /** When the file was written, in milliseconds since the epoch. */
  since: number
  /** How to see what was done. */
  findOut: NextStep
}

function namesOf(flags: readonly { name: string }[]): string[] {
  return flags.map(({ name }) => name)
}

/** What is in one of two lists only. */
function differences(from: Names, to: Names): string[] {
  const before = new Set(from)
  const after = new Set(to)
  return [...new Set([...from, ...to])].filter((name) => before.has(name) !== after.has(name))
}

/** What is stored if nothing of this is, and should be all of it. */
function storedNames(noun: string, wanted: Names, read: () => Promise<Names>) {
  return { noun, before: [], after: wanted, read, differences }
}

function revivingPart(
  { connection, projectId, findOut }: Place,
  flags: PlannedFlag[],
): RevivalPart {
  const names = namesOf(flags)
  const readLive = async () => {
    const { flags: live } = await readFlags(connection.service, projectId, true)
    const listed = new Set(namesOf(live))
    return names.filter((name) => listed.has(name))
  }
  const step: Step<Names> = {
    operation: operations.reviveFeatures,
    parameters: { projectId },
    body: { features: names },
    stored: storedNames('flags', names, readLive),
    findOut,
  }
  return { kind: 'flags', flags, target: projectId, left: new Map(), step }
}

/** Whether a request has restored what it is for, of a flag: otherwise what builds on that is not restored either. */
export function isRestored(
  part: RevivalPart,
  written: Written<Names> | undefined,
  name: string,
): boolean {
  if (!written || part.left.has(name)) return false
  const { status, now } = written
  // Flags that someone else has revived meanwhile are not those of the file.
  if (status === 'unchanged') return part.kind !== 'flags'
  return (
    status === 'changed' || now?.includes(part.kind === 'dependency' ? part.target : name) === true
  )
}

/** The requests of a run in their order, and the positions of those that are about a flag, by its name. */
export interface RevivalParts {
  parts: readonly RevivalPart[]
  positions: ReadonlyMap<string, readonly number[]>
}

/** The requests of a run, and the results of those that were made. */
interface Progress extends RevivalParts {
  earlier: readonly Written<Names>[]
}

/** The flags of a request for which those that it builds on have succeeded; the others are left. */
async function readyFlags(
  { connection, since }: Place,
  { kind, flags, left }: Omit<RevivalPart, 'step'>,
  { parts, positions, earlier }: Progress,
): Promise<PlannedFlag[]> {
  const isBefore = (part: RevivalPart) =>
    part.kind === 'flags' || (part.kind === 'dependency' && kind !== 'dependency')
  const obstacleOf = ({ name }: PlannedFlag) => {
    const failedAt = positions.get(name)?.find((position) => {
      const part = parts[position]
      return part && isBefore(part) && !isRestored(part, earlier[position], name)
    })
    const failed = failedAt === undefined ? undefined : parts[failedAt]
    if (!failed) return undefined
    return failed.kind === 'flags'
      ? 'it was not revived'
      : `it would not depend on ${failed.target}`
  }
  const continued = flags.filter(({ action }) => action === 'continue')
  const saved = continued.map(({ saved: whole }) => whole)
  const objections =
    continued.length > 0 ? await readObjections(connection, saved, since) : undefined
  for (const flag of flags) {
    const reason = obstacleOf(flag) ?? objections?.get(flag.name)
    if (reason !== undefined) left.set(flag.name, reason)
  }
  return flags.filter(({ name }) => !left.has(name))
}

function dependencyPart(
  place: Place,
  flag: PlannedFlag,
  dependency: Dependency,
  all: RevivalParts,
): RevivalPart {
  const { connection, projectId, findOut } = place
  const { name: featureName } = flag
  const { feature } = dependency
  const read = async () => {
    const document = (await readFlagDocuments(connection, projectId, [featureName])).get(
      featureName,
    )
    return document && hasDependency(document, dependency) ? [feature] : []
  }
  const part = { kind: 'dependency', flags: [flag], target: feature, left: new Map() } as const
  const step: Step<Names> = {
    operation: operations.addDependency,
    parameters: { projectId, featureName },
    body: dependency,
    stored: storedNames('dependencies', [feature], read),
    findOut,
  }
  const prepare = async (earlier: readonly Written<Names>[]) => {
    const ready = await readyFlags(place, part, { ...all, earlier })
    return ready.length === 0 || (await read()).length > 0 ? undefined : step
  }
  return { ...part, step: { ...step, prepare } }
}

function environmentPart(
  place: Place,
  environment: string,
  flags: PlannedFlag[],
  all: RevivalParts,
): RevivalPart {
  const { connection, projectId, findOut } = place
  const part = { kind: 'environment', flags, target: environment, left: new Map() } as const
  const stepFor = (names: string[]): Step<Names> => ({
    operation: operations.switchOnFeatures,
    parameters: { projectId, environment },
    body: { features: names },
    stored: storedNames('flags', names, async () => {
      const documents = await readFlagDocuments(connection, projectId, names)
      const isOn = [...documents.values()].filter((one) =>
        environmentsOn(one).includes(environment),
      )
      return isOn.map(({ name }) => name)
    }),
    findOut,
  })
  const prepare = async (earlier: readonly Written<Names>[]) => {
    const ready = namesOf(await readyFlags(place, part, { ...all, earlier }))
    const documents = await readFlagDocuments(connection, projectId, ready)
    const states = ready.map((name) => {
      const current = documents.get(name)?.environments?.find((one) => one.name === environment)
      if (!current) part.left.set(name, 'the flag has no such environment any more')
      else if (!current.enabled && !hasEnabledStrategy(current)) part.left.set(name, NO_STRATEGY)
      return { name, isOn: current?.enabled === true }
    })
    const off = states.filter(({ name, isOn }) => !isOn && !part.left.has(name))
    return off.length > 0 ? stepFor(off.map(({ name }) => name)) : undefined
  }
  return { ...part, step: { ...stepFor(namesOf(flags)), prepare } }
}

/** The requests that restore flags, in their order: dependencies come before what they narrow is on. */
export function revivalParts(place: Place, planned: readonly PlannedFlag[]): RevivalParts {
  const parts: RevivalPart[] = []
  const positions = new Map<string, number[]>()
  const all = { parts, positions }
  const add = (part: RevivalPart) => {
    for (const { name } of part.flags) {
      const before = positions.get(name)
      if (before) before.push(parts.length)
      else positions.set(name, [parts.length])
    }
    parts.push(part)
  }
  const archived = planned.filter(({ action }) => action === 'revive')
  if (archived.length > 0) add(revivingPart(place, archived))
  const flags = planned.filter(({ action }) => action === 'revive' || action === 'continue')
  for (const flag of flags) {
    for (const dependency of flag.dependencies) add(dependencyPart(place, flag, dependency, all))
  }
  const places = flags.flatMap((flag) =>
    flag.environments.map((environment) => ({ flag, environment })),
  )
  for (const [environment, group] of groupBy(places, (one) => one.environment)) {
    add(
      environmentPart(
        place,
        environment,
        group.map(({ flag }) => flag),
        all,
      ),
    )
  }
  return all
}
