import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { CANARY, temporaryFolder } from '../support/flagadm.ts'
import { defaultSeed } from '../../src/sandbox/default-seed.ts'
import { exportAndChange, removedFrom, workflowText } from '../support/recipe.ts'
import { runJob, type Trigger, useAction } from '../support/runner.ts'
import { sandboxOf, type TestSandbox } from '../support/sandbox.ts'
import { BOT, type GitHub, serveGitHub } from './github.ts'
import { requireProgram } from './terminal.ts'

beforeAll(() => requireProgram('gh'))

const protect = { 'flags/a.yaml': 'projects: { checkout: { mode: protected } }' }
const pullRequest = {
  number: 3,
  head: { sha: 'c0ffee', repo: { full_name: 'shop/flags' } },
}
const ADDRESS = 'https://github.test/shop/flags/pull/3#issuecomment-'
const FOOTER =
  '\nFor commit c0ffee, from [this run](http://github.localhost/shop/flags/actions/runs/7).\n'

function triggerOf(github: GitHub, workspace: string): Trigger {
  return {
    event: 'pull_request',
    ref: 'refs/pull/3/merge',
    payload: { pull_request: pullRequest },
    env: github.env,
    workspace,
  }
}

/** Plans the documents of a folder on a pull request. */
async function plan(
  github: GitHub,
  { url, keys }: TestSandbox,
  workspace: string,
  inputs: Record<string, string> = {},
) {
  const connection = { 'base-url': url, 'api-key': keys.full }
  const all = { command: 'plan', files: 'flags', ...connection, ...inputs }
  return useAction(all, triggerOf(github, workspace))
}

function project(mode: 'open' | 'protected' = 'open') {
  return sandboxOf([{ id: 'checkout', mode }])
}

const markerIn = (body = '') => body.split('\n')[0] ?? ''

