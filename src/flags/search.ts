// Finds flags that the lists of projects do not have: archived ones, and those of projects that are not listed.
import { FlagadmError } from '../errors.ts'
import { timeOf } from '../input/time.ts'
import { type Service, type ServiceDocument, unlessMissing } from '../service/client.ts'
import { operations } from '../service/operations.ts'
import { lackText } from '../service/release.ts'
import type { FoundFeatures } from '../service/schema.ts'
import { pagesOf } from './pages.ts'
import { latest } from './records.ts'

const PAGE_SIZE = 100
/** The service allows this number of searches a minute. */
export const MAX_SEARCHES = 15

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
  const wanted = features.filter(isWanted)
  // Without it, a full page would not be the last one.
  return { features: wanted, total: wanted.length }
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
  return findAmong(names, (offset) => archivedPage(service, readPage(offset), projectId))
}

/** A page of archived flags; all of them if the service cannot search for them. */
async function archivedPage(
  service: Service,
  reading: ReturnType<ReadPage>,
  projectId?: string,
): Promise<FoundFeatures> {
  const page = await unlessMissing(reading)
  const { features = [] } = page?.data ?? {}
  // Services that do not know the filter return the flags that are not archived, which may be none.
  const release = features.length === 0 ? await service.release() : undefined
  const isIgnored = release && lackText(release, operations.archivedFeatures) !== undefined
  const isFiltered = !isIgnored && features.every(({ archivedAt }) => archivedAt != null)
  return page && isFiltered ? page.data : readArchive(service, projectId)
}

/** When a flag was seen last, anywhere; undefined for never. */
function lastSeenAnywhere({ lastSeenAt, environments }: FoundFeatures['features'][number]) {
  return latest([lastSeenAt, ...(environments ?? []).map((one) => one.lastSeenAt)].map(timeOf))
}

/**
 * Reads the archived flags that were seen since a time.
 * @param since milliseconds since the epoch
 * @throws `notFound` if the service does not list archived flags, `unavailable` if it has more than may be asked for in a minute
 */
export async function readArchivedSeenSince(service: Service, since: number) {
  const flags: FoundFeatures['features'] = []
  const pages = pagesOf('flags', PAGE_SIZE, async (offset) => {
    const reading = service.read(operations.seenArchivedFeatures, { offset })
    const { features, total } = await archivedPage(service, reading)
    return { entries: features, total }
  })
  let requests = 0
  for await (const page of pages) {
    flags.push(...page)
    requests++
    if (page.some((flag) => (lastSeenAnywhere(flag) ?? 0) < since)) break
    if (requests < MAX_SEARCHES) continue
    throw new FlagadmError(
      'unavailable',
      `more than ${flags.length} archived flags were seen lately`,
    )
  }
  return { flags }
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
