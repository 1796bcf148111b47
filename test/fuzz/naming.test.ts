import fc from 'fast-check'
import { test } from 'vitest'
import { stringify } from 'yaml'
import { environment, flagadm, type World } from '../support/flagadm.ts'
import { loadCommands } from '../support/program.ts'
import { hostileFileName, hostileText, KEY } from './hostile.ts'
import { expectSound, type Kind } from './sound.ts'

const { all } = await loadCommands()
const { formats = [] } = all.find(({ path }) => path === 'flagadm naming check') ?? {}

const env = environment('http://127.0.0.1:1', KEY)

async function run(argv: readonly string[], files: World['files'] = {}) {
  const outcome = await flagadm(['--no-color', 'naming', ...argv], { env, files })
  const kinds: Record<string, Kind> = { csv: 'csv', github: 'github' }
  expectSound(outcome, kinds[argv[argv.indexOf('-o') + 1] ?? ''])
}

const format = fc.constantFrom(...formats)
const lintFormat = fc.constantFrom('text', 'json', 'github', 'gitlab', 'sarif')
const texts = fc.array(hostileText, { minLength: 1, maxLength: 4 })
const pattern = fc.oneof(
  fc.constantFrom('feat-[a-z]+', 'a|b', '(a+)+b', '(?=a).*', '[^]*'),
  hostileText,
)
const rule = fc.record({ pattern, example: hostileText, description: hostileText })

// These runs take longer than others.
const fewer = { numRuns: Math.ceil((fc.readConfigureGlobal().numRuns ?? 20) / 3) }

/** Hostile texts as the lines of a list. */
const list = texts.map((lines) => lines.join('\n'))

const source = texts.map((names) => names.map((name) => `isEnabled(${JSON.stringify(name)})`))

test('naming check accepts names of any text in every format', async () => {
  await fc.assert(
    fc.asyncProperty(format, pattern, texts, async (output, regex, names) => {
      await run(['check', '-o', output, `--pattern=${regex}`, '--', ...names])
    }),
  )
})

test('naming check accepts any line of a list and any call in any file in every format', async () => {
  await fc.assert(
    fc.asyncProperty(
      ...[format, rule, list, list, source, hostileFileName],
      async (output, featureNaming, names, allowed, code, file) => {
        const argv = ['check', '-o', output, '--names-from', 'names', '--scan', 'src']
        const files = {
          'work/rule.json': JSON.stringify({ featureNaming }),
          'work/names': names,
          'work/allowed': allowed,
          [`work/src/${file}.ts`]: code.join('\n'),
        }
        await run([...argv, '--rule', 'rule.json', '--allow', 'allowed'], files)
      },
    ),
  )
})

test('naming lint accepts a rule of any text in every format', async () => {
  await fc.assert(
    fc.asyncProperty(lintFormat, rule, async (output, { pattern, example, description }) => {
      const given = [`--pattern=${pattern}`, `--example=${example}`, `--description=${description}`]
      await run(['lint', '-o', output, ...given])
    }),
    fewer,
  )
})

test('naming lint accepts a rule of any text in a file of any name', async () => {
  await fc.assert(
    fc.asyncProperty(lintFormat, rule, hostileFileName, async (output, featureNaming, name) => {
      const files = { [`work/${name}.yaml`]: stringify({ featureNaming }) }
      await run(['lint', '-o', output, `--rule=./${name}.yaml`], files)
    }),
    fewer,
  )
})

test('naming diff accepts rules and names of any text', async () => {
  const output = fc.constantFrom('text', 'json')
  await fc.assert(
    fc.asyncProperty(output, pattern, pattern, list, async (form, from, to, names) => {
      const rules = ['--from', `pattern:${from}`, '--to', `pattern:${to}`]
      await run(['diff', '-o', form, ...rules, '--names-from', 'names'], {
        'work/names': names,
      })
    }),
    fewer,
  )
})
