import { describe, expect, it } from 'vitest'
import type { Seed } from '../src/sandbox/seed.ts'
import { environment, flagadm } from './support/flagadm.ts'
import { sandboxOf } from './support/sandbox.ts'
import { anyJson, serve } from './support/server.ts'
import { words } from './support/text.ts'

interface Growing {
  commands: readonly string[]
  seed?: (size: number) => Seed
  answers?: (size: number) => Record<string, object>
  files?: (size: number, service: string) => Record<string, string>
}

// What `npm run bench` doubles.
const bench = new URL('bench/growing.mjs', import.meta.url).href
const { growing }: { growing: Record<string, Growing> } = await import(bench)
const SIZE = 2

/** Starts a sandbox, or a service with these answers. */
async function started({ seed, answers }: Growing) {
  if (seed) return (await sandboxOf([], { seed: seed(SIZE), frozen: false })).env
  const documents = answers?.(SIZE) ?? {}
  const { url } = await serve((response, { url: path }) =>
    anyJson(response, documents[path] ? 200 : 404, documents[path] ?? { message: 'not found' }),
  )
  return environment(url)
}

describe.each(Object.entries(growing))('%s', (_, input) => {
  it('are read by every command, in every format', async () => {
    const env = await started(input)
    const texts = input.files?.(SIZE, env.FLAGADM_BASE_URL ?? '') ?? {}
    const files = Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [`work/${name}`, text]),
    )
    const failed: object[] = []
    for (const command of input.commands) {
      const { code, stderr } = await flagadm(words(command), { env, files })
      // 9 is the answer of a check; the service may lack usage.
      if (code !== 0 && code !== 9 && input.seed)
        failed.push({ command, code, stderr: stderr.slice(0, 200) })
    }
    expect(failed).toEqual([])
  })
})
