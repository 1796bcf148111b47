import * as v from 'valibot'
import { FlagadmError } from '../errors.ts'
import { checkShape } from '../input/shape.ts'
import type { Transport } from './transport.ts'

// Projects share most environments, so the first ones usually have all of them.
const MOST_PROJECTS = 20
// The characters that the service allows in a project id; a leading dot would change the path.
const PROJECT_ID = /^[\w~-][\w~.-]*$/

const projectsSchema = v.object({ projects: v.array(v.object({ id: v.string() })) })
const overviewSchema = v.object({ environments: v.array(v.object({ environment: v.string() })) })

/** The document at a path; undefined if the service does not have it or it has another shape. */
async function readOptional<Schema extends v.GenericSchema>(
  transport: Transport,
  path: string,
  schema: Schema,
): Promise<v.InferOutput<Schema> | undefined> {
  try {
    const { status, text } = await transport.send({ method: 'GET', path })
    return status === 200 ? checkShape(schema, JSON.parse(text)).data : undefined
  } catch (error) {
    const isExpected = error instanceof FlagadmError && error.kind !== 'interrupted'
    if (isExpected || error instanceof SyntaxError) return undefined
    throw error
  }
}

/**
 * The environments of one project after the other. Both reads go beyond the specification: a service
 * without them has no environments here.
 */
export async function* readEnvironments(transport: Transport): AsyncGenerator<string[]> {
  const list = await readOptional(transport, '/api/admin/projects', projectsSchema)
  const ids = (list?.projects ?? []).map(({ id }) => id).filter((id) => PROJECT_ID.test(id))
  for (const id of ids.slice(0, MOST_PROJECTS)) {
    const path = `/api/admin/projects/${id}/overview`
    const overview = await readOptional(transport, path, overviewSchema)
    yield (overview?.environments ?? []).map(({ environment }) => environment)
  }
}
