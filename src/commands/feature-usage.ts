import { connect } from '../connection.ts'
import type { Context } from '../context.ts'
import { aboutFeature, FlagadmError, failureOfAll, interrupted } from '../errors.ts'
import { type FormatOf, formats } from '../formats.ts'
import { createProgress } from '../output/progress.ts'
import type { Service } from '../service/client.ts'
import { createFilter } from '../usage/filter.ts'
import { isUsed, usageRows } from '../usage/rows.ts'
import type { Layout, UsageView } from '../usage/view.ts'
import { usageNames } from './names.ts'
import {
  concurrencyOf,
  expectationOf,
  intervalOf,
  layoutOf,
  readsOf,
  refuseOptionsOf,
  refuseStrayOptions,
  shapeOf,
  type UsageOptions,
} from './usage-options.ts'
import { readInOrder } from './usage-reading.ts'
import { createReport, type Medium, type Tally, type UsageReport } from './usage-report.ts'

/**
 * Reads the usage of flags and shows it, watches it, or checks an expectation of it.
 * @throws the failure of a single flag; of several, one that counts them
 */
export async function featureUsage(
  context: Context,
  given: readonly string[],
  options: UsageOptions,
): Promise<void> {
  refuseStrayOptions(options)
  const names = await usageNames(context, given, options)
  if (names.length === 0)
    return context.messages.note(`no name was removed since ${options.removedSince}`)
  const shape = shapeOf(options)
  const layout = layoutOf(options, names.length)
  const concurrency = concurrencyOf(options)
  const expectation = expectationOf(options)
  const intervalMs = intervalOf(options)
  if (expectation) {
    const { checkExpectation } = await import('./usage-gate.ts')
    const filter = shape
    return checkExpectation(context, { names, filter, concurrency, intervalMs, ...expectation })
  }
  if (options.watch !== undefined) {
    const { watchUsage } = await import('./usage-watch.ts')
    const reads = readsOf(options)
    return watchUsage(context, { names, shape, concurrency, intervalMs, reads })
  }
  const format = context.format(formats.usage)
  refuseOptionsOf(format, options)
  const { outputFile } = options
  return showUsage(context, { names, shape, layout, concurrency, format, outputFile })
}

interface Showing {
  names: readonly string[]
  shape: UsageView
  layout: Layout
  concurrency: number
  format: FormatOf<'usage'>
  outputFile: string | undefined
}

async function showUsage(context: Context, showing: Showing): Promise<void> {
  const { names, shape, layout, outputFile, format } = showing
  const { service, target } = await connect(context)
  const medium = await mediumOf(context, outputFile)
  const several = names.length > 1
  const report = await createReport(context, format, { shape, layout, several, target, medium })
  const pieces: string[] = []
  const print = async (text: string) => {
    if (outputFile !== undefined) pieces.push(text)
    else if (text !== '') await context.write(text)
  }
  const { tally, failures } = await readAndReport(context, service, showing, report, print)
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
  { names, shape, concurrency, format }: Showing,
  report: UsageReport,
  print: (text: string) => Promise<void>,
): Promise<{ tally: Tally; failures: FlagadmError[] }> {
  const { host, messages, options } = context
  const tally: Tally = { asked: names.length, used: 0, unused: 0, failed: 0 }
  const failures: FlagadmError[] = []
  const progress = createProgress(host.stderr, names.length, host.clock, !options.quiet)
  const filter = createFilter(shape)
  let [reported, kept] = [0, 0]
  for await (const reading of readInOrder(service, names, concurrency, progress.tick)) {
    progress.clear()
    const { name, answer, error } = reading
    if (error) {
      tally.failed++
      failures.push(error)
      if (names.length > 1) messages.fail(aboutFeature(error, name))
    }
    if (!answer) continue
    if (answer.usage.maturity === 'deprecated') {
      messages.warn(`${name}: this operation of the service is deprecated`)
    }
    // Raw documents are passed on without looking at their rows.
    const all = format === 'json' ? [] : usageRows(answer.usage, name)
    const rows = filter(all)
    reported += all.length
    kept += rows.length
    tally[isUsed(rows) ? 'used' : 'unused']++
    await print(report.add(name, answer, rows))
  }
  if (reported > 0 && kept === 0) messages.warn('no usage matches the filters')
  return { tally, failures }
}
