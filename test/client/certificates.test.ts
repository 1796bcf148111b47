import { expect, test } from 'vitest'
import { certificate } from '../support/certificate.ts'
import { patientClock } from '../support/clock.ts'
import { CANARY, environment, flagadm } from '../support/flagadm.ts'
import { serve } from '../support/server.ts'
import { serveTls } from '../support/tls.ts'

const usage = ['feature', 'usage', 'some-flag']

function trusting(baseUrl: string, caFile: string) {
  return {
    'home/.config/flagadm/config.json': JSON.stringify({ baseUrl, apiKey: CANARY, caFile }),
    'home/.config/flagadm/ca.pem': certificate,
  }
}

test.each(['ca.pem', '~/.config/flagadm/ca.pem'])(
  'a certificate in caFile (%s) of a user profile is trusted',
  async (caFile) => {
    const service = await serveTls()
    const files = trusting(`https://localhost:${service.port}`, caFile)
    const { code, stderr } = await flagadm(usage, { files })
    expect([code, stderr, service.keys]).toEqual([0, '', [CANARY]])
  },
)

test('an untrusted certificate is refused without a retry', async () => {
  const service = await serveTls()
  const url = `https://localhost:${service.port}`
  const { code, stdout, stderr } = await flagadm(usage, { env: environment(url) })
  expect([code, stdout, service.keys, service.connections()]).toEqual([8, '', [], 1])
  expect(stderr).toBe(
    `error: some-flag: ${url}: the certificate is self-signed\n` +
      'hint: use a certificate from a known authority on the service, or set caFile in the profile to your own authority\n',
  )
})

test('a missing caFile is reported before anything is sent', async () => {
  const service = await serveTls()
  const files = trusting(`https://localhost:${service.port}`, 'none.pem')
  const { code, stderr, folder } = await flagadm(usage, { files })
  expect([code, stderr, service.connections()]).toEqual([
    3,
    `error: cannot read caFile ${folder}/home/.config/flagadm/none.pem: no such file\n` +
      'hint: check the path\n',
    0,
  ])
})

test('an https address of an http service fails without a retry', async () => {
  const server = await serve(() => {})
  const url = server.url.replace('http:', 'https:')
  const { clock, waits } = patientClock()
  const { code, stderr } = await flagadm(usage, { env: environment(url), clock })
  expect([code, waits]).toEqual([8, []])
  expect(stderr.replace(/\(\w+\)/, '(C)')).toBe(
    `error: some-flag: ${url}: the TLS handshake failed (C)\n` +
      'hint: check whether the address should begin with http: or https:\n',
  )
})

test('consecutive requests over https share one connection', async () => {
  const service = await serveTls()
  const files = trusting(`https://localhost:${service.port}`, 'ca.pem')
  const argv = ['feature', 'usage', 'one', 'two', 'three', '--concurrency', '1']
  const { code } = await flagadm(argv, { files })
  expect([code, service.keys.length, service.connections()]).toEqual([0, 3, 1])
})
