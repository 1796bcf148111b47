import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { sandboxKeys } from '../../src/sandbox/routes.ts'
import type { Seed } from '../../src/sandbox/seed.ts'
import { environment, flagadm } from '../support/flagadm.ts'
import { hostileTexts } from '../support/hostile-settings.ts'
import { anonymous, sandboxOf } from '../support/sandbox.ts'
import { json, serve } from '../support/server.ts'

const set = ['project', 'settings', 'set', 'checkout']
const get = ['project', 'settings', 'get', 'checkout']

const rule = { pattern: 'checkout-[a-z]+', example: 'checkout-pay', description: 'Team\nfirst' }
const linkTemplates = [{ title: 'Issue', urlTemplate: 'https://t.test/{{feature}}' }]
const checkout: Seed['projects'][number] = {
  id: 'checkout',
  mode: 'protected',
  featureNaming: rule,
  linkTemplates,
}

/** The settings of the project `checkout`. */
function stored({ project }: Awaited<ReturnType<typeof sandboxOf>>) {
  const { mode, featureNaming, linkTemplates: links } = project('checkout') ?? {}
  return { mode, featureNaming, linkTemplates: links }
}

const before = { mode: 'protected', featureNaming: rule, linkTemplates }

describe('settings that are not given are kept', () => {
  test.each([
    [['--mode', 'open'], { mode: 'open' }],
    [
      ['--naming-pattern', 'checkout-[a-z-]+'],
      { featureNaming: { ...rule, pattern: 'checkout-[a-z-]+' } },
    ],
    [
      ['--naming-example', 'checkout-basket'],
      { featureNaming: { ...rule, example: 'checkout-basket' } },
    ],
    [['--naming-description', 'New'], { featureNaming: { ...rule, description: 'New' } }],
    [['--naming-example', ''], { featureNaming: { ...rule, example: '' } }],
    [
      ['--naming-pattern', 'x-[a-z]+', '--naming-example', ''],
      { featureNaming: { ...rule, pattern: 'x-[a-z]+', example: null } },
    ],
    [['--clear-naming'], { featureNaming: { pattern: '', example: '', description: '' } }],
  ])('with %j only %j changes', async (argv, changed) => {
    const sandbox = await sandboxOf([checkout])
    const { code, stderr } = await flagadm([...set, ...argv], sandbox)
    expect([code, stderr]).toEqual([0, ''])
    expect(stored(sandbox)).toEqual({ ...before, ...changed })
    expect(sandbox.writes()).toEqual(['PUT /api/admin/projects/checkout/settings 200'])
  })

  test('link templates of a file replace the stored ones', async () => {
    const sandbox = await sandboxOf([checkout])
    const files = { 'work/s.yaml': 'linkTemplates:\n  - urlTemplate: https://new.test\n' }
    const { stdout } = await flagadm([...set, '--file', 's.yaml'], { ...sandbox, files })
    expect(anonymous(sandbox, { stdout, stderr: '' }).stdout).toBe(
      'Updated project checkout on S\n  links        Issue: https://t.test/{{feature}} → https://new.test\n',
    )
    expect(stored(sandbox)).toEqual({
      ...before,
      linkTemplates: [{ urlTemplate: 'https://new.test' }],
    })
  })

  test('null in a file unsets them', async () => {
    const sandbox = await sandboxOf([checkout])
    const files = { 'work/s.yaml': 'linkTemplates: null\nfeatureNaming: null\n' }
    expect((await flagadm([...set, '--file', 's.yaml'], { ...sandbox, files })).code).toBe(0)
    expect(stored(sandbox)).toEqual({
      mode: 'protected',
      featureNaming: { pattern: '', example: '', description: '' },
      linkTemplates: [],
    })
  })

  test('the body is exactly what was given if nothing would be lost', async () => {
    const sandbox = await sandboxOf([{ id: 'checkout', mode: 'open' }])
    const { stdout } = await flagadm([...set, '--naming-pattern', '[a-z]+x', '--json'], sandbox)
    expect(JSON.parse(stdout)).toEqual({
      projectId: 'checkout',
      baseUrl: sandbox.url,
      dryRun: false,
      settings: { featureNaming: { pattern: '[a-z]+x' } },
      changed: true,
      sent: { featureNaming: { pattern: '[a-z]+x' } },
      verified: true,
      before: { mode: 'open' },
      after: { mode: 'open', featureNaming: { pattern: '[a-z]+x' } },
    })
  })

  test('--no-read sends exactly what was given', async () => {
    const sandbox = await sandboxOf([checkout])
    const { code, stdout, stderr } = await flagadm(
      [...set, '--mode', 'open', '--no-read', '--json'],
      sandbox,
    )
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      {
        projectId: 'checkout',
        baseUrl: sandbox.url,
        dryRun: false,
        settings: { mode: 'open' },
        changed: true,
        sent: { mode: 'open' },
      },
    ])
    expect(JSON.parse(stderr)).toEqual({
      warning: {
        message:
          'the stored settings are not known, because they were not read (--no-read): the service may clear the link templates',
      },
    })
    expect(sandbox.requests()).toEqual(['PUT /api/admin/projects/checkout/settings 200'])
    expect(stored(sandbox)).toEqual({ ...before, mode: 'open', linkTemplates: [] })
  })
})

