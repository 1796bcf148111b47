import { execFileSync } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { CANARY, temporaryFolder } from '../support/flagadm.ts'
import { hostileTexts } from '../support/hostile-settings.ts'
import { type Trigger, useAction } from '../support/runner.ts'
import { sandboxOf, type TestSandbox } from '../support/sandbox.ts'
import { ACTION, action } from '../support/workflow.ts'
import { requireProgram } from './terminal.ts'

const rule = 'featureNaming:\n  pattern: checkout-[a-z]+\n  example: checkout-pay\n'
const twoProjects = [
  { id: 'checkout', mode: 'open' as const },
  { id: 'mobile', mode: 'private' as const },
]
const flags = {
  'flags/checkout.yaml': 'projects: { checkout: { mode: protected } }',
  'flags/mobile.yaml': 'projects: { mobile: { mode: private } }',
}

/** The inputs that address a sandbox, with the key in two of its forms. */
function connection({ url, keys }: TestSandbox) {
  return { 'base-url': url, 'api-key': keys.full }
}

function useIn(workspace: string, inputs: Record<string, string>, trigger: Trigger = {}) {
  return useAction(inputs, { workspace, ...trigger })
}

describe('the metadata of the action', () => {
  test('passes values to scripts through the environment only', () => {
    const scripts = action.runs.steps.map(({ run }) => run)
    expect(scripts).toEqual(
      ['install', 'run', 'comment'].map((name) => `bash "$GITHUB_ACTION_PATH/${name}.sh"`),
    )
  })

  test('gives the API key only to flagadm, and the token of GitHub only to the comment', () => {
    const secrets = action.runs.steps.map(({ id, env }) => [
      id,
      Object.values(env ?? {}).filter((value) => /api-key|token/.test(value)),
    ])
    expect(secrets).toEqual([
      ['install', []],
      ['run', ['${{ inputs.api-key }}']],
      ['comment', ['${{ inputs.github-token }}']],
    ])
    const ofJob = action.runs.steps.filter(({ env }) => env?.FLAGADM_API_KEY !== '')
    expect(ofJob.map(({ id }) => id)).toEqual(['run'])
  })

  test('has scripts that pass shellcheck', async () => {
    requireProgram('shellcheck')
    const cwd = fileURLToPath(new URL(`../../${ACTION}`, import.meta.url))
    const scripts = (await readdir(cwd)).filter((name) => name.endsWith('.sh'))
    expect(execFileSync('shellcheck', ['-x', ...scripts], { cwd, encoding: 'utf8' })).toBe('')
  })

  test('uses every input that it declares', () => {
    const used = JSON.stringify(action.runs.steps)
    const unused = Object.keys(action.inputs).filter((name) => !used.includes(`inputs.${name} `))
    expect(unused).toEqual([])
  })
})

