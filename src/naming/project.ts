import pMap from 'p-map'
import { connect } from '../profile/connection.ts'
import type { Connection } from '../service/connection.ts'
import type { Service } from '../service/client.ts'
import { operations } from '../service/operations.ts'
import type { Context } from '../old/context.ts'
import { FlagadmError } from '../errors.ts'
import type { NamingRule } from './rule.ts'
import { byCodeUnit } from '../output/order.ts'
import { findProject } from '../projects/known.ts'
import { usablePattern } from './rule-source.ts'
import type { ProjectOptions } from '../projects/selection.ts'
import { type ProjectResults, refuseUnknown } from '../projects/missing.ts'
import { readProjects } from '../projects/reading.ts'

/** The parts of projects to read besides their rules. */
export interface ProjectRequest {
  /** Whether to read the names of their flags. */
  flags?: boolean
  /** Whether to fail for a stored pattern that names cannot be checked against. */
  usablePattern?: boolean
}

/** A project of the service, for checks of names. */
export interface NamingProject {
  id: string
  /** The stored rule, without parts that are not set. */
  rule: NamingRule
  /** The names of its flags; empty if they were not asked for. */
  flagNames: readonly string[]
  /** Returns the reason for each of these names that a new flag cannot have. */
  refusals(names: readonly string[]): Promise<Map<string, string>>
}

/** Why the service refuses a name, worded to follow "the name"; undefined for other errors. */
function refusalOf(error: FlagadmError): string | undefined {
  const { status, details } = error.service ?? {}
  if (status === 409) return 'is taken by a flag or an archived flag'
  if (status !== 400) return undefined
  return `is refused by the service: ${details?.join('; ') ?? error.message}`
}

async function checkAvailable(
  service: Service,
  name: string,
  projectId: string,
): Promise<[string, string][]> {
  try {
    await service.send(
      operations.validateFeatureName,
      { projectId, featureName: name },
      { name, projectId },
    )
    return []
  } catch (error) {
    const refusal = error instanceof FlagadmError ? refusalOf(error) : undefined
    if (refusal === undefined) throw error
    return [[name, refusal]]
  }
}

async function readProject(
  { service, concurrency }: Connection,
  id: string,
  request: ProjectRequest,
): Promise<NamingProject> {
  const { pattern, example, description } = (await findProject(service, id)).featureNaming ?? {}
  if (pattern && request.usablePattern) usablePattern({ rule: { pattern } }, id)
  const { features } = request.flags
    ? (await service.read(operations.projectFeatures, { projectId: id })).data
    : { features: [] }
  return {
    id,
    rule: {
      ...(pattern && { pattern }),
      ...(example && { example }),
      ...(description && { description }),
    },
    flagNames: features.map(({ name }) => name).sort(byCodeUnit),
    async refusals(names) {
      const check = (name: string) => checkAvailable(service, name, id)
      const found = await pMap(new Set(names), check, { concurrency })
      return new Map(found.flat())
    },
  }
}

/**
 * Reads the stored rules of projects, and the parts that are requested.
 * @throws `notFound` for an unknown project
 */
export async function readNamingProjects(
  context: Context,
  options: ProjectOptions,
  request: ProjectRequest,
): Promise<ProjectResults<NamingProject>> {
  const connection = await connect(context)
  const found = await readProjects(context, connection, options, (id) =>
    readProject(connection, id, request),
  )
  refuseUnknown(options, found)
  return found
}