describe('the comment with the plan', () => {
  test('is created once and edited by later runs', async () => {
    const [github, sandbox] = [await serveGitHub(), await project()]
    const workspace = await temporaryFolder(protect)
    const first = await plan(github, sandbox, workspace)
    expect([first.code, first.outputs['comment-url']]).toEqual([0, `${ADDRESS}1`])
    const [comment] = github.comments
    expect(comment?.body).toBe(`${markerIn(comment?.body)}
**Plan for \`${sandbox.url}\`**: 1 would change, 0 unchanged

**\`checkout\`**: would change

| Field | Old | New |
| --- | --- | --- |
| mode | \`open\` | \`protected\` |
${FOOTER}`)
    expect(markerIn(comment?.body)).toMatch(/^<!-- flagadm plan \d+-\d+ -->$/)
    sandbox.project('checkout')
    const documents = await temporaryFolder({ 'flags/a.yaml': 'projects: { checkout: {} }' })
    const second = await plan(github, sandbox, documents)
    expect([second.code, second.outputs['comment-url']]).toEqual([0, `${ADDRESS}1`])
    expect(github.comments).toEqual([
      {
        ...{ id: 1, author: BOT },
        body: `${markerIn(comment?.body)}\n**Plan for \`${sandbox.url}\`**: 0 would change, 1 unchanged\n${FOOTER}`,
      },
    ])
  })

  test('is not created if nothing changes', async () => {
    const [github, sandbox] = [await serveGitHub(), await project('protected')]
    const run = await plan(github, sandbox, await temporaryFolder(protect))
    expect([run.code, run.outputs['comment-url'], github.comments]).toEqual([0, '', []])
  })

  test('is found among many, and no comment of another author or with other text before', async () => {
    const sandbox = await project()
    const workspace = await temporaryFolder(protect)
    const marker = markerIn((await plan(await serveGitHub(), sandbox, workspace)).summary)
    const bodies: [author: string, body: string][] = [
      ['mallory', `${marker}\nApproved.`],
      ['github-actions', marker],
      [BOT, `Quote: ${marker}`],
      ...Array.from({ length: 200 }, (): [string, string] => ['someone', 'x']),
      [BOT, `${marker}\nthe plan of an earlier run`],
      [BOT, `${marker}\na second one, of two runs at once`],
    ]
    const comments = bodies.map(([author, body], index) => ({ id: index + 1, author, body }))
    const github = await serveGitHub(structuredClone(comments))
    const { code, outputs } = await plan(github, sandbox, workspace)
    expect([code, outputs['comment-url']]).toEqual([0, `${ADDRESS}204`])
    const edited = github.comments.filter(({ body }, index) => body !== comments[index]?.body)
    expect(edited.map(({ id, body }) => [id, body.split('\n')[1]])).toEqual([
      [204, `**Plan for \`${sandbox.url}\`**: 1 would change, 0 unchanged`],
    ])
    expect(github.requests()).toEqual([
      'POST /graphql',
      ...Array.from({ length: 3 }, () => 'GET /repos/shop/flags/issues/3/comments'),
      'PATCH /repos/shop/flags/issues/comments/204',
    ])
  })

  test('is separate for each service and list of files', async () => {
    const [github, sandbox, other] = [await serveGitHub(), await project(), await project()]
    const workspace = await temporaryFolder(protect)
    for (const files of ['flags', 'flags/a.yaml', 'flags\n']) {
      await plan(github, sandbox, workspace, { files })
    }
    await plan(github, other, workspace)
    expect(new Set(github.comments.map(({ body }) => markerIn(body))).size).toBe(3)
    expect(github.comments).toHaveLength(3)
  })

  test('shows why the plan failed, and the step fails with the same code', async () => {
    const [github, sandbox] = [await serveGitHub(), await project()]
    const workspace = await temporaryFolder({
      ...protect,
      'flags/b.yaml': 'projects: { gone: { mode: open } }',
      'wrong/a.yaml': 'projects: { checkout: { mode: "<b>@someone` ::error::x" } }',
    })
    const missing = await plan(github, sandbox, workspace)
    expect(missing.code).toBe(10)
    expect(github.comments[0]?.body).toContain(
      '\n**Exit code 10**\n\n    error: 2 projects: 1 missing\n\n**Plan for ',
    )
    const wrong = await plan(github, sandbox, workspace, { files: 'wrong' })
    expect(wrong.code).toBe(2)
    expect(github.comments[1]?.body.split('\n').slice(1, 5)).toEqual([
      '**Exit code 2**',
      '',
      "    error: wrong/a.yaml:1: project checkout: mode: unknown project mode '<b>@someone` ::error::x'",
      '    hint: choose one of open, protected, private, or use --no-verify',
    ])
  })

  test('is cut to what GitHub accepts', async () => {
    const [github, sandbox] = [await serveGitHub(), await project()]
    const ids = Array.from({ length: 900 }, (_, index) => `${index}-${'é'.repeat(20)}`)
    const projects = Object.fromEntries(ids.map((id) => [id, { mode: 'open' }]))
    const workspace = await temporaryFolder({ 'flags/a.json': JSON.stringify({ projects }) })
    const { code, summary } = await plan(github, sandbox, workspace)
    expect(code).toBe(6)
    const [{ body } = { body: '' }] = github.comments
    const size = Buffer.byteLength(body)
    expect([size > 63_000, size < 65_536, summary.length > 65_536]).toEqual([true, true, true])
    expect(body.slice(-400)).toContain(
      '\n\n**Truncated: the full text is in the ' +
        `[summary of the run](http://github.localhost/shop/flags/actions/runs/7).**\n${FOOTER}`,
    )
    const start = body.slice(0, body.indexOf('\n\n**Truncated: '))
    expect(summary.startsWith(start)).toBe(true)
  })

  test('is a warning on a fork, whose token may only read', async () => {
    const github = await serveGitHub([], false)
    const sandbox = await project()
    const workspace = await temporaryFolder(protect)
    const run = await plan(github, sandbox, workspace)
    expect([run.code, run.outputs.changed, run.outputs['comment-url']]).toEqual([0, '1', ''])
    expect(run.log).toContain(
      '::warning title=flagadm::the report was not posted as a comment, because the token may not write comments. ',
    )
    expect(run.log).toContain('gh: Resource not accessible by integration (HTTP 403)\n')
    const keyless = await plan(github, sandbox, workspace, { 'api-key': '' })
    expect([keyless.code, keyless.outputs['exit-code']]).toEqual([3, '3'])
    expect(keyless.log).toContain('::warning title=flagadm::the report was not posted as a comment')
  })

  test('is an error if GitHub refuses it for another reason', async () => {
    const [github, sandbox] = [await serveGitHub(), await project()]
    const inputs = { 'github-token': 'wrong' }
    const { code, log } = await plan(github, sandbox, await temporaryFolder(protect), inputs)
    expect(code).toBe(2)
    expect(log).toMatch(
      /^::error title=flagadm::the report was not posted as a comment: .*Bad credentials/m,
    )
  })

  test.each([
    ['with comment: false', { comment: 'false' }, {}],
    ['on push', {}, { event: 'push', payload: {} }],
  ])('is not written %s', async (_, inputs, trigger) => {
    const [github, sandbox] = [await serveGitHub(), await project()]
    const workspace = await temporaryFolder(protect)
    const all = { command: 'plan', files: 'flags', ...inputs }
    const world = { ...triggerOf(github, workspace), ...trigger }
    const run = await useAction(all, { ...world, env: { ...github.env, ...sandbox.env } })
    expect([run.code, run.outputs.changed, github.requests()]).toEqual([0, '1', []])
  })

  test('is a warning without gh', async () => {
    const [github, sandbox] = [await serveGitHub(), await project()]
    const workspace = await temporaryFolder(protect)
    await mkdir(join(workspace, 'bin'))
    const programs = ['awk', 'bash', 'cat', 'cksum', 'head', 'mktemp', 'sed', 'tee', 'wc']
    for (const name of programs) await symlink(`/usr/bin/${name}`, join(workspace, 'bin', name))
    await symlink(process.execPath, join(workspace, 'bin/node'))
    const trigger = triggerOf(github, workspace)
    const env = { ...github.env, ...sandbox.env, PATH: join(workspace, 'bin') }
    const run = await useAction({ command: 'plan', files: 'flags' }, { ...trigger, env })
    expect([run.code, run.outputs.changed]).toEqual([0, '1'])
    expect(run.log).toContain(
      '::warning title=flagadm::the report was not posted as a comment, because gh (the GitHub CLI) is not installed on this runner\n',
    )
  })

  test('never contains the key', async () => {
    const [github, sandbox] = [await serveGitHub(), await project()]
    const documents = { projects: { [CANARY]: { mode: 'open' } } }
    const workspace = await temporaryFolder({ 'flags/a.json': JSON.stringify(documents) })
    const { log, summary } = await plan(github, sandbox, workspace, { 'api-key': CANARY })
    const body = github.comments[0]?.body ?? ''
    expect(body).toContain('[redacted]')
    expect(log + summary + body).not.toContain(CANARY)
  })
})

