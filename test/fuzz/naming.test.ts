import fc from 'fast-check'
import { test } from 'vitest'
import { stringify } from 'yaml'
import { environment, flagadm } from '../support/flagadm.ts'
import { hostileFileName, hostileText, KEY } from './hostile.ts'
import { expectSound, type Kind } from './sound.ts'

async function run(
  argv: readonly string[],
  files: Record<string, string>,
  url = 'http://127.0.0.1:1',
) {
  const outcome = await flagadm(['--no-color', ...argv], { env: environment(url, KEY), files })
  const kinds: Record<string, Kind> = { csv: 'csv', github: 'github' }
  expectSound(outcome, kinds[argv[argv.indexOf('-o') + 1] ?? ''])
  return outcome
}

const texts = fc.array(hostileText, { minLength: 1, maxLength: 4 })
const pattern = fc.oneof(
  fc.constantFrom('feat-[a-z]+', 'a|b', '(a+)+b', '(?=a).*', '[^]*'),
  hostileText,
)
const rule = fc.record({ pattern, example: hostileText, description: hostileText })

test('naming lint, check and diff accept rules, names, lists, calls and files of any text', async () => {
  const lint = fc.constantFrom('text', 'csv', 'json', 'github', 'gitlab', 'sarif')
  const check = fc.constantFrom('text', 'csv', 'jsonl', 'markdown', 'github', 'junit', 'names')
  const diff = fc.constantFrom('text', 'json', 'markdown', 'github')
  await fc.assert(
    fc.asyncProperty(
      ...[rule, pattern, texts, texts, hostileFileName, fc.tuple(lint, check, diff)],
      async (featureNaming, other, names, listed, name, [lint, check, diff]) => {
        const files = {
          [`work/${name}.yaml`]: stringify({ featureNaming }),
          'work/names': listed.join('\n'),
          [`work/src/${name}.ts`]: names.map((one) => `isOn(${JSON.stringify(one)})`).join('\n'),
        }
        const own = `./${name}.yaml`
        const from = ['--names-from', 'names']
        await run(['naming', 'lint', '-o', lint, `--rule=${own}`], files)
        const checking = ['naming', 'check', '-o', check, `--rule=${own}`, '--allow', 'names']
        await run([...checking, ...from, '--scan', 'src', '--', ...names], files)
        await run(
          ['naming', 'diff', '-o', diff, `--from=${own}`, `--to=pattern:${other}`, ...from],
          files,
        )
      },
    ),
  )
})
