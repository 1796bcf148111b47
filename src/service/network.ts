// Ours, because Node.js describes most of these failures only by a code.
import { type ErrorKind, systemCode } from '../errors.ts'
import { ProxyError } from './proxy.ts'

interface NetworkFailure {
  what: string
  hint: string
  transient: boolean
  kind?: ErrorKind
}

const CHECK_SERVICE = 'check the address and that the service is up'
const OTHER_SERVICE = 'check that this is the address of the service'
const TRUST =
  'use a certificate from a known authority on the service, or set caFile in the profile to your own authority'

const CLOSED = 'the connection was closed before the response was complete'

const transient: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: CLOSED,
  EPIPE: CLOSED,
  ERR_STREAM_PREMATURE_CLOSE: CLOSED,
  ETIMEDOUT: 'the connection timed out',
  EAI_AGAIN: 'name resolution failed temporarily',
  ENOTFOUND: 'no such host',
}

// The first one that matches applies; % is the code.
const permanent: readonly { codes: RegExp; what: string; hint: string }[] = [
  {
    codes: /^CERT_HAS_EXPIRED$/,
    what: 'the certificate has expired',
    hint: 'renew the certificate',
  },
  {
    codes: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    what: 'the certificate is for another host',
    hint: 'check the address',
  },
  {
    codes: /^DEPTH_ZERO_SELF_SIGNED/,
    what: 'the certificate is self-signed',
    hint: TRUST,
  },
  {
    codes: /^(SELF_SIGNED|UNABLE_TO|CERT_)/,
    what: 'the certificate is not trusted (%)',
    hint: TRUST,
  },
  {
    codes: /^(ERR_SSL_|EPROTO$|ERR_TLS_)/,
    what: 'the TLS handshake failed (%)',
    hint: 'check whether the address should begin with http: or https:',
  },
  {
    codes: /^BODY_TOO_LARGE$/,
    what: 'the response is larger than 32 MiB',
    hint: OTHER_SERVICE,
  },
  {
    codes: /^(HPE_|Z_|ERR_CONTENT)/,
    what: 'the response is malformed (%)',
    hint: OTHER_SERVICE,
  },
]

function failureWith(code: string): NetworkFailure {
  const meaning = permanent.find(({ codes }) => codes.test(code))
  if (meaning) {
    return { what: meaning.what.replace('%', code), hint: meaning.hint, transient: false }
  }
  return {
    what: transient[code] ?? `the connection failed (${code})`,
    hint: code === 'ENOTFOUND' ? 'check the address' : CHECK_SERVICE,
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
