import type { Context } from '../old/context.ts'
import { reportByCause, shownNames } from '../old/failures.ts'
import { FlagadmError, interrupted, problemText } from '../errors.ts'
import type { Clock } from '../host.ts'
import { readEnvironments } from '../service/client.ts'
import type { Instant } from './time.ts'
import {
  isDecided,
  isRefused,
  isUnread,
  isUnseen,
  type Observation,
  observationOf,
  withEnd,
  withFailure,
  withReading,
} from './evidence.ts'
import type { UsageDocument } from './document.ts'
import { addKnown, type KnownNames, unknownFilters, unknownPatterns } from './filter.ts'
import { createStatusLine } from '../old/output/terminal.ts'
import { interruptedText, progressText } from './report/progress.ts'
import { unknownFiltersText, unseenText } from './report/warnings.ts'
import type { GateRequest } from './request.ts'
import { type Reading, readAll, refuseInterrupted, refuseOtherFlag } from './reading.ts'
import type { UsageSource } from './source.ts'

// Some CI systems end jobs that print nothing for several minutes.
const PROGRESS_MS = 60_000
const SECOND_MS = 1000

/** The result of the readings of all flags. */
export interface Observations {
  flags: Observation[]
  known: KnownNames
  /** Whether the readings lasted for the whole `--for`. */
  complete: boolean
}

function instantOf(clock: Clock): Instant {
  return { wall: clock.now(), monotonic: clock.monotonic() }
}

/** Reads the flags until all are decided, the duration is over or, with --fail-fast, one has failed. */
export async function observe(
  context: Context,
  source: UsageSource,
  gate: GateRequest,
): Promise<Observations> {
  const { clock } = context.host
  const start = instantOf(clock)
  // The wall clock may be set while the gate runs, and that of a sandbox stands still.
  const startNow = source.now()
  const now = () => startNow + clock.monotonic() - start.monotonic
  const left = () => start.monotonic + gate.durationMs - clock.monotonic()
  const observations = new Map(
    source.names.map((name) => [name, observationOf(name, source, start)]),
  )
  const known: KnownNames = { applications: new Set(), environments: new Set() }
  let listed = false
  // Returns true only to mark success, because the documents of many flags would not fit into memory.
  const take = (document: UsageDocument, name: string): true => {
    refuseOtherFlag(document.data, name)
    addKnown(known, document.data)
    const flag = observations.get(name) ?? observationOf(name, source, start)
    observations.set(name, withReading(flag, document, gate, instantOf(clock), now()))
    return true
  }
  for (let first = true; ; first = false) {
    const open = [...observations].flatMap(([name, flag]) => (isDecided(flag) ? [] : name))
    const readings = await readAll(source, open, take, gate.durationMs > 0)
    const read = readings.filter(({ result }) => result).length
    refuseInterrupted(context, read, readings.length)
    for (const { name, error } of readings) {
      const flag = observations.get(name)
      if (flag && error) observations.set(name, withFailure(flag, error))
    }
    reportFailedReadings(context, source, readings, gate)
    if (!listed && read > 0) {
      listed = true
      await addListed(known, source, gate)
    }
    const flags = [...observations.values()]
    if (first) warnEarly(context, flags, known, gate)
    const complete = left() <= 0
    if (complete || isOver(flags, gate)) {
      const end = instantOf(clock)
      return { flags: flags.map((flag) => withEnd(flag, end, gate.intervalMs)), known, complete }
    }
    await pause(context, Math.min(gate.intervalMs, left()), start, flags, gate)
  }
}

/** Adds environments from the service, if a filter has one that no record has. */
async function addListed(
  { environments }: KnownNames,
  { service }: UsageSource,
  { options }: GateRequest,
): Promise<void> {
  const isComplete = () => unknownPatterns(options.environment, environments).length === 0
  if (options.allowUnknownFilter || isComplete()) return
  for await (const names of readEnvironments(service)) {
    for (const name of names) environments.add(name)
    if (isComplete()) return
  }
}

/** Whether no further readings are needed: all flags are decided or, with --fail-fast, one has failed. */
function isOver(flags: readonly Observation[], { expectation, options }: GateRequest): boolean {
  if (flags.every(isDecided)) return true
  const hasFailed = (flag: Observation) =>
    isRefused(flag) || (expectation === 'unused' && isDecided(flag))
  return options.failFast === true && flags.some(hasFailed)
}

/** Waits for the next reading; reports progress each second on a terminal, elsewhere each minute. */
async function pause(
  { host, stderr, messages, options, printer }: Context,
  milliseconds: number,
  start: Instant,
  flags: readonly Observation[],
  { durationMs }: GateRequest,
): Promise<void> {
  const { clock, signal } = host
  const end = clock.monotonic() + milliseconds
  const line = createStatusLine(stderr, !options.quiet)
  const step = stderr.movesCursor ? SECOND_MS : PROGRESS_MS
  for (let now = clock.monotonic(); now < end; ) {
    const elapsed = now - start.monotonic
    line.show(printer.text(progressText(elapsed, durationMs, flags)))
    const untilProgress = step - (elapsed % step)
    await clock.sleep(Math.min(end - now, untilProgress), signal).catch(() => {
      line.clear()
      const text = interruptedText(clock.monotonic() - start.monotonic, durationMs, flags)
      messages.fail(new FlagadmError('interrupted', text))
      throw interrupted()
    })
    const before = Math.floor(elapsed / PROGRESS_MS)
    now = clock.monotonic()
    const minutes = Math.floor((now - start.monotonic) / PROGRESS_MS)
    if (stderr.movesCursor || minutes === before || now - start.monotonic >= durationMs) continue
    const decided = flags.filter(isDecided).length
    const total = Math.round(durationMs / 6000) / 10
    messages.note(`${minutes} of ${total} min, ${decided} of ${flags.length} flags decided`)
  }
  line.clear()
}

/** Reports the failures of a reading, except the final error of a single flag, which ends the run. */
function reportFailedReadings(
  context: Context,
  { names }: UsageSource,
  readings: readonly Reading<unknown>[],
  { durationMs }: GateRequest,
): void {
  const several = names.length > 1
  const failed = readings.flatMap(({ error }) => error ?? [])
  const final = failed.filter(({ kind }) => durationMs === 0 || kind !== 'unavailable')
  if (several) reportByCause(context, final)
  const temporary = failed.filter((failure) => !final.includes(failure))
  const [first] = temporary
  if (!first) return
  const count = several ? `${temporary.length} of ${names.length} flags: ` : ''
  context.messages.warn(`a reading failed: ${count}${problemText(first)}`)
}

/** Warns after the first reading about causes that would make the gate inconclusive. */
function warnEarly(
  context: Context,
  flags: readonly Observation[],
  known: KnownNames,
  { durationMs, options }: GateRequest,
): void {
  const { messages } = context
  if (durationMs === 0) return
  const read = flags.filter((flag) => !isUnread(flag))
  const unseen = read.filter(isUnseen).map(({ flag }) => flag)
  if (unseen.length > 0 && !options.allowUnseen) {
    messages.warn(unseenText(unseen.length, shownNames(unseen, context)))
  }
  const unknown = options.allowUnknownFilter ? [] : unknownFilters(options, known)
  if (read.length > 0 && unknown.length > 0) messages.warn(unknownFiltersText(unknown))
}
