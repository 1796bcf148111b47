import type { Agent } from 'node:http'
import nodeFetch, { Headers } from 'node-fetch-native/node'
import { createFetch, type FetchOptions } from 'ofetch'
import { FlagadmError } from '../errors.ts'
import type { Clock } from '../host.ts'
import { networkFailure } from './network.ts'
import { isRetryable, pauseAfter, retryAfter } from './retry.ts'

const BODY_LIMIT_BYTES = 64 * 1024 * 1024

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

// On Node 20 this fetch starts some 40 ms sooner than the global one, which loads undici. It also
// takes an agent (proxies, certificates, kept connections) and a limit of the body's size.
const fetch = createFetch({ fetch: nodeFetch, Headers, AbortController })

interface NodeFetchOptions extends FetchOptions<'text'> {
  agent: Agent
  size: number
}

async function attempt(
  options: TransportOptions,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<Answer> {
  const url = `${options.baseUrl}${request.path}`
  // ofetch's own retry, timeout and parsing stay off: they reuse an aborted signal, leave the body
  // without a deadline, ignore Retry-After, and lose big integers and `__proto__`.
  const fetchOptions: NodeFetchOptions = {
    method: request.method,
    headers: {
      Accept: 'application/json',
      Authorization: options.apiKey,
      'User-Agent': options.userAgent,
      ...(request.body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(request.body !== undefined && { body: request.body }),
    responseType: 'text',
    ignoreResponseError: true,
    retry: 0,
    redirect: 'manual',
    signal,
    agent: options.agent,
    size: BODY_LIMIT_BYTES,
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

interface Deadline {
  signal: AbortSignal
  /** Milliseconds left. */
  left(): number
  clear(): void
}

/** A signal that aborts when the time is over or when the user interrupts. */
function startDeadline({ timeoutMs, clock, signal }: TransportOptions): Deadline {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const end = clock.now() + timeoutMs
  const timer = setTimeout(abort, timeoutMs)
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  return {
    signal: controller.signal,
    left: () => end - clock.now(),
    clear() {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    },
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
  if (signal.aborted) return new FlagadmError('interrupted', 'interrupted', { cause: error })
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

async function deliver(options: TransportOptions, request: HttpRequest): Promise<Delivered> {
  const { baseUrl, clock, retries, debug } = options
  const deadline = startDeadline(options)
  try {
    for (let attempts = 1; ; attempts++) {
      const started = clock.now()
      const outcome: Outcome = await attempt(options, request, deadline.signal).then(
        (answer) => ({ answer }),
        (error: unknown) => ({ error }),
      )
      const { answer, error } = outcome
      const pause = pauseAfter(attempts, answer?.wait, clock.random())
      const goOn =
        attempts <= retries &&
        isWorthRetrying(outcome) &&
        pause < deadline.left() &&
        !deadline.signal.aborted
      debug(
        `${request.method} ${baseUrl}${request.path}: ${answer?.status ?? networkFailure(error)?.what ?? 'failed'} ` +
          `in ${Math.round(clock.now() - started)} ms (attempt ${attempts} of ${retries + 1})` +
          (goOn ? `, next one in ${Math.round(pause)} ms` : ''),
      )
      if (!goOn && answer) return { ...answer, attempts }
      if (!goOn) throw failureOf(error, options, deadline, attempts)
      await clock.sleep(pause, deadline.signal).catch((aborted: unknown) => {
        throw failureOf(aborted, options, deadline, attempts)
      })
    }
  } finally {
    deadline.clear()
  }
}

export interface Transport {
  /**
   * Sends a request until an answer comes that no further attempt would better.
   * @throws an error of kind `unavailable` when no complete answer comes, `interrupted` on Ctrl-C
   */
  send(request: HttpRequest): Promise<Delivered>
}

/** The HTTP policy of every call: deadline, retries, no redirects, size limit. */
export function createTransport(options: TransportOptions): Transport {
  return { send: (request) => deliver(options, request) }
}
