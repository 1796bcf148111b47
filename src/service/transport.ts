import type { Agent } from 'node:http'
import { createFetch, type FetchOptions } from 'ofetch'
import { FlagadmError, interrupted } from '../errors.ts'
import type { Clock } from '../host.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import { HeaderMap, slimFetch } from './fetch.ts'
import { networkFailure } from './network.ts'
import { isRetryable, pauseAfter, retryAfter } from './retry.ts'
import { createTurns, type Turns } from './turns.ts'

const BODY_LIMIT_BYTES = 32 * 1024 * 1024

export interface TransportOptions {
  /** Without a trailing slash. */
  baseUrl: string
  apiKey: string
  userAgent: string
  agent: Agent
  /** Deadline of one request: all attempts, waits and bodies together. */
  timeoutMs: number
  /** Attempts after the first one. */
  retries: number
  clock: Clock
  signal: AbortSignal
  debug: (message: string) => void
}

export interface HttpRequest {
  method: 'GET' | 'PUT'
  /** Starts with a slash; its segments are percent-encoded. */
  path: string
  /** JSON text. */
  body?: string
}

/** A complete answer of the service, whatever its status. */
export interface Answer {
  url: string
  status: number
  contentType: string
  location: string | undefined
  /** Milliseconds that the service asks to wait before another attempt. */
  wait: number | undefined
  text: string
}

export interface Delivered extends Answer {
  /** How many attempts it took. */
  attempts: number
}

// ofetch asks for the standard's fetch and uses a small part of it, which is all that ours has.
const fetch = createFetch({
  fetch: slimFetch as unknown as typeof globalThis.fetch,
  Headers: HeaderMap as unknown as typeof globalThis.Headers,
  AbortController,
})

/** Until when the service asks to hold back: one request learns it, all requests wait. */
interface Congestion {
  until: number
}

/** What all requests of a transport share. */
interface Shared {
  congestion: Congestion
  turns: Turns
}

interface SlimFetchOptions extends FetchOptions<'text'> {
  agent: Agent
  size: number
  turns: Turns
}

async function attempt(
  options: TransportOptions,
  request: HttpRequest,
  shared: Shared,
  signal: AbortSignal,
): Promise<Answer> {
  const url = `${options.baseUrl}${request.path}`
  // ofetch's own retry, timeout and parsing stay off: they reuse an aborted signal, leave the body
  // without a deadline, ignore Retry-After, and lose big integers and `__proto__`.
  const fetchOptions: SlimFetchOptions = {
    method: request.method,
    headers: {
      accept: 'application/json',
      authorization: options.apiKey,
      'user-agent': options.userAgent,
    },
    // With a body, ofetch adds the content type of JSON.
    body: request.body ?? null,
    responseType: 'text',
    ignoreResponseError: true,
    retry: 0,
    signal,
    agent: options.agent,
    size: BODY_LIMIT_BYTES,
    turns: shared.turns,
  }
  const response = await fetch.raw<unknown, 'text'>(url, fetchOptions)
  const header = (name: string) => response.headers.get(name) ?? undefined
  return {
    url,
    status: response.status,
    contentType: header('content-type') ?? '',
    location: header('location'),
    wait: retryAfter(header('retry-after'), options.clock.now()),
    text: response._data ?? '',
  }
}

/** `, 3 attempts` for the end of a sentence; nothing after a single one. */
export function attemptsNote(attempts: number): string {
  return attempts > 1 ? `, ${attempts} attempts` : ''
}

function failureOf(
  error: unknown,
  { baseUrl, timeoutMs, signal }: TransportOptions,
  deadline: Deadline,
  attempts: number,
): unknown {
  if (signal.aborted) return interrupted()
  const note = attemptsNote(attempts)
  if (deadline.signal.aborted) {
    const what = `no complete answer from ${baseUrl} within ${timeoutMs / 1000} s${note}`
    const hint = 'try again, or raise --timeout'
    return new FlagadmError('unavailable', what, { hint, cause: error })
  }
  const failure = networkFailure(error)
  if (!failure) return error
  const { what, hint } = failure
  return new FlagadmError('unavailable', `${baseUrl}: ${what}${note}`, { hint, cause: error })
}

