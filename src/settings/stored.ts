import { failureOf, FlagadmError, withParts, type NextStep } from '../errors.ts'
import { listedProjects, matchingProjects, readProjectSettings } from '../project/projects.ts'
import { optional, type Service } from '../service/client.ts'
import { once } from '../service/once.ts'
import { operations } from '../service/operations.ts'
import { capabilities, lackingError } from '../service/release.ts'
import {
  type PartialSettings,
  requireReported,
  type Settings,
  settingsOf,
} from '../service/settings-document.ts'
import type { Step, Undo } from '../requests/write.ts'
import { differentFields, noSettings, withSettings } from './settings.ts'

async function withoutLinks(service: Service): Promise<FlagadmError> {
  const release = await service.release()
  const lacking = release && lackingError(release, capabilities.linkTemplates)
  const { since } = capabilities.linkTemplates
  const why = lacking?.message ?? `this service has no link templates (Unleash has since ${since})`
  const hint = 'leave them out'
  return new FlagadmError('notFound', `linkTemplates: ${why}`, { hint, isLacking: true })
}

/**
 * The stored settings of a project.
 * @throws an error if the service cannot store the wanted ones, `UnreportedSettings` if it leaves out some of them
 */
async function readStored(
  service: Service,
  projectId: string,
  wanted: PartialSettings = {},
): Promise<Settings> {
  const data = await readProjectSettings(service, projectId)
  if (wanted.linkTemplates?.length && data.linkTemplates === undefined) {
    throw withParts(await withoutLinks(service), { projectId })
  }
  requireReported(data, projectId, ['mode', 'featureNaming', 'linkTemplates'])
  return withSettings(noSettings, settingsOf(data))
}

/**
 * Reads stored settings. A project without an overview (404) that the service does not list either is unknown, and the
 * error suggests a similar one. The list alone is not enough, because the open-source edition lists only one project.
 * The function that it returns also takes the wanted settings, and refuses those that the service cannot store.
 */
export function createReader(service: Service) {
  const listedIds = once(() => optional(listedProjects(service)))
  return async (projectId: string, wanted?: PartialSettings): Promise<Settings> => {
    const stored = await readStored(service, projectId, wanted).catch(failureOf)
    if (!(stored instanceof FlagadmError)) return stored
    if (stored.kind !== 'notFound' || stored.isLacking) throw stored
    // A service without this document has only the operations of the specification.
    if (!(await optional(service.config()))) throw stored
    const ids = await listedIds()
    if (ids && !ids.includes(projectId)) matchingProjects(projectId, ids)
    throw stored
  }
}

/** Explains the 404 for a write to a project that exists. */
function explainMissing(failure: FlagadmError): FlagadmError {
  const hint = 'this service or its edition has no operation that changes settings of projects'
  const isOpen = failure.kind === 'notFound' && !failure.isLacking
  return isOpen ? withParts(failure, { hint }) : failure
}

interface SettingsUpdate {
  projectId: string
  body: PartialSettings
  /** What is stored before and after; undefined if that is not known. */
  states: { before: Settings; after: Settings } | undefined
  findOut: NextStep
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
