import type { Context } from './context.ts'
import { FlagadmError } from './errors.ts'
import type { Connection } from './service/connection.ts'

/** Whether the service may have made the change although the request failed: without a usable answer, or with a 5xx. */
export function mayHaveWritten({ kind, service }: FlagadmError): boolean {
  const isUnclear = service === undefined || service.status >= 500
  return kind === 'interrupted' || (kind === 'unavailable' && isUnclear)
}

/** A write to the service. */
interface ServiceWrite {
  send: () => Promise<void>
  /** Throws unless the service has made the change. */
  checkResult?: () => Promise<void>
  /** The error for a write that is interrupted before the service confirms it. */
  uncertain: FlagadmError
}

/**
 * Makes the write for which the command is run. An interrupt waits for it and the check of its result, but not longer
 * than one request may take. After an interrupt, a failure is reported here, because the run does not report it at its
 * end.
 */
export async function commitWrite(
  context: Context,
  { timeoutMs }: Connection,
  { send, checkResult, uncertain }: ServiceWrite,
): Promise<void> {
  let isAccepted = false
  const write = async () => {
    await send()
    isAccepted = true
    await checkResult?.()
  }
  await context.commit(async () => {
    try {
      await context.letFinish(write(), timeoutMs)
    } catch (error) {
      if (context.host.signal.aborted && error instanceof FlagadmError) {
        const isUncertain = isAccepted ? error.kind === 'interrupted' : mayHaveWritten(error)
        context.messages.fail(isUncertain ? uncertain : error)
      }
      throw error
    }
  })
}
