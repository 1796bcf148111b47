import { describe, expect, it } from 'vitest'
import { ended, startOnTerminal } from '../support/binary.ts'
import { environment, temporaryFolder } from '../support/flagadm.ts'
import { join } from '../../src/paths.ts'
import { serve, someUsage, usageOnly } from '../support/server.ts'

describe.runIf(process.platform === 'linux')('progress on a terminal', () => {
  it('appears while a request takes long', async () => {
    let answer = () => {}
    const { url } = await serve(async (response, request) => {
      if (request.url.endsWith('/b')) {
        await new Promise<void>((resolve) => {
          answer = resolve
        })
      }
      usageOnly(response, request, someUsage)
    })
    const child = await startOnTerminal(['feature', 'usage', 'a', 'b'], environment(url))
    let shown = ''
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      shown += text
      if (shown.includes('Reading 1 of 2 flags')) answer()
    })
    const { code } = await ended(child)
    expect(code).toBe(0)
    // A line that is written again replaces the one before.
    const screen = shown.replaceAll('\r\n', '\n').replaceAll(/^.*\r(?!\n)/gm, '')
    expect(screen).not.toContain('Reading')
    expect(shown).toContain('Usage on ')
  })

  it('appears while the list of projects is read, also if stdout is a file', async () => {
    let answer = () => {}
    const { url } = await serve(async (response, request) => {
      if (request.url.endsWith('/projects')) {
        await new Promise<void>((resolve) => {
          answer = resolve
        })
      }
      response.writeHead(404).end()
    })
    const folder = await temporaryFolder()
    const argv = ['feature', 'list', '--all-projects', '>', join(folder, 'list.txt')]
    const child = await startOnTerminal(argv, environment(url))
    let shown = ''
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      shown += text
      if (shown.includes('Reading the list of projects')) answer()
    })
    await ended(child)
    expect(shown).toContain('\rReading the list of projects')
  })
})
