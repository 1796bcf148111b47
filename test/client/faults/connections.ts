import { lookup } from 'node:dns/promises'
import { onTestFinished, vi } from 'vitest'
import { systemCode } from '../../../src/errors.ts'
import {
  certificate,
  certificateKey,
  expiredCertificate,
  expiredCertificateKey,
} from '../../support/certificate.ts'
import { serveTls } from '../../support/raw.ts'
import { both, type Fault, type Served, unavailable } from './fault.ts'
import { drips, head, resetsAfter, sends } from './service.ts'

const checkService = 'check the address and that the service is up'
const json = 'Content-Type: application/json'
const longBody = head(200, [json, 'Content-Length: 5000'])

// Port 1 is free: only the superuser could listen there, for a service that died out long ago.
const nobody = async (): Promise<Served> => ({ url: 'http://127.0.0.1:1' })

const NAMELESS = 'flags.invalid'

async function nameless(): Promise<Served> {
  vi.stubEnv('no_proxy', '*')
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  return { url: `https://${NAMELESS}` }
}

// A machine without a network cannot tell that there is no such name.
const resolution = await lookup(NAMELESS).catch(systemCode)

async function expired(): Promise<Served> {
  const server = await serveTls(expiredCertificate, expiredCertificateKey)
  // Trusted in every other respect.
  const profile = { baseUrl: server.url, caFile: 'ca.pem' }
  return {
    ...server,
    files: {
      'home/.config/flagadm/config.json': JSON.stringify(profile),
      'home/.config/flagadm/ca.pem': expiredCertificate,
    },
  }
}

const reset = both(
  unavailable('http://service: the connection was reset, 3 attempts', checkService, 3),
)
const cutOff = both(
  unavailable(
    'http://service: the connection was closed before the answer was complete, 3 attempts',
    checkService,
    3,
  ),
)
const late = both(
  unavailable(
    'no complete answer from http://service within 0.2 s',
    'try again, or raise --timeout',
  ),
)
const impatient = ['--timeout', '0.2']

/** Connections that do not come about, break or stall. */
export const connections: readonly Fault[] = [
  {
    name: 'connection refused',
    serve: nobody,
    ends: both(unavailable('http://service: connection refused, 3 attempts', checkService, 3)),
  },
  {
    name: 'DNS failure',
    serve: nameless,
    ends: both(
      resolution === 'EAI_AGAIN'
        ? unavailable('http://service: name resolution failed for now, 3 attempts', checkService, 3)
        : unavailable('http://service: no such host, 3 attempts', 'check the address', 3),
    ),
  },
  {
    name: 'self-signed certificate',
    serve: () => serveTls(certificate, certificateKey),
    ends: both(
      unavailable(
        'http://service: the certificate is self-signed',
        'have the service send a certificate of a known authority, or name yours with caFile in the profile',
      ),
    ),
  },
  {
    name: 'expired certificate',
    serve: expired,
    ends: both(
      unavailable('http://service: the certificate has expired', 'have the certificate renewed'),
    ),
  },
  { name: 'reset before the head', serve: resetsAfter(), ends: reset },
  { name: 'reset inside the head', serve: resetsAfter('HTTP/1.1 200 OK\r\nContent-'), ends: reset },
  { name: 'reset inside the body', serve: resetsAfter(longBody, '{"last'), ends: reset },
  { name: 'half-closed before the head', serve: sends(), ends: cutOff },
  { name: 'half-closed inside the head', serve: sends('HTTP/1.1 200 OK\r\nCon'), ends: cutOff },
  { name: 'half-closed inside the body', serve: sends(longBody, '{"last'), ends: cutOff },
  { name: 'no answer', serve: drips('', ''), argv: impatient, ends: late },
  {
    name: 'slow head',
    serve: drips('HTTP/1.1 200 OK\r\n', 'Drop: 1\r\n'),
    argv: impatient,
    ends: late,
  },
  { name: 'slow body', serve: drips(longBody, ' '), argv: impatient, ends: late },
]
