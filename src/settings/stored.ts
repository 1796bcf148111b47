import { failureOf, FlagadmError, withParts } from '../errors.ts'
import { listedProjects, matchingProjects } from '../project/projects.ts'
import { optional, type Service } from '../service/client.ts'
import { operations } from '../service/operations.ts'
import { type PartialSettings, type Settings, settingsOf } from '../service/settings-document.ts'
import type { Step, Undo } from '../requests/write.ts'
import { differentFields, noSettings, withSettings } from './settings.ts'

/** The stored settings of a project. */
async function readStored(service: Service, projectId: string): Promise<Settings> {
  const { data } = await service.read(operations.projectOverview, { projectId })
  return withSettings(noSettings, settingsOf(data))
}

/**
 * Reads stored settings. A project without an overview (404) that the service does not list either is unknown, and the
 * error suggests a similar one. The list alone is not enough, because the open-source edition lists only one project.
 */
export function createReader(service: Service): (projectId: string) => Promise<Settings> {
  let listing: Promise<string[] | undefined> | undefined
  return async (projectId) => {
    const stored = await readStored(service, projectId).catch(failureOf)
    if (!(stored instanceof FlagadmError)) return stored
    listing ??= stored.kind === 'notFound' ? optional(listedProjects(service)) : undefined
    const ids = await listing
    if (stored.kind === 'notFound' && ids && !ids.includes(projectId))
      matchingProjects(projectId, ids)
    throw stored
  }
}

/** Explains the 404 for a write to a project that exists. */
function explainMissing(failure: FlagadmError): FlagadmError {
  const hint = 'this service or its edition has no operation that changes settings of projects'
  return failure.kind === 'notFound' ? withParts(failure, { hint }) : failure
}

/** An update of the settings of a project. */
interface SettingsUpdate {
  projectId: string
  body: PartialSettings
  /** What is stored before and after; undefined if that is not known. */
  states: { before: Settings; after: Settings } | undefined
  /** How the user can find out what is stored. */
  findOut: string
  /** What to do if someone else has changed the settings; by default, to run the command again. */
  remedy?: string | undefined
  undo?: Undo | undefined
}

/** The request of an update. @param service the service to read the result from */
export function updateStep(
  service: Service | undefined,
  { projectId, body, states, findOut, remedy, undo }: SettingsUpdate,
): Step<Settings> {
  return {
    operation: operations.updateProjectSettings,
    parameters: { projectId },
    body,
    stored: states &&
      service && {
        noun: 'settings',
        before: states.before,
        after: states.after,
        read: () => readStored(service, projectId),
        differences: differentFields,
        remedy,
      },
    findOut,
    undo,
    explain: states && explainMissing,
  }
}
