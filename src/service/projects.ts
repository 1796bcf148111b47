import { FlagadmError, withHint } from '../errors.ts'
import { listed } from '../phrases.ts'
import type { Service, ServiceDocument } from './client.ts'
import type { ProjectFeatures, ProjectOverview } from './schema.ts'

/** A 404 for a project: either it does not exist, or the service has no such operation. */
async function missingProject(service: Service, missing: FlagadmError): Promise<FlagadmError> {
  try {
    const { projects } = (await service.projects()).data
    const ids = listed(projects.map(({ id }) => id))
    return withHint(missing, `check the project id; the service lists: ${ids}`)
  } catch (error) {
    if (!(error instanceof FlagadmError) || error.kind !== 'notFound') return missing
    return withHint(
      missing,
      'this service lists neither projects nor flags; pass names as arguments, or use --names-from',
    )
  }
}

/**
 * The overview of a project.
 * @throws an error of kind `notFound` for an unknown project, and if the service has no overviews
 */
export async function findProject(service: Service, projectId: string): Promise<ProjectOverview> {
  try {
    return (await service.projectOverview(projectId)).data
  } catch (error) {
    if (!(error instanceof FlagadmError) || error.kind !== 'notFound') throw error
    throw await missingProject(service, error)
  }
}

/**
 * The flags of a project that exists. The service itself lists none for an unknown one.
 * @throws an error of kind `notFound` for an unknown project, and if the service has no lists of flags
 */
export async function readProjectFlags(
  service: Service,
  projectId: string,
): Promise<{ overview: ProjectOverview; document: ServiceDocument<ProjectFeatures> }> {
  const overview = await findProject(service, projectId)
  return { overview, document: await service.projectFeatures(projectId) }
}
