import { readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { defaultSeed } from '../../src/sandbox/default-seed.ts'
import { temporaryFolder } from '../support/flagadm.ts'
import { commitAll, runGitLabJob, workflowText } from '../support/recipe.ts'
import { runJob } from '../support/runner.ts'
import { sandboxOf } from '../support/sandbox.ts'

const bin = fileURLToPath(new URL('../../bin/flagadm.js', import.meta.url))
const [before, after] = ['checkout-[a-z]+', 'checkout-[a-z-]+']
const namingOf = (pattern: string) =>
  `featureNaming:\n  pattern: ${pattern}\n  example: checkout-pay\n  description: team, subject\n`

// Nothing is installed, and npx runs the flagadm that was built here.
const programs = {
  npm: '',
  npx: 'exec "$@"',
  // Prints the requests; there is no open issue yet.
  gh: 'test "$2" = list || echo "gh $*"',
  flagadm: `exec '${process.execPath}' '${bin}' "$@"`,
}

/** A repository with a changed rule, and a service with all flags of the sandbox. */
async function setUp() {
  const sandbox = await sandboxOf([], { seed: defaultSeed })
  const workspace = await temporaryFolder({
    'naming.yaml': namingOf(before),
    'legacy-names.txt': 'dark-mode\n',
    'src/a.ts': "isEnabled('checkout-new-basket')\nisEnabled('dark-mode')\n",
  })
  await commitAll(workspace)
  await writeFile(join(workspace, 'naming.yaml'), namingOf(after))
  const folder = await temporaryFolder()
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  }
  return { sandbox, workspace, PATH: [folder, process.env.PATH].join(delimiter) }
}

/** Runs a job of a workflow in docs/ci.md as it is written, but for the address of the service. */
async function runGitHubJob(workflow: string, job: string, event: string) {
  const { sandbox, workspace, PATH } = await setUp()
  const text = workflowText(workflow).replaceAll('https://flags.example.com', sandbox.url)
  const secrets = { FLAGADM_API_KEY: sandbox.keys.full }
  const run = await runJob(text, job, { event, workspace, secrets, env: { PATH } })
  return { ...run, sandbox }
}

/** Runs a GitLab job of docs/ci.md as it is written, and reads the files that it leaves. */
async function runGitLab(job: string, ...files: readonly string[]) {
  const { sandbox, workspace, PATH } = await setUp()
  await runGitLabJob(job, { ...sandbox.env, PATH }, workspace)
  const texts = await Promise.all(files.map((file) => readFile(join(workspace, file), 'utf8')))
  return { sandbox, texts }
}

test('GitHub: a pull request with a changed rule is checked', async () => {
  const { code, log, sandbox } = await runGitHubJob('flags', 'names', 'pull_request')
  expect(code).toBe(0)
  expect(log).toContain('checkout-new-basket')
  expect(sandbox.requests()).toEqual([])
})

test('GitHub: the rule is sent from the main branch', async () => {
  const { code, sandbox } = await runGitHubJob('flags', 'names', 'push')
  expect(code).toBe(0)
  expect(sandbox.project('checkout')?.featureNaming?.pattern).toBe(after)
})

test('GitHub: a flag is checked to be unused', async () => {
  const { code, log } = await runGitHubJob('flag is unused', 'unused', 'workflow_dispatch')
  expect([code, log]).toEqual([0, expect.stringContaining('legacy-invoice-export')])
})

test('GitHub: unused flags are reported', async () => {
  const { code, summary } = await runGitHubJob('unused flags', 'report', 'schedule')
  expect(code).toBe(0)
  expect(summary.match(/^(?:Flags|Usage|Unknown names).*(?= http)/gm)).toEqual([
    'Flags of project checkout on',
    'Usage on',
    'Unknown names that SDKs asked for, on',
  ])
})

test('GitHub: an issue is opened for removable flags', async () => {
  const { code, summary, log } = await runGitHubJob('removable flags', 'review', 'schedule')
  expect(code).toBe(0)
  expect(summary).toContain('| `default` | `legacy-invoice-export` | removable |')
  expect(log).toContain(
    'gh issue create --title Flags that can be removed --label removable-flags --body-file review.md',
  )
})

test('GitLab: names are checked, and a code quality report is written', async () => {
  const { texts } = await runGitLab('flag-names', 'gl-code-quality-report.json')
  expect(texts).toEqual(['[]\n'])
})

test('GitLab: the effect of a changed rule is shown', async () => {
  const { texts } = await runGitLab('naming-diff', 'old.yaml')
  expect(texts).toEqual([namingOf(before)])
})

test('GitLab: the rule is sent from the main branch', async () => {
  const { sandbox } = await runGitLab('naming-rule')
  expect(sandbox.project('checkout')?.featureNaming?.pattern).toBe(after)
})

test('GitLab: a flag is checked to be unused', async () => {
  const { texts } = await runGitLab('flag-is-unused', 'usage.xml')
  expect(texts).toEqual([expect.stringContaining('tests="1" failures="0"')])
})
