import { FlagadmError } from '../errors.ts'
import { type Service, unlessMissing } from '../service/client.ts'
import { operations } from '../service/operations.ts'

function notListed(projectId: string): FlagadmError {
  const what = 'the service does not list archived flags, so none can be found'
  const hint = `Unleash does since version 6.4; revive them there: project ${projectId}, Archived flags`
  return new FlagadmError('unavailable', what, { projectId, hint })
}

/**
 * Which of these names are archived flags of a project. Reads pages only until all names are found, because the service
 * allows few searches.
 * @throws `unavailable` if the service does not list archived flags
 */
export async function readArchived(
  service: Service,
  projectId: string,
  names: readonly string[],
): Promise<Set<string>> {
  const missing = new Set(names)
  const found = new Set<string>()
  for (let offset = 0; missing.size > 0; ) {
    const parameters = { projectId, offset: String(offset) }
    const page = await unlessMissing(service.read(operations.archivedProjectFeatures, parameters))
    if (!page) throw notListed(projectId)
    const { features, total } = page.data
    // Services that do not know the filter return the flags that are not archived.
    if (features.some(({ archivedAt }) => archivedAt == null)) throw notListed(projectId)
    for (const { name } of features) if (missing.delete(name)) found.add(name)
    offset += features.length
    if (features.length === 0 || offset >= (total ?? offset)) break
  }
  return found
}
