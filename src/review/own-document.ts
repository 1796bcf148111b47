// What a flag's own document adds to what the list of its project says.
import { FlagadmError } from '../errors.ts'
import { type Flag, flagOf } from '../flags/selection.ts'
import type { Service } from '../service/client.ts'
import { operations } from '../service/operations.ts'

export type OwnDocument = Awaited<ReturnType<typeof readOwnDocument>>

/**
 * Reads the part of a flag's own document that a verdict needs.
 * @throws an `unavailable` error for the document of another flag
 */
export async function readOwnDocument(service: Service, { projectId, name }: Flag) {
  const { data } = await service.read(operations.featureDocument, { projectId, featureName: name })
  const flag = flagOf(data, data.project ?? projectId)
  if (flag.name !== name || flag.projectId !== projectId) {
    const what = `the service returned the document of the flag '${flag.name}' of project ${flag.projectId}`
    throw new FlagadmError('unavailable', what)
  }
  return {
    flag,
    isArchived: data.archived === true || data.archivedAt != null,
    /** The flags that depend on it; undefined if the service does not report them. */
    children: data.children ?? undefined,
    /** As the service reports it. */
    lifecycle: data.lifecycle,
    createdBy: data.createdBy?.name ?? undefined,
  }
}
