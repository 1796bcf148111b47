import { failureOf, FlagadmError, withParts } from '../errors.ts'
import { closest } from '../input/spelling.ts'
import { listed } from '../old/output/phrases.ts'
import { optional, type Service } from '../service/client.ts'
import { operations } from '../service/operations.ts'
import type { ProjectOverview } from '../service/schema.ts'

function unknownProject(projectId: string, ids: readonly string[]): FlagadmError {
  const similar = closest(projectId, ids)
  const known = `the service lists: ${listed(ids) || 'no projects'}`
  return new FlagadmError('notFound', `unknown project '${projectId}'`, {
    hint: similar === undefined ? known : `did you mean ${similar}?`,
  })
}

/** The ids of the projects that the service lists, also of archived ones, which exist as well. */
async function listedIds(service: Service): Promise<string[]> {
  return (await service.read(operations.projects, {})).data.projects.map(({ id }) => id)
}

/**
 * A function that returns an error for a project whose overview is missing (404), if the service lists projects
 * without it. If it lists none, it may not have overviews at all. The list alone is not enough, because the
 * open-source edition lists only one of its projects. It is read when it is first needed, and only once.
 */
export function createFindUnknown(
  service: Service,
): (projectId: string) => Promise<FlagadmError | undefined> {
  let listing: Promise<string[] | undefined> | undefined
  return async (projectId) => {
    listing ??= optional(listedIds(service))
    const ids = await listing
    return ids && !ids.includes(projectId) ? unknownProject(projectId, ids) : undefined
  }
}

/** A 404 for a project: either it does not exist, or the service has no such operation. */
async function missingProject(
  service: Service,
  projectId: string,
  missing: FlagadmError,
): Promise<FlagadmError> {
  try {
    const ids = await listedIds(service)
    return ids.includes(projectId) ? missing : unknownProject(projectId, ids)
  } catch (error) {
    if (failureOf(error).kind !== 'notFound') return missing
    const hint =
      'this service lists neither projects nor flags; pass names as arguments, or use --names-from'
    return withParts(missing, { hint })
  }
}

/**
 * The overview of a project.
 * @throws an error of kind `notFound` for an unknown project, and if the service has no overviews
 */
export async function findProject(service: Service, projectId: string): Promise<ProjectOverview> {
  try {
    return (await service.read(operations.projectOverview, { projectId })).data
  } catch (error) {
    if (!(error instanceof FlagadmError) || error.kind !== 'notFound') throw error
    throw await missingProject(service, projectId, error)
  }
}
