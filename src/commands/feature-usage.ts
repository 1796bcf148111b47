import { connect } from '../connection.ts'
import type { Context } from '../context.ts'
import { aboutFeature, FlagadmError } from '../errors.ts'
import { createProgress } from '../output/progress.ts'
import type { Service } from '../service/client.ts'
import { createFilter } from '../usage/filter.ts'
import { isUsed, type UsageRow, usageRows } from '../usage/rows.ts'
import type { Shape } from '../usage/shape.ts'
import { usageNames } from './usage-names.ts'
import {
  concurrencyOf,
  expectationOf,
  intervalOf,
  readsOf,
  refuseStrayOptions,
  shapeOf,
  type UsageOptions,
} from './usage-options.ts'
import { readInOrder } from './usage-reading.ts'
import {
  createReport,
  type Tally,
  type UsageFormat,
  type UsageReport,
  usageFormats,
} from './usage-report.ts'

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
  const shape = shapeOf(options, names.length)
  const concurrency = concurrencyOf(options)
  const expectation = expectationOf(options)
  const intervalMs = intervalOf(options)
  if (expectation) {
    const { checkExpectation } = await import('./usage-gate.ts')
    return checkExpectation(context, { names, shape, concurrency, intervalMs, ...expectation })
  }
  if (options.watch !== undefined) {
    const { watchUsage } = await import('./usage-watch.ts')
    const reads = readsOf(options)
    return watchUsage(context, { names, shape, concurrency, intervalMs, reads })
  }
  const format = context.format(usageFormats)
  return showUsage(context, { names, shape, concurrency, format, outputFile: options.outputFile })
}

interface Showing {
  names: readonly string[]
  shape: Shape
  concurrency: number
  format: UsageFormat
  outputFile: string | undefined
}

async function showUsage(context: Context, showing: Showing): Promise<void> {
  const { names, shape, outputFile, format } = showing
  const { service, target } = await connect(context)
  const report = await createReport(context, format, shape, names.length > 1, target)
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
  if (context.host.signal.aborted) throw new FlagadmError('interrupted', 'interrupted')
  if (failures.length > 0) throw failureOfAll(failures, names.length)
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
  const filtered = createFilterWatch(shape)
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
    // The document itself is passed on: nobody looks at its rows.
    const rows = format === 'json' ? [] : usageRows(answer.usage, name)
    tally[filtered.isUsed(rows) ? 'used' : 'unused']++
    await print(report.add(name, answer, rows))
  }
  if (format !== 'json' && filtered.hidAll())
    messages.warn('the filters --app and --environment let no usage through')
  return { tally, failures }
}

/** Tells whether flags are in use as far as the filters let see, and whether the filters hide all. */
function createFilterWatch(shape: Shape) {
  const filter = createFilter(shape)
  let [reported, passed] = [0, 0]
  return {
    isUsed(rows: readonly UsageRow[]): boolean {
      const kept = filter(rows)
      reported += rows.length
      passed += kept.length
      return isUsed(kept)
    },
    hidAll: () => reported > 0 && passed === 0,
  }
}

function failureOfAll(failures: readonly FlagadmError[], asked: number): FlagadmError {
  const [first] = failures
  if (first && asked === 1) return first
  const alike = failures.length === asked && failures.every(({ kind }) => kind === first?.kind)
  const kind = alike && first ? first.kind : 'partial'
  return new FlagadmError(kind, `${failures.length} of ${asked} flags could not be read`)
}
