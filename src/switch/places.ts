// Flags in environments, and what is stored about them.
import type { Context } from '../command/context.ts'
import { FlagadmError } from '../errors.ts'
import { readAbsences } from '../flags/absences.ts'
import { readFlagDocuments } from '../flags/documents.ts'
import { mergeLists, readFlags, refuseUnknownFilters } from '../flags/selection.ts'
import { counted, listed } from '../output/incomplete.ts'
import type { Service } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import type { FeatureDocument, Strategy } from '../service/schema.ts'

export interface Place {
  flag: string
  environment: string
  isOn: boolean
  strategies: readonly Strategy[]
  /** The flags that depend on the flag. */
  dependents: readonly string[]
}

export interface Scope {
  projectId: string
  names: readonly string[]
  environments: readonly string[]
}

/** `checkout-pay in production` */
export function nameOf({ flag, environment }: Place): string {
  return `${flag} in ${environment}`
}

/** Why names are not flags of the project. */
async function readReasons(service: Service, projectId: string, names: readonly string[]) {
  const list = await readFlags(service, projectId, false)
  const merged = mergeLists({ results: [list], failures: new Map() }, { project: [projectId] })
  const { absences } = await readAbsences(service, names, merged.lists)
  return (name: string) => absences.get(name)?.reason ?? `not a flag of project ${projectId}`
}

/** @throws `notFound` if a name is not a flag of the project: older versions would switch the flag of another one */
async function refuseOthers(
  service: Service,
  { projectId, names }: Scope,
  documents: ReadonlyMap<string, FeatureDocument>,
): Promise<void> {
  const absent = names.filter((name) => !documents.has(name))
  const reasonOf = absent.length > 0 ? await readReasons(service, projectId, absent) : undefined
  const refused = names.flatMap((name) => {
    const { project, archived, archivedAt } = documents.get(name) ?? {}
    if (project != null && project !== projectId) {
      return { name, reason: `a flag of project ${project}: use --project ${project}` }
    }
    if (archived || archivedAt != null) return { name, reason: 'archived' }
    return reasonOf && !documents.has(name) ? { name, reason: reasonOf(name) } : []
  })
  const [first] = refused
  if (!first) return
  const { name: featureName, reason } = first
  if (names.length === 1) throw new FlagadmError('notFound', reason, { featureName })
  const texts = refused.map((one) => `${one.name}: ${one.reason}`)
  const what = `nothing was switched: ${refused.length} of ${counted(names.length, 'flag')} cannot be: ${texts.join('; ')}`
  throw new FlagadmError('notFound', what, { names: refused.map(({ name }) => name) })
}

/** @throws an error if the flag does not have the environment, or the service does not report its state there */
function placeOf({ name, environments, children }: FeatureDocument, environment: string): Place {
  const flagEnvironment = environments?.find((one) => one.name === environment)
  if (environments && !flagEnvironment) {
    const what = `the flag is not in the environment ${environment}`
    throw new FlagadmError('notFound', what, { featureName: name })
  }
  if (flagEnvironment?.enabled == null) {
    const what = `the service does not report whether the flag is on in ${environment}`
    throw new FlagadmError('unavailable', what, { featureName: name })
  }
  const { enabled, strategies } = flagEnvironment
  return {
    flag: name,
    environment,
    isOn: enabled,
    strategies: strategies ?? [],
    dependents: children ?? [],
  }
}

/**
 * Reads the state of flags in environments.
 * @throws `notFound` for a name that is not a flag of the project, and for an unknown environment
 */
export async function readPlaces(
  context: Context,
  connection: Connection,
  scope: Scope,
): Promise<Place[]> {
  const { projectId, names, environments } = scope
  const documents = await readFlagDocuments(connection, projectId, names)
  await refuseOthers(connection.service, scope, documents)
  const flagDocuments = [...documents.values()]
  const environmentNames = flagDocuments.flatMap(
    (one) => one.environments?.map(({ name }) => name) ?? [],
  )
  const filter = { environment: environments }
  refuseUnknownFilters(context, filter, {
    applications: [],
    environments: environmentNames,
    isPart: false,
  })
  return environments.flatMap((environment) =>
    flagDocuments.map((one) => placeOf(one, environment)),
  )
}

/** `checkout-pay in production`, `3 flags in production, staging` */
export function subjectText(places: readonly Place[]): string {
  const flags = [...new Set(places.map(({ flag }) => flag))]
  const environments = [...new Set(places.map(({ environment }) => environment))]
  const [only = ''] = flags
  const what = flags.length === 1 ? only : counted(flags.length, 'flag')
  return `${what} in ${listed(environments)}`
}
