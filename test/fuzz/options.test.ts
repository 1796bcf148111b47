import fc from 'fast-check'
import { expect, test } from 'vitest'
import { environment, flagadm } from '../support/flagadm.ts'
import { json, serve, someUsage } from '../support/server.ts'

const name = fc.stringMatching(/^[a-z][a-z-]{0,8}$/)
const names = fc.uniqueArray(name, { minLength: 1, maxLength: 5 })

/** A name, or an option with its value in one or two words. */
type Group = string[]

const option = (long: string, ...values: string[]) =>
  fc
    .constantFrom(...values)
    .chain((value) => fc.constantFrom<Group>([long, value], [`${long}=${value}`]))

// The other options can be repeated, or are global.
const isSingle = ([word = '']: Group) => /^--(?:example|group-by)\b/.test(word)

/** Command lines of these options and names in any order, with these names. */
function commandLines(...options: fc.Arbitrary<Group>[]) {
  return names.chain((given) =>
    fc
      .uniqueArray(fc.oneof(...options), {
        minLength: 1,
        maxLength: 5,
        comparator: (a, b) => isSingle(a) && isSingle(b),
      })
      .chain((groups) => {
        const all = [...groups, ...given.map((word) => [word])]
        return fc.shuffledSubarray(all, { minLength: all.length })
      })
      .map((groups) => ({ given, words: groups.flat() })),
  )
}

const scan = option('--scan', 'src', 'src/*.ts')
const match = option('--match', 'FLAG\\((?<flag>\\w+)\\)')
// Few runs are enough to put every option into every position.
const few = { numRuns: Math.ceil((fc.readConfigureGlobal().numRuns ?? 20) / 4) }

const files = { 'work/src/a.ts': "isEnabled('FROM-SOURCE')" }

test('any order of options and names reads the usage of every name', async () => {
  const { url, received } = await serve((response) => json(response, 200, someUsage))
  const lines = commandLines(
    option('--app', 'web', '*'),
    option('--environment', 'production', 'prod*'),
    option('--group-by', 'variant'),
    option('--retries', '0'),
  )
  await fc.assert(
    fc.asyncProperty(lines, async ({ given, words }) => {
      received.length = 0
      const { code } = await flagadm(['feature', 'usage', ...words], {
        env: environment(url),
        files,
      })
      expect(code).toBe(0)
      const asked = received.map((request) => request.url.split('/').at(-1))
      expect(asked).toEqual(expect.arrayContaining(given))
    }),
    few,
  )
})

test('any order of options and names checks every name', async () => {
  const lines = commandLines(scan, option('--example', 'x'), option('-o', 'jsonl'))
  await fc.assert(
    fc.asyncProperty(lines, async ({ given, words }) => {
      const argv = ['naming', 'check', ...words, '--pattern', '[0-9]+', '-o', 'json']
      const { stdout } = await flagadm(argv, { files })
      const violations: { name: string }[] = JSON.parse(stdout).violations
      expect(violations.map((violation) => violation.name)).toEqual(expect.arrayContaining(given))
    }),
    few,
  )
})

test('any order of --scan and --match keeps every name', async () => {
  const lines = commandLines(match, option('--example', 'x'))
  await fc.assert(
    fc.asyncProperty(lines, async ({ given, words }) => {
      const argv = ['naming', 'check', '--scan', 'src', ...words, '--pattern', '[0-9]+', '--json']
      const { stdout } = await flagadm(argv, { files })
      const violations: { name: string }[] = JSON.parse(stdout).violations
      const expected = expect.arrayContaining([...given, 'FROM-SOURCE'])
      expect(violations.map((violation) => violation.name)).toEqual(expected)
    }),
    few,
  )
})
