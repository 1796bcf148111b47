import { spawn } from 'node:child_process'
import { chmod, readFile, realpath } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { ended } from '../support/binary.ts'
import { temporaryFolder } from '../support/flagadm.ts'

const stepSchema = v.strictObject({
  shell: v.literal('bash'),
  env: v.record(v.string(), v.string()),
  run: v.string(),
})
const actionSchema = v.object({
  inputs: v.record(v.string(), v.object({ description: v.string() })),
  runs: v.strictObject({ using: v.literal('composite'), steps: v.array(stepSchema) }),
})

const path = new URL('../../.github/actions/flagadm/action.yml', import.meta.url)
const { inputs, runs } = v.parse(actionSchema, parse(await readFile(fileURLToPath(path), 'utf8')))

// Shows where npm would do what.
const npm = `#!/bin/sh
printf '%s\\n' "npm $* in $(pwd -P), key: $FLAGADM_API_KEY"
`

/** Runs the steps with these inputs in bash as a runner does, until one fails. */
async function setUp(given: Record<string, string>) {
  const action = 'checkout/.github/actions/flagadm'
  const files = { 'bin/npm': npm, path: '', variables: '', [`${action}/action.yml`]: '' }
  const folder = await realpath(await temporaryFolder(files))
  await chmod(join(folder, 'bin/npm'), 0o755)
  const read = (name: string) => readFile(join(folder, name), 'utf8')
  let [code, log]: [number | null, string] = [0, '']
  for (const { env, run } of runs.steps) {
    const values = Object.entries(env).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input: string) => given[input] ?? ''),
    ])
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
      cwd: folder,
      env: {
        PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter),
        FLAGADM_API_KEY: 'key-of-the-job',
        GITHUB_ACTION_PATH: join(folder, action),
        GITHUB_ENV: join(folder, 'variables'),
        GITHUB_PATH: join(folder, 'path'),
        RUNNER_TEMP: folder,
        ...Object.fromEntries(values),
      },
    })
    const outcome = await ended(child)
    code = outcome.code
    log += outcome.stdout + outcome.stderr
    if (code !== 0) break
  }
  const [path = '', variables] = await Promise.all(['path', 'variables'].map(read))
  const text = (one: string) => one.replaceAll(folder, '<temp>')
  return { code, log: text(log), path: text(path), variables }
}

const quiet = '--ignore-scripts --no-audit --no-fund --loglevel=error'
const place = 'in <temp>/checkout, key: '
const installed = `npm ci ${quiet} ${place}
npm run build --silent ${place}
npm install --global --prefix <temp>/flagadm ${quiet} . ${place}
`

describe('the GitHub Action', () => {
  it('has the inputs that the documentation lists', () => {
    expect(Object.keys(inputs)).toEqual(['base-url', 'api-key'])
  })

  it('installs flagadm without the key, and sets the path and the variables of later steps', async () => {
    const outcome = await setUp({
      'base-url': 'https://flags.example.com',
      'api-key': '*:*.50%secret',
    })
    expect(outcome).toEqual({
      code: 0,
      log: `${installed}::add-mask::*:*.50%25secret\n`,
      path: '<temp>/flagadm/bin\n',
      variables: 'FLAGADM_API_KEY=*:*.50%secret\nFLAGADM_BASE_URL=https://flags.example.com\n',
    })
  })

  it.each(['api-key', 'base-url'])('refuses a line break in %s, not printed', async (input) => {
    const given = { [input]: 'secret\nPATH=/evil' }
    const { code, log, variables } = await setUp(given)
    const problem = 'base-url and api-key must not contain line breaks or control characters'
    expect([code, variables]).toEqual([2, ''])
    expect(log).toBe(`${installed}::error title=flagadm::${problem}\n`)
  })
})
