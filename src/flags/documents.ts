// The flags' own documents.
import { readEach } from '../requests/each.ts'
import { unlessMissing } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import { operations } from '../service/operations.ts'
import type { FeatureDocument } from '../service/schema.ts'

/**
 * The documents of flags that are not archived, by name.
 * @throws the error of the first one that cannot be read
 */
export async function readFlagDocuments(
  connection: Connection,
  projectId: string,
  names: readonly string[],
): Promise<Map<string, FeatureDocument>> {
  const { results, failures } = await readEach('flag', names, connection, (featureName) =>
    unlessMissing(connection.service.read(operations.featureDocument, { projectId, featureName })),
  )
  for (const failure of failures.values()) throw failure
  return new Map(results.flatMap((one) => (one ? [[one.data.name, one.data] as const] : [])))
}
