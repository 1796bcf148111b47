// Ours, because Node.js describes most of these failures only by a code.
import { type ErrorKind, systemCode } from '../errors.ts'
import { ProxyError } from './proxy.ts'

interface NetworkFailure {
  what: string
  hint: string
  /** Whether another attempt may succeed. */
  transient: boolean
  kind?: ErrorKind
}

const checkService = 'check the address and that the service is up'
const otherService = 'check that this is the address of the service'
const trust =
  'use a certificate from a known authority on the service, or set caFile in the profile to your own authority'

const closed = 'the connection was closed before the response was complete'

const transient: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: closed,
  EPIPE: closed,
  ERR_STREAM_PREMATURE_CLOSE: closed,
  ETIMEDOUT: 'the connection timed out',
  EAI_AGAIN: 'name resolution failed temporarily',
  ENOTFOUND: 'no such host',
}

// The first one that matches applies; % is the code.
const permanent: readonly [codes: RegExp, what: string, hint: string][] = [
  [/^CERT_HAS_EXPIRED$/, 'the certificate has expired', 'renew the certificate'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'the certificate is for another host', 'check the address'],
  [/^DEPTH_ZERO_SELF_SIGNED/, 'the certificate is self-signed', trust],
  [/^(SELF_SIGNED|UNABLE_TO|CERT_)/, 'the certificate is not trusted (%)', trust],
  [
    /^(ERR_SSL_|EPROTO$|ERR_TLS_)/,
    'the TLS handshake failed (%)',
    'check whether the address should begin with http: or https:',
  ],
  [/^BODY_TOO_LARGE$/, 'the response is larger than 32 MiB', otherService],
  [/^(HPE_|Z_|ERR_CONTENT)/, 'the response is malformed (%)', otherService],
]

function failureWith(code: string): NetworkFailure {
  const [, what, hint] = permanent.find(([codes]) => codes.test(code)) ?? []
  if (what && hint) return { what: what.replace('%', code), hint, transient: false }
  return {
    what: transient[code] ?? `the connection failed (${code})`,
    hint: code === 'ENOTFOUND' ? 'check the address' : checkService,
    transient: true,
  }
}

function proxyFailure({ proxy, status }: ProxyError): NetworkFailure {
  const { url, variable } = proxy
  const name = `the proxy ${url.origin}`
  if (status === 407) {
    const what = `${name} wants other credentials (407)`
    const hint = `check the user and password in ${variable}, or exempt the service with NO_PROXY`
    return { what, hint, transient: false, kind: 'configuration' }
  }
  const what = status === undefined ? 'cannot be reached' : `refused the connection (${status})`
  return { what: `${name} ${what}`, hint: `check ${variable} and NO_PROXY`, transient: true }
}

/** An error with a code, like those of Node.js. */
export function codedError(code: string): Error {
  return Object.assign(new Error(code), { code })
}

/** The network failure that caused an error of fetch; undefined for other errors. */
export function networkFailure(error: unknown): NetworkFailure | undefined {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof ProxyError) return proxyFailure(inner)
    const code = systemCode(inner)
    if (code !== undefined) return failureWith(code)
  }
  return undefined
}