describe('each change is shown', () => {
  test('as old → new, and texts of several lines as in a diff', async () => {
    const sandbox = await sandboxOf([checkout])
    const argv = ['--mode', 'open', '--naming-description', 'Team\nfirst\n', '--naming-example', '']
    const { stdout } = anonymous(sandbox, await flagadm([...set, ...argv], sandbox))
    expect(stdout).toBe(
      [
        'Updated project checkout on S',
        '  mode         protected → open',
        '  example      checkout-pay → (unset)',
        '  description  "Team\\nfirst" → "Team\\nfirst\\n"',
        '',
      ].join('\n'),
    )
    const again = await flagadm([...set, '--naming-description', 'One\ntwo'], sandbox)
    expect(anonymous(sandbox, again).stdout).toBe(
      ['Updated project checkout on S', '  description  "Team\\nfirst\\n" → "One\\ntwo"', ''].join(
        '\n',
      ),
    )
  })

  test('with quotation marks around a text of blanks', async () => {
    const sandbox = await sandboxOf([checkout])
    const argv = [...set, '--naming-description', ' \n ']
    expect(anonymous(sandbox, await flagadm(argv, sandbox)).stdout).toBe(
      ['Updated project checkout on S', '  description  "Team\\nfirst" → " \\n "', ''].join('\n'),
    )
    expect((await flagadm(get, sandbox)).stdout).toContain('  description  " \\n "\n')
  })

  test('with quotation marks around blanks in link templates', async () => {
    const sandbox = await sandboxOf([checkout])
    const links = [{ urlTemplate: '' }, { title: ' ', urlTemplate: 'u' }]
    const files = { 'work/a.json': JSON.stringify({ linkTemplates: links }) }
    const argv = [...set, '--file', 'a.json']
    expect((await flagadm(argv, { ...sandbox, files })).stdout).toContain(
      '  links        Issue: https://t.test/{{feature}} → "", " ": u\n',
    )
  })

  test('with characters that are not printable escaped', async () => {
    const sandbox = await sandboxOf([checkout])
    const argv = [...set, '--naming-description', '\u001b[31m\u202e\n::error::x']
    const { stdout } = await flagadm(argv, sandbox)
    expect(stdout).toContain(' → "\\u001b[31m\\u202e\\n::error::x"\n')
  })
})

describe('without a change', () => {
  const argv = ['--mode', 'protected', '--naming-pattern', rule.pattern]

  test('nothing is sent', async () => {
    const sandbox = await sandboxOf([checkout])
    const outcome = anonymous(sandbox, await flagadm([...set, ...argv], sandbox))
    expect(outcome).toMatchObject({
      code: 0,
      stdout: 'unchanged: project checkout on S already has these settings\n',
      stderr: '',
    })
    expect(sandbox.requests()).toEqual(['GET /api/admin/projects/checkout/overview 200'])
  })

  test('JSON contains null as the body', async () => {
    const sandbox = await sandboxOf([checkout])
    const { stdout } = await flagadm([...set, '--mode', 'protected', '--json'], sandbox)
    expect(JSON.parse(stdout)).toEqual({
      projectId: 'checkout',
      baseUrl: sandbox.url,
      dryRun: false,
      settings: { mode: 'protected' },
      changed: false,
      sent: null,
      verified: true,
      before,
      after: before,
    })
  })

  test('--force sends it with what would be lost', async () => {
    const sandbox = await sandboxOf([checkout])
    const outcome = anonymous(sandbox, await flagadm([...set, ...argv, '--force'], sandbox))
    expect(outcome).toMatchObject({
      code: 0,
      stdout: 'Updated project checkout on S\n  unchanged\n',
    })
    expect(sandbox.writes()).toHaveLength(1)
    expect(stored(sandbox)).toEqual(before)
  })

  test('a rule that was cleared counts as one that was never set', async () => {
    const sandbox = await sandboxOf([checkout, { id: 'other', mode: 'open' }])
    await flagadm([...set, '--clear-naming'], sandbox)
    for (const id of ['checkout', 'other']) {
      const { stdout } = await flagadm(
        ['project', 'settings', 'set', id, '--clear-naming'],
        sandbox,
      )
      expect(stdout).toMatch(/^unchanged: /)
    }
    expect(sandbox.writes()).toHaveLength(1)
  })
})

