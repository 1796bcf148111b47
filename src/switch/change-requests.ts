// Whether change requests stop the key: an admin key makes the change at once, without a word.
import { failureOf, type FlagadmError, withParts } from '../errors.ts'
import type { Connection } from '../service/connection.ts'
import { operations } from '../service/operations.ts'

const SKIP = 'SKIP_CHANGE_REQUEST'

// The editions that have change requests.
const editions = new Set(['Enterprise', 'Pro'])

const NOT_STOPPED = 'this key is not stopped by change requests'
const UNKNOWN = 'it could not be read whether change requests stop this key'

/** What change requests mean for a switch with the key, as a sentence; undefined if nothing. */
export async function readBypass(
  { service }: Connection,
  projectId: string,
): Promise<string | undefined> {
  try {
    const { environment: edition } = (await service.readQuickly(operations.uiConfig, {})).data
    if (!editions.has(edition ?? '')) return undefined
    const { permissions } = (await service.readQuickly(operations.user, {})).data
    const isSkipping = permissions.some(({ permission, project }) => {
      const isHere = !project || project === '*' || project === projectId
      return permission === 'ADMIN' || (permission === SKIP && isHere)
    })
    return isSkipping ? NOT_STOPPED : undefined
  } catch (error) {
    // Rethrows an interrupt or a bug.
    failureOf(error)
    return UNKNOWN
  }
}

/** Adds to a refusal that the environment requires change requests. */
export function explainRefusal(error: FlagadmError): FlagadmError {
  if (error.kind !== 'forbidden' || !error.message.includes(SKIP)) return error
  return withParts(error, {
    hint: 'this environment requires change requests: request the change in Unleash',
  })
}