describe('the comment on removed flags', () => {
  /** Reports the flags that a pull request removes, which the default sandbox has. */
  async function reportRemoved(workspace: string, inputs: Record<string, string> = {}) {
    const [github, { env }] = [await serveGitHub(), await sandboxOf([], { seed: defaultSeed })]
    const trigger = { ...triggerOf(github, workspace), env: { ...github.env, ...env } }
    const all = { command: 'removed', scan: 'src', arguments: '--since=48h', ...inputs }
    return { github, run: () => useAction(all, trigger) }
  }

  test('is created once and edited by later runs', async () => {
    const workspace = await removedFrom('checkout-new-basket')
    const { github, run } = await reportRemoved(workspace)
    expect(await run()).toMatchObject({ code: 0, outputs: { 'comment-url': `${ADDRESS}1` } })
    const [{ body } = { body: '' }] = github.comments
    expect(body.split('\n').slice(0, 5)).toEqual([
      expect.stringMatching(/^<!-- flagadm removed \d+-\d+ -->$/),
      '**Flags that the code no longer uses**',
      '',
      expect.stringMatching(/^Usage on http:.+, since /),
      '',
    ])
    expect(body).toMatch(/^\| `checkout-new-basket` \| .*`web-shop` \| `production` \|/m)
    await writeFile(join(workspace, 'src/again.ts'), "isEnabled('checkout-new-basket')\n")
    expect(await run()).toMatchObject({ code: 0, outputs: { 'comment-url': `${ADDRESS}1` } })
    const empty = `${markerIn(body)}\nNo flags were removed.\n${FOOTER}`
    expect(github.comments).toEqual([{ id: 1, author: BOT, body: empty }])
  })

  test('is not created if no flag was removed', async () => {
    const { github, run } = await reportRemoved(await removedFrom('kept'))
    const { code, summary } = await run()
    expect([code, summary.split('\n')[1]]).toEqual([0, 'No flags were removed.'])
    expect(github.comments).toEqual([])
  })

  test('shows a name that is not a flag, and the step succeeds', async () => {
    const inputs = { project: 'checkout', 'removed-since': 'main' }
    const { github, run } = await reportRemoved(await removedFrom('no-flag'), inputs)
    const { code, log, outputs } = await run()
    expect([code, outputs['exit-code']]).toEqual([0, '6'])
    expect(log).toMatch(/^::warning title=flagadm::no-flag: not a flag of project checkout%0A/m)
    expect(github.comments[0]?.body).toContain(
      '\n**Exit code 6**\n\n    error: no-flag: not a flag of project checkout\n',
    )
  })

  test('shows another failure, and the step fails', async () => {
    const { github, run } = await reportRemoved(await removedFrom('a'), { 'removed-since': 'gone' })
    expect(await run()).toMatchObject({ code: 2 })
    expect(github.comments[0]?.body).toContain(
      "\n**Exit code 2**\n\n    error: --removed-since: unknown revision 'gone'\n",
    )
  })

  test('requires a revision outside of pull requests', async () => {
    const { code, log } = await useAction({ command: 'removed', scan: 'src' })
    expect([code, log]).toEqual([
      2,
      '::error title=flagadm::removed: set removed-since, because this run is not for a pull request\n',
    ])
  })
})