describe('a kept part of the rule that does not fit', () => {
  test.each([
    [
      ['--naming-pattern', 'shop-[a-z]+'],
      "the stored example 'checkout-pay' does not match the new pattern 'shop-[a-z]+'",
    ],
    [
      ['--naming-example', 'shop-pay'],
      "the new example 'shop-pay' does not match the stored pattern 'checkout-[a-z]+'",
    ],
  ])('is refused: %j', async (argv, problem) => {
    const sandbox = await sandboxOf([checkout])
    const { code, stdout, stderr } = await flagadm([...set, ...argv], sandbox)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toBe(
      `error: ${problem}\nhint: use an example that matches, clear it with --naming-example '' (in a file: example: null), or use --no-verify\n`,
    )
    expect(sandbox.writes()).toEqual([])
    const dry = await flagadm([...set, ...argv, '--dry-run'], sandbox)
    expect([dry.code, dry.stderr]).toEqual([2, stderr])
  })

  test('is sent with --no-verify', async () => {
    const sandbox = await sandboxOf([checkout])
    const argv = [...set, '--naming-pattern', 'shop-[a-z]+', '--no-verify']
    const { code, stderr } = await flagadm(argv, sandbox)
    expect([code, stderr]).toMatchObject([
      7,
      expect.stringContaining('400 ValidationError: Request validation failed: featureNaming'),
    ])
  })
})

describe('reading back', () => {
  const overview = { mode: 'open', environments: [], featureNaming: { pattern: 'a', example: '' } }

  /** A service that answers 200 to every change and stores nothing. */
  const forgetful = () =>
    serve((response, { method }) =>
      method === 'PUT' ? response.writeHead(200).end() : json(response, 200, overview),
    )

  test('finds what the service did not store', async () => {
    const server = await forgetful()
    const argv = [...set, '--mode', 'protected', '--naming-description', 'd']
    const outcome = await flagadm(argv, { env: environment(server.url) })
    expect(outcome).toMatchObject({
      code: 8,
      stdout: '',
      stderr:
        'error: project checkout: the service accepted the request, but the settings are not as expected: mode, featureNaming.description\n' +
        'hint: someone else may have changed them at the same time; otherwise look for a database error in the log of the service\n',
    })
    expect(server.received.map(({ method }) => method)).toEqual(['GET', 'PUT', 'GET'])
  })

  test('is not skipped by --no-verify, and JSON shows both states', async () => {
    const server = await forgetful()
    const argv = [...set, '--mode', 'protected', '--no-verify', '--json']
    const { code, stdout } = await flagadm(argv, { env: environment(server.url) })
    expect([code, JSON.parse(stdout)]).toMatchObject([
      8,
      {
        sent: { mode: 'protected' },
        changed: false,
        verified: false,
        before: { mode: 'open', featureNaming: { pattern: 'a' } },
        after: { mode: 'open', featureNaming: { pattern: 'a' } },
      },
    ])
  })

  test('that fails is reported', async () => {
    const server = await serve((response, { method }, count) => {
      if (method === 'PUT') return response.writeHead(200).end()
      return count === 1 ? json(response, 200, overview) : json(response, 403, { message: 'no' })
    })
    const { code, stderr } = await flagadm([...set, '--mode', 'protected'], {
      env: environment(server.url),
    })
    expect([code, stderr]).toEqual([
      8,
      'error: project checkout: 403: the settings were sent, but could not be read back: no\n' +
        'hint: use a key that has this permission; the change may have been made; flagadm project settings get shows the settings\n',
    ])
  })
})

