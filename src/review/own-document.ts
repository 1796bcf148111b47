// What a flag's own document adds to what the list of its project says.
import { readFlagDocument } from '../flags/documents.ts'
import { type Flag, flagOf } from '../flags/flag.ts'
import { timeOf } from '../input/time.ts'
import type { Service } from '../service/client.ts'
import type { FeatureDocument, Strategy } from '../service/schema.ts'

export type OwnDocument = Awaited<ReturnType<typeof readOwnDocument>>

/** A date with which a strategy begins, or ends. */
interface StrategyDate {
  kind: 'from' | 'until'
  /** In milliseconds since the epoch. */
  time: number
}

const dateKinds = new Map<unknown, StrategyDate['kind']>([
  ['DATE_AFTER', 'from'],
  ['DATE_BEFORE', 'until'],
])

function datesOf({ environments }: FeatureDocument): StrategyDate[] {
  const strategies = (environments ?? [])
    .filter(({ enabled }) => enabled)
    .flatMap((environment) => environment.strategies ?? [])
    .filter(({ disabled }) => !disabled)
  return strategies
    .flatMap(({ constraints }) => constraints ?? [])
    .flatMap(({ contextName, operator, value }) => {
      const kind = dateKinds.get(operator)
      const time = typeof value === 'string' ? timeOf(value) : undefined
      return contextName === 'currentTime' && kind && time !== undefined ? [{ kind, time }] : []
    })
}

/** The enabled strategies in each environment, by its name. */
function strategiesOf({ environments }: FeatureDocument): ReadonlyMap<string, Strategy[]> {
  const entries = (environments ?? []).map(({ name, strategies }) => {
    return [name, (strategies ?? []).filter(({ disabled }) => !disabled)] as const
  })
  return new Map(entries)
}

function segmentsOf(data: FeatureDocument): ReadonlySet<number> {
  return new Set([...strategiesOf(data).values()].flat().flatMap(({ segments }) => segments ?? []))
}

/** The newest person who changed the flag, or who created it; null if none did, undefined if the service does not say. */
function ownerOf({ collaborators, createdBy }: FeatureDocument): string | null | undefined {
  const all = [...(collaborators?.users ?? []), ...(createdBy ? [createdBy] : [])]
  const person = all.find(({ id, name }) => name && (id ?? 0) > 0)
  return person?.name ?? (createdBy ? null : undefined)
}

/**
 * Reads the part of a flag's own document that a verdict needs.
 * @param flags all flags of the lists, by name
 * @throws an `unavailable` error for the document of another flag
 */
export async function readOwnDocument(
  service: Service,
  listed: Flag,
  flags: ReadonlyMap<string, Flag>,
) {
  const data = await readFlagDocument(service, listed)
  return {
    flag: flagOf(data, listed.projectId),
    isArchived: data.archived === true || data.archivedAt != null,
    /** The flags that depend on it; undefined if the service does not report them. */
    children: data.children ?? undefined,
    /** The flags that must be on where it is evaluated, as far as the lists have them. */
    parents: (data.dependencies ?? []).flatMap(({ feature, enabled }) =>
      enabled === false ? [] : (flags.get(feature) ?? []),
    ),
    hasParents: (data.dependencies ?? []).length > 0,
    strategies: strategiesOf(data),
    segments: segmentsOf(data),
    /** The dates from which, and until which, an enabled strategy serves where the flag is on. */
    dates: datesOf(data),
    /** As the service reports it. */
    lifecycle: data.lifecycle,
    createdBy: data.createdBy?.name ?? undefined,
    owner: ownerOf(data),
  }
}
