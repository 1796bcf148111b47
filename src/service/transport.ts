import type { Agent } from 'node:http'
import { createFetch } from 'ofetch'
import { FlagadmError, interrupted } from '../errors.ts'
import type { Clock } from '../host.ts'
import { createNodeFetch } from './fetch.ts'
import { networkFailure } from './network.ts'
import { ProxyError, type ProxySetting } from './proxy.ts'
import { version } from '../../package.json'

export interface TransportOptions {
  /** Without a trailing slash. */
  baseUrl: string
  apiKey: string
  agent: Agent
  proxy: ProxySetting | undefined
  /** Deadline of one request: all attempts with their bodies, and the waits between them. */
  timeoutMs: number
  /** Attempts after the first one. */
  retries: number
  clock: Clock
  closing: AbortSignal
  debug: (message: string) => void
  /** Called with each complete response, as soon as it has arrived. */
  observe: (response: HttpResponse) => void
}

export interface HttpRequest {
  method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'
  /** Starts with a slash; its segments are percent-encoded. */
  path: string
  body?: string
  /** Set for a request without the API key. */
  anonymous?: true
  /** Set for a request that is not sent again after a failure. */
  isSentOnce?: true
}

/** A complete response of the service, with any status. */
export interface HttpResponse {
  url: string
  status: number
  contentType: string
  location: string | undefined
  /** The date of the service's clock. */
  date: string | undefined
  /** Milliseconds that the service asks to wait before another attempt. */
  wait: number | undefined
  text: string
  attempts: number
}

/**
 * Sends a request, and again after failures that are worth retrying.
 * @throws an error of kind `unavailable` without a complete response, `interrupted` if the run ends before
 */
export type Send = (request: HttpRequest) => Promise<HttpResponse>

// Ours, because ofetch and the packages for retries ignore Retry-After, or wait on a timer that no signal ends.
const FIRST_PAUSE_MS = 200

/** The statuses after which a request is sent again: safe, because operations replace or only read. */
const retryableStatuses = new Set([408, 429, 500, 502, 503, 504])

/**
 * Milliseconds that a `Retry-After` header (seconds or a date) asks to wait; undefined without one.
 * @param now milliseconds since the epoch, for a date
 */
function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\d+$/.test(header)) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

function createAttempt(options: TransportOptions) {
  const { baseUrl, apiKey, agent, proxy, clock, observe } = options
  const { raw } = createFetch({
    fetch: createNodeFetch(agent),
    Headers: Map,
    // ofetch merges the headers and adds the content type of a body. Its retry, timeout and parsing stay off:
    // with retryDelay it would wait on a timer that no signal ends, it does not retry a response whose body
    // breaks off, its timeout does not cover the body, its parser loses big integers and `__proto__`, and no
    // hook sees the pause that follows.
    defaults: {
      headers: [
        ['accept', 'application/json'],
        ['user-agent', `flagadm/${version}`],
        // Identifies flagadm in the service's logs.
        ['x-unleash-appname', 'flagadm'],
      ],
      ignoreResponseError: true,
      retry: 0,
    },
  })
  return async (
    { method, path, body, anonymous }: HttpRequest,
    attempts: number,
    signal: AbortSignal,
  ): Promise<HttpResponse> => {
    const url = `${baseUrl}${path}`
    const headers = new Map(anonymous ? [] : [['authorization', apiKey]])
    const response = await raw(url, { method, body: body ?? null, headers, signal })
    const text = await response.text()
    if (proxy && response.status === 407) throw new ProxyError(proxy, 407)
    const header = (name: string) => response.headers.get(name)
    const complete = {
      url,
      status: response.status,
      contentType: header('content-type')?.split(';', 1)[0] || 'no content type',
      location: header('location'),
      date: header('date'),
      wait: retryAfter(header('retry-after'), clock.now()),
      text,
      attempts,
    }
    observe(complete)
    return complete
  }
}

/** `, 3 attempts` for the end of a sentence; empty after a single attempt. */
export function attemptsNote(attempts: number): string {
  return attempts > 1 ? `, ${attempts} attempts` : ''
}

function errorAfter(
  error: unknown,
  { baseUrl, timeoutMs, closing }: TransportOptions,
  deadline: AbortSignal,
  attempts: number,
): unknown {
  if (closing.aborted) return interrupted()
  const note = attemptsNote(attempts)
  if (deadline.aborted) {
    const what = `no complete response from ${baseUrl} within ${timeoutMs / 1000} s${note}`
    const hint = 'try again, or raise --timeout'
    return new FlagadmError('unavailable', what, { hint, isGeneral: true, cause: error })
  }
  const failure = networkFailure(error)
  if (!failure) return error
  const { what, hint, kind = 'unavailable' } = failure
  const message = `${baseUrl}: ${what}${note}`
  return new FlagadmError(kind, message, { hint, isGeneral: true, cause: error })
}

async function deliver(
  request: HttpRequest,
  attempt: ReturnType<typeof createAttempt>,
  options: TransportOptions,
): Promise<HttpResponse> {
  const { clock, debug, closing, timeoutMs } = options
  const retries = request.isSentOnce ? 0 : options.retries
  const controller = new AbortController()
  const deadline = controller.signal
  const abort = () => controller.abort()
  const end = clock.monotonic() + timeoutMs
  const timer = setTimeout(abort, timeoutMs)
  closing.addEventListener('abort', abort)
  if (closing.aborted) abort()
  try {
    for (let attempts = 1; ; attempts++) {
      const started = clock.monotonic()
      const sent = attempt(request, attempts, deadline)
      const [response, error] = await sent.then(
        (complete) => [complete, undefined] as const,
        (thrown: unknown) => [undefined, thrown] as const,
      )
      const failure = response ? undefined : networkFailure(error)
      const mayRecover = response ? retryableStatuses.has(response.status) : failure?.transient
      // Full jitter below a bound that doubles, but at least what the service asks for.
      const jitter = clock.random() * FIRST_PAUSE_MS * 2 ** (attempts - 1)
      const pause = Math.max(response?.wait ?? 0, jitter)
      const hasTime = !deadline.aborted && clock.monotonic() + pause < end
      const goesOn = attempts <= retries && hasTime && mayRecover
      const result = response?.status ?? failure?.what ?? 'failed'
      const took = `${Math.round(clock.monotonic() - started)} ms`
      const next = goesOn ? `, next attempt in ${Math.round(pause)} ms` : ''
      debug(`${result} in ${took}${next}: ${request.method} ${request.path}`)
      if (response && !goesOn) return response
      if (!goesOn) throw errorAfter(error, options, deadline, attempts)
      await clock.sleep(pause, deadline).catch((thrown: unknown) => {
        throw errorAfter(thrown, options, deadline, attempts)
      })
    }
  } finally {
    clearTimeout(timer)
    closing.removeEventListener('abort', abort)
  }
}

/** A function that applies the HTTP policy to every request: deadline, retries, no redirects, size limit. */
export function createTransport(options: TransportOptions): Send {
  const attempt = createAttempt(options)
  return (request) => deliver(request, attempt, options)
}
