import { writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Seed } from '../../src/sandbox/seed.ts'
import { systemClock } from '../../src/host.ts'
import { environment, flagadm, temporaryFolder } from '../support/flagadm.ts'
import { anonymous, sandboxOf } from '../support/sandbox.ts'
import { json, serve } from '../support/server.ts'

const asking = ['project', 'settings', 'apply', '-f', 'a.yaml']
const apply = [...asking, '-y']

function jsonLines(text: string) {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const checkout: Seed['projects'][number] = {
  id: 'checkout',
  mode: 'protected',
  featureNaming: { pattern: 'checkout-[a-z]+', example: 'checkout-a', description: 'One' },
  linkTemplates: [{ title: 'Issue', urlTemplate: 'https://t.test/' }],
}
const projects = [
  checkout,
  { id: 'plain', mode: 'open' as const },
  { id: 'same', mode: 'open' as const },
]

const text = `projects:
  checkout: {mode: open}
  plain: {mode: protected, featureNaming: {pattern: '[a-z]+x'}}
  same: {mode: open}
`
const files = { 'work/a.yaml': text }

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

3 projects: 2 would change, 1 unchanged

checkout: changed
plain: changed

3 projects: 2 changed, 1 unchanged, 0 failed
`,
    })
    expect(sandbox.project('checkout')).toMatchObject({ ...checkout, mode: 'open' })
    expect(sandbox.project('plain')).toMatchObject({ mode: 'protected' })
    expect(sandbox.writes().sort()).toEqual([
      'PUT /api/admin/projects/checkout/settings 200',
      'PUT /api/admin/projects/plain/settings 200',
    ])
  })

  test('a second time changes nothing', async () => {
    const sandbox = await sandboxOf(projects)
    await flagadm(apply, { ...sandbox, files })
    const { code, stdout } = await flagadm(apply, { ...sandbox, files })
    expect([code, stdout]).toEqual([
      0,
      `Plan for ${sandbox.env.FLAGADM_BASE_URL}

3 projects: 0 would change, 3 unchanged

3 projects: 0 changed, 3 unchanged, 0 failed
`,
    ])
    expect(sandbox.writes()).toHaveLength(2)
  })

  test('reports each project as a JSON line', async () => {
    const sandbox = await sandboxOf(projects)
    const { stdout } = await flagadm([...apply, '--json'], { ...sandbox, files })
    expect(jsonLines(stdout)).toEqual([
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
      { projectId: 'same', status: 'unchanged', changes: [], verified: true },
    ])
  })

  test('continues after a failure', async () => {
    const sandbox = await sandboxOf(projects)
    const more = 'projects: {gone: {mode: open}, checkout: {mode: open}}'
    const world = { ...sandbox, files: { 'work/a.yaml': more } }
    const { code, stdout, stderr } = await flagadm([...apply, '--json'], world)
    expect(code).toBe(10)
    expect(jsonLines(stdout)).toMatchObject([
      { projectId: 'gone', status: 'failed', verified: false, error: { kind: 'notFound' } },
      { projectId: 'checkout', status: 'changed', verified: true },
    ])
    expect(JSON.parse(stderr)).toEqual({
      error: {
        kind: 'partial',
        exitCode: 10,
        message: '1 of 2 projects failed',
        hint: 'correct the cause and run apply again; it skips what is done',
      },
    })
    expect(sandbox.project('checkout')?.mode).toBe('open')
  })

  test('reports a write that the service did not store', async () => {
    const overview = { mode: 'protected', environments: [] }
    const { url } = await serve((response, { method }) =>
      method === 'PUT' ? response.writeHead(200).end() : json(response, 200, overview),
    )
    const world = { env: environment(url), files: { 'work/a.yaml': 'projects: {p: {mode: open}}' } }
    const { code, stdout } = await flagadm(apply, world)
    expect([code, stdout]).toEqual([
      8,
      expect.stringContaining(
        'p: failed: the service accepted the request, but the settings are not as expected: mode; ',
      ),
    ])
  })

  test('completes after the network was lost, when it runs again', async () => {
    const stored = new Map<string, string>()
    let isLost = true
    const { url } = await serve((response, { method, url: path, body }) => {
      const [, id = ''] = /projects\/([^/]+)/.exec(path) ?? []
      if (isLost && stored.size >= 5) return response.destroy()
      if (method !== 'PUT') {
        return json(response, 200, { mode: stored.get(id) ?? 'open', environments: [] })
      }
      stored.set(id, JSON.parse(body).mode)
      return response.writeHead(200).end()
    })
    const many = Array.from({ length: 12 }, (_, index) => [`p${index}`, { mode: 'private' }])
    const document = JSON.stringify({ projects: Object.fromEntries(many) })
    const world = { env: environment(url), files: { 'work/a.yaml': document } }
    const first = await flagadm([...apply, '--retries', '0'], world)
    expect([first.code, stored.size]).toEqual([10, 5])
    isLost = false
    const second = await flagadm(apply, world)
    expect([second.code, second.stdout.split('\n').at(-2)]).toEqual([
      0,
      '12 projects: 7 changed, 5 unchanged, 0 failed',
    ])
  })

  test('sends nothing if another run applied the same after the plan', async () => {
    let reads = 0
    const writes: string[] = []
    const server = await serve((response, { method }) => {
      if (method === 'PUT') writes.push(method)
      return json(response, 200, { mode: ++reads === 1 ? 'protected' : 'open', environments: [] })
    })
    const world = {
      env: environment(server.url),
      files: { 'work/a.yaml': 'projects: {p: {mode: open}}' },
    }
    const { code, stdout } = await flagadm([...apply, '--json'], world)
    expect([code, JSON.parse(stdout), writes]).toEqual([
      0,
      { projectId: 'p', status: 'unchanged', changes: [], verified: true },
      [],
    ])
  })

  test('does not overwrite what was changed after the plan', async () => {
    let reads = 0
    const server = await serve((response, { method }) => {
      if (method === 'PUT') return response.writeHead(200).end()
      const mode = ++reads === 1 ? 'protected' : 'private'
      return json(response, 200, { mode, environments: [] })
    })
    const world = {
      env: environment(server.url),
      files: { 'work/a.yaml': 'projects: {p: {mode: open}}' },
    }
    const { code, stdout } = await flagadm(apply, world)
    expect([code, stdout]).toEqual([
      9,
      expect.stringContaining(
        'p: failed: someone else has changed the settings: mode; run it again\n',
      ),
    ])
    expect(server.received.filter(({ method }) => method === 'PUT')).toEqual([])
  })

  test('writes one project after the other', async () => {
    let [open, peak] = [0, 0]
    const stored = new Map<string, string>()
    const { url } = await serve((response, { method, url: path, body }) => {
      const [, id = ''] = /projects\/([^/]+)/.exec(path) ?? []
      if (method !== 'PUT') {
        return json(response, 200, { mode: stored.get(id) ?? 'open', environments: [] })
      }
      peak = Math.max(peak, ++open)
      setTimeout(() => {
        open--
        stored.set(id, JSON.parse(body).mode)
        response.writeHead(200).end()
      }, 5)
    })
    const many = Array.from({ length: 12 }, (_, index) => [`p${index}`, { mode: 'private' }])
    const document = JSON.stringify({ projects: Object.fromEntries(many) })
    const world = { env: environment(url), files: { 'work/a.yaml': document } }
    expect((await flagadm([...apply, '--concurrency', '5'], world)).code).toBe(0)
    expect([peak, stored.size]).toEqual([1, 12])
  })

  test('is refused before its first request with a profile that a project file chose', async () => {
    const sandbox = await sandboxOf(projects)
    const profile = `{baseUrl: ${sandbox.url}, apiKey: '${sandbox.keys.full}'}`
    const { code, stderr } = await flagadm(apply, {
      files: {
        ...files,
        'work/.flagadmrc': 'profile: a\n',
        'home/.config/flagadm/config.yaml': `profiles: {a: ${profile}}\n`,
      },
    })
    expect([code, stderr]).toEqual([3, expect.stringContaining("profile 'a' was chosen by")])
    expect(sandbox.requests()).toEqual([])
  })
})

describe('an interrupted apply', () => {
  const ids = Array.from({ length: 6 }, (_, index) => `p${index}`)
  const document = JSON.stringify({
    projects: Object.fromEntries(ids.map((id) => [id, { mode: 'private' }])),
  })
  const hint = 'hint: run apply again; it skips what is done\n'

  /** Interrupts when the second write arrives; `respond` answers the writes and what is read afterwards. */
  async function interruptedApply(
    argv: readonly string[],
    respond: (id: string, response: ServerResponse, isWrite: boolean) => unknown,
  ) {
    const interruption = new AbortController()
    const sent = new Set<string>()
    const server = await serve((response, { method, url }) => {
      const [, id = ''] = /projects\/([^/]+)/.exec(url) ?? []
      const isWrite = method === 'PUT'
      if (isWrite) sent.add(id)
      if (sent.has(id)) respond(id, response, isWrite)
      else json(response, 200, { mode: 'open', environments: [] })
      if (isWrite && sent.size === 2) interruption.abort()
    })
    const world = {
      env: environment(server.url),
      files: { 'work/a.yaml': document },
      signal: interruption.signal,
    }
    const { code, stdout, stderr } = await flagadm([...apply, ...argv], world)
    const writes = server.received.filter(({ method }) => method === 'PUT').length
    return { code, writes, report: stdout.slice(stdout.indexOf('p0: ', 200)), stdout, stderr }
  }

  test('finishes the write under way, and reports every project', async () => {
    const outcome = await interruptedApply([], (_id, response, isWrite) => {
      if (!isWrite) return json(response, 200, { mode: 'private', environments: [] })
      // After the interrupt.
      setImmediate(() => response.writeHead(200).end())
    })
    const summary = '6 projects: 2 changed, 0 unchanged, 0 failed, 4 skipped'
    expect(outcome).toMatchObject({
      code: 130,
      writes: 2,
      report: `p0: changed\np1: changed\np2: skipped\np3: skipped\np4: skipped\np5: skipped\n\n${summary}\n`,
      stderr: `error: interrupted; ${summary}\n${hint}`,
    })
  })

  test('waits no longer than one request may take', async () => {
    const outcome = await interruptedApply(['--timeout', '0.5'], (id, response, isWrite) => {
      if (id === 'p0' && isWrite) response.writeHead(200).end()
      if (id === 'p0' && !isWrite) json(response, 200, { mode: 'private', environments: [] })
      // The second write is never answered, and neither is the read after it.
    })
    expect([outcome.code, outcome.writes, outcome.stderr]).toEqual([
      130,
      2,
      `error: interrupted; 6 projects: 1 changed, 0 unchanged, 0 failed, 4 skipped, 1 unknown\n${hint}`,
    ])
    expect(outcome.stdout).toMatch(
      /\np1: unknown: no complete response from .*; the change may have been made; .*\n6 projects/,
    )
  })

  test('reports every project as a JSON line', async () => {
    const outcome = await interruptedApply(['--json'], (_id, response, isWrite) => {
      if (isWrite) response.writeHead(200).end()
      else json(response, 200, { mode: 'private', environments: [] })
    })
    expect(jsonLines(outcome.stdout).map(({ status, verified }) => [status, verified])).toEqual([
      ...Array.from({ length: 2 }, () => ['changed', true]),
      ...Array.from({ length: 4 }, () => ['skipped', false]),
    ])
    expect(JSON.parse(outcome.stderr).error).toMatchObject({ kind: 'interrupted', exitCode: 130 })
  })

  test('succeeds if the last write does', async () => {
    const one = 'projects: {p0: {mode: private}, p1: {mode: private}}'
    const interruption = new AbortController()
    const stored = new Set<string>()
    const { url } = await serve((response, { method, url: path }) => {
      const [, id = ''] = /projects\/([^/]+)/.exec(path) ?? []
      if (method === 'PUT') stored.add(id)
      if (stored.size === 2) interruption.abort()
      if (method === 'PUT') return response.writeHead(200).end()
      return json(response, 200, { mode: stored.has(id) ? 'private' : 'open', environments: [] })
    })
    const world = { env: environment(url), signal: interruption.signal }
    const outcome = await flagadm(apply, { ...world, files: { 'work/a.yaml': one } })
    expect(outcome).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('a write that the service does not confirm', () => {
  const files = { 'work/a.yaml': 'projects: {p: {mode: open}, q: {mode: open}}' }
  const lost = (response: ServerResponse) => response.destroy()
  const status = (code: number) => (response: ServerResponse) => response.writeHead(code).end()

  /** What a service does with writes to p: it stores a mode, or none, and then responds. */
  async function applied(stored: string | undefined, respond: (r: ServerResponse) => unknown) {
    const modes = new Map([
      ['p', 'private'],
      ['q', 'open'],
    ])
    const { url } = await serve((response, { method, url: path }) => {
      const [, id = ''] = /projects\/([^/]+)/.exec(path) ?? []
      if (method !== 'PUT') {
        const mode = modes.get(id)
        return mode === ''
          ? json(response, 500, { message: 'down' })
          : json(response, 200, { mode, environments: [] })
      }
      if (stored !== undefined) modes.set(id, stored)
      return respond(response)
    })
    const clock = { ...systemClock, sleep: async () => {} }
    const world = { env: environment(url), files, clock }
    const text = await flagadm([...apply, '--retries', '0'], world)
    modes.set('p', 'private')
    const { stdout } = await flagadm([...apply, '--json', '--retries', '0'], world)
    return { ...text, status: jsonLines(stdout)[0].status }
  }

  test.each([
    ['a lost connection', lost],
    ['502', status(502)],
    ['500', status(500)],
  ])('is changed if it is stored after %s, with a warning', async (_what, respond) => {
    const outcome = await applied('open', respond)
    expect(outcome).toMatchObject({ code: 0, status: 'changed' })
    expect(outcome.stderr).toMatch(/^warning: project p: .*; but the settings are stored\n$/)
    expect(outcome.stdout).toContain('\n2 projects: 1 changed, 1 unchanged, 0 failed\n')
  })

  test.each([
    ['a lost connection', lost],
    ['502', status(502)],
  ])('has failed if nothing is stored after %s', async (_what, respond) => {
    const outcome = await applied(undefined, respond)
    expect(outcome).toMatchObject({ code: 10, status: 'failed' })
    expect(outcome.stdout).toMatch(/\np: failed: .*; the settings are still the same\n/)
    expect(outcome.stdout).toContain('\n2 projects: 0 changed, 1 unchanged, 1 failed\n')
  })

  test('has failed if something else is stored', async () => {
    const outcome = await applied('protected', status(502))
    expect(outcome).toMatchObject({ code: 10, status: 'failed' })
    expect(outcome.stdout).toContain('but the settings are not as expected: mode')
  })

  test('is unknown if it cannot be read back', async () => {
    const outcome = await applied('', status(502))
    expect(outcome).toMatchObject({ code: 10, status: 'unknown' })
    expect(outcome.stdout).toMatch(
      /\np: unknown: 502: .*; the change may have been made; run apply/,
    )
    expect(outcome.stdout).toContain('\n2 projects: 0 changed, 1 unchanged, 0 failed, 1 unknown\n')
    expect(outcome.stderr).toContain('error: 1 of 2 projects failed\n')
  })

  test.each([400, 403, 429])('has failed after %i, which is not read back', async (code) => {
    const outcome = await applied('open', status(code))
    expect(outcome).toMatchObject({ code: 10, status: 'failed' })
  })
})

describe('the question before a change', () => {
  const dialog = (keys: string) => [['Update 2 projects on', keys]] as const
  const planned = '3 projects: 2 would change, 1 unchanged\n'

  test('is asked after the plan, and acted on', async () => {
    const sandbox = await sandboxOf(projects)
    const world = { ...sandbox, files, columns: 200 }
    const refused = await flagadm(asking, { ...world, dialog: dialog('n') })
    const report = 'error: not confirmed, so nothing was changed\n'
    const said = stripVTControlCharacters(refused.stderr)
    expect([refused.code, said.slice(-report.length)]).toEqual([130, report])
    expect(refused.stderr).toContain(`Update 2 projects on ${sandbox.url}?`)
    expect(refused.stderr).not.toContain(planned)
    expect(refused.stdout.endsWith(planned)).toBe(true)
    expect(sandbox.writes()).toEqual([])
    expect((await flagadm(asking, { ...world, dialog: dialog('y') })).code).toBe(0)
    expect(sandbox.writes()).toHaveLength(2)
  })

  test('names a single project', async () => {
    const sandbox = await sandboxOf(projects)
    const own = { 'work/a.yaml': 'projects: {plain: {mode: private}}' }
    const question = `Update project plain on ${sandbox.url}?`
    const { code } = await flagadm(asking, { ...sandbox, files: own, dialog: [[question, 'y']] })
    expect([code, sandbox.project('plain')?.mode]).toEqual([0, 'private'])
  })

  test.each([
    ['JSON', ['--json']],
    ['text that goes elsewhere', []],
  ])('comes with the plan if stdout has %s', async (_what, argv) => {
    const sandbox = await sandboxOf(projects)
    const world = { ...sandbox, files, dialog: dialog('y') }
    const { stdout, stderr } = await flagadm([...asking, ...argv], world)
    expect(anonymous(sandbox, { stdout, stderr }).stderr).toMatch(
      /^Plan for S\n\n[^]*checkout[^]*protected → open[^]*3 projects: 2 would change, 1 unchanged\n\n\u001b[^]*Update 2 projects/,
    )
  })

  test.each([
    [asking, '2 projects would change', files],
    [[...asking, '--json'], '2 projects would change', files],
    [
      asking,
      'project plain would change',
      { 'work/a.yaml': 'projects: {plain: {mode: protected}}' },
    ],
  ])('is required without a terminal: %j', async (argv, reason, own) => {
    const sandbox = await sandboxOf(projects)
    const { code, stderr } = await flagadm(argv, { ...sandbox, files: own })
    const message = `confirmation required: ${reason}`
    const hint = 'run the command on a terminal, or use --yes'
    expect([code, stderr]).toEqual([
      2,
      argv.includes('--json')
        ? `${JSON.stringify({ error: { kind: 'usage', exitCode: 2, message, hint } })}\n`
        : `error: ${message}\nhint: ${hint}\n`,
    ])
    expect(sandbox.writes()).toEqual([])
  })

  const unchanged = { 'work/a.yaml': 'projects: {same: {mode: open}}' }
  test.each([
    ['with --yes on a terminal', apply, files, []],
    ['without a change on a terminal', asking, unchanged, []],
    ['without a change and a terminal', asking, unchanged, undefined],
  ])('is not asked %s', async (_when, argv, own, answers) => {
    const sandbox = await sandboxOf(projects)
    const world = { ...sandbox, files: own, ...(answers && { dialog: answers }) }
    const { code, stderr } = await flagadm(argv, world)
    expect([code, stderr]).toEqual([0, ''])
  })
})

describe('--save-before', () => {
  const save = [...apply, '--save-before', 'before.yaml']

  test('writes the previous settings of the projects that change', async () => {
    const sandbox = await sandboxOf(projects)
    const { code, folder } = await flagadm(save, { ...sandbox, files })
    const before = await readFile(join(folder, 'work/before.yaml'), 'utf8')
    expect([code, before]).toEqual([
      0,
      `projects:
  checkout:
    mode: protected
    featureNaming:
      pattern: checkout-[a-z]+
      example: checkout-a
      description: One
    linkTemplates:
      - title: Issue
        urlTemplate: https://t.test/
  plain:
    mode: open
    featureNaming:
      pattern: null
      example: null
      description: null
    linkTemplates: []
`,
    ])
    const undo = { ...sandbox, files: { 'work/a.yaml': before } }
    expect((await flagadm(apply, undo)).code).toBe(0)
    const { stdout } = await flagadm(
      ['project', 'settings', 'get', '--all-projects', '--json'],
      sandbox,
    )
    expect(JSON.parse(stdout).projects).toEqual({
      checkout: {
        mode: 'protected',
        featureNaming: checkout.featureNaming,
        linkTemplates: checkout.linkTemplates,
      },
      plain: { mode: 'open' },
      same: { mode: 'open' },
    })
  })

  test('is complete before the first write', async () => {
    let folder = ''
    let saved: string | undefined
    const { url } = await serve(async (response, { method }) => {
      if (method !== 'PUT') return json(response, 200, { mode: 'protected', environments: [] })
      saved ??= await readFile(join(folder, 'before.yaml'), 'utf8')
      return response.writeHead(500).end()
    })
    const many = Array.from({ length: 30 }, (_, index) => [`p${index}`, { mode: 'open' }])
    const document = JSON.stringify({ projects: Object.fromEntries(many) })
    folder = await temporaryFolder()
    const argv = [...apply, '--save-before', join(folder, 'before.yaml'), '--retries', '0']
    await flagadm(argv, { env: environment(url), files: { 'work/a.yaml': document } })
    expect(Object.keys(parse(saved ?? '').projects)).toHaveLength(30)
  })

  test('does not overwrite a file', async () => {
    const sandbox = await sandboxOf(projects)
    const world = { ...sandbox, files: { ...files, 'work/before.yaml': 'precious' } }
    const { code, stderr, folder } = await flagadm(save, world)
    expect([code, stderr]).toEqual([
      2,
      'error: --save-before: before.yaml already exists\n' +
        'hint: use another name; to undo several runs, apply the file of each, most recent first\n',
    ])
    expect(await readFile(join(folder, 'work/before.yaml'), 'utf8')).toBe('precious')
    expect(sandbox.requests()).toEqual([])
  })

  test('does not overwrite a file that is created after the start', async () => {
    const sandbox = await sandboxOf(projects)
    const path = join(await temporaryFolder(), 'before.yaml')
    // The plan is printed before the changes.
    const world = { ...sandbox, files, onOutput: () => writeFileSync(path, 'precious') }
    const { code, stderr } = await flagadm([...apply, '--save-before', path], world)
    expect([code, stderr.split('\n')[0]]).toEqual([2, `error: ${path} already exists`])
    expect(await readFile(path, 'utf8')).toBe('precious')
    expect(sandbox.writes()).toEqual([])
  })

  test('in a folder that does not exist ends the command before the first write', async () => {
    const sandbox = await sandboxOf(projects)
    const argv = [...apply, '--save-before', 'none/before.yaml']
    const { code, stderr } = await flagadm(argv, { ...sandbox, files })
    expect([code, stderr]).toEqual([
      1,
      'error: none/before.yaml cannot be written: no such file\nhint: check the path and its permissions\n',
    ])
    expect(sandbox.writes()).toEqual([])
  })
})
