import fc from 'fast-check'
import { test } from 'vitest'
import { stringify } from 'yaml'
import { environment, flagadm } from '../support/flagadm.ts'
import { loadCommands } from '../support/program.ts'
import { hostileFileName, hostileText, KEY } from './hostile.ts'
import { expectSound, kindOf } from './sound.ts'

const { all } = await loadCommands()

async function run(
  argv: readonly string[],
  files: Record<string, string>,
  url = 'http://127.0.0.1:1',
) {
  const outcome = await flagadm(['--no-color', ...argv], { env: environment(url, KEY), files })
  expectSound(outcome, kindOf(argv))
  return outcome
}

const texts = fc.array(hostileText, { minLength: 1, maxLength: 4 })
const pattern = fc.oneof(
  fc.constantFrom('feat-[a-z]+', 'a|b', '(a+)+b', '(?=a).*', '[^]*'),
  hostileText,
)
const rule = fc.record({ pattern, example: hostileText, description: hostileText })

test('naming lint, check and diff accept rules, names, lists, calls and files of any text', async () => {
  const formatsOf = (command: string) => {
    const { formats = [] } = all.find(({ path }) => path === `flagadm naming ${command}`) ?? {}
    return fc.constantFrom(...formats)
  }
  await fc.assert(
    fc.asyncProperty(
      ...[
        rule,
        pattern,
        texts,
        texts,
        hostileFileName,
        fc.tuple(...['lint', 'check', 'diff'].map(formatsOf)),
      ],
      async (featureNaming, other, names, listed, name, [lint = '', check = '', diff = '']) => {
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