test('the workflow in docs/ci.md posts the plan as a comment and applies it, as written', async () => {
  const github = await serveGitHub()
  const sandbox = await sandboxOf([
    { id: 'default', mode: 'open' },
    { id: 'other', mode: 'private' },
  ])
  const workspace = await temporaryFolder()
  await exportAndChange(sandbox.env, workspace)
  const workflow = workflowText('settings')
  const secrets = { FLAGADM_API_KEY: sandbox.keys.full }
  const env = { ...github.env, FLAGADM_BASE_URL: sandbox.url }
  const onPullRequest = { ...triggerOf(github, workspace), env, secrets }
  const onMain = { workspace, env, secrets }
  expect(await runJob(workflow, 'plan', onPullRequest)).toMatchObject({ code: 0 })
  expect(github.comments.map(({ body }) => body)).toEqual([
    expect.stringContaining('| mode | `open` | `protected` |\n'),
  ])
  const applied = await runJob(workflow, 'apply', onMain)
  expect(applied.log).toContain('default: changed\n\n2 projects: 1 changed, 1 unchanged')
  expect(applied.summary).toContain('    projects:\n      default:\n        mode: open\n')
  expect(sandbox.project('default')).toMatchObject({ mode: 'protected' })
  await runJob(workflow, 'plan', onPullRequest)
  expect(github.comments.map(({ body }) => body)).toEqual([
    expect.stringContaining(': 0 would change, 2 unchanged\n'),
  ])
  await expect(runJob(workflow, 'apply', onPullRequest)).rejects.toThrow('does not run')
  await expect(runJob(workflow, 'plan', onMain)).rejects.toThrow('does not run')
})
