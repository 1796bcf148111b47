// Finds flags that the lists of projects do not have: archived ones, and those of projects that are not listed.
import { FlagadmError } from '../errors.ts'
import { type Service, type ServiceDocument, unlessMissing } from '../service/client.ts'
import { operations } from '../service/operations.ts'
import { lackText } from '../service/release.ts'
import type { FoundFeatures } from '../service/schema.ts'
import { pagesOf } from './pages.ts'

const PAGE_SIZE = 100

/** Reads a page of a search that begins at an offset. */
type ReadPage = (offset: string) => Promise<ServiceDocument<FoundFeatures>>

/** The projects of flags, by the name of the flag. */
export type FoundFlags = ReadonlyMap<string, string>

/** Finds names on the pages of a search, of which it reads as few as possible, because the service allows few searches. */
async function findAmong(
  names: readonly string[],
  readFound: (offset: string) => Promise<FoundFeatures>,
): Promise<FoundFlags> {
  const wanted = new Set(names)
  const projects = new Map<string, string>()
  if (wanted.size === 0) return projects
  const pages = pagesOf('flags', PAGE_SIZE, async (offset) => {
    const { features, total } = await readFound(offset)
    return { entries: features, total }
  })
  for await (const page of pages) {
    for (const { name, project } of page) {
      if (wanted.has(name)) projects.set(name, project ?? '')
    }
    if (projects.size === wanted.size) break
  }
  return projects
}

/** The archived flags that a service lists which cannot search for them. @throws `notFound` if it does not list them either */
async function readArchive(
  service: Service,
  projectId: string | undefined,
): Promise<FoundFeatures> {
  const release = await service.release()
  if (!release || lackText(release, operations.archivedFeatures) === undefined) {
    const { since, instead } = operations.archivedFeatures
    const what = `the service does not list archived flags (Unleash does since ${since})`
    throw new FlagadmError('notFound', what, { projectId, hint: instead })
  }
  const { features } = (await service.read(operations.archive, {})).data
  const isWanted = ({ project }: { project?: string | null | undefined }) =>
    projectId === undefined || project === projectId
  return { features: features.filter(isWanted) }
}

/**
 * Finds names on the pages of a search for archived flags.
 * @throws `notFound` if the service does not list archived flags
 */
function findArchivedAmong(
  service: Service,
  names: readonly string[],
  readPage: ReadPage,
  projectId?: string,
): Promise<FoundFlags> {
  return findAmong(names, async (offset) => {
    const page = await unlessMissing(readPage(offset))
    const { features = [] } = page?.data ?? {}
    // Services that do not know the filter return the flags that are not archived, which may be none.
    const release = features.length === 0 ? await service.release() : undefined
    const isIgnored = release && lackText(release, operations.archivedFeatures) !== undefined
    const isFiltered = !isIgnored && features.every(({ archivedAt }) => archivedAt != null)
    return page && isFiltered ? page.data : readArchive(service, projectId)
  })
}

/** Which of these names are archived flags of a project. @throws `notFound` if the service does not list archived flags */
export function findArchivedIn(
  service: Service,
  projectId: string,
  names: readonly string[],
): Promise<FoundFlags> {
  const readPage: ReadPage = (offset) =>
    service.read(operations.archivedProjectFeatures, { projectId, offset })
  return findArchivedAmong(service, names, readPage, projectId)
}

/** Which of these names are archived flags. @throws `notFound` if the service does not list archived flags */
export function findArchived(service: Service, names: readonly string[]): Promise<FoundFlags> {
  const readPage: ReadPage = (offset) => service.read(operations.allArchivedFeatures, { offset })
  return findArchivedAmong(service, names, readPage)
}

/** The project of an archived flag, if the name is one. @throws `notFound` if the service does not list archived flags */
export function findArchivedNamed(service: Service, featureName: string): Promise<FoundFlags> {
  const readPage: ReadPage = (offset) =>
    service.read(operations.archivedFeatures, { featureName, offset })
  return findArchivedAmong(service, [featureName], readPage)
}

/**
 * Checks that an empty answer means that there are no such archived flags.
 * @throws `unavailable` if the service does not list archived flags
 */
export async function checkArchivedList(service: Service): Promise<void> {
  // Where the release is known, each empty answer was compared with it.
  if ((await service.release())?.version !== undefined) return
  const { features } = (await service.read(operations.allArchivedFeatures, { offset: '0' })).data
  if (features.every(({ archivedAt }) => archivedAt != null)) return
  throw new FlagadmError('unavailable', 'the service does not list archived flags')
}

/** The project of a flag that is not archived, if the name is one, also of a project that is not listed. */
export function findLive(service: Service, featureName: string): Promise<FoundFlags> {
  return findAmong([featureName], async (offset) => {
    const { data } = await service.read(operations.searchFeatures, { featureName, offset })
    return data
  })
}
