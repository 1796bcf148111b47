import { readFile, stat, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CANARY, environment, flagadm, temporaryFolder } from '../support/flagadm.ts'
import { anonymous, sandboxOf } from '../support/sandbox.ts'
import { json, serve } from '../support/server.ts'
import { checkout, full, noRule, plain } from './seed.ts'

const command = ['project', 'settings']
const projects = [checkout, plain(), plain('same')]
const documents = `projects:
  checkout: {featureNaming: {example: null, description: Two}}
  plain: {mode: protected}
  same: {mode: open}
`

/** A sandbox, and a folder with the plan of the documents. */
async function planned() {
  const sandbox = await sandboxOf(projects)
  const folder = await temporaryFolder({ 'work/a.yaml': documents })
  const run = (...argv: string[]) =>
    flagadm([...command, ...argv], { ...sandbox, cwd: join('..', basename(folder), 'work') })
  const outcome = await run('plan', '-f', 'a.yaml', '--save', 'plan.json')
  const path = join(folder, 'work/plan.json')
  return { sandbox, folder, run, outcome, path, text: () => readFile(path, 'utf8') }
}

describe('plan --save', () => {
  it('keeps what is stored and what is wanted of each project that would change', async () => {
    const { sandbox, outcome, text, path } = await planned()
    const featureNaming = { example: '', description: 'Two' }
    const nothing = { mode: 'open', featureNaming: noRule, linkTemplates: [] }
    expect(outcome).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(await text())).toEqual({
      $schema: expect.stringMatching(/^https:.*\/schemas\/plan\.schema\.json$/),
      version: 1,
      service: sandbox.url,
      projects: [
        { projectId: 'checkout', stored: full, wanted: { featureNaming } },
        { projectId: 'plain', stored: nothing, wanted: { mode: 'protected' } },
      ],
    })
    expect((await stat(path)).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600)
  })

  it('replaces the file of an earlier plan, and a link instead of what it leads to', async () => {
    const { folder, run, path, text } = await planned()
    const mine = join(folder, 'mine')
    await symlink(mine, join(folder, 'work/link.json'))
    expect((await run('plan', '-f', 'a.yaml', '--save', 'link.json')).code).toBe(0)
    await expect(stat(mine)).rejects.toThrow('ENOENT')
    const before = await text()
    expect((await run('plan', '-f', 'a.yaml', '--save', path)).code).toBe(0)
    expect(await text()).toBe(before)
  })

  it('keeps no API key', async () => {
    const { url } = await serve((response) =>
      json(response, 200, { mode: 'open', featureNaming: { pattern: 'a', description: CANARY } }),
    )
    const files = { 'work/a.yaml': 'projects: {a: {mode: private}}' }
    const argv = [...command, 'plan', '-f', 'a.yaml', '--save', 'plan.json']
    const { folder } = await flagadm(argv, { env: environment(url), files })
    const text = await readFile(join(folder, 'work/plan.json'), 'utf8')
    expect([text.includes(CANARY), text.includes('[redacted]')]).toEqual([false, true])
  })
})

