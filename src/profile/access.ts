import { type ErrorKind, failureOf, FlagadmError, problemText, withParts } from '../errors.ts'
import { type Service, unlessMissing } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import { operations } from '../service/operations.ts'
import type { User } from '../service/schema.ts'
import { tokenKind, tokenName } from '../service/token.ts'

// The service returns no usage, or a 404, for a flag that does not exist.
export const UNKNOWN_FLAG = 'flagadm-check'

export function named(name: string, failure: FlagadmError): FlagadmError {
  const { kind, hint, command } = failure
  const what = `${name}: ${problemText(failure)}`
  return new FlagadmError(kind, what, { hint, command, cause: failure })
}

const refusals: ReadonlySet<ErrorKind> = new Set(['unauthenticated', 'forbidden'])

/**
 * The user of the key; undefined if the service does not report it.
 * @throws the error for a refused key, with the kind of token
 */
export async function readUser({ service, apiKey }: Connection): Promise<User | undefined> {
  try {
    return (await unlessMissing(service.read(operations.user, {})))?.data
  } catch (error) {
    const failure = failureOf(error)
    throw refusals.has(failure.kind) ? named(tokenName(tokenKind(apiKey)), failure) : failure
  }
}

/** The errors of a service that does not have an operation, or not for this key. */
const hidden: ReadonlySet<ErrorKind> = new Set(['notFound', 'unauthenticated', 'forbidden'])

/** The health that the service reports to everyone; undefined if it does not. */
export async function readHealth(service: Service): Promise<string | undefined> {
  try {
    return (await service.read(operations.health, {})).data.health
  } catch (error) {
    if (hidden.has(failureOf(error).kind)) return undefined
    throw error
  }
}

/**
 * Checks that the key may read usage.
 * @param isKnown whether the service has answered another request, so that a 404 is that of an unknown flag
 */
export async function checkUsage(service: Service, isKnown: boolean): Promise<void> {
  const usage = await unlessMissing(
    service.read(operations.featureUsage, { featureName: UNKNOWN_FLAG }),
  ).catch((error: unknown) => {
    throw withParts(failureOf(error), { featureName: undefined })
  })
  if (isKnown || usage || (await readHealth(service)) !== undefined) return
  throw new FlagadmError('notFound', 'the service returned 404 for each request so far', {
    hint: 'check the path of the address, or read the usage of a flag that exists',
  })
}