describe('lint and check', () => {
  test('lint annotates the findings of a rule and fails with its exit code', async () => {
    const broken = 'featureNaming:\n  pattern: feat-.+|fix-.+\n  example: feat-a\n'
    const workspace = await temporaryFolder({ 'my rule.yaml': broken })
    const { code, log, outputs } = await useIn(workspace, { command: 'lint', rule: 'my rule.yaml' })
    expect([code, outputs['exit-code']]).toEqual([9, '9'])
    expect(log).toMatch(/^::error file=my rule\.yaml,line=2,col=12,title=loose-alternation::/m)
    expect(log).toContain(
      '::error title=flagadm::the naming rule has problems: loose-alternation\n',
    )
  })

  test('check annotates the names in source code', async () => {
    const workspace = await temporaryFolder({
      'naming.yaml': rule,
      'src/a.ts': "isEnabled('checkout-pay')\nisEnabled('Dark')\n",
      'src/old.ts': "isEnabled('legacy')\n",
      'vendor/b.ts': "isEnabled('Vendor')\n",
      'lib/c.ts': "isEnabled('Lib')\n",
      'allowed.txt': 'legacy\n',
    })
    const inputs = {
      command: 'check',
      rule: 'naming.yaml',
      scan: 'src\n\nlib\nvendor\n!vendor\n',
      allow: 'allowed.txt',
    }
    const { code, log } = await useIn(workspace, inputs)
    expect(code).toBe(9)
    expect(log.match(/(?<=^::error file=)[^:]+/gm)).toEqual([
      'lib/c.ts,line=1,col=12,title=naming',
      'src/a.ts,line=2,col=12,title=naming',
    ])
    const none = { ...inputs, scan: 'flags', arguments: '--allow-empty' }
    expect(await useIn(workspace, none)).toMatchObject({ code: 2, outputs: { 'exit-code': '2' } })
  })

  test('the annotation of a failure contains the error without the notes before it', async () => {
    const workspace = await temporaryFolder({
      'naming.yaml': rule,
      'src/a.ts': "isEnabled('Dark')\nisEnabled(name)\n",
    })
    const inputs = { command: 'check', rule: 'naming.yaml', scan: 'src' }
    const { code, log, summary } = await useIn(workspace, inputs)
    expect(code).toBe(9)
    expect(log).toMatch(/^::warning title=unresolved::1 of \d lookups could not be read$/m)
    expect(summary).toMatch(/^flagadm: 1 of \d lookups could not be read$/m)
    expect(log).toContain('::error title=flagadm::1 of 1 name breaks the rule\n')
  })

  test('working-directory is the folder of the other inputs, and annotations begin at the root', async () => {
    const workspace = await temporaryFolder({
      '.git/HEAD': '',
      'pkg/naming.yaml': rule,
      'pkg/src/a.ts': "isEnabled('Dark')\n",
    })
    const inputs = { command: 'check', rule: 'naming.yaml', scan: 'src' }
    const { code, log } = await useIn(workspace, { ...inputs, 'working-directory': 'pkg' })
    expect(code).toBe(9)
    expect(log).toMatch(/^::error file=pkg\/src\/a\.ts,line=1,col=12,/m)
  })

  test('values with quotes, substitutions and leading dashes are data', async () => {
    const folders = ['$(touch planted)', '`touch planted`', "'; touch planted; '", '-x"', '*']
    const files = folders.map((folder, index) => [`${folder}/a.ts`, `isEnabled('Bad${index}')`])
    const workspace = await temporaryFolder({
      ...Object.fromEntries(files),
      '--rule $(touch planted)': rule,
    })
    const { log } = await useIn(workspace, {
      command: 'check',
      rule: '--rule $(touch planted)',
      scan: folders.join('\n'),
    })
    const names = [...new Set(log.match(/Bad\d/g))]
    expect(names.sort()).toEqual(['Bad0', 'Bad1', 'Bad2', 'Bad3', 'Bad4'])
    expect((await readdir(workspace)).sort()).toEqual(
      [...folders, '--rule $(touch planted)'].sort(),
    )
  })
})

const oneChange = (url: string) => `**Plan for \`${url}\`**: 1 would change, 1 unchanged

**\`checkout\`**: would change

| Field | Old | New |
| --- | --- | --- |
| mode | \`open\` | \`protected\` |
`