describe('apply --plan', () => {
  it('sends exactly the changes of the plan', async () => {
    const { sandbox, run } = await planned()
    const { code, stdout, stderr } = await run('apply', '--plan', 'plan.json', '--yes')
    expect({ code, stdout: stdout.replaceAll(sandbox.url, 'S'), stderr }).toEqual({
      code: 0,
      stdout: `Plan for S

checkout: would change
  example      checkout-a → (unset)
  description
    - One
    - two
    + Two

plain: would change
  mode         open → protected

2 projects: 2 changed, 0 unchanged, 0 failed
`,
      stderr: '',
    })
    expect(sandbox.project('checkout')).toMatchObject({
      mode: 'protected',
      featureNaming: { pattern: 'checkout-[a-z]+', description: 'Two' },
      linkTemplates: checkout.linkTemplates,
    })
    const again = await run('apply', '--plan', 'plan.json', '--yes', '--json')
    expect(again.stdout.match(/"status":"unchanged"/g)).toHaveLength(2)
  })

  it('refuses projects whose stored settings are no longer those of the plan', async () => {
    const { sandbox, run } = await planned()
    await run('set', 'checkout', '--mode', 'open')
    const first = anonymous(sandbox, await run('apply', '--plan', 'plan.json', '--yes'))
    expect(first).toMatchObject({
      code: 10,
      stderr:
        'error: 1 of 2 projects failed\nhint: correct the cause and run apply again; it skips what is done; if someone else has changed it, compare with what is stored, then make a new plan\n',
    })
    expect(first.stdout).toContain(
      '\ncheckout: failed: someone else has changed the settings: mode; compare with what is stored, then make a new plan\n2 projects: 1 changed, 0 unchanged, 1 failed\n',
    )
    expect(sandbox.project('checkout')?.featureNaming).toMatchObject({ description: 'One\ntwo' })
    const second = await run('apply', '--plan', 'plan.json', '--yes')
    expect([second.code, second.stderr]).toEqual([
      9,
      'error: project checkout: someone else has changed the settings: mode\nhint: compare with what is stored, then make a new plan\n',
    ])
  })

  it('says so with --dry-run, and what is changed already', async () => {
    const { sandbox, run } = await planned()
    await run('set', 'checkout', '--mode', 'open')
    const stale = anonymous(sandbox, await run('apply', '--plan', 'plan.json', '--dry-run'))
    expect([stale.code, stale.stderr]).toEqual([10, 'error: 1 of 2 projects failed\n'])
    expect(stale.stdout).toContain(
      '\ncheckout: failed: someone else has changed the settings: mode; compare with what is stored, then make a new plan\n\n2 projects: 1 would change, 0 unchanged, 1 failed\n',
    )
    await run('set', 'checkout', '--mode', 'protected')
    await run('apply', '--plan', 'plan.json', '--yes')
    const done = await run('apply', '--plan', 'plan.json', '--dry-run')
    expect([done.code, done.stdout]).toEqual([0, expect.stringContaining('2 unchanged\n')])
  })

  it('shows the plan with --dry-run and sends nothing', async () => {
    const { sandbox, run } = await planned()
    const { code, stdout, stderr } = await run('apply', '--plan', 'plan.json', '--dry-run')
    expect([code, stderr]).toEqual([0, 'note: dry run: nothing was sent\n'])
    expect(stdout).toContain('2 projects: 2 would change, 0 unchanged\n')
    expect(sandbox.writes()).toEqual([])
    const { stdout: documents } = await run('apply', '-f', 'a.yaml', '--dry-run', '--json')
    expect(JSON.parse(documents)).toMatchObject({ summary: { changed: 2, unchanged: 1 } })
  })

  const written = 'project settings plan --save writes such a file'
  const foreign = ': the plan is for https://b.test, not for https://a.test'
  it.each([
    ['[]', ':1: expected an object', written],
    ['{"version": 2, "service": "s", "projects": []}', ':1: version: expected 1', written],
    [
      '{"version": 1, "service": "s",\n"projects": [{"projectId": "a"}]}',
      ':2: projects[0].stored: missing',
      written,
    ],
    [
      '{"version": 1, "service": "https://b.test", "projects": []}',
      foreign,
      'use a profile for that service',
    ],
    [
      '{"version": 1, "service": "https://ada:pw@a.test", "projects": []}',
      ':1: service: expected an address without a user or password',
      written,
    ],
  ])('refuses %s', async (text, problem, hint) => {
    const world = { env: environment('https://a.test'), files: { 'work/plan.json': text } }
    const { code, stderr } = await flagadm([...command, 'apply', '--plan', 'plan.json'], world)
    expect([code, stderr]).toEqual([2, `error: plan.json${problem}\nhint: ${hint}\n`])
  })

  const address = 'https://a.test'
  /** A plan with one project on each line. */
  const planOf = (...kept: readonly object[]) => {
    const lines = kept.map((one) => JSON.stringify({ projectId: 'a', stored: {}, ...one }))
    return `{"version": 1, "service": "${address}", "projects": [\n${lines.join(',\n')}]}`
  }
  const mode = { mode: 'open' }
  const stored = { featureNaming: { pattern: 'a-[a-z]+', example: 'a-b' } }
  const masked = 'contains [redacted], which flagadm writes in place of the API key'
  const half = 'contains a character that the service cannot store: NUL, or half a surrogate pair'
  const groups =
    'the pattern is not a valid regular expression (unterminated group near character 2): the service would accept it and enforce nothing (no-compile)'
  const kept = "the stored example 'a-b' does not match the new pattern 'c-[a-z]+'"
  it.each([
    [
      'a masked text',
      { wanted: { featureNaming: { description: '[redacted]' } } },
      `projects[1].wanted.featureNaming.description: ${masked}`,
      false,
    ],
    [
      'a masked text that was stored',
      { stored: { linkTemplates: [{ urlTemplate: 'a[redacted]' }] }, wanted: mode },
      `projects[1].stored.linkTemplates[0].urlTemplate: ${masked}`,
      false,
    ],
    [
      'half a surrogate pair',
      { wanted: { featureNaming: { example: '\ud83d' } } },
      `projects[1].wanted.featureNaming.example: ${half}`,
      false,
    ],
    [
      'an unknown mode',
      { wanted: { mode: 'evil' } },
      "projects[1].wanted.mode: unknown project mode 'evil'",
      true,
    ],
    [
      'an invalid pattern',
      { wanted: { featureNaming: { pattern: 'a(' } } },
      `projects[1].wanted.featureNaming.pattern: ${groups}`,
      true,
    ],
    [
      'a pattern that the stored example does not match',
      { stored, wanted: { featureNaming: { pattern: 'c-[a-z]+' } } },
      kept,
      true,
    ],
    [
      'an id that no URL can have',
      { projectId: '..', wanted: mode },
      "invalid project id '..'",
      false,
    ],
    [
      'an id that is not Unicode',
      { projectId: '\udc00', wanted: mode },
      'the project id is not valid Unicode',
      false,
    ],
    ['a masked id', { projectId: '[redacted]', wanted: mode }, `the project id ${masked}`, false],
    [
      'a project twice',
      { projectId: 'first', wanted: mode },
      'project first is also defined in plan.json:2',
      false,
    ],
  ])('refuses a plan with %s', async (_what, project, problem, isOptional) => {
    const text = planOf({ projectId: 'first', wanted: mode }, project)
    const world = { env: environment(address), files: { 'work/plan.json': text } }
    const run = (...more: string[]) =>
      flagadm([...command, 'apply', '--plan', 'plan.json', '--dry-run', ...more], world)
    const { code, stdout, stderr } = await run()
    const [first] = stderr.split('\n')
    expect([code, stdout, first]).toEqual([2, '', `error: plan.json:3: ${problem}`])
    expect((await run('--no-verify')).code).toBe(isOptional ? 8 : 2)
  })

  it.each([
    [['--plan', 'p.json', '-f', 'a.yaml'], '--plan cannot be used with --file'],
    [[], 'nothing to apply'],
  ])('is refused with %j', async (argv, problem) => {
    const { code, stderr } = await flagadm([...command, 'apply', ...argv])
    expect([code, stderr.split('\n')[0]]).toEqual([2, `error: ${problem}`])
  })
})
