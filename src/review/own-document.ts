// What a flag's own document adds to what the list of its project says.
import { readFlagDocument } from '../flags/documents.ts'
import { type Flag, flagOf } from '../flags/selection.ts'
import type { Service } from '../service/client.ts'

export type OwnDocument = Awaited<ReturnType<typeof readOwnDocument>>

/**
 * Reads the part of a flag's own document that a verdict needs.
 * @throws an `unavailable` error for the document of another flag
 */
export async function readOwnDocument(service: Service, listed: Flag) {
  const data = await readFlagDocument(service, listed)
  return {
    flag: flagOf(data, listed.projectId),
    isArchived: data.archived === true || data.archivedAt != null,
    /** The flags that depend on it; undefined if the service does not report them. */
    children: data.children ?? undefined,
    /** As the service reports it. */
    lifecycle: data.lifecycle,
    createdBy: data.createdBy?.name ?? undefined,
  }
}
