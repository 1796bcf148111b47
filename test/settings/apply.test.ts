import { writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Seed } from '../../src/sandbox/seed.ts'
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
  pattern      + [a-z]+x
  rule         narrower: the new rule accepts only some of the names that the old one accepts; the project has no flags

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
        'p: failed\n  the service returned 200, but the settings are not as expected: mode\n',
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
      8,
      expect.stringContaining(
        'p: failed\n  the settings were changed by someone else after the plan was made: mode\n',
      ),
    ])
    expect(server.received.filter(({ method }) => method === 'PUT')).toEqual([])
  })

  test('reads several projects at once and changes one after the other', async () => {
    const open = { GET: 0, PUT: 0 }
    const peak = { GET: 0, PUT: 0 }
    const stored = new Map<string, string>()
    const { url } = await serve((response, { method, url: path, body }) => {
      const kind = method === 'PUT' ? 'PUT' : 'GET'
      peak[kind] = Math.max(peak[kind], ++open[kind])
      setTimeout(() => {
        open[kind]--
        const [, id = ''] = /projects\/([^/]+)/.exec(path) ?? []
        if (method === 'PUT') stored.set(id, JSON.parse(body).mode)
        if (method === 'PUT') response.writeHead(200).end()
        else json(response, 200, { mode: stored.get(id) ?? 'open', environments: [] })
      }, 5)
    })
    const many = Array.from({ length: 12 }, (_, index) => [`p${index}`, { mode: 'private' }])
    const document = JSON.stringify({ projects: Object.fromEntries(many) })
    const world = { env: environment(url), files: { 'work/a.yaml': document } }
    expect((await flagadm([...apply, '--concurrency', '5'], world)).code).toBe(0)
    expect([peak, stored.size]).toEqual([{ GET: 5, PUT: 1 }, 12])
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

  test('waits for the write under way, and reports every project', async () => {
    const outcome = await interruptedApply([], (id, response, isWrite) => {
      if (!isWrite) return json(response, 200, { mode: 'private', environments: [] })
      const answer = () => response.writeHead(200).end()
      // The second answer comes after the interrupt.
      return id === 'p1' ? setImmediate(answer) : answer()
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
      // The first write is never answered, and neither is the read after the second one.
      if (isWrite && id === 'p1') response.writeHead(200).end()
    })
    expect([outcome.code, outcome.writes, outcome.stderr]).toEqual([
      130,
      2,
      `error: interrupted; 6 projects: 0 changed, 0 unchanged, 0 failed, 4 skipped, 2 unknown\n${hint}`,
    ])
    expect(outcome.stdout).toMatch(
      /unknown\n\np0: unknown \(sent, but not confirmed\)\n {2}(?:no complete response|interrupted)[^]*\np1: unknown \(sent, but not confirmed\)\n[^]*\n$/,
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
})

describe('a write without an answer of the service', () => {
  const files = { 'work/a.yaml': 'projects: {p: {mode: open}}' }

  test.each([
    ['is lost', (response: ServerResponse) => response.destroy(), 'unknown'],
    ['ends with 502', (response: ServerResponse) => response.writeHead(502).end(), 'unknown'],
    ['ends with 429', (response: ServerResponse) => response.writeHead(429).end(), 'failed'],
    ['ends with 400', (response: ServerResponse) => response.writeHead(400).end(), 'failed'],
  ])('that %s is reported as what it is', async (_what, respond, status) => {
    const { url } = await serve((response, { method }) =>
      method === 'PUT'
        ? respond(response)
        : json(response, 200, { mode: 'private', environments: [] }),
    )
    const argv = [...apply, '--json', '--retries', '0']
    const { stdout } = await flagadm(argv, { env: environment(url), files })
    expect(JSON.parse(stdout)).toMatchObject({ projectId: 'p', status, verified: false })
  })

  test('is unknown if it cannot be read back', async () => {
    let isSent = false
    const { url } = await serve((response, { method }) => {
      if (method === 'PUT') isSent = true
      if (method === 'PUT') return response.writeHead(200).end()
      if (isSent) return json(response, 403, { message: 'no' })
      return json(response, 200, { mode: 'private', environments: [] })
    })
    const { code, stdout } = await flagadm(apply, { env: environment(url), files })
    expect([code, stdout.split('\n').slice(-5)]).toEqual([
      8,
      [
        '1 project: 0 changed, 0 unchanged, 0 failed, 1 unknown',
        '',
        'p: unknown (sent, but not confirmed)',
        '  403: the settings were sent, but could not be read back: no',
        '',
      ],
    ])
  })
})

describe('the question before a change', () => {
  const dialog = (keys: string) => [['Update 2 projects on', keys]] as const
  const planned = '3 projects: 2 would change, 1 unchanged\n'

  test('is asked after the plan, and acted on', async () => {
    const sandbox = await sandboxOf(projects)
    const world = { ...sandbox, files, columns: 200 }
    const refused = await flagadm(asking, { ...world, dialog: dialog('n') })
    const report = 'error: not confirmed, so nothing was changed\nhint: answer yes, or use --yes\n'
    const said = stripVTControlCharacters(refused.stderr)
    expect([refused.code, said.slice(-report.length)]).toEqual([130, report])
    expect(refused.stderr).toContain(`Update 2 projects on ${sandbox.url}?`)
    expect(refused.stderr).not.toContain(planned)
    expect(refused.stdout.endsWith(`${planned}\n`)).toBe(true)
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
    linkTemplates: null
`,
    ])
    const undo = { ...sandbox, files: { 'work/a.yaml': before } }
    expect((await flagadm(apply, undo)).code).toBe(0)
    const { stdout } = await flagadm(['project', 'settings', 'get', '--all', '--json'], sandbox)
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
    expect([code, stderr.split('\n')[0]]).toEqual([
      2,
      `error: --save-before: ${path} already exists`,
    ])
    expect(await readFile(path, 'utf8')).toBe('precious')
    expect(sandbox.writes()).toEqual([])
  })

  test('in a folder that does not exist ends the command before the first write', async () => {
    const sandbox = await sandboxOf(projects)
    const argv = [...apply, '--save-before', 'none/before.yaml']
    const { code, stderr } = await flagadm(argv, { ...sandbox, files })
    expect([code, stderr]).toEqual([
      1,
      'error: none/before.yaml cannot be written: there is no folder none\nhint: create the folder first\n',
    ])
    expect(sandbox.writes()).toEqual([])
  })
})
