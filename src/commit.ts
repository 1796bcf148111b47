import type { Context } from './context.ts'
import { FlagadmError } from './errors.ts'
import type { Connection } from './service/connection.ts'

/** Whether a write that failed got no answer of the service, so that it may have been made. */
export function isUnanswered({ kind, service }: FlagadmError): boolean {
  const isSilent = service === undefined || service.status >= 500
  return kind === 'interrupted' || (kind === 'unavailable' && isSilent)
}

/**
 * Makes the write for which the command is run. An interrupt waits for it and reports a failure.
 * @param write throws unless the change was made
 * @param uncertain the error for an interrupted write that got no answer
 */
export async function commitWrite(
  context: Context,
  { timeoutMs }: Connection,
  write: () => Promise<void>,
  uncertain: FlagadmError,
): Promise<void> {
  await context.commit(async () => {
    try {
      await context.finish(write(), timeoutMs)
    } catch (error) {
      if (context.host.signal.aborted && error instanceof FlagadmError) {
        context.messages.fail(isUnanswered(error) ? uncertain : error)
      }
      throw error
    }
  })
}
