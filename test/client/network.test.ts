import { expect, test } from 'vitest'
import { networkFailure } from '../../src/service/network.ts'
import { ProxyError } from '../../src/service/proxy.ts'

const later = 'check the address and that the service is up'
const service = 'check that this is the address of the service'
const scheme = 'check whether the address should begin with http: or https:'
const trust =
  'use a certificate from a known authority on the service, or set caFile in the profile to your own authority'

function failed(code: string): Error {
  return Object.assign(new Error('failed'), { code })
}

test.each([
  ['ECONNREFUSED', 'connection refused', later],
  ['ECONNRESET', 'the connection was closed before the response was complete', later],
  ['EPIPE', 'the connection was closed before the response was complete', later],
  ['ETIMEDOUT', 'the connection timed out', later],
  ['EHOSTUNREACH', 'the connection failed (EHOSTUNREACH)', later],
  ['ENETUNREACH', 'the connection failed (ENETUNREACH)', later],
  ['EAI_AGAIN', 'name resolution failed temporarily', later],
  ['ENOTFOUND', 'no such host', 'check the address'],
  [
    'ERR_STREAM_PREMATURE_CLOSE',
    'the connection was closed before the response was complete',
    later,
  ],
  ['EPROTOTYPE', 'the connection failed (EPROTOTYPE)', later],
  ['ECONNABORTED', 'the connection failed (ECONNABORTED)', later],
  ['ERR_SOCKET_CLOSED', 'the connection failed (ERR_SOCKET_CLOSED)', later],
])('%s is transient', (code, what, hint) => {
  expect(networkFailure(failed(code))).toEqual({ what, hint, transient: true })
})

test.each([
  [undefined, 'the proxy http://proxy.test:3128 cannot be reached'],
  [502, 'the proxy http://proxy.test:3128 refused the connection (502)'],
])('a proxy failure with the status %s shows the proxy without its credentials', (status, what) => {
  const url = new URL('http://proxy.test:3128')
  const cause = failed('ECONNREFUSED')
  const error = new ProxyError({ url, headers: {}, variable: 'https_proxy' }, status, cause)
  expect(error).toMatchObject({ message: 'proxy failed', cause })
  expect(networkFailure(error)).toEqual({
    what,
    hint: 'check https_proxy and NO_PROXY',
    transient: true,
  })
})

test.each([
  ['CERT_HAS_EXPIRED', 'the certificate has expired', 'renew the certificate'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate is for another host', 'check the address'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'the certificate is self-signed', trust],
  [
    'SELF_SIGNED_CERT_IN_CHAIN',
    'the certificate is not trusted (SELF_SIGNED_CERT_IN_CHAIN)',
    trust,
  ],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'the certificate is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
    trust,
  ],
  ['CERT_NOT_YET_VALID', 'the certificate is not trusted (CERT_NOT_YET_VALID)', trust],
  ['ERR_TLS_CERT_ALTNAME_FORMAT', 'the TLS handshake failed (ERR_TLS_CERT_ALTNAME_FORMAT)', scheme],
  [
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'the TLS handshake failed (ERR_SSL_WRONG_VERSION_NUMBER)',
    scheme,
  ],
  ['EPROTO', 'the TLS handshake failed (EPROTO)', scheme],
  ['BODY_TOO_LARGE', 'the response is larger than 32 MiB', service],
  ['HPE_INVALID_CONSTANT', 'the response is malformed (HPE_INVALID_CONSTANT)', service],
  ['Z_DATA_ERROR', 'the response is malformed (Z_DATA_ERROR)', service],
  [
    'ERR_CONTENT_DECODING_FAILED',
    'the response is malformed (ERR_CONTENT_DECODING_FAILED)',
    service,
  ],
])('%s is not transient', (code, what, hint) => {
  expect(networkFailure(failed(code))).toEqual({ what, hint, transient: false })
})

test('the failure is found in the cause of errors without a code', () => {
  const error = new Error('fetch failed', { cause: new Error('no', { cause: failed('EPIPE') }) })
  expect(networkFailure(error)?.what).toBe(
    'the connection was closed before the response was complete',
  )
})

test.each([new TypeError('a bug'), 'EPIPE', { code: 'EPIPE' }, undefined])(
  '%s is not a network failure',
  (error) => {
    expect(networkFailure(error)).toBe(undefined)
  },
)
