import type { Context } from '../context.ts'
import { failureOf, FlagadmError } from '../errors.ts'
import type { Service } from '../service/client.ts'
import { createFindUnknown } from '../projects/known.ts'
import type { StoredSettings } from './stored.ts'
import { readEach } from '../projects/flags.ts'
import { readSettingsOf } from './write.ts'

/** How many projects are read at once: many installations have few database connections. */
export const READS_AT_ONCE = 4

/** The option that selects projects besides their ids. */
export interface SelectionOptions {
  all?: true | undefined
}

/** @throws a usage error unless there are either ids or `--all` */
export function checkSelection(projectIds: readonly string[], { all }: SelectionOptions): void {
  if (all && projectIds.length > 0) {
    throw new FlagadmError('usage', '--all cannot be combined with project ids', {
      hint: 'leave out --all or the project ids',
    })
  }
  if (!all && projectIds.length === 0) {
    throw new FlagadmError('usage', 'no project given', { hint: 'pass project ids, or use --all' })
  }
}

/** The projects that the service lists, without archived ones, sorted. */
export async function listedProjects(service: Service): Promise<string[]> {
  const { projects } = (await service.projects()).data
  return projects
    .filter(({ archivedAt }) => archivedAt == null)
    .map(({ id }) => id)
    .sort()
}

/** The ids of the selected projects, each once. */
export async function selectProjects(
  service: Service,
  projectIds: readonly string[],
  { all }: SelectionOptions,
): Promise<string[]> {
  return all ? listedProjects(service) : [...new Set(projectIds)]
}

/** The settings of a project, or why they could not be read. */
export type SettingsReading =
  | { projectId: string; settings: StoredSettings; error?: never }
  | { projectId: string; settings?: never; error: FlagadmError }

/** Reads the settings of projects. */
export async function readProjects(
  context: Context,
  service: Service,
  projectIds: readonly string[],
): Promise<SettingsReading[]> {
  const findUnknown = createFindUnknown(service)
  const read = async (projectId: string): Promise<SettingsReading> => {
    try {
      return { projectId, settings: await readSettingsOf(service, projectId) }
    } catch (error) {
      const failure = failureOf(error)
      const unknown = failure.kind === 'notFound' ? await findUnknown(projectId) : undefined
      return { projectId, error: unknown ?? failure }
    }
  }
  return readEach(context, projectIds, READS_AT_ONCE, read)
}
