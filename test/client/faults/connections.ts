import { lookup } from 'node:dns/promises'
import { systemCode } from '../../../src/errors.ts'
import { certificate, certificateKey } from '../../support/certificate.ts'
import { serveTls } from '../../support/raw.ts'
import { type Fault, head, resetsAfter, sends, stallsAfter, unavailable } from './fault.ts'

const checkAddress = 'check the address and that the service is up'
const longBody = head(200, ['Content-Type: application/json', 'Content-Length: 5000'])

const UNKNOWN_HOST = 'flags.invalid'

// Offline, the resolver cannot know that a host does not exist.
const lookupFailure =
  (await lookup(UNKNOWN_HOST).catch(systemCode)) === 'EAI_AGAIN'
    ? unavailable('http://service: name resolution failed temporarily, 3 attempts', checkAddress, 3)
    : unavailable('http://service: no such host, 3 attempts', 'check the address', 3)

const cutOff = unavailable(
  'http://service: the connection was closed before the response was complete, 3 attempts',
  checkAddress,
  3,
)
const late = unavailable(
  'no complete response from http://service within 10 s',
  'try again, or raise --timeout',
)

/** Connections that fail, break or stall. */
export const connections: readonly Fault[] = [
  {
    name: 'a refused connection',
    // Port 1 is unused: it needs root, and its service (tcpmux) is obsolete.
    serve: async () => ({ url: 'http://127.0.0.1:1' }),
    ...unavailable('http://service: connection refused, 3 attempts', checkAddress, 3),
  },
  {
    name: 'an unknown host',
    serve: async () => ({ url: `https://${UNKNOWN_HOST}` }),
    ...lookupFailure,
  },
  {
    name: 'a self-signed certificate',
    serve: () => serveTls(certificate, certificateKey),
    ...unavailable(
      'http://service: the certificate is self-signed',
      'use a certificate from a known authority on the service, or set caFile in the profile to your own authority',
    ),
  },
  { name: 'a reset inside the head', serve: resetsAfter('HTTP/1.1 200 OK\r\nContent-'), ...cutOff },
  {
    name: 'a reset inside the body',
    serve: resetsAfter(longBody, '{"last'),
    ...cutOff,
    everyOperation: true,
  },
  { name: 'a close inside the head', serve: sends('HTTP/1.1 200 OK\r\nCon'), ...cutOff },
  { name: 'a close inside the body', serve: sends(longBody, '{"last'), ...cutOff },
  { name: 'a missing response', serve: stallsAfter(), ...late, everyOperation: true },
  { name: 'a slow head', serve: stallsAfter('HTTP/1.1 200 OK\r\n', 'Drop: 1\r\n'), ...late },
]
