// The flags' own documents.
import { FlagadmError } from '../errors.ts'
import { readEach } from '../requests/each.ts'
import { type Service, unlessMissing } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import { operations } from '../service/operations.ts'
import type { FeatureDocument } from '../service/schema.ts'

export interface ProjectFlag {
  projectId: string
  name: string
}

/** Reads the own document of a flag. @throws an `unavailable` error for the document of another flag */
export async function readFlagDocument(
  service: Service,
  { projectId, name: featureName }: ProjectFlag,
): Promise<FeatureDocument> {
  const { data } = await service.read(operations.featureDocument, { projectId, featureName })
  const { name } = data
  const project = data.project ?? projectId
  if (name === featureName && project === projectId) return data
  const what = `the service returned the document of the flag '${name}' of project ${project}`
  throw new FlagadmError('unavailable', what, { projectId, featureName })
}

/**
 * The documents of flags that are not archived, by name.
 * @throws the error of the first one that cannot be read
 */
export async function readFlagDocuments(
  connection: Connection,
  projectId: string,
  names: readonly string[],
): Promise<Map<string, FeatureDocument>> {
  const { results, failures } = await readEach('flag', names, connection, (name) =>
    unlessMissing(readFlagDocument(connection.service, { projectId, name })),
  )
  for (const failure of failures.values()) throw failure
  return new Map(results.flatMap((document) => (document ? [[document.name, document]] : [])))
}
