import pMap from 'p-map'
import { connect } from '../profile/connection.ts'
import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import type { NamingRule } from './engine/rule.ts'
import { findProject } from '../projects/known.ts'
import type { FoundRule } from './rule-source.ts'

// Many installations have small database pools.
const CONCURRENCY = 4

/** A project of the service, for checks of names. */
export interface NamingProject {
  id: string
  /** The stored rule, without parts that are not set. */
  rule: NamingRule
  flagNames(): Promise<string[]>
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

/**
 * Connects to the service and finds a project there.
 * @throws `notFound` for an unknown project
 */
export async function openProject(context: Context, projectId: string): Promise<NamingProject> {
  const { service } = await connect(context)
  const { pattern, example, description } =
    (await findProject(service, projectId)).featureNaming ?? {}
  const check = async (name: string): Promise<[string, string][]> => {
    try {
      await service.validateFeatureName(name, projectId)
      return []
    } catch (error) {
      const refusal = error instanceof FlagadmError ? refusalOf(error) : undefined
      if (refusal === undefined) throw error
      return [[name, refusal]]
    }
  }
  return {
    id: projectId,
    rule: {
      ...(pattern && { pattern }),
      ...(example && { example }),
      ...(description && { description }),
    },
    async flagNames() {
      const { features } = (await service.projectFeatures(projectId)).data
      return features.map(({ name }) => name)
    },
    async refusals(names) {
      const found = await pMap(new Set(names), check, { concurrency: CONCURRENCY })
      return new Map(found.flat())
    },
  }
}

/**
 * The stored rule of a project.
 * @throws a usage error if it has none
 */
export function storedRule({ id, rule }: NamingProject): FoundRule {
  if (rule.pattern) return { rule, position: async () => undefined }
  throw new FlagadmError('usage', `project ${id} has no naming rule`, {
    hint: 'use --rule <file> or --pattern <regex>, or set a rule for the project',
  })
}
