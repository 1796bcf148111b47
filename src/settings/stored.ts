import { failureOf, FlagadmError, withParts } from '../errors.ts'
import { listedProjects } from '../project/reading.ts'
import { matchingProjects } from '../project/selection.ts'
import { optional, type Service } from '../service/client.ts'
import { operations } from '../service/operations.ts'
import type { Settings } from '../service/settings-document.ts'
import { overviewSettings } from './settings.ts'

/** The stored settings of a project. */
export async function readStored(service: Service, projectId: string): Promise<Settings> {
  const { data } = await service.read(operations.projectOverview, { projectId })
  const settings = overviewSettings(data)
  if (settings) return settings
  throw new FlagadmError('unavailable', 'the project overview has no mode', {
    projectId,
    hint: 'check that this is the address of the service',
  })
}

/**
 * A check of projects without an overview (404). One that is not in the list of the service either is unknown. The list
 * alone is not enough, because the open-source edition lists only one of its projects. It is read once.
 * @throws `notFound` for an unknown project
 */
export function createUnknownCheck(service: Service): (projectId: string) => Promise<void> {
  let listing: Promise<string[] | undefined> | undefined
  return async (projectId) => {
    listing ??= optional(listedProjects(service))
    const ids = await listing
    if (ids && !ids.includes(projectId)) matchingProjects(projectId, ids)
  }
}

/** Reads stored settings; the error for an unknown project suggests a similar one. */
export function createReader(service: Service): (projectId: string) => Promise<Settings> {
  const refuseUnknown = createUnknownCheck(service)
  return async (projectId) => {
    try {
      return await readStored(service, projectId)
    } catch (error) {
      if (failureOf(error).kind === 'notFound') await refuseUnknown(projectId)
      throw error
    }
  }
}

/** Explains the 404 for a write: the project does not exist, or the service has no such operation. */
export async function explainMissing(
  service: Service,
  projectId: string,
  failure: FlagadmError,
): Promise<FlagadmError> {
  if (failure.kind !== 'notFound') return failure
  const overview = await optional(service.read(operations.projectOverview, { projectId }))
  if (!overview) {
    return createUnknownCheck(service)(projectId).then(() => failure, failureOf)
  }
  const edition = (await optional(service.read(operations.uiConfig, {})))?.data.environment
  const subject = edition ? `this edition (${edition})` : 'this service'
  const hint = `${subject} has no operation that changes settings of projects`
  return withParts(failure, { hint })
}
