import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Clock } from '../../src/host.ts'
import { patientClock } from '../support/clock.ts'
import { environment, flagadm } from '../support/flagadm.ts'
import { serveFixtures } from '../support/operations.ts'
import { loadCommands } from '../support/program.ts'
import { hostileText, KEY } from './hostile.ts'
import { expectSound, kindOf } from './sound.ts'

const { root } = await loadCommands()

interface KnownCommand {
  path: string[]
  options: readonly Option[]
}

function commandsOf(command: CommandUnknownOpts, path: string[]): KnownCommand[] {
  const below = command.commands
    // Its output is for shells, and has a test of its own below.
    .filter((sub) => sub.name() !== 'complete')
    .flatMap((sub) => commandsOf(sub, [...path, sub.name()]))
  return [{ path, options: [...root.options, ...command.options] }, ...below]
}

// Without slashes, so that words cannot be paths outside the folder of the run.
const word = hostileText.map((text) => text.replaceAll('/', ':'))

const files = {
  'work/rule.yaml': 'featureNaming:\n  pattern: feat-[a-z]+\n  example: feat-a\n',
  'work/names.txt': 'feat-a\n# more\nfix-b\n',
  'work/seed.json': '{"projects":[{"id":"p","mode":"open"}],"flags":[]}',
  'work/src/a.ts': "isEnabled('feat-a') || isEnabled('fix b')",
  'work/key': 'some-key',
}
const values = fc.constantFrom(
  ...['rule.yaml', 'names.txt', 'seed.json', 'src', 'src/*.ts', 'key', 'no-such-file', '-', '.'],
  ...['sandbox', 'open', 'used', 'unused', 'total', 'variant', '0', '1', '3', '90s', '2h', '*'],
  ...['table', 'text', 'json', 'jsonl', 'markdown', 'html', 'openmetrics', 'github', 'gitlab'],
  ...['junit', 'sarif', 'pattern:a+', 'feat-[a-z]+', 'feat-a', 'error', 'any', 'auto', 'never'],
)

// Only harmless values, because these options affect the machine or the network.
const harmless: Record<string, fc.Arbitrary<string>> = {
  '--base-url': fc.constantFrom('http://127.0.0.1:1', 'https://a.invalid', 'x', ''),
  '--host': fc.constantFrom('127.0.0.1', 'localhost', '::1', 'ff02::1', 'a'.repeat(300), ''),
  // Other ports may belong to other programs, and colours are control characters.
  '--port': fc.constantFrom('0', '-1', '65536', 'x', ''),
  '--color': fc.constantFrom('never', 'auto', 'sometimes'),
}

function wordsOf({ long = '', short, required, optional }: Option): fc.Arbitrary<string[]> {
  const own = harmless[long]
  const value = own ?? fc.oneof(values, word)
  const name = short && !own ? fc.constantFrom(long, short) : fc.constant(long)
  const apart = fc.tuple(name, value).map((words) => [...words])
  const joined = value.map((text) => [`${long}=${text}`])
  if (own) return fc.oneof(apart, joined)
  const alone = name.map((text) => [text])
  if (required || optional) return fc.oneof({ weight: 6, arbitrary: apart }, joined, alone)
  return fc.oneof({ weight: 6, arbitrary: alone }, joined)
}

const argv = fc.constantFrom(...commandsOf(root, [])).chain(({ path, options }) => {
  const some = fc.oneof(...options.map(wordsOf))
  const other = fc.oneof(values, word, fc.constantFrom(...path, 'help', '--', '-', '--no-such'))
  const alone = other.map((text) => [text])
  const rest = fc.array(fc.oneof({ weight: 3, arbitrary: some }, alone), { maxLength: 6 })
  return rest.map((groups) => [...path, ...groups.flat()])
})

/** A clock and a signal that interrupts the third wait. */
function impatience(): { clock: Clock; signal: AbortSignal } {
  const interruption = new AbortController()
  const { clock, waits } = patientClock()
  const sleep: Clock['sleep'] = async (milliseconds, signal) => {
    if (waits.length === 2) interruption.abort()
    if (interruption.signal.aborted) throw new Error('aborted')
    await clock.sleep(milliseconds, signal)
  }
  return { clock: { ...clock, sleep }, signal: interruption.signal }
}

test('any command line is run or refused', async () => {
  const { url } = await serveFixtures()
  await fc.assert(
    fc.asyncProperty(argv, word, async (words, stdin) => {
      // The sandbox only waits for an interrupt.
      const time = words.includes('sandbox')
        ? { ...impatience(), signal: AbortSignal.abort() }
        : impatience()
      const env = { ...environment(url, KEY), FLAGADM_RETRIES: '0' }
      const formats = words.map((text) => text.replace(/^(?:-o|--output=)/, ''))
      const kind = kindOf(formats) ?? 'csv'
      expectSound(await flagadm(words, { env, files, stdin, ...time }), kind)
    }),
    { numRuns: 3 * (fc.readConfigureGlobal().numRuns ?? 20) },
  )
})

test('any command line can be completed', async () => {
  await fc.assert(
    fc.asyncProperty(argv, async (words) => {
      const { code, stdout, stderr } = await flagadm(['complete', '--', ...words], { files })
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout).toMatch(/^(?:[^\p{C}]*\t[^\p{C}]+\n|[^\p{C}]*\t\n)*:(?:files|folders)?\n$/u)
    }),
  )
})
