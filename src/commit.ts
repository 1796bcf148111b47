import type { Context } from './context.ts'
import { FlagadmError } from './errors.ts'
import type { Connection } from './service/connection.ts'

/** Whether a failed request got no answer from the service, which may still have made the change. */
export function isUnanswered({ kind, service }: FlagadmError): boolean {
  const isSilent = service === undefined || service.status >= 500
  return kind === 'interrupted' || (kind === 'unavailable' && isSilent)
}

/** A write to the service. */
interface Write {
  send: () => Promise<void>
  /** Throws unless the service has made the change. */
  verify?: () => Promise<void>
  /** The error for an interrupted write that got no answer. */
  uncertain: FlagadmError
}

/**
 * Makes the write for which the command is run. An interrupt waits for it, but not longer than for one request.
 * After an interrupt, a failure is reported here, because the run does not report it at its end.
 */
export async function commitWrite(
  context: Context,
  { timeoutMs }: Connection,
  { send, verify, uncertain }: Write,
): Promise<void> {
  let isAccepted = false
  const write = async () => {
    await send()
    isAccepted = true
    await verify?.()
  }
  await context.commit(async () => {
    try {
      await context.letFinish(write(), timeoutMs)
    } catch (error) {
      if (context.host.signal.aborted && error instanceof FlagadmError) {
        context.messages.fail(!isAccepted && isUnanswered(error) ? uncertain : error)
      }
      throw error
    }
  })
}
