import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { readdir, readFile, symlink } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { basename, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { systemClock } from '../../src/host.ts'
import { patientClock } from '../support/clock.ts'
import { environment, flagadm, temporaryFolder } from '../support/flagadm.ts'
import { anonymous, sandboxOf } from '../support/sandbox.ts'
import { json, serve } from '../support/server.ts'
import { checkout, flagsOf, full, noRule, plain } from './seed.ts'

const asking = ['project', 'settings', 'apply', '-f', 'a.yaml']
const apply = [...asking, '-y']

function jsonLines(text: string) {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** A clock that never waits. */
const instant = { ...systemClock, sleep: async () => {} }

const projects = [checkout, plain(), plain('same')]
const text = `projects:
  checkout: {mode: open}
  plain: {mode: protected, featureNaming: {pattern: '[a-z]+x'}}
  same: {mode: open}
`
const files = { 'work/a.yaml': text }

/** A document that makes projects private. */
const privates = (...ids: string[]) => ({
  'work/a.yaml': JSON.stringify({
    projects: Object.fromEntries(ids.map((id) => [id, { mode: 'private' }])),
  }),
})

/**
 * A service that stores the modes of projects, which are open at first; reading one that is `unreadable` fails.
 * @param onWrite answers a change, and returns what to store
 */
async function serviceOf(
  onWrite: (response: ServerResponse, mode: string, id: string) => string | undefined,
  onRead: (modes: Map<string, string>) => void = () => {},
) {
  const modes = new Map<string, string>()
  const server = await serve((response, { method, url, body }) => {
    const [, id = ''] = /projects\/([^/]+)/.exec(url) ?? []
    if (method === 'PUT')
      return modes.set(id, onWrite(response, JSON.parse(body).mode, id) ?? 'open')
    onRead(modes)
    const mode = modes.get(id) ?? 'open'
    return json(response, mode === 'unreadable' ? 500 : 200, {
      mode,
      featureNaming: {},
      linkTemplates: [],
    })
  })
  const writes = () => server.received.filter(({ method }) => method === 'PUT').length
  return { modes, writes, env: environment(server.url) }
}

function accept(response: ServerResponse, mode: string): string {
  response.writeHead(200).end()
  return mode
}

describe('settings apply', () => {
  test('shows the plan, changes what differs and keeps the rest', async () => {
    const sandbox = await sandboxOf(projects)
    const outcome = anonymous(sandbox, await flagadm(apply, { ...sandbox, files }))
    expect(outcome).toMatchObject({
      code: 0,
      stderr: '',
      stdout: `Plan for S

checkout: would change
  mode         protected → open

plain: would change
  mode         open → protected
  pattern      (unset) → [a-z]+x (new rule)

3 projects: 2 changed, 1 unchanged, 0 failed
`,
    })
    expect(sandbox.project('checkout')).toMatchObject({ ...checkout, mode: 'open' })
    expect(sandbox.project('plain')).toMatchObject({ mode: 'protected' })
    expect(sandbox.writes()).toEqual([
      'PUT /api/admin/projects/checkout/settings 200',
      'PUT /api/admin/projects/plain/settings 200',
    ])
    // A second time changes nothing.
    const { stdout } = await flagadm(apply, { ...sandbox, files })
    expect(stdout.endsWith('\n\n3 projects: 0 changed, 3 unchanged, 0 failed\n')).toBe(true)
    expect(sandbox.writes()).toHaveLength(2)
  })

  test('continues after a failure, and reports each project as a JSON line', async () => {
    const sandbox = await sandboxOf(projects)
    const more = { 'work/a.yaml': text.replace('checkout:', 'gone: {}\n  checkout:') }
    const argv = [...apply, '--json']
    const { code, stdout, stderr } = await flagadm(argv, { ...sandbox, files: more })
    expect(code).toBe(10)
    expect(jsonLines(stdout)).toEqual([
      {
        projectId: 'gone',
        status: 'failed',
        changes: [],
        verified: false,
        error: expect.objectContaining({ kind: 'notFound' }),
      },
      {
        projectId: 'checkout',
        status: 'changed',
        changes: [{ field: 'mode', from: 'protected', to: 'open' }],
        verified: true,
      },
      {
        projectId: 'plain',
        status: 'changed',
        changes: [
          { field: 'mode', from: 'open', to: 'protected' },
          { field: 'featureNaming.pattern', from: null, to: '[a-z]+x' },
        ],
        verified: true,
      },
      {
        projectId: 'same',
        status: 'unchanged',
        changes: [],
        verified: true,
      },
    ])
    expect(JSON.parse(stderr).error).toEqual({
      kind: 'partial',
      exitCode: 10,
      message: '1 of 3 projects failed',
      hint: 'correct the cause and run apply again; it skips what is done',
    })
  })

  test.each([
    ['sends nothing if someone else applied the same after the plan', 'private', 0, 'unchanged'],
    ['does not overwrite what was changed after the plan', 'protected', 9, 'failed'],
  ])('%s', async (_what, mode, exit, status) => {
    let reads = 0
    const service = await serviceOf(accept, (modes) => {
      if (++reads === 2) modes.set('p', mode)
    })
    const world = { ...service, files: privates('p') }
    const { code, stdout, stderr } = await flagadm([...apply, '--json'], world)
    expect({ code, status: JSON.parse(stdout).status, writes: service.writes() }).toEqual({
      code: exit,
      status,
      writes: 0,
    })
    const problem = 'someone else has changed the settings: mode'
    expect(stderr.includes(problem)).toBe(exit !== 0)
  })

  test('shows failures with the same cause together', async () => {
    const service = await serviceOf((response, mode, id) => {
      if (id === 'p2') return accept(response, mode)
      json(response, 403, { message: 'no' })
      return undefined
    })
    const { code, stdout } = await flagadm(apply, { ...service, files: privates('p1', 'p2', 'p3') })
    expect(code).toBe(10)
    expect(stdout.slice(stdout.indexOf('p1, p3'))).toBe(
      `p1, p3: failed: 403: no; use a key that has this permission
3 projects: 1 changed, 0 unchanged, 2 failed
`,
    )
  })
})

describe('an interrupted apply', () => {
  const hint = 'hint: run apply again; it skips what is done\n'

  /** Interrupts when the write of this project arrives; with a timeout, it is not answered. */
  async function interruptedApply(last: string, ...argv: string[]) {
    const interruption = new AbortController()
    const service = await serviceOf((response, mode, id) => {
      if (id === last) interruption.abort()
      if (id === last && argv.includes('--timeout')) return 'unreadable'
      setImmediate(accept, response, mode)
      return mode
    })
    const world = { files: privates('p0', 'p1', 'p2', 'p3'), signal: interruption.signal }
    const outcome = await flagadm([...apply, ...argv], { ...service, ...world })
    return { ...outcome, writes: service.writes() }
  }

  test('finishes the write under way, and reports every project', async () => {
    const { code, stdout, stderr, writes } = await interruptedApply('p1')
    const summary = '4 projects: 2 changed, 0 unchanged, 0 failed, 2 skipped'
    expect({ code, stderr, writes }).toEqual({
      code: 130,
      stderr: `error: interrupted; ${summary}\n${hint}`,
      writes: 2,
    })
    expect(stdout.endsWith(`\n\np2, p3: skipped\n${summary}\n`)).toBe(true)
    const { stdout: lines, stderr: error } = await interruptedApply('p1', '--json')
    expect(jsonLines(lines)).toMatchObject([
      { status: 'changed', verified: true },
      { status: 'changed', verified: true },
      { status: 'skipped', verified: false },
      { status: 'skipped', verified: false },
    ])
    expect(jsonLines(error).at(-1)?.error).toMatchObject({ kind: 'interrupted', exitCode: 130 })
  })

  test('waits no longer than one request may take', async () => {
    const { code, stdout, stderr } = await interruptedApply(
      'p1',
      '--timeout',
      '0.5',
      '--retries',
      '0',
    )
    const summary = '4 projects: 1 changed, 0 unchanged, 0 failed, 1 unknown, 2 skipped'
    expect([code, stderr]).toEqual([130, `error: interrupted; ${summary}\n${hint}`])
    expect(stdout).toMatch(
      /\np1: unknown: no complete response from .*; the change may have been made; .*\n/,
    )
  })

  test('succeeds if the last write does', async () => {
    expect(await interruptedApply('p3')).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('a write that the service does not confirm', () => {
  /** @param stored what the service stores of a change; @param status 0 for a lost connection */
  async function applied(stored: string | undefined, status: number) {
    const service = await serviceOf((response) => {
      if (status === 0) response.destroy()
      else response.writeHead(status).end()
      return stored
    })
    service.modes.set('q', 'private')
    const world = { ...service, files: privates('p', 'q'), clock: instant }
    const outcome = await flagadm([...apply, '--retries', '0'], world)
    return { ...outcome, last: outcome.stdout.split('\n').slice(-3, -1) }
  }

  test.each([0, 502])('is changed if it is stored after %i, with a warning', async (status) => {
    const { code, stderr, last } = await applied('private', status)
    expect([code, last[1]]).toEqual([0, '2 projects: 1 changed, 1 unchanged, 0 failed'])
    expect(stderr).toMatch(/^warning: project p: .*; but the settings are stored\n$/)
  })

  const same = /^p: failed: 502: .*; the settings are still the same$/
  const other = /^p: failed: .*, but the settings are not as expected: mode; /
  const unknown = /^p: unknown: 502: .*; the change may have been made; run apply/
  test.each([
    ['nothing is stored', undefined, 502, 8, '1 failed', same],
    ['something else is stored', 'protected', 502, 8, '1 failed', other],
    ['it cannot be read back', 'unreadable', 502, 8, '0 failed, 1 unknown', unknown],
    ['it is refused', 'private', 403, 5, '1 failed', /^p: failed: 403: /],
  ])('has failed or is unknown if %s', async (_what, stored, status, exit, count, line) => {
    const { code, last } = await applied(stored, status)
    expect({ code, last }).toEqual({
      code: exit,
      last: [expect.stringMatching(line), `2 projects: 0 changed, 1 unchanged, ${count}`],
    })
  })
})

describe('the question before a change', () => {
  const dialog = (keys: string) => [['Update 2 projects on', keys]] as const
  const planned = '  pattern      (unset) → [a-z]+x (new rule)\n\n'

  test('is asked after the plan, and acted on', async () => {
    const sandbox = await sandboxOf(projects)
    const world = { ...sandbox, files, columns: 200 }
    const refused = await flagadm(asking, { ...world, dialog: dialog('n') })
    const report = 'note: nothing was changed\n'
    expect(refused.code).toBe(130)
    expect(stripVTControlCharacters(refused.stderr).endsWith(report)).toBe(true)
    expect(refused.stderr).toContain(`Update 2 projects on ${sandbox.url}?`)
    expect(stripVTControlCharacters(refused.stderr)).not.toContain(planned)
    expect(stripVTControlCharacters(refused.stdout).endsWith(planned)).toBe(true)
    expect(sandbox.writes()).toEqual([])
    expect((await flagadm(asking, { ...world, dialog: dialog('y') })).code).toBe(0)
    expect(sandbox.writes()).toHaveLength(2)
  })

  test.each([{ more: [] }, { more: ['--json'] }])(
    'comes after the plan on stderr if stdout is not the terminal: $more',
    async ({ more }) => {
      const sandbox = await sandboxOf(projects)
      const world = { ...sandbox, files, dialog: dialog('y') }
      const { stderr } = anonymous(sandbox, await flagadm([...asking, ...more], world))
      const [plan, question] = stripVTControlCharacters(stderr).split(planned)
      expect(plan).toBe(`Plan for S

checkout: would change
  mode         protected → open

plain: would change
  mode         open → protected
`)
      expect(question).toContain('Update 2 projects')
    },
  )

  test('warns of rules that are removed', async () => {
    const sandbox = await sandboxOf(projects)
    const removed = { 'work/a.yaml': 'projects:\n  checkout:\n    featureNaming:\n    # none\n' }
    const one = [['Update 1 project on', 'n']] as const
    const world = { ...sandbox, files: removed, columns: 200, dialog: one }
    const { code, stdout, stderr } = await flagadm([...asking, '--no-color'], world)
    const warning =
      'warning: the naming rule of project checkout is removed: any flag name is accepted\n'
    expect([code, stderr.slice(0, stderr.indexOf('\u001b'))]).toEqual([130, warning])
    expect(stdout).toContain('  pattern      checkout-[a-z]+ → (unset) (rule removed)\n')
    const dryRun = await flagadm([...asking, '--dry-run', '--json'], { ...sandbox, files: removed })
    expect(JSON.parse(dryRun.stdout).projects).toMatchObject([
      { warning: 'the naming rule of project checkout is removed: any flag name is accepted' },
    ])
  })

  describe('a rule that could not be checked, or that existing flags break', () => {
    const pattern = `checkout-${'[a-z]'.repeat(2000)}`
    const tooLong = 'the pattern is too long to check: 10009 characters, at most 10000'
    const documents = {
      'work/a.yaml': `projects:
  checkout: {featureNaming: {pattern: '${pattern}', example: null}}
  plain: {featureNaming: {pattern: 'plain-[a-z]+', example: plain-a, description: d}}
`,
    }
    const seed = { projects, flags: flagsOf('plain', 'plain-a', 'shop-a') }
    const concerns = [
      `project checkout: ${tooLong}`,
      'project plain: 1 of 2 existing flags breaks the new rule: shop-a',
    ]

    test('is in the plan and above the question', async () => {
      const sandbox = await sandboxOf([], { seed })
      const dialog = [['Update 2 projects on', 'n']] as const
      // Without progress, however long it takes.
      const { clock } = patientClock()
      const world = { ...sandbox, files: documents, columns: 400, dialog, clock }
      const { stdout, stderr } = await flagadm([...asking, '--no-color'], world)
      expect(stripVTControlCharacters(stdout)).toContain(`(effect not known; ${tooLong}; `)
      expect(stderr.slice(0, stderr.indexOf('\u001b'))).toBe(
        concerns.map((concern) => `warning: ${concern}\n`).join(''),
      )
    })

    test('is a warning with --yes if JSON has no plan', async () => {
      const sandbox = await sandboxOf([], { seed })
      const { stderr } = await flagadm([...apply, '--json'], { ...sandbox, files: documents })
      const warnings = jsonLines(stderr).flatMap(({ warning }) => warning?.message ?? [])
      expect(warnings).toEqual(concerns)
    })
  })

  test('is required without a terminal, but not without a change', async () => {
    const sandbox = await sandboxOf(projects)
    const { code, stderr } = await flagadm(asking, { ...sandbox, files })
    expect({ code, stderr, writes: sandbox.writes() }).toEqual({
      code: 2,
      stderr:
        'error: confirmation required: 2 projects would change\nhint: run the command on a terminal, or use --yes\n',
      writes: [],
    })
    const unchanged = { 'work/a.yaml': 'projects: {same: {mode: open}}' }
    expect((await flagadm(asking, { ...sandbox, files: unchanged })).code).toBe(0)
  })
})

describe('--save-before', () => {
  test('changes nothing that could not be undone, because the file would be too large', async () => {
    const rule = { pattern: 'a+', example: 'a', description: 'x'.repeat(1_000_000) }
    const sandbox = await sandboxOf([{ id: 'p', mode: 'open', featureNaming: rule }])
    const argv = [
      'project',
      'settings',
      'apply',
      '-f',
      'a.yaml',
      '--yes',
      '--save-before',
      'b.yaml',
    ]
    const { code, stdout, folder } = await flagadm(argv, {
      env: sandbox.env,
      files: { 'work/a.yaml': 'projects: {p: {mode: private}}\n' },
    })
    expect(code).toBe(2)
    expect(stdout).toContain(
      'p: failed: b.yaml would be too large to be read again; change fewer at once',
    )
    expect(sandbox.writes()).toEqual([])
    expect(readdirSync(join(folder, 'work'))).toEqual(['a.yaml'])
  })

  const save = [...apply, '--save-before']
  const undo = 'note: undo with:\n  flagadm project settings apply --plan before.yaml\n'
  const undoing = ['project', 'settings', 'apply', '--plan', 'before.yaml', '-y']
  const nothing = 'note: nothing was changed, so before.yaml was not written\n'

  function idsIn({ projects }: { projects: readonly { projectId: string }[] }): string[] {
    return projects.map(({ projectId }) => projectId)
  }

  /** The content of the file; undefined if there is none. */
  async function savedIn(folder: string) {
    const text = await readFile(join(folder, 'work/before.yaml'), 'utf8').catch(() => undefined)
    return text === undefined ? undefined : parse(text)
  }

  test('writes the previous settings of the projects that change', async () => {
    const sandbox = await sandboxOf(projects)
    const get = ['project', 'settings', 'get', '--all-projects', '--json']
    const original = await flagadm(get, sandbox)
    const { code, stderr, folder } = await flagadm([...save, 'before.yaml'], { ...sandbox, files })
    const before = await readFile(join(folder, 'work/before.yaml'), 'utf8')
    const now = { mode: 'protected', featureNaming: { ...noRule, pattern: '[a-z]+x' } }
    const saved = [
      {
        projectId: 'checkout',
        stored: { ...full, mode: 'open' },
        wanted: { mode: 'protected' },
      },
      {
        projectId: 'plain',
        stored: { ...now, linkTemplates: [] },
        wanted: { mode: 'open', featureNaming: noRule },
      },
    ]
    expect([code, stderr, parse(before)]).toEqual([
      0,
      undo,
      { $schema: expect.any(String), version: 1, service: sandbox.url, projects: saved },
    ])
    const again = { ...sandbox, files: { 'work/before.yaml': before } }
    expect((await flagadm(undoing, again)).code).toBe(0)
    expect((await flagadm(get, sandbox)).stdout).toBe(original.stdout)
    const other = await sandboxOf(projects)
    const elsewhere = { ...other, files: { 'work/before.yaml': before } }
    expect(await flagadm(undoing, elsewhere)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`the plan is for ${sandbox.url}, not for ${other.url}`),
    })
  })

  test('a project that was changed since is not undone, and the others are', async () => {
    const sandbox = await sandboxOf(projects)
    const { folder } = await flagadm([...save, 'before.yaml'], { ...sandbox, files })
    const before = await readFile(join(folder, 'work/before.yaml'), 'utf8')
    const since = ['project', 'settings', 'set', 'checkout', '--description', 'Newer']
    expect((await flagadm(since, sandbox)).code).toBe(0)
    const again = { ...sandbox, files: { 'work/before.yaml': before } }
    const { code, stdout } = await flagadm(undoing, again)
    expect(code).toBe(10)
    expect(stdout).toContain(
      'checkout: failed: someone else has changed the settings: featureNaming.description; ' +
        'compare with what is stored, then make a new plan\n',
    )
    const { mode, featureNaming } = sandbox.project('checkout') ?? {}
    expect([mode, featureNaming?.description]).toEqual(['open', 'Newer'])
    expect(sandbox.project('plain')).toMatchObject({ mode: 'open', featureNaming: noRule })
  })

  test('of a dry run touches no file and refuses none', async () => {
    const sandbox = await sandboxOf(projects)
    const folder = await temporaryFolder({ ...files, 'work/before.yaml': 'precious' })
    const world = { ...sandbox, cwd: join('..', basename(folder), 'work') }
    for (const path of ['before.yaml', 'none/before.yaml', 'new.yaml']) {
      expect((await flagadm([...save, path, '--dry-run'], world)).code).toBe(0)
    }
    expect(await readFile(join(folder, 'work/before.yaml'), 'utf8')).toBe('precious')
    expect((await readdir(join(folder, 'work'))).sort()).toEqual(['a.yaml', 'before.yaml'])
  })

  test('writes only the projects that this run changes or may have changed', async () => {
    const saved: (string | undefined)[] = []
    const folder = await temporaryFolder(
      privates('refused', 'changed', 'drifted', 'same', 'lost', 'unread', 'late'),
    )
    const service = await serviceOf(
      (response, mode, id) => {
        saved.push(readFileSync(join(folder, 'work/before.yaml'), 'utf8'))
        if (id === 'refused') json(response, 403, { message: 'no' })
        else if (id === 'lost' || id === 'unread') json(response, 502, { message: 'no' })
        else response.writeHead(200).end()
        if (id === 'unread') return 'unreadable'
        return id === 'changed' || id === 'late' ? mode : undefined
      },
      (modes) => {
        if (saved.length === 2) modes.set('drifted', 'protected')
      },
    )
    service.modes.set('same', 'private')
    const argv = [...save, 'before.yaml', '--retries', '0']
    const world = { ...service, cwd: join('..', basename(folder), 'work'), clock: instant }
    const { code, stderr } = await flagadm(argv, world)
    const ids = (text = '') => idsIn(parse(text))
    expect([code, stderr]).toEqual([10, expect.stringContaining(undo)])
    // Each is there before its request arrives.
    expect(saved.map(ids)).toEqual([
      ['refused'],
      ['changed'],
      ['changed', 'lost'],
      ['changed', 'unread'],
      ['changed', 'unread', 'late'],
    ])
    expect(idsIn(await savedIn(folder))).toEqual(['changed', 'unread', 'late'])
  })

  test.each([
    ['there is nothing to do', { 'work/a.yaml': 'projects: {p: {mode: open}}' }, 0, nothing],
    ['everything is refused', privates('p', 'q'), 5, nothing],
  ])('writes no file if %s, and says so', async (_what, documents, exit, note) => {
    const service = await serviceOf((response) => {
      json(response, 403, { message: 'no' })
      return undefined
    })
    const argv = [...save, 'before.yaml']
    const { code, stderr, folder } = await flagadm(argv, { ...service, files: documents })
    expect([code, stderr.startsWith(note)]).toEqual([exit, true])
    expect(await readdir(join(folder, 'work'))).toEqual(['a.yaml'])
  })

  test('shows the command that restores a rule with problems', async () => {
    const own = { id: 'own', mode: 'open' as const, featureNaming: { pattern: 'a|b' } }
    const sandbox = await sandboxOf([own, { ...own, id: 'other' }, plain()])
    const mode = '{mode: private}'
    const documents = {
      'work/a.yaml': `projects: {own: {featureNaming: null}, other: ${mode}, plain: ${mode}}`,
    }
    const argv = [...save, "it's before.yaml"]
    const { stderr, folder } = await flagadm(argv, { ...sandbox, files: documents })
    const path = "'it'\\''s before.yaml'"
    expect(stderr).toBe(
      `note: the previous settings of own have problems, so undo with:\n  flagadm project settings apply --plan ${path} --no-verify\n`,
    )
    const before = await readFile(join(folder, "work/it's before.yaml"), 'utf8')
    const again = { ...sandbox, files: { 'work/before.yaml': before } }
    expect((await flagadm(undoing, again)).code).toBe(2)
    expect((await flagadm([...undoing, '--no-verify'], again)).code).toBe(0)
    expect(sandbox.project('own')?.featureNaming).toMatchObject({ pattern: 'a|b' })
  })

  test('sends nothing more if the file cannot be written any longer', async () => {
    const folder = await temporaryFolder({ ...privates('p', 'q'), 'work/undo/x': '' })
    const service = await serviceOf((response, mode) => {
      rmSync(join(folder, 'work/undo'), { recursive: true })
      return accept(response, mode)
    })
    const world = { ...service, cwd: join('..', basename(folder), 'work') }
    const { code, stdout } = await flagadm([...save, 'undo/before.yaml'], world)
    const last = stdout.split('\n').slice(-3, -1)
    expect([code, service.writes(), last]).toEqual([
      10,
      1,
      [
        'q: failed: undo/before.yaml cannot be written: no such file; check the path and its permissions',
        '2 projects: 1 changed, 0 unchanged, 1 failed',
      ],
    ])
  })

  test.each([
    ['before.yaml', 2, 'before.yaml already exists'],
    ['link.yaml', 2, 'link.yaml already exists'],
    ['none/before.yaml', 1, 'none/before.yaml cannot be written: no such file'],
  ])('%s ends the command before anything is read', async (path, exit, problem) => {
    const sandbox = await sandboxOf(projects)
    const folder = await temporaryFolder({ ...files, 'work/before.yaml': 'precious' })
    await symlink('nowhere', join(folder, 'work/link.yaml'))
    const world = { ...sandbox, cwd: join('..', basename(folder), 'work') }
    const { code, stderr } = await flagadm([...save, path], world)
    expect([code, stderr.split('\n')[0]]).toEqual([exit, `error: ${problem}`])
    expect(await readFile(join(folder, 'work/before.yaml'), 'utf8')).toBe('precious')
    expect(sandbox.requests()).toEqual([])
  })
})
