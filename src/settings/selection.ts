import type { Context } from '../old/context.ts'
import { FlagadmError } from '../errors.ts'
import { connect } from '../profile/connection.ts'
import type { ProjectOptions } from '../projects/selection.ts'
import type { ProjectResults } from '../projects/missing.ts'
import { readProjects } from '../projects/reading.ts'
import type { StoredProject } from './settings.ts'
import { createSettingsReader } from './write.ts'

/** The options that select projects besides their ids as arguments. */
export interface SelectionOptions {
  all?: true | undefined
  /** More ids, for people who expect the option of other commands. */
  project?: readonly string[] | undefined
}

/** @throws a usage error unless there are either ids or `--all` */
export function selectionOf(
  given: readonly string[],
  { all, project = [] }: SelectionOptions,
): ProjectOptions {
  const projectIds = [...given, ...project]
  if (all && projectIds.length > 0) {
    throw new FlagadmError('usage', '--all cannot be combined with project ids', {
      hint: 'leave out --all or the project ids',
    })
  }
  if (!all && projectIds.length === 0) {
    throw new FlagadmError('usage', 'no project given', { hint: 'pass project ids, or use --all' })
  }
  return all ? { allProjects: true } : { project: projectIds }
}

/** Connects and reads the settings of the selected projects. */
export async function readStoredProjects(
  context: Context,
  selection: ProjectOptions,
): Promise<ProjectResults<StoredProject>> {
  const connection = await connect(context)
  const read = createSettingsReader(connection.service)
  return readProjects(context, connection, selection, async (projectId) => ({
    projectId,
    settings: await read(projectId),
  }))
}
