import { systemCode } from '../errors.ts'
import { ProxyError } from './proxy.ts'

interface NetworkFailure {
  what: string
  hint: string
  /** Whether another attempt may succeed. */
  transient: boolean
}

const checkService = 'check the address and that the service is up'
const trust =
  'use a certificate from a known authority on the service, or set caFile in the profile to your own authority'

const failures: Record<string, NetworkFailure> = {
  ECONNREFUSED: { what: 'connection refused', hint: checkService, transient: true },
  ECONNRESET: { what: 'the connection was reset', hint: checkService, transient: true },
  EPIPE: { what: 'the connection was closed', hint: checkService, transient: true },
  ETIMEDOUT: { what: 'the connection timed out', hint: checkService, transient: true },
  EHOSTUNREACH: { what: 'no route to the host', hint: checkService, transient: true },
  ENETUNREACH: { what: 'no route to the network', hint: checkService, transient: true },
  EAI_AGAIN: { what: 'name resolution failed temporarily', hint: checkService, transient: true },
  ENOTFOUND: { what: 'no such host', hint: 'check the address', transient: true },
  ERR_STREAM_PREMATURE_CLOSE: {
    what: 'the connection was closed before the response was complete',
    hint: checkService,
    transient: true,
  },
  CERT_HAS_EXPIRED: {
    what: 'the certificate has expired',
    hint: 'renew the certificate',
    transient: false,
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    what: 'the certificate is for another host',
    hint: 'check the address',
    transient: false,
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: {
    what: 'the certificate is self-signed',
    hint: trust,
    transient: false,
  },
  BODY_TOO_LARGE: {
    what: 'the response is larger than 32 MiB',
    hint: 'check that this is the address of the service',
    transient: false,
  },
}

const untrusted = /^(SELF_SIGNED|UNABLE_TO|CERT_)/
const garbled = /^(HPE_|Z_|ERR__ERROR_FORMAT|ERR_PADDING|ERR_BROTLI|ERR_CONTENT)/
const tls = /^(ERR_SSL_|EPROTO$|ERR_TLS_)/

function familyOf(code: string): NetworkFailure {
  if (untrusted.test(code)) {
    return { what: `the certificate is not trusted (${code})`, hint: trust, transient: false }
  }
  if (tls.test(code)) {
    const hint = 'check whether the address should begin with http: or https:'
    return { what: `the TLS handshake failed (${code})`, hint, transient: false }
  }
  if (garbled.test(code)) {
    const what = `the response is malformed (${code})`
    return { what, hint: 'check that this is the address of the service', transient: false }
  }
  return { what: `the connection failed (${code})`, hint: checkService, transient: true }
}

function proxyFailure({ proxy, status }: ProxyError): NetworkFailure {
  // The origin leaves out the credentials.
  const { origin } = proxy.url
  const what = status === undefined ? 'cannot be reached' : `refused the connection (${status})`
  const hint = `check ${proxy.variable} and NO_PROXY`
  return { what: `the proxy ${origin} ${what}`, hint, transient: true }
}

/** Node.js reports every early close as a reset, but only a real reset comes from a system call. */
function codeOf(error: Error): string | undefined {
  const code = systemCode(error)
  return code === 'ECONNRESET' && !('syscall' in error) ? 'ERR_STREAM_PREMATURE_CLOSE' : code
}

/** An error with a code, like those of Node.js. */
export function codedError(code: string): Error {
  return Object.assign(new Error(code), { code })
}

/** The network failure that caused an error of fetch; undefined for other errors. */
export function networkFailure(error: unknown): NetworkFailure | undefined {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof ProxyError) return proxyFailure(inner)
    const code = codeOf(inner)
    if (code !== undefined) return failures[code] ?? familyOf(code)
  }
  return undefined
}
