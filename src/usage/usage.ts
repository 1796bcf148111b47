import { connect } from '../profile/connection.ts'
import type { Context } from '../old/context.ts'
import { FlagadmError } from '../errors.ts'
import { openOutput } from '../old/output/file.ts'
import { noteUnread } from '../names/scanning.ts'
import { isComplete } from '../projects/missing.ts'
import { unlistedText } from '../projects/report/missing.ts'
import { nothingRemovedText, renderNothingRemoved } from './report/nothing-removed.ts'
import { noFlagsText } from './report/sentences.ts'
import { type UsageOptions, type UsageRequest, usageRequest } from './request.ts'
import { showUsage } from './show.ts'
import { openSource, type UsageSource } from './source.ts'

/**
 * Reads the usage of flags and shows it, watches it, or checks an expectation of it.
 * @throws the failure of a single flag; for several, an error with the number of failures
 */
export async function featureUsage(
  context: Context,
  given: readonly string[],
  options: UsageOptions,
): Promise<void> {
  const request = await usageRequest(context, given, options)
  // Only --removed-since can find no names.
  if (request.names?.length === 0) return reportNothingRemoved(context, request)
  // CSV and JSON cannot show unread lookups.
  if (request.format === 'csv' || request.format === 'json')
    noteUnread(context, request.unreadLookups)
  const connection = await connect(context)
  const source = await openSource(context, connection, request)
  if (source.names.length === 0) await reportNoFlags(context, source, request)
  else if (request.kind === 'show') await showUsage(context, source, request)
  else if (request.kind === 'watch') {
    const { watchUsage } = await import('./watch.ts')
    await watchUsage(context, source, request)
  } else {
    const { checkExpectation } = await import('./gate.ts')
    await checkExpectation(context, source, request)
  }
  if (source.failure) throw source.failure
}

/** Reports that no flag name was removed since a revision or, if lookups could not be read, none of those that could be. */
async function reportNothingRemoved(context: Context, request: UsageRequest): Promise<void> {
  const { messages } = context
  const { unreadLookups, options } = request
  if (unreadLookups.length === 0) {
    return messages.note(`no flag names were removed since ${options.removedSince}`)
  }
  const { printer, write, close } = openOutput(context, options.outputFile)
  const report = renderNothingRemoved(request, printer)
  if (report === undefined) return messages.note(nothingRemovedText(request, printer.text))
  await write(report)
  await close()
}

/**
 * Notes that there are no flags. If projects are missing, writes a report without flags that lists them.
 * @throws `checkFailed` for a gate, if projects are missing
 */
async function reportNoFlags(
  context: Context,
  source: UsageSource,
  request: UsageRequest,
): Promise<void> {
  const { missing } = source
  const { names, of } = missing.projects
  if (source.failure && names.length === of) return
  if (!source.failure) context.messages.note(noFlagsText(request.options))
  if (isComplete(missing)) return
  if (request.kind === 'show') return showUsage(context, source, request)
  if (request.kind === 'watch' || source.failure) return
  throw new FlagadmError('checkFailed', `inconclusive: ${unlistedText}`)
}
