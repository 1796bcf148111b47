// The inputs that `npm run bench` doubles, and the commands that read them.
import type { Seed } from '../../src/sandbox/seed.ts'
import { environment, flagadm } from './flagadm.ts'
import { sandboxOf } from './sandbox.ts'
import { anyJson, serve } from './server.ts'
import { words } from './text.ts'

interface Growing {
  commands: readonly string[]
  seed?: (size: number) => Seed
  answers?: (size: number) => Record<string, object>
  files?: (size: number, service: string) => Record<string, string>
}

const bench = new URL('../bench/growing.mjs', import.meta.url).href

/** By what they are. */
export const { growing }: { growing: Record<string, Growing> } = await import(bench)

/** Starts a sandbox, or a service with the answers of an input. */
async function started({ seed, answers }: Growing, size: number) {
  if (seed) return (await sandboxOf([], { seed: seed(size), frozen: false })).env
  const documents = answers?.(size) ?? {}
  const { url } = await serve((response, { url: path }) =>
    anyJson(response, documents[path] ? 200 : 404, documents[path] ?? { message: 'not found' }),
  )
  return environment(url)
}

/** Runs commands with an input, and returns those that fail. */
export async function failuresWith(
  input: Growing,
  { size, commands }: { size: number; commands: readonly string[] },
): Promise<object[]> {
  const env = await started(input, size)
  const texts = input.files?.(size, env.FLAGADM_BASE_URL ?? '') ?? {}
  const files = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [`work/${name}`, text]),
  )
  const failed: object[] = []
  for (const command of commands) {
    const { code, stderr } = await flagadm(words(command), { env, files })
    // 9 is the answer of a check; the service may lack usage.
    if (code !== 0 && code !== 9 && input.seed)
      failed.push({ command, code, stderr: stderr.slice(0, 200) })
  }
  return failed
}
