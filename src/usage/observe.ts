import type { Context } from '../context.ts'
import { aboutFeature, interrupted, interruptedAfter, problemText } from '../errors.ts'
import type { Clock } from '../host.ts'
import { readEnvironments } from '../service/client.ts'
import type { Instant } from './time.ts'
import {
  type Digest,
  digestOf,
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
import { addNames, type KnownNames, unknownPatterns } from './filter.ts'
import { unknownFilters } from './report/sentences.ts'
import type { Gate } from './request.ts'
import { type Reading, readAll, refuseOther, type UsageSource } from './source.ts'

// Some CI systems end jobs that print nothing for several minutes.
const PROGRESS_MS = 60_000

/** What the readings of all flags have shown. */
export interface Observations {
  flags: Observation[]
  known: KnownNames
  /** Whether the whole span was watched. */
  complete: boolean
}

function instantOf(clock: Clock): Instant {
  return { wall: clock.now(), monotonic: clock.monotonic() }
}

/** Reads the flags until all are decided, the span is over or, with --fail-fast, one has failed. */
export async function observe(
  context: Context,
  source: UsageSource,
  gate: Gate,
): Promise<Observations> {
  const { clock, signal } = context.host
  const start = instantOf(clock)
  // The wall clock may be set while the gate runs, and that of a sandbox stands still.
  const startNow = source.now()
  const now = () => startNow + clock.monotonic() - start.monotonic
  const left = () => start.monotonic + gate.spanMs - clock.monotonic()
  let flags = source.names.map((name) => observationOf(name, start))
  const known: KnownNames = { applications: new Set(), environments: new Set() }
  let listed = false
  for (let first = true; ; first = false) {
    const open = flags.filter((flag) => !isDecided(flag)).map(({ evidence }) => evidence.flag)
    const readings = await readAll(source, open, ({ data: usage, span }, name) => {
      refuseOther(usage, name)
      addNames(known, usage)
      return digestOf(usage, name, gate.view, span)
    })
    if (signal.aborted) {
      const read = readings.filter(({ answer }) => answer).length
      if (open.length > 1) context.messages.fail(interruptedAfter(read, open.length, 'flags'))
      throw interrupted()
    }
    reportFailures(context, source, readings, gate)
    if (!listed && readings.some(({ answer }) => answer)) {
      listed = true
      await addListed(known, source, gate)
    }
    flags = addReadings(flags, readings, gate, instantOf(clock), now())
    if (first) warnEarly(context, source, flags, known, gate)
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
  { view, allowUnknownFilter }: Gate,
): Promise<void> {
  const isComplete = () => unknownPatterns(view.environments, environments).length === 0
  if (allowUnknownFilter || isComplete()) return
  for await (const names of readEnvironments(service)) {
    for (const name of names) environments.add(name)
    if (isComplete()) return
  }
}

function addReadings(
  flags: readonly Observation[],
  readings: readonly Reading<Digest>[],
  { intervalMs }: Gate,
  at: Instant,
  now: number,
): Observation[] {
  const byName = new Map(readings.map((reading) => [reading.name, reading]))
  return flags.map((flag) => {
    const { answer, error } = byName.get(flag.evidence.flag) ?? {}
    if (answer) return withReading(flag, answer, at, now, intervalMs)
    return error ? withFailure(flag, error) : flag
  })
}

/** Whether no further readings are needed: all flags are decided or, with --fail-fast, one has failed. */
function isOver(flags: readonly Observation[], { expectation, failFast }: Gate): boolean {
  if (flags.every(isDecided)) return true
  const hasFailed = (flag: Observation) =>
    isRefused(flag) || (expectation === 'unused' && isDecided(flag))
  return failFast === true && flags.some(hasFailed)
}

/** Waits for the next reading; reports progress each minute of the span. */
async function pause(
  { host, stderr, messages }: Context,
  milliseconds: number,
  start: Instant,
  flags: readonly Observation[],
  { spanMs }: Gate,
): Promise<void> {
  const { clock, signal } = host
  const end = clock.monotonic() + milliseconds
  for (let now = clock.monotonic(); now < end;) {
    const untilProgress = PROGRESS_MS - ((now - start.monotonic) % PROGRESS_MS)
    await clock.sleep(Math.min(end - now, untilProgress), signal).catch(() => {
      throw interrupted()
    })
    const before = Math.floor((now - start.monotonic) / PROGRESS_MS)
    now = clock.monotonic()
    const minutes = Math.floor((now - start.monotonic) / PROGRESS_MS)
    if (stderr.isTTY || minutes === before || now - start.monotonic >= spanMs) continue
    const decided = flags.filter(isDecided).length
    const total = Math.round(spanMs / 6000) / 10
    messages.note(`${minutes} of ${total} min, ${decided} of ${flags.length} flags decided`)
  }
}

/** Reports the failures of a reading, except the final error of a single flag, which ends the run. */
function reportFailures(
  { messages }: Context,
  { names }: UsageSource,
  readings: readonly Reading<unknown>[],
  { spanMs }: Gate,
): void {
  const several = names.length > 1
  const failed = readings.flatMap(({ name, error }) => (error ? { name, error } : []))
  const final = failed.filter(({ error }) => spanMs === 0 || error.kind !== 'unavailable')
  if (several) for (const { name, error } of final) messages.fail(aboutFeature(error, name))
  const temporary = failed.filter((failure) => !final.includes(failure))
  const [first] = temporary
  if (!first) return
  const count = several ? `${temporary.length} of ${names.length} flags: ` : ''
  messages.warn(`a reading failed: ${count}${problemText(first.error)}`)
}

/** Warns after the first reading about causes that would make the gate inconclusive. */
function warnEarly(
  { messages }: Context,
  { exists }: UsageSource,
  flags: readonly Observation[],
  known: KnownNames,
  { view, spanMs, allowUnseen, allowUnknownFilter }: Gate,
): void {
  if (spanMs === 0) return
  const read = flags.filter((flag) => !isUnread(flag))
  const unseen = allowUnseen
    ? []
    : read.filter(({ evidence }) => isUnseen(evidence) && !exists(evidence.flag))
  for (const { evidence } of unseen) {
    messages.warn(`${evidence.flag}: no application has ever reported this flag; check the name`)
  }
  const unknown = allowUnknownFilter ? undefined : unknownFilters(view, known)
  if (read.length > 0 && unknown !== undefined) messages.warn(unknown)
}
