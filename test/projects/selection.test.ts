import { describe, expect, it } from 'vitest'
import { environment, flagadm } from '../support/flagadm.ts'
import { sandboxOf } from '../support/sandbox.ts'
import { json, serve } from '../support/server.ts'

const ids = ['shop-web', 'shop-app', 'mail', 'pay']
const flags = ids.map((project) => ({ name: `${project}-flag`, project }))

/** Runs a command against a service with these projects, each with one flag. */
async function run(...argv: string[]) {
  const projects = ids.map((id) => ({ id, mode: 'open' as const }))
  const sandbox = await sandboxOf([], {
    seed: { projects, flags: flags.map((flag) => ({ ...flag, usage: [], seenApplications: [] })) },
  })
  const { code, stdout, stderr } = await flagadm(argv, sandbox)
  return { code, stdout, stderr, asked: sandbox.requests() }
}

const list = (...argv: string[]) => run('feature', 'list', '-o', 'names', ...argv)

describe('--project', () => {
  it.each([
    [
      ['shop-web', '--project', 'mail'],
      ['mail-flag', 'shop-web-flag'],
    ],
    [['shop-*'], ['shop-app-flag', 'shop-web-flag']],
    [['*a*'], ['mail-flag', 'pay-flag', 'shop-app-flag']],
    [
      ['*', '--project', 'mail'],
      ['mail-flag', 'pay-flag', 'shop-app-flag', 'shop-web-flag'],
    ],
    [['mail', '--project', 'mail'], ['mail-flag']],
  ])('%j selects projects, each once', async (argv, names) => {
    const { code, stdout, stderr } = await list('--project', ...argv)
    expect([code, stdout.trimEnd().split('\n'), stderr]).toEqual([0, names, ''])
  })

  it('takes patterns and several ids in feature usage', async () => {
    const argv = ['--project', 'shop-*', '--project', 'pay', '-o', 'jsonl', '-q']
    const { code, stdout } = await run('feature', 'usage', ...argv)
    const names = Array.from(stdout.matchAll(/"flag":"([^"]*)"/g), ([, name]) => name)
    expect([code, names]).toEqual([0, ['pay-flag', 'shop-app-flag', 'shop-web-flag']])
  })

  it('takes patterns in feature references', async () => {
    const files = { 'work/a.ts': "isEnabled('pay-flag')\nisEnabled('other')\n" }
    const argv = ['feature', 'references', '--scan', '.', '--unknown', '-p', 'sandbox']
    const { code, stderr } = await flagadm(
      [...argv, '--project', 'check*', '--fail-on', 'unknown'],
      {
        files,
      },
    )
    expect([code, stderr]).toEqual([
      9,
      'error: 2 names in the code are not flags of project check*\n',
    ])
  })

  it('takes patterns as arguments of settings', async () => {
    const { code, stdout } = await run('project', 'settings', 'get', 'shop-*', 'mail', '-o', 'yaml')
    expect([code, stdout.match(/^ {2}\S+:/gm)]).toEqual([
      0,
      ['  mail:', '  shop-app:', '  shop-web:'],
    ])
  })

  it('prints the documents of patterns as of several projects', async () => {
    const { stdout } = await run('project', 'settings', 'get', 'm*', '-o', 'yaml')
    expect(stdout).toBe('projects:\n  mail:\n    mode: open\n')
  })

  it('shows the project of each flag unless there can be only one', async () => {
    const { stdout } = await run('feature', 'list', '--project', 'm*', '--project', 'pay')
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      expect.stringMatching(/^Flags of 2 projects on /),
      '',
      expect.stringMatching(/^Flag +Project +Type/),
    ])
  })
})

describe('a project that does not exist', () => {
  it.each([
    ['list', []],
    ['usage', []],
    ['references', ['--scan', '.']],
  ])('ends feature %s, also among others', async (command, argv) => {
    const selected = ['--project', 'mail', '--project', 'shop-wbe', '--project', 'p*']
    const { code, stdout, stderr } = await run('feature', command, ...argv, ...selected)
    expect([code, stdout, stderr]).toEqual([
      6,
      '',
      "error: unknown project 'shop-wbe'\nhint: did you mean shop-web?\nerror: 1 of 3 projects could not be read\n",
    ])
  })

  it.each([
    ['shpo*', 'did you mean shop-app, shop-web?'],
    ['*zzz*', 'the service lists: mail, pay, shop-app, shop-web'],
  ])('is not matched by %s', async (pattern, hint) => {
    const expected = [6, '', `error: no project matches ${pattern}\nhint: ${hint}\n`]
    const listed = await list('--project', pattern, '--project', 'mail')
    expect([listed.code, listed.stdout, listed.stderr]).toEqual(expected)
    const got = await run('project', 'settings', 'get', pattern)
    expect([got.code, got.stdout]).toEqual([6, ''])
    expect(got.stderr).toContain(`error: no project matches ${pattern}\n`)
  })
})

describe('all projects', () => {
  it.each([
    ['feature', 'list', '--all', '-o', 'names'],
    ['feature', 'usage', '--all', '-o', 'csv', '-q'],
    ['feature', 'references', '--scan', '.', '--all', '-o', 'names'],
    ['project', 'settings', 'get', '--all-projects'],
    ['project', 'settings', 'export', '--all-projects', '--dir', 'flags'],
  ])('can be selected with either option: %s %s %s %s', async (...argv) => {
    const sandbox = await sandboxOf(ids.map((id) => ({ id, mode: 'open' })))
    const files = { 'work/a.ts': "isEnabled('a')\n" }
    const { code, stderr } = await flagadm(argv, { ...sandbox, files })
    expect([code, stderr.replace(/^note: .*\n/, '')]).toEqual([0, ''])
    expect(sandbox.requests()).toContain('GET /api/admin/projects 200')
  })

  it('cannot be combined with one of them', async () => {
    const { code, stderr } = await list('--all', '--project', 'mail')
    expect([code, stderr.split('\n')[0]]).toEqual([
      2,
      'error: --project cannot be used with --all-projects',
    ])
  })

  it('leave out archived ones', async () => {
    const { url } = await serve((response, { url: path }) =>
      path === '/api/admin/projects'
        ? json(response, 200, { projects: [{ id: 'a', archivedAt: '2026-01-05' }, { id: 'b' }] })
        : json(response, 200, { features: [{ name: `flag-of-${path.split('/')[4]}` }] }),
    )
    const argv = ['feature', 'list', '--all-projects', '-o', 'names']
    const { stdout } = await flagadm(argv, { env: environment(url) })
    expect(stdout).toBe('flag-of-b\n')
  })
})
