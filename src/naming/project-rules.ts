import type { Context } from '../command/context.ts'
import { FlagadmError } from '../errors.ts'
import { connect } from '../profile/connect.ts'
import {
  type ProjectResults,
  readProjectSettings,
  readProjects,
  refuseUnknownProject,
} from '../project/projects.ts'
import type { ProjectOptions } from '../project/selection.ts'
import { type Service, unlessMissing } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import { operations } from '../service/operations.ts'
import type { Progress } from '../output/progress.ts'
import { requireReported } from '../service/settings-document.ts'
import { type NamingRule, usablePattern } from './rule.ts'

export interface NamingProject {
  id: string
  /** Why a new flag cannot have a name, worded to follow "the name"; undefined if it can. */
  refusal(name: string): Promise<string | undefined>
  concurrency: number
  progress: Progress
  /** The stored rule, without parts that are not set. */
  rule: NamingRule
  /** The names of its flags; empty if they were not asked for. */
  flagNames: readonly string[]
}

/** Why the service refuses a name, worded to follow "the name"; undefined for other errors. */
function refusalOf(error: FlagadmError): string | undefined {
  const { status, details } = error.service ?? {}
  if (status === 409) return 'is taken by a flag or an archived flag'
  if (status !== 400) return undefined
  return `is refused by the service: ${details?.join('; ') ?? error.message}`
}

/** Why a new flag cannot have a name; undefined if it can. */
async function refusalFor(service: Service, projectId: string, name: string) {
  // Unleash builds objects with names as keys, and these have them already.
  if (name in {}) return "breaks Unleash's list of flags, because every JavaScript object has it"
  const parameters = { projectId, featureName: name }
  try {
    await service.send(operations.validateFeatureName, parameters, { name, projectId })
    return undefined
  } catch (error) {
    const refusal = error instanceof FlagadmError ? refusalOf(error) : undefined
    if (refusal === undefined) throw error
    return refusal
  }
}

export interface ProjectRequest {
  flags?: boolean
  /** What the stored rule is for: `usable` fails for a pattern that names cannot be checked against, `unused` reads none. */
  rule?: 'usable' | 'unused' | undefined
}

/** The stored rule of a project, without parts that are not set. */
async function readRule(service: Service, id: string, isUsable: boolean): Promise<NamingRule> {
  const reading = readProjectSettings(service, id)
  if (!(await unlessMissing(reading))) await refuseUnknownProject(service, id)
  const settings = await reading
  requireReported(settings, id, ['featureNaming'])
  const { pattern, example, description } = settings.featureNaming ?? {}
  if (pattern && isUsable) usablePattern({ rule: { pattern } }, id)
  return {
    // The service treats an empty part as missing.
    pattern: pattern || undefined,
    example: example || undefined,
    description: description || undefined,
  }
}

async function readProject(
  { service, concurrency, progress }: Connection,
  id: string,
  request: ProjectRequest,
): Promise<NamingProject> {
  const isRead = request.rule !== 'unused'
  const rule = isRead ? await readRule(service, id, request.rule === 'usable') : {}
  const { features } = request.flags
    ? (await service.read(operations.projectFeatures, { projectId: id })).data
    : { features: [] }
  if (!isRead && features.length === 0) await refuseUnknownProject(service, id)
  return {
    id,
    refusal: (name) => refusalFor(service, id, name),
    concurrency,
    progress,
    rule,
    flagNames: features.map(({ name }) => name).sort(),
  }
}

export async function readNamingProjects(
  context: Context,
  options: ProjectOptions,
  request: ProjectRequest,
): Promise<ProjectResults<NamingProject>> {
  const connection = await connect(context)
  return readProjects(context, connection, options, (id) => readProject(connection, id, request))
}