describe('plan', () => {
  test('writes the plan to the log, a file and the summary', async () => {
    const sandbox = await sandboxOf(twoProjects)
    const workspace = await temporaryFolder(flags)
    const inputs = { command: 'plan', files: 'flags', ...connection(sandbox) }
    const { code, log, summary, outputs } = await useIn(workspace, inputs)
    const plan = oneChange(sandbox.url)
    const marked = expect.stringMatching(/^<!-- flagadm plan \d+-\d+ -->\n/)
    expect([code, log]).toEqual([0, `::add-mask::***\n${plan}`])
    expect(outputs).toEqual({
      'exit-code': '0',
      changed: '1',
      report: expect.any(String),
      before: '',
      'comment-url': '',
    })
    const report = await readFile(String(outputs.report), 'utf8')
    expect([report, report.split('\n').slice(1).join('\n')]).toEqual([marked, plan])
    expect(summary).toBe(report)
    const strict = { ...inputs, 'fail-on-change': 'true', arguments: '--strict' }
    const failed = await useIn(workspace, strict)
    expect([failed.code, failed.outputs.changed]).toEqual([9, '1'])
    expect(failed.summary).toContain(
      '**Exit code 9**\n\n    error: 2 projects: 1 would change\n\n**Plan for ',
    )
    expect(sandbox.writes()).toEqual([])
  })

  test('takes the address and the key from the environment of the job, too', async () => {
    const sandbox = await sandboxOf(twoProjects)
    const workspace = await temporaryFolder(flags)
    const inputs = { command: 'plan', files: 'flags/checkout.yaml\nflags/mobile.yaml' }
    const run = await useIn(workspace, inputs, { env: sandbox.env })
    expect([run.code, run.outputs.changed]).toEqual([0, '1'])
    expect(run.log).toBe(`::add-mask::***\n${oneChange(sandbox.url)}`)
  })

  test('shows why it failed, and exits with the same code', async () => {
    const sandbox = await sandboxOf(twoProjects.slice(0, 1))
    const workspace = await temporaryFolder(flags)
    const inputs = { command: 'plan', files: 'flags' }
    const missing = await useIn(workspace, { ...inputs, ...connection(sandbox) })
    expect([missing.code, missing.outputs]).toEqual([
      10,
      expect.objectContaining({ 'exit-code': '10', changed: '1' }),
    ])
    expect(missing.log).toContain('::error title=flagadm::2 projects: 1 missing\n')
    expect(missing.summary).toContain(
      '**Exit code 10**\n\n    error: 2 projects: 1 missing\n\n**Plan for ',
    )
    const keyless = await useIn(workspace, { ...inputs, 'base-url': sandbox.url })
    expect([keyless.code, keyless.outputs]).toEqual([
      3,
      expect.objectContaining({ 'exit-code': '3', changed: '' }),
    ])
    expect(keyless.log).toContain(
      `::error title=flagadm::no API key for ${sandbox.url}%0Ahint: set FLAGADM_API_KEY, `,
    )
  })

  test('texts from documents start no command and no line of the summary', async () => {
    const featureNaming = { pattern: 'a', example: 'a', description: hostileTexts.join('\n') }
    const document = JSON.stringify({ projects: { checkout: { featureNaming } } })
    const sandbox = await sandboxOf(twoProjects)
    const workspace = await temporaryFolder({ 'flags.json': document })
    const inputs = { command: 'plan', files: 'flags.json', ...connection(sandbox) }
    const { code, log, summary } = await useIn(workspace, inputs)
    expect([code, log.match(/^\s*::.+|##\[.+/gm)]).toEqual([0, ['::add-mask::***']])
    expect(summary.split('\n').slice(8).join('\n')).toMatch(
      /^\| example .+\n\| description .+\n\n\*\*Rule\*\* .+\n$/,
    )
  })

  test('the key is neither in the output nor on a command line', async () => {
    const commandLines: string[] = []
    const sandbox = await sandboxOf(twoProjects, {
      log: () =>
        commandLines.push(execFileSync('ps', ['-axww', '-o', 'args'], { encoding: 'utf8' })),
    })
    const workspace = await temporaryFolder({
      'flags.json': JSON.stringify({ projects: { [CANARY]: { mode: 'open' } } }),
    })
    const inputs = { command: 'plan', files: 'flags.json', 'base-url': sandbox.url }
    const { code, log, summary, outputs } = await useIn(workspace, { ...inputs, 'api-key': CANARY })
    expect([code, log]).toEqual([4, expect.stringContaining('[redacted]')])
    const report = await readFile(String(outputs.report), 'utf8')
    expect(log + summary + report).not.toContain(CANARY)
    expect(commandLines.join('')).toContain('project settings plan')
    expect(commandLines.join('')).not.toContain(CANARY)
  })

  test('a summary that GitHub would not accept is cut', async () => {
    const featureNaming = { pattern: 'a', example: 'a', description: 'x'.repeat(10_000) }
    const projects = Array.from({ length: 125 }, (_, i) => ({ id: `p${i}`, mode: 'open' as const }))
    const documents = projects.map(({ id }) => [
      `flags/${id}.json`,
      JSON.stringify({ projects: { [id]: { featureNaming } } }),
    ])
    const sandbox = await sandboxOf(projects)
    const workspace = await temporaryFolder(Object.fromEntries(documents))
    const inputs = { command: 'plan', files: 'flags', ...connection(sandbox) }
    const { code, summary, log } = await useIn(workspace, inputs)
    expect([code, log.length > 1_200_000, summary.length < 1_000_000]).toEqual([0, true, true])
    expect(summary.slice(-100)).toMatch(
      /\| example .+\n\n\*\*Truncated: the full text is in the log of the job\.\*\*\n$/,
    )
  })
})

describe('apply', () => {
  test('changes the projects on main, and keeps the previous settings', async () => {
    const sandbox = await sandboxOf(twoProjects)
    const workspace = await temporaryFolder(flags)
    const inputs = { command: 'apply', files: 'flags', ...connection(sandbox) }
    const { code, log, summary, outputs } = await useIn(workspace, inputs)
    expect([code, outputs.changed]).toEqual([0, '1'])
    expect(log).toContain('checkout: changed\n\n2 projects: 1 changed, 1 unchanged')
    expect(summary).toContain('\n    checkout: changed\n')
    expect(summary).toContain('    projects:\n      checkout:\n        mode: open\n')
    expect(sandbox.project('checkout')).toMatchObject({ mode: 'protected' })
    const undo = { ...inputs, files: String(outputs.before) }
    const undone = await useIn(workspace, undo, { event: 'workflow_dispatch' })
    expect([undone.code, undone.outputs.changed]).toEqual([0, '1'])
    expect(sandbox.project('checkout')).toMatchObject({ mode: 'open' })
  })

  test('fails if a project could not be changed, and shows which', async () => {
    const sandbox = await sandboxOf(twoProjects.slice(0, 1))
    const workspace = await temporaryFolder(flags)
    const inputs = { command: 'apply', files: 'flags', ...connection(sandbox) }
    const { code, summary, outputs } = await useIn(workspace, inputs)
    expect([code, outputs['exit-code'], outputs.changed]).toEqual([10, '10', '1'])
    expect(summary).toContain(
      '**Exit code 10**\n\n    error: 1 of 2 projects failed\n    hint: correct the cause and run apply again; it skips what is done\n',
    )
    expect(summary).toContain('    mobile: failed\n')
  })

  test.each([
    [
      'push',
      'refs/heads/feature',
      "apply runs only on the default branch 'main', not on refs/heads/feature: set any-branch to true to allow this",
    ],
    [
      'push',
      'refs/tags/main',
      "apply runs only on the default branch 'main', not on refs/tags/main: set any-branch to true to allow this",
    ],
    [
      'pull_request',
      'refs/pull/3/merge',
      'apply does not run on pull_request: use push or workflow_dispatch, or set any-branch to true',
    ],
    // Its ref is the default branch, but its code and its author need not be.
    [
      'pull_request_target',
      'refs/heads/main',
      'apply does not run on pull_request_target: use push or workflow_dispatch, or set any-branch to true',
    ],
  ])('is refused on %s of %s', async (event, ref, message) => {
    const sandbox = await sandboxOf(twoProjects)
    const workspace = await temporaryFolder(flags)
    const inputs = { command: 'apply', files: 'flags', ...connection(sandbox) }
    const { code, log } = await useIn(workspace, inputs, { event, ref })
    expect([code, log]).toEqual([2, `::error title=flagadm::${message}\n`])
    expect(sandbox.requests()).toEqual([])
  })

  test('any-branch allows it elsewhere', async () => {
    const sandbox = await sandboxOf(twoProjects)
    const workspace = await temporaryFolder(flags)
    const inputs = {
      command: 'apply',
      files: 'flags',
      'any-branch': 'true',
      ...connection(sandbox),
    }
    const trigger = { event: 'schedule', ref: 'refs/heads/release' }
    expect(await useIn(workspace, inputs, trigger)).toMatchObject({ code: 0 })
    expect(sandbox.project('checkout')).toMatchObject({ mode: 'protected' })
  })
})

describe('wrong inputs', () => {
  test.each([
    [
      { command: 'delete\n::warning::x' },
      "unknown command 'delete%0A::warning::x': use lint, check, plan, apply or removed",
    ],
    [{ command: 'apply', 'any-branch': 'yes' }, "any-branch: expected true or false, not 'yes'"],
    [{ command: 'plan', 'fail-on-change': '' }, "fail-on-change: expected true or false, not ''"],
    [{ command: 'plan', comment: 'True' }, "comment: expected true or false, not 'True'"],
    ...['--registry=x', 'latest', '^1.0.0', '1'].map(
      (version): [Record<string, string>, string] => [
        { command: 'lint', version },
        `version: expected a full version such as 1.2.3, or project, not '${version}'`,
      ],
    ),
    [
      { command: 'lint', version: 'project' },
      "flagadm is not in node_modules: run 'npm ci' before this step",
    ],
  ])('%j', async (inputs, message) => {
    const { code, log } = await useAction(inputs)
    expect([code, log]).toEqual([2, `::error title=flagadm::${message}\n`])
  })

  test('options of another command are refused by flagadm', async () => {
    const { code, log } = await useAction({ command: 'lint', files: 'flags' })
    expect([code, log]).toEqual([
      2,
      expect.stringContaining("::error title=flagadm::unknown option '--file'"),
    ])
  })
})

test('version: project runs the flagadm that the project has installed', async () => {
  const workspace = await temporaryFolder({
    'node_modules/flagadm/bin/flagadm.js': 'console.log(process.argv.slice(2).join())',
  })
  const { code, log } = await useIn(workspace, { command: 'lint', version: 'project' })
  expect([code, log]).toEqual([0, 'naming,lint,--output=github\n'])
})

describe('Node.js', () => {
  const hint = 'use actions/setup-node before this step'
  test.each([
    ['too old', '#!/bin/sh\necho 18\n', `flagadm needs Node.js 20 or newer, not 18: ${hint}`],
    ['missing', '#!/bin/sh\nexit 127\n', `Node.js not found: ${hint}`],
  ])('is %s', async (_, script, message) => {
    const bin = await temporaryFolder()
    await writeFile(join(bin, 'node'), script, { mode: 0o755 })
    const env = { PATH: `${bin}:${process.env.PATH}` }
    const { code, log } = await useAction({ command: 'lint' }, { env })
    expect([code, log]).toEqual([2, `::error title=flagadm::${message}\n`])
  })
})
