import type { PartialSettings, Settings } from '../service/settings-document.ts'
import { failureOf, FlagadmError, withHints, withParts } from '../errors.ts'
import { optional, type Service } from '../service/client.ts'
import { operations } from '../service/operations.ts'
import { createFindUnknown } from '../projects/known.ts'

import { changesBetween } from './settings.ts'
import { overviewSettings } from './settings.ts'

/** The stored settings of a project. */
export async function readStoredSettings(service: Service, projectId: string): Promise<Settings> {
  const { data } = await service.read(operations.projectOverview, { projectId })
  const settings = overviewSettings(data)
  if (settings) return settings
  throw new FlagadmError('unavailable', 'the project overview has no mode', {
    projectId,
    hint: 'check that this is the address of the service',
  })
}

/** Reads stored settings; the error for a project that the service does not list suggests a similar one. */
export function createSettingsReader(service: Service): (projectId: string) => Promise<Settings> {
  const findUnknown = createFindUnknown(service)
  return async (projectId) => {
    try {
      return await readStoredSettings(service, projectId)
    } catch (error) {
      const failure = failureOf(error)
      throw (failure.kind === 'notFound' && (await findUnknown(projectId))) || failure
    }
  }
}

/** @throws `notFound` for a project without an overview that is not in the list of the service either */
export async function refuseUnknownProject(service: Service, projectId: string): Promise<void> {
  const unknown = await createFindUnknown(service)(projectId)
  if (unknown) throw unknown
}

/** Explains the 404 for a write: the project does not exist, or the service has no such operation. */
async function explainMissing(
  service: Service,
  projectId: string,
  missing: FlagadmError,
): Promise<FlagadmError> {
  const overview = await optional(service.read(operations.projectOverview, { projectId }))
  if (!overview) return (await createFindUnknown(service)(projectId)) ?? missing
  const edition = (await optional(service.read(operations.uiConfig, {})))?.data.environment
  const subject = edition ? `this edition (${edition})` : 'this service'
  return withParts(missing, {
    hint: `${subject} has no operation that changes settings of projects`,
  })
}

/** Sends settings; explains a 404. */
export async function sendSettings(
  service: Service,
  projectId: string,
  body: PartialSettings,
): Promise<void> {
  try {
    await service.send(operations.updateProjectSettings, { projectId }, body)
  } catch (error) {
    if (!(error instanceof FlagadmError) || error.kind !== 'notFound') throw error
    throw await explainMissing(service, projectId, error)
  }
}

/** The settings of a project after a write, and an error if they are not the expected ones. */
export interface WriteResult {
  after: Settings
  error?: FlagadmError
}

/**
 * Reads settings back after a write, because the service answers 200 even if it could not store them.
 * @param expected the settings that the project should have
 */
export async function readBack(
  service: Service,
  projectId: string,
  expected: Settings,
): Promise<WriteResult> {
  const after = await readStoredSettings(service, projectId).catch((error: unknown) => {
    const { message, hint, service } = failureOf(error)
    const what = `the settings were sent, but could not be read back: ${message}`
    throw new FlagadmError('unavailable', what, { hint, service, projectId, cause: error })
  })
  const fields = changesBetween(expected, after).map(({ field }) => field)
  if (fields.length === 0) return { after }
  const what = `the service returned 200, but the settings are not as expected: ${fields.join(', ')}`
  const hint =
    'someone else may have changed them at the same time; otherwise look for a database error in the log of the service'
  return { after, error: new FlagadmError('unavailable', what, { projectId, hint }) }
}

/**
 * Checks that settings are still those that a decision was based on.
 * @param when when they may have changed, for the message: `after the plan was made`
 * @throws an `unavailable` error with the fields that differ
 */
export function refuseChanged(
  projectId: string,
  { before, now }: { before: Settings; now: Settings },
  { when, hint }: { when: string; hint: string },
): void {
  const fields = changesBetween(before, now).map(({ field }) => field)
  if (fields.length === 0) return
  const what = `the settings were changed by someone else ${when}: ${fields.join(', ')}`
  throw new FlagadmError('unavailable', what, { projectId, hint })
}

/** Rethrows the error of a read that precedes a write, with a hint on how to skip the read. */
export function suggestNoRead(error: unknown): never {
  throw withHints(failureOf(error), 'to send without reading first, use --no-read')
}
