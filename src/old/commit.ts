import type { Context } from './context.ts'
import { FlagadmError, type Subject, withHints } from '../errors.ts'
import type { Connection } from '../service/connection.ts'

/** Whether the service may have made the change although the request failed: without a usable answer, or with a 5xx. */
export function mayHaveWritten({ kind, service }: FlagadmError): boolean {
  const isUnclear = service === undefined || service.status >= 500
  return kind === 'interrupted' || (kind === 'unavailable' && isUnclear)
}

/** A write to the service. */
interface ServiceWrite<Result> {
  /** Resolves with what the service returned. */
  send: () => Promise<Result>
  /** Throws unless the service has made the change. */
  checkResult?: (result: Result) => void | Promise<void>
  /** What it changes, for errors. */
  subject: Subject
  /** How to find out whether it was made, for the hint after an interrupt or a failure. */
  findOut: string
}

/**
 * Makes the write for which the command is run. An interrupt waits for it and the check of its result, but not longer
 * than one request may take. After an interrupt, a failure is reported here, because the run does not report it at its
 * end.
 */
export async function commitWrite<Result>(
  context: Context,
  { timeoutMs }: Connection,
  { send, checkResult, subject, findOut }: ServiceWrite<Result>,
): Promise<void> {
  const uncertain = new FlagadmError(
    'interrupted',
    'interrupted before the service confirmed the change; it may have been made',
    { ...subject, hint: findOut },
  )
  let isAccepted = false
  const write = async () => {
    const result = await send()
    isAccepted = true
    await checkResult?.(result)
  }
  await context.commit(async () => {
    try {
      await context.letFinish(write(), timeoutMs)
    } catch (error) {
      if (!(error instanceof FlagadmError)) throw error
      const isUncertain = isAccepted ? error.kind === 'interrupted' : mayHaveWritten(error)
      if (context.host.signal.aborted) context.messages.fail(isUncertain ? uncertain : error)
      throw isUncertain ? withHints(error, 'the change may have been made', findOut) : error
    }
  })
}
