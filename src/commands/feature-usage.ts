import { connect } from '../connection.ts'
import type { Context } from '../context.ts'
import { aboutFeature, type FlagadmError, failureOfAll, interrupted } from '../errors.ts'
import { writeBlocks } from '../output/blocks.ts'
import { createProgress } from '../output/terminal.ts'
import { createReport, type Medium, type Tally, type UsageReport } from '../output/usage-report.ts'
import type { Service } from '../service/client.ts'
import { createFilter } from '../usage/filter.ts'
import { isUsed, usageRows } from '../usage/rows.ts'
import type { UsageOptions } from './usage-options.ts'
import { readInOrder, refuseOther } from './usage-reading.ts'
import { type Show, usageRequest } from './usage-request.ts'

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
  if (request.names.length === 0) {
    return context.messages.note(`no flag names were removed since ${options.removedSince}`)
  }
  switch (request.kind) {
    case 'show':
      return showUsage(context, request)
    case 'watch': {
      const { watchUsage } = await import('./usage-watch.ts')
      return watchUsage(context, request)
    }
    case 'gate': {
      const { checkExpectation } = await import('./usage-gate.ts')
      return checkExpectation(context, request)
    }
  }
}

async function showUsage(context: Context, show: Show): Promise<void> {
  const { names, view, layout, outputFile, format } = show
  const { service, target } = await connect(context)
  const medium = await mediumOf(context, outputFile)
  const several = names.length > 1
  const settings = { view, layout, several, target, medium }
  const report = await createReport(format, settings, context.redactor)
  const pieces: string[] = []
  const write = async (text: string) => {
    if (outputFile === undefined) return context.write(text)
    pieces.push(text)
    return true
  }
  let isOpen = true
  const print = async (blocks: Iterable<string>) => {
    // Keep reading flags after the pipe is closed, since failures determine the exit code.
    if (isOpen) isOpen = await writeBlocks(blocks, write, context.host.signal)
  }
  const { tally, failures } = await readAndReport(context, service, show, report, print)
  if (tally.used + tally.unused > 0) {
    await print(report.end(tally))
    if (outputFile !== undefined) await writeFile(context, outputFile, pieces.join(''))
  }
  if (context.host.signal.aborted) throw interrupted()
  if (failures.length > 0) throw failureOfAll(failures, names.length)
}

async function mediumOf(context: Context, outputFile: string | undefined): Promise<Medium> {
  if (outputFile === undefined) return { width: context.width, style: await context.style() }
  const { createStyle } = await import('../output/style.ts')
  return { width: undefined, style: createStyle(false) }
}

async function writeFile({ host, redactor }: Context, path: string, text: string): Promise<void> {
  const { writeWhole } = await import('../output/file.ts')
  await writeWhole(path, host.cwd, redactor.redact(text))
}

async function readAndReport(
  context: Context,
  service: Service,
  { names, view, concurrency, format }: Show,
  report: UsageReport,
  print: (blocks: Iterable<string>) => Promise<void>,
): Promise<{ tally: Tally; failures: FlagadmError[] }> {
  const { host, messages, options } = context
  const tally: Tally = { requested: names.length, used: 0, unused: 0, failed: 0 }
  const failures: FlagadmError[] = []
  const progress = createProgress(host.stderr, names.length, host.clock, !options.quiet)
  const filter = createFilter(view)
  let [reported, kept] = [0, 0]
  // JSON output passes documents on without looking at their rows.
  const check = format === 'json' ? () => {} : refuseOther
  for await (const reading of readInOrder(service, names, concurrency, check, progress.tick)) {
    progress.clear()
    const { name, answer, error } = reading
    if (error) {
      tally.failed++
      failures.push(error)
      if (names.length > 1) messages.fail(aboutFeature(error, name))
    }
    if (!answer) continue
    if (answer.data.maturity === 'deprecated') {
      messages.warn(`${name}: this operation of the service is deprecated`)
    }
    const all = format === 'json' ? [] : usageRows(answer.data, name)
    const rows = filter(all)
    reported += all.length
    kept += rows.length
    tally[isUsed(rows) ? 'used' : 'unused']++
    await print(report.add(name, answer, rows))
  }
  if (reported > 0 && kept === 0) messages.warn('no usage matches the filters')
  return { tally, failures }
}
