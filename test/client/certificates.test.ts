import { expect, it } from 'vitest'
import { certificate } from '../support/certificate.ts'
import { patientClock } from '../support/clock.ts'
import { CANARY, environment, flagadm } from '../support/flagadm.ts'
import { serve } from '../support/server.ts'
import { serveTls } from '../support/tls.ts'

// Without warnings, no more is asked than the usage.
const usage = ['feature', 'usage', 'some-flag', '--quiet']

function trusting(baseUrl: string, caFile: string) {
  return {
    'home/.config/flagadm/config.json': JSON.stringify({ baseUrl, apiKey: CANARY, caFile }),
    'home/.config/flagadm/ca.pem': certificate,
  }
}

it.each(['ca.pem', '~/.config/flagadm/ca.pem'])(
  'a certificate in caFile (%s) is trusted, and requests share one connection',
  async (caFile) => {
    const service = await serveTls()
    const files = trusting(`https://localhost:${service.port}`, caFile)
    const { code, stderr } = await flagadm([...usage, 'two', '--concurrency', '1'], { files })
    expect({ code, stderr, keys: service.keys }).toEqual({
      code: 0,
      stderr: '',
      keys: [CANARY, CANARY],
    })
    expect(service.connections()).toBe(1)
  },
)

it('a missing caFile is reported before anything is sent', async () => {
  const service = await serveTls()
  const files = trusting(`https://localhost:${service.port}`, 'none.pem')
  const { code, stderr, folder } = await flagadm(usage, { files })
  expect({ code, stderr, connections: service.connections() }).toEqual({
    code: 3,
    stderr:
      `error: cannot read caFile ${folder}/home/.config/flagadm/none.pem: no such file\n` +
      'hint: check the path\n',
    connections: 0,
  })
})

it('an https address of an http service fails without a retry', async () => {
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