describe('a read that fails', () => {
  test.each([
    [401, 4, 'check the API key; --verbose shows where it comes from'],
    [403, 5, 'use a key that has this permission'],
    [500, 8, 'try again later'],
  ])('with %i ends the command before anything is sent', async (status, exit, hint) => {
    const server = await serve((response) => json(response, status, { message: 'm' }))
    const argv = [...set, '--mode', 'open', '--retries', '0']
    const { code, stdout, stderr } = await flagadm(argv, { env: environment(server.url) })
    expect([code, stdout]).toEqual([exit, ''])
    expect(stderr).toBe(`error: project checkout: ${status}: m\nhint: ${hint}\n`)
    expect(server.received.map(({ method }) => method)).toEqual(['GET'])
  })

  test.each([
    ['{"environments":[]}', 'the project overview has no mode'],
    ['{"mode":1}', 'JSON of the wrong shape'],
    ['{"mode":"open","environments":[],"featureNaming":"a"}', 'JSON of the wrong'],
    ['{"mode":"open","environments":[],"linkTemplates":[{}]}', 'JSON of the wrong'],
    ['<html>', 'JSON that is malformed'],
  ])('because the response is %s is reported', async (body, problem) => {
    const server = await serve((response) => json(response, 200, body))
    const { code, stderr } = await flagadm([...set, '--mode', 'open'], {
      env: environment(server.url),
    })
    expect([code, stderr]).toEqual([8, expect.stringContaining(problem)])
    expect(server.received).toHaveLength(1)
  })

  test('does not include one without a rule, which counts as unset', async () => {
    const server = await serve((response) =>
      json(response, 200, { mode: 'open', environments: [], featureNaming: null }),
    )
    const { stdout } = await flagadm([...get, '--json'], { env: environment(server.url) })
    expect(JSON.parse(stdout)).toEqual({ mode: 'open' })
  })
})

describe('--dry-run', () => {
  const argv = [...set, '--mode', 'open', '--dry-run']

  test('shows the changes and the request', async () => {
    const sandbox = await sandboxOf([checkout])
    const outcome = anonymous(sandbox, await flagadm(argv, sandbox))
    expect(outcome).toMatchObject({ code: 0, stderr: 'note: dry run: nothing was sent\n' })
    expect(outcome.stdout).toBe(
      `Would update project checkout on S
  mode         protected → open

PUT S/api/admin/projects/checkout/settings
{
  "mode": "open",
  "linkTemplates": [
    {
      "title": "Issue",
      "urlTemplate": "https://t.test/{{feature}}"
    }
  ]
}
`,
    )
    expect(sandbox.writes()).toEqual([])
  })

  test('shows the same as JSON', async () => {
    const sandbox = await sandboxOf([checkout])
    const { stdout } = await flagadm([...argv, '--json'], sandbox)
    expect(JSON.parse(stdout)).toEqual({
      projectId: 'checkout',
      baseUrl: sandbox.url,
      dryRun: true,
      method: 'PUT',
      url: `${sandbox.url}/api/admin/projects/checkout/settings`,
      body: { mode: 'open', linkTemplates },
      settings: { mode: 'open' },
      changed: true,
      sent: null,
      verified: false,
      before,
      after: { ...before, mode: 'open' },
    })
  })

  test('reports that nothing would change', async () => {
    const sandbox = await sandboxOf([checkout])
    const unchanged = [...set, '--mode', 'protected', '--dry-run']
    const { stdout } = anonymous(sandbox, await flagadm(unchanged, sandbox))
    expect(stdout).toBe('unchanged: project checkout on S already has these settings\n')
    const { stdout: document } = await flagadm([...unchanged, '--json'], sandbox)
    expect(JSON.parse(document)).toMatchObject({ body: null, changed: false, sent: null })
  })

  test('says with --verbose why it is not connected', async () => {
    const env = { FLAGADM_BASE_URL: 'https://a.test' }
    const { code, stderr } = await flagadm([...argv, '--verbose'], { env })
    expect([code, stderr]).toEqual([
      0,
      'debug: not connected: no API key for https://a.test\n' +
        'warning: the stored settings are not known, because this dry run has no connection: the service may clear the link templates\n' +
        'note: dry run: nothing was sent\n',
    ])
  })

  test('shows only the request if the service cannot be read', async () => {
    const server = await serve((response) => json(response, 401, { message: 'm' }))
    const outcome = await flagadm(argv, { env: environment(server.url) })
    expect(anonymous(server, outcome)).toMatchObject({
      code: 0,
      stdout: 'PUT S/api/admin/projects/checkout/settings\n{\n  "mode": "open"\n}\n',
      stderr:
        'warning: the stored settings are not known, because 401: m: the service may clear the link templates\nnote: dry run: nothing was sent\n',
    })
  })

  test('shows only the request if the service answers 404', async () => {
    const sandbox = await sandboxOf([checkout], { specOnly: true })
    const { stderr, stdout } = anonymous(sandbox, await flagadm(argv, sandbox))
    expect(stdout).toMatch(/^PUT S\/api/)
    expect(stderr).toBe(
      'warning: the stored settings are not known, because the service returned 404: the service may clear the link templates\n' +
        'note: dry run: nothing was sent\n',
    )
  })

  test('shows only the request if there is no network', async () => {
    const env = environment('http://127.0.0.1:1')
    const { code, stdout, stderr } = await flagadm([...argv, '--retries', '0'], { env })
    expect([code, stdout]).toEqual([
      0,
      'PUT http://127.0.0.1:1/api/admin/projects/checkout/settings\n{\n  "mode": "open"\n}\n',
    ])
    expect(stderr).toContain(
      'warning: the stored settings are not known, because http://127.0.0.1:1',
    )
  })
})