type Outcome = { answer: Answer; error?: never } | { answer?: never; error: unknown }

function isWorthRetrying({ answer, error }: Outcome): boolean {
  return answer ? isRetryable(answer.status) : networkFailure(error)?.transient === true
}

/** The monotonic time until which the service asked for a pause; all requests share it. */
interface Congestion {
  until: number
}

/** Waits until the congestion is over, but no longer than one request may take. */
async function holdBack(congestion: Congestion, options: TransportOptions): Promise<void> {
  const { clock, signal, timeoutMs } = options
  const end = clock.monotonic() + timeoutMs
  const left = () => Math.min(congestion.until, end) - clock.monotonic()
  for (let pause = left(); pause > 0; pause = left()) {
    await clock.sleep(pause, signal).catch(() => {
      throw interrupted()
    })
  }
}

/** Milliseconds to wait before the next attempt; undefined when there is none. */
function pauseBefore(
  outcome: Outcome,
  attempts: number,
  { clock, retries, timeoutMs }: TransportOptions,
  deadline: Deadline,
  congestion: Congestion,
): number | undefined {
  const { answer } = outcome
  const own = pauseAfter(attempts, answer?.wait, clock.random())
  // A pause that exceeds the deadline must not delay other requests either.
  if ((answer?.status === 429 || answer?.status === 503) && own < timeoutMs) {
    congestion.until = Math.max(congestion.until, clock.monotonic() + own)
  }
  if (attempts > retries || !isWorthRetrying(outcome) || deadline.signal.aborted) return undefined
  const pause = Math.max(own, congestion.until - clock.monotonic())
  return pause < deadline.left() ? pause : undefined
}

function attemptText({ answer, error }: Outcome, took: number, pause: number | undefined): string {
  const what = answer?.status ?? networkFailure(error)?.what ?? 'failed'
  const next = pause === undefined ? '' : `, next attempt in ${Math.round(pause)} ms`
  return `${what} in ${Math.round(took)} ms${next}`
}

async function deliver(
  options: TransportOptions,
  request: HttpRequest,
  shared: Shared,
): Promise<Delivered> {
  const { baseUrl, clock, debug } = options
  await holdBack(shared.congestion, options)
  const deadline = startDeadline(options.timeoutMs, clock, options.signal)
  try {
    for (let attempts = 1; ; attempts++) {
      const started = clock.monotonic()
      const outcome: Outcome = await attempt(options, request, shared, deadline.signal).then(
        (answer) => ({ answer }),
        (error: unknown) => ({ error }),
      )
      const took = clock.monotonic() - started
      const pause = pauseBefore(outcome, attempts, options, deadline, shared.congestion)
      debug(`${request.method} ${baseUrl}${request.path}: ${attemptText(outcome, took, pause)}`)
      if (pause === undefined) {
        if (outcome.answer) return { ...outcome.answer, attempts }
        throw failureOf(outcome.error, options, deadline, attempts)
      }
      await clock.sleep(pause, deadline.signal).catch((error: unknown) => {
        throw failureOf(error, options, deadline, attempts)
      })
    }
  } finally {
    deadline.clear()
  }
}

export interface Transport {
  /**
   * Sends a request, and again after failures that are worth retrying.
   * @throws an error of kind `unavailable` without a complete answer, `interrupted` on Ctrl-C
   */
  send(request: HttpRequest): Promise<Delivered>
}

/** The HTTP policy of every call: deadline, retries, no redirects, size limit. */
export function createTransport(options: TransportOptions): Transport {
  const shared = { congestion: { until: 0 }, turns: createTurns() }
  return { send: (request) => deliver(options, request, shared) }
}
