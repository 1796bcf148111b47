import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { ended, start } from '../support/binary.ts'
import { environment, temporaryFolder } from '../support/flagadm.ts'
import { json, listen, serve, someUsage } from '../support/server.ts'

const usage = ['feature', 'usage', 'some-flag']
// No signal is handled except during a write, so these tests are about what keeps a process alive.
const interrupted = { code: 130, stdout: '', stderr: '' }

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s ends the run with %i', async (signal, code) => {
  const { url } = await serve(() => child.kill(signal))
  const child = await start(usage, environment(url))
  expect(await ended(child)).toEqual({ ...interrupted, code })
})

describe('an interrupt ends the run with 130', () => {
  // Takes the prover more than a second.
  const naming = { pattern: '[a-z]?'.repeat(1600), example: 'a' }

  it.each([
    ['naming', 'check', '--project', 'shop'],
    ['project', 'settings', 'plan', '-f', '-'],
  ])('while %s %s examines a large rule', async (...argv) => {
    const { url } = await serve((response, { url }) => {
      if (url.endsWith('/projects')) return json(response, 200, { projects: [{ id: 'shop' }] })
      if (!url.endsWith('/features')) {
        return json(response, 200, { mode: 'open', environments: [], featureNaming: naming })
      }
      const features = Array.from({ length: 1000 }, (_, i) => ({ name: `A${i}`, environments: [] }))
      json(response, 200, { features })
      return child.kill('SIGINT')
    })
    const child = await start(argv, environment(url))
    const wanted = { featureNaming: { pattern: '[a-z]?x.*', example: 'x' } }
    child.stdin?.end(JSON.stringify({ projects: { shop: wanted } }))
    expect(await ended(child)).toEqual(interrupted)
  })

  it('while apiKeyCommand runs', async () => {
    const dial = `require('net').connect(process.argv[1], '127.0.0.1')`
    const server = createServer((socket) => {
      child.kill('SIGINT')
      // The command, which gets no signal, ends with its connection.
      socket.destroy()
    })
    const apiKeyCommand = [process.execPath, '-e', dial, `${await listen(server)}`]
    const config = JSON.stringify({ baseUrl: 'https://a.invalid', apiKeyCommand })
    const folder = await temporaryFolder({ 'flagadm/config.json': config })
    const child = await start(usage, { XDG_CONFIG_HOME: folder })
    expect(await ended(child)).toEqual(interrupted)
  })

  it('while it watches', async () => {
    const { url } = await serve((response) => json(response, 200, someUsage))
    const child = await start([...usage, '--watch'], environment(url))
    child.stdout?.once('data', () => child.kill('SIGINT'))
    const { code, stdout, stderr } = await ended(child)
    expect({ code, stderr }).toEqual({
      code: 130,
      stderr: '',
    })
    expect(stdout.split('\n')).toHaveLength(2)
  })

  it.each(['table', 'json'])('in the middle of a large report as %s', async (format) => {
    // Several times what a pipe holds.
    const lastHourUsage = Array.from({ length: 4000 }, (_, n) => ({
      appName: `application-${n}`,
      environment: 'production',
      yes: n,
      variants: { blue: n },
    }))
    const { url } = await serve((response) => json(response, 200, { lastHourUsage }))
    const child = await start([...usage, '-o', format, '--no-color'], environment(url))
    const { stdout } = child
    if (!stdout) throw new Error('the process has no stdout')
    // The report cannot end while it is not read.
    await once(stdout, 'readable')
    child.kill('SIGINT')
    expect(await once(child, 'exit')).toEqual([null, 'SIGINT'])
    let text = ''
    for await (const chunk of stdout) text += chunk
    expect(text).not.toContain('"application-3999"')
    expect(text.split('\n').length).toBeLessThan(4000)
  })
})