describe('a change that affects people', () => {
  const flags = ['checkout-pay', 'shop-a', 'shop-b', 'shop-c', 'shop-d'].map((name) => {
    return { name, project: 'checkout', usage: [], seenApplications: [] }
  })
  const seed = { projects: [checkout], flags }
  const isPrivate = 'project checkout becomes private: only its members will see it'
  const breaks = '4 of 5 existing flags break the new rule: shop-a, shop-b, shop-c and 1 more'
  const rules = ['--naming-pattern', 'checkout-[a-z]+x?']

  test.each([
    [['--mode', 'private'], isPrivate],
    [rules, breaks],
    [['--mode', 'private', ...rules], `${isPrivate}; ${breaks}`],
  ])('such as %j is refused without a terminal', async (argv, reason) => {
    const sandbox = await sandboxOf([], { seed })
    const { code, stdout, stderr } = await flagadm([...set, ...argv], sandbox)
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      `error: confirmation required: ${reason}\nhint: run the command on a terminal, or use --yes\n`,
    ])
    expect(sandbox.writes()).toEqual([])
  })

  test('is made if the user confirms it on a terminal, which shows it', async () => {
    const sandbox = await sandboxOf([], { seed })
    const argv = [...set, '--mode', 'private', ...rules]
    const question = `Update project checkout on ${sandbox.url}?`
    const world = { ...sandbox, columns: 200, dialog: [[question, 'y']] as const }
    const { code, stderr } = await flagadm([...argv, '--no-color'], world)
    expect([code, stderr.slice(0, stderr.indexOf('\u001b'))]).toEqual([
      0,
      `Would update project checkout on ${sandbox.url}
  mode         protected → private
  pattern      checkout-[a-z]+ → checkout-[a-z]+x?
warning: ${isPrivate}
warning: ${breaks}
`,
    ])
    expect(stored(sandbox).mode).toBe('private')
  })

  test('is not made if someone else changes the settings before the answer', async () => {
    let reads = 0
    const server = await serve((response, { method }) => {
      if (method === 'PUT') return response.writeHead(200).end()
      const links = ++reads === 1 ? [] : linkTemplates
      return json(response, 200, { mode: 'open', environments: [], linkTemplates: links })
    })
    const dialog = [['Update project checkout', 'y']] as const
    const world = { env: environment(server.url), dialog }
    const { code, stdout, stderr } = await flagadm([...set, '--mode', 'private'], world)
    const report =
      'error: project checkout: someone else has changed the settings: linkTemplates\n' +
      'hint: run it again\n'
    expect([code, stdout, stripVTControlCharacters(stderr).slice(-report.length)]).toEqual([
      9,
      '',
      report,
    ])
    expect(server.received.filter(({ method }) => method === 'PUT')).toEqual([])
  })

  test.each([
    ['n', 'error: not confirmed, so nothing was changed\n'],
    ['\r', 'error: not confirmed, so nothing was changed\n'],
    ['\u0003', 'error: interrupted; nothing was changed\n'],
  ])('is not made if the user types %j', async (keys, report) => {
    const sandbox = await sandboxOf([], { seed })
    const world = { ...sandbox, dialog: [['Update project checkout', keys]] as const }
    const { code, stdout, stderr } = await flagadm([...set, '--mode', 'private'], world)
    expect([code, stdout, stripVTControlCharacters(stderr).slice(-report.length)]).toEqual([
      130,
      '',
      report,
    ])
    expect(sandbox.writes()).toEqual([])
  })

  test.each(['--yes', '-y'])('is made without a question with %s', async (yes) => {
    const sandbox = await sandboxOf([], { seed })
    const argv = [...set, '--mode', 'private', ...rules, yes]
    for (const dialog of [[], undefined]) {
      const { code, stderr } = await flagadm(argv, { ...sandbox, ...(dialog && { dialog }) })
      expect([code, stderr]).toEqual([0, ''])
    }
  })

  test.each([
    ['the mode stays private', ['--mode', 'private', '--naming-description', 'New']],
    ['the mode becomes open', ['--mode', 'open']],
    ['the rule is removed', ['--clear-naming']],
    ['the rule stays', ['--naming-pattern', rule.pattern, '--naming-description', 'New']],
    ['all flags match the rule', ['--naming-pattern', '(?:checkout|shop)-[a-z]+']],
  ])('is made without a question if %s', async (_what, argv) => {
    const own = { ...checkout, mode: 'private' as const }
    const sandbox = await sandboxOf([], { seed: { projects: [own], flags } })
    const { code, stderr } = await flagadm([...set, ...argv], { ...sandbox, dialog: [] })
    expect([code, stderr]).toEqual([0, ''])
    expect(sandbox.writes()).toHaveLength(1)
  })

  test('is made if the service does not list flags', async () => {
    const overview = { mode: 'open', environments: [], featureNaming: { pattern: 'a' } }
    let { mode } = overview
    const server = await serve((response, { method, url, body }) => {
      if (url.endsWith('/features')) return json(response, 404, { message: 'm' })
      if (method === 'PUT') {
        mode = 'sent'
        return response.writeHead(200).end(body.slice(0, 0))
      }
      const pattern = mode === 'sent' ? 'b' : 'a'
      return json(response, 200, { ...overview, featureNaming: { pattern } })
    })
    const argv = [...set, '--naming-pattern', 'b', '--no-verify']
    const { code, stderr } = await flagadm(argv, { env: environment(server.url) })
    expect([code, stderr]).toEqual([0, ''])
  })
})

