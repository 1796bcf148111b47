import { expect, it } from 'vitest'
import { networkFailure } from '../../src/service/network.ts'

const later = 'check the address and that the service is up'
const service = 'check that this is the address of the service'
const scheme = 'check whether the address should begin with http: or https:'
const trust =
  'use a certificate from a known authority on the service, or set caFile in the profile to your own authority'
const closed = 'the connection was closed before the response was complete'

function failed(code: string): Error {
  return Object.assign(new Error('failed'), { code })
}

it.each<readonly [boolean, string, string, string]>([
  [true, 'ECONNREFUSED', 'connection refused', later],
  [true, 'ECONNRESET', closed, later],
  [true, 'ERR_STREAM_PREMATURE_CLOSE', closed, later],
  [true, 'ETIMEDOUT', 'the connection timed out', later],
  [true, 'EHOSTUNREACH', 'the connection failed (EHOSTUNREACH)', later],
  [true, 'EAI_AGAIN', 'name resolution failed temporarily', later],
  [true, 'ENOTFOUND', 'no such host', 'check the address'],
  [false, 'CERT_HAS_EXPIRED', 'the certificate has expired', 'renew the certificate'],
  [
    false,
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'the certificate is for another host',
    'check the address',
  ],
  [false, 'DEPTH_ZERO_SELF_SIGNED_CERT', 'the certificate is self-signed', trust],
  ...['SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'CERT_NOT_YET_VALID'].map(
    (code) => [false, code, `the certificate is not trusted (${code})`, trust] as const,
  ),
  ...['ERR_TLS_CERT_ALTNAME_FORMAT', 'ERR_SSL_WRONG_VERSION_NUMBER', 'EPROTO'].map(
    (code) => [false, code, `the TLS handshake failed (${code})`, scheme] as const,
  ),
  [false, 'BODY_TOO_LARGE', 'the response is larger than 32 MiB', service],
  ...['HPE_INVALID_CONSTANT', 'Z_DATA_ERROR', 'ERR_CONTENT_DECODING_FAILED'].map(
    (code) => [false, code, `the response is malformed (${code})`, service] as const,
  ),
])('whether a failure may be temporary is %s for %s', (transient, code, what, hint) => {
  const error = new Error('fetch failed', { cause: new Error('no', { cause: failed(code) }) })
  expect(networkFailure(failed(code))).toEqual({ what, hint, transient })
  expect(networkFailure(error)).toEqual({ what, hint, transient })
})

it.each([new TypeError('a bug'), 'EPIPE', { code: 'EPIPE' }, undefined])(
  '%s is not a network failure',
  (error) => {
    expect(networkFailure(error)).toBe(undefined)
  },
)
