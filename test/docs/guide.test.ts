// The example of a write in .github/CONTRIBUTING.md works.
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { createProgram } from '../../src/cli/commands.ts'
import { createContext } from '../../src/command/context.ts'
import { environment } from '../support/flagadm.ts'
import { hostOfNothing } from '../support/program.ts'
import { json, serve } from '../support/server.ts'
import { markFlags } from './guide.ts'

async function mark(options: { yes: boolean; dryRun: boolean }) {
  const stale = new Set<string>()
  const { url, received } = await serve((response, { method }) => {
    if (method === 'POST') {
      stale.add('b')
      return response.writeHead(202).end()
    }
    const features = ['a', 'b'].map((name) => ({ name, stale: stale.has(name) }))
    return json(response, 200, { features })
  })
  const stdout = new PassThrough()
  const host = { ...hostOfNothing(), stdout, env: environment(url) }
  const context = createContext([], host, (self) => createProgram(self, () => {}))
  const failure = await markFlags(context, { projectId: 'p', names: ['b'], ...options }).then(
    () => undefined,
    (error: Error) => error.message,
  )
  await context.close()
  await context.out.flush()
  const writes = received.filter(({ method }) => method === 'POST').map(({ body }) => body)
  return { text: `${stdout.read() ?? ''}`, writes, failure }
}

it('sends the request, and reads it back', async () => {
  expect(await mark({ yes: true, dryRun: false })).toEqual({
    text: 'Marked b\n',
    writes: ['{"features":["b"],"stale":true}'],
    failure: undefined,
  })
})

it('sends nothing in a dry run, and without an answer to its question', async () => {
  const dryRun = await mark({ yes: true, dryRun: true })
  expect([dryRun.text.split('\n')[0], dryRun.writes]).toEqual(['Would mark b', []])
  expect(await mark({ yes: false, dryRun: false })).toMatchObject({
    writes: [],
    failure: 'confirmation required: this would mark b as stale',
  })
})