describe('get -o yaml | set --file - changes nothing', () => {
  test.each(['yaml', 'json'])('with any text in -o %s', async (format) => {
    const links = hostileTexts.map((text) => ({ title: text, urlTemplate: text }))
    const hostile = {
      ...checkout,
      featureNaming: { ...rule, description: hostileTexts.join('\n') },
      linkTemplates: [...links, { urlTemplate: 'u' }],
    }
    const sandbox = await sandboxOf([hostile])
    const { stdout: stdin } = await flagadm([...get, '-o', format], sandbox)
    const { code, stdout } = await flagadm([...set, '--file', '-'], { ...sandbox, stdin })
    expect([code, stdout]).toMatchObject([0, expect.stringMatching(/^unchanged: /)])
    expect(sandbox.writes()).toEqual([])
  })

  test('and another project gets the same settings', async () => {
    const sandbox = await sandboxOf([checkout, { id: 'copy', mode: 'open' }])
    const { stdout: stdin } = await flagadm([...get, '-o', 'yaml'], sandbox)
    const copy = ['project', 'settings', 'set', 'copy', '--file', '-']
    expect((await flagadm(copy, { ...sandbox, stdin })).code).toBe(0)
    expect(sandbox.project('copy')).toMatchObject(before)
  })
})

test('an API key in a setting is masked, and the mask is not sent', async () => {
  const key = sandboxKeys.full
  const own = { ...checkout, linkTemplates: [{ urlTemplate: `https://t.test/?key=${key}` }] }
  const sandbox = await sandboxOf([own])
  for (const format of ['text', 'yaml', 'json']) {
    const { stdout } = await flagadm([...get, '-o', format], sandbox)
    expect(stdout).toContain('https://t.test/?key=[redacted]')
    expect(stdout).not.toContain(key)
  }
  const { stdout: stdin } = await flagadm([...get, '-o', 'yaml'], sandbox)
  const { code, stderr } = await flagadm([...set, '--file', '-'], { ...sandbox, stdin })
  expect([code, stderr]).toEqual([
    2,
    'error: standard input:9: linkTemplates[0].urlTemplate: contains [redacted], which flagadm writes in place of the API key\nhint: write the text that it replaced, or send it as it is with --no-verify\n',
  ])
  expect(sandbox.writes()).toEqual([])
})
