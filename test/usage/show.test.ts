import { describe, expect, test } from 'vitest'
import { CANARY, environment, flagadm, withoutCaption } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'

interface Parts {
  lastHourUsage?: object[]
  [field: string]: unknown
}

/** Runs `feature usage` for the flag in the document, or `f`, against a service that returns the document. */
async function usage(document: Parts | string, argv: string[] = [], columns?: number) {
  const full = typeof document === 'string' ? document : { lastHourUsage: [], ...document }
  const server = await serve((response) => json(response, 200, full))
  const world = { env: environment(server.url), ...(columns !== undefined && { columns }) }
  const flag = typeof document === 'object' ? String(document.featureName ?? 'f') : 'f'
  return withoutCaption(await flagadm(['feature', 'usage', ...argv, '--', flag], world))
}

const record = {
  appName: 'web',
  environment: 'production',
  timestamp: '2026-11-20T16:00:00.000Z',
  yes: 3,
  no: 1,
}

const scenario = {
  version: 1,
  maturity: 'stable',
  featureName: 'checkout',
  lastHourUsage: [
    { ...record, yes: 1_234_567, no: 0, variants: { red: 4, blue: 10, green: 4 } },
    { ...record, appName: 'ios', yes: 0, no: 12 },
    { ...record, environment: 'development', yes: 0, no: 0 },
  ],
  seenApplications: ['web', 'ios'],
}

describe('the table', () => {
  test('has a row for each application and environment, sorted, with a total', async () => {
    const { code, stdout, stderr } = await usage(scenario)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(`checkout (since 16:00 UTC)

Application  Environment    Enabled  Disabled      Total              Share  Variants                 Reported
───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
web          development          0         0          0                  —                           2026-11-20 16:00Z
ios          production           0        12         12  ░░░░░░░░░░   0.0%                           2026-11-20 16:00Z
web          production   1,234,567         0  1,234,567  ██████████ 100.0%  blue 10, green 4, red 4  2026-11-20 16:00Z
───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
Total                     1,234,567        12  1,234,579  ██████████ >99.9%
`)
  })

  test('puts variants below their rows and shortens dates and bars on a terminal of 80 columns', async () => {
    const { stdout } = await usage(scenario, ['--no-color'], 80)
    expect(stdout).toBe(`checkout (since 16:00 UTC)

App    Env            Enabled  Disabled      Total         Share  Reported
──────────────────────────────────────────────────────────────────────────────
web    development          0         0          0             —  11-20 16:00Z
ios    production           0        12         12  ░░░░░   0.0%  11-20 16:00Z
web    production   1,234,567         0  1,234,567  █████ 100.0%  11-20 16:00Z
  └ blue 10, green 4, red 4
──────────────────────────────────────────────────────────────────────────────
Total               1,234,567        12  1,234,579  █████ >99.9%
`)
  })

  test('adds up the records of one application and environment', async () => {
    const { stdout } = await usage({
      lastHourUsage: [
        { ...record, variants: { a: 1 } },
        { ...record, timestamp: '2026-11-20T17:00:00Z', yes: 5, variants: { a: 1, b: 3 } },
        { ...record, appName: 'ios' },
      ],
    })
    expect(stdout).toContain(
      'web          production         8         2     10  ████████░░  80.0%  b 3, a 2  2026-11-20 17:00Z\n',
    )
  })

  test('leaves out columns that are empty in every row, as with Unleash 8.2', async () => {
    const { stdout } = await usage({
      lastHourUsage: [
        { environment: 'production', timestamp: '2026-11-20T16:00:00Z', yes: 1, no: 3 },
      ],
    })
    expect(stdout).toBe(`f (since 16:00 UTC)

Environment  Enabled  Disabled  Total              Share  Reported
───────────────────────────────────────────────────────────────────────────
production         1         3      4  ███░░░░░░░  25.0%  2026-11-20 16:00Z
───────────────────────────────────────────────────────────────────────────
Total              1         3      4  ███░░░░░░░  25.0%
`)
  })

  test('shows — for a missing application if other rows have one', async () => {
    const { stdout } = await usage({ lastHourUsage: [record, { ...record, appName: null }] })
    expect(stdout).toMatch(/\n— {12}production {9}3 /)
  })

  test('is replaced by a sentence for a flag without usage', async () => {
    const { code, stdout } = await usage({ featureName: 'f', seenApplications: ['web'] })
    expect([code, stdout]).toEqual([
      0,
      'f\n\nNo usage in the current clock hour.\n\nSeen by: web\n',
    ])
  })

  test('shows 0 % and 100 % only if they are exact', async () => {
    const { stdout } = await usage({
      lastHourUsage: [
        { ...record, environment: 'a', yes: 999_999, no: 1 },
        { ...record, environment: 'b', yes: 1, no: 999_999 },
      ],
    })
    expect(stdout).toContain('██████████ >99.9%')
    expect(stdout).toContain('░░░░░░░░░░  <0.1%')
  })

  test('reads a timestamp without a zone as UTC', async () => {
    const { stdout } = await usage({
      lastHourUsage: [{ ...record, timestamp: '2026-01-05T10:00:00' }],
    })
    expect(stdout).toContain('2026-01-05 10:00Z')
  })

  test('shows an invalid timestamp unchanged', async () => {
    const { stdout } = await usage({ lastHourUsage: [{ ...record, timestamp: 'a while ago' }] })
    expect(stdout).toContain('  a while ago\n')
  })

  test('shortens long names in the middle, but only on a terminal', async () => {
    const appName = `start-${'x'.repeat(60)}-end`
    const document = { lastHourUsage: [{ ...record, appName }] }
    const lines = (await usage(document, ['--no-color'], 80)).stdout.split('\n')
    expect(lines[4]).toBe(
      'start-xxxxxxxxxxx…xxxxxxxxxxxx-end  production        3         1      4   75.0%',
    )
    expect(Math.max(...lines.map((line) => line.length))).toBe(80)
    expect((await usage(document)).stdout).toContain(`\n${appName}  production `)
  })

  test('aligns wide characters and emoji', async () => {
    const names = ['東京の店', 'café', '🚀🚀', 'x']
    const { stdout } = await usage({
      lastHourUsage: names.map((appName) => ({ ...record, appName })),
    })
    expect(stdout.split('\n').slice(4, 8)).toEqual([
      'café         production         3         1      4  ████████░░  75.0%  2026-11-20 16:00Z',
      'x            production         3         1      4  ████████░░  75.0%  2026-11-20 16:00Z',
      '東京の店     production         3         1      4  ████████░░  75.0%  2026-11-20 16:00Z',
      '🚀🚀         production         3         1      4  ████████░░  75.0%  2026-11-20 16:00Z',
    ])
  })

  test('wraps the seen applications between names', async () => {
    const seenApplications = Array.from({ length: 8 }, (_, index) => `application-${index}`)
    const { stdout } = await usage({ seenApplications }, ['--no-color'], 60)
    expect(stdout).toContain(
      'Seen by: application-0, application-1, application-2,\n         application-3, application-4, application-5,\n         application-6, application-7\n',
    )
  })

  test('shows ten thousand rows', async () => {
    const lastHourUsage = Array.from({ length: 10_000 }, (_, index) => ({
      ...record,
      appName: `app-${index}`,
    }))
    const { stdout } = await usage({ lastHourUsage })
    expect(stdout.split('\n').length).toBe(10_000 + 7)
  })

  test('warns of a deprecated operation', async () => {
    const { code, stderr } = await usage({ maturity: 'deprecated' })
    expect([code, stderr]).toEqual([0, 'warning: f: this operation of the service is deprecated\n'])
  })
})

test('a heading that does not fit shows the name of the flag in full', async () => {
  const document = { featureName: 'checkout-new-basket', version: 1, maturity: 'stable' }
  const { stdout } = await usage(document, ['--no-color', '-v'], 20)
  expect(stdout).toBe(`checkout-new-basket
(schema version 1,
maturity stable)

No usage in the
current clock hour.
`)
})

test('a key in the response is masked before it is shortened for a narrow terminal', async () => {
  const document = {
    featureName: CANARY,
    lastHourUsage: [{ ...record, appName: CANARY }],
    seenApplications: [CANARY],
  }
  const { stdout } = await usage(document, ['--no-color'], 48)
  expect(stdout).not.toMatch(/cana|cdef/)
})

describe('text from the service cannot reach the terminal raw', () => {
  const hostile = '\ufe0f\u3164\u001b]0;x\u0007\u009b31m\u202e\u200b\r\n\t\u007f\u{e0041}'
  const visible = '\\ufe0f\\u3164\\x1b]0;x\\x07\\x9b31m\\u202e\\u200b\\x0d\\x0a\\x09\\x7f\\u{e0041}'

  test('in the table', async () => {
    const { stdout } = await usage({
      featureName: hostile,
      maturity: hostile,
      lastHourUsage: [
        {
          appName: hostile,
          environment: hostile,
          timestamp: hostile,
          yes: 1,
          variants: { [hostile]: 1 },
        },
      ],
      seenApplications: [hostile],
    })
    expect(stdout.split(visible).length - 1).toBe(6)
    expect(stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
  })

  test('in JSON, where the value stays the same', async () => {
    const document = { lastHourUsage: [], seenApplications: [hostile] }
    const { stdout } = await usage(document, ['--json'])
    expect(stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
    expect(JSON.parse(stdout)).toEqual(document)
  })
})

describe('--json', () => {
  test('is the document of the service, byte for byte', async () => {
    const document =
      '{ "version":1.0,\n\t"lastHourUsage" : [{"yes":9007199254740993,"no":1e2,"variants":{"__proto__":1,"b":2,"a":3}}],\n  "unknown": {"x": null, "é": "\\u00e9"} }'
    expect((await usage(document, ['--json'])).stdout).toBe(`${document}\n`)
  })

  test('of several flags is one document per line, in the requested order', async () => {
    const server = await serve((response, { url }) => {
      const flag = url.split('/').at(-1)
      setTimeout(
        () => json(response, 200, `{\n  "featureName": "${flag}",\r\n  "lastHourUsage": []\n}\n`),
        flag === 'a' ? 50 : 0,
      )
    })
    const names = ['b', 'a', 'c']
    const { stdout } = await flagadm(['feature', 'usage', ...names, '-o', 'json'], {
      env: environment(server.url),
    })
    expect(stdout).toBe(
      names.map((name) => `{"featureName": "${name}","lastHourUsage": []}\n`).join(''),
    )
  })
})

describe('of several flags', () => {
  async function service(failing: Record<string, number>) {
    return serve((response, { url }) => {
      const flag = url.split('/').at(-1) ?? ''
      const status = failing[flag]
      if (status) return json(response, status, { name: 'Bad', message: 'no' })
      return json(response, 200, { featureName: flag, lastHourUsage: [] })
    })
  }
  const section = (flag: string) => `${flag}\n\nNo usage in the current clock hour.\n`

  test('each has a section', async () => {
    const { url } = await service({})
    const { code, stdout } = await flagadm(['feature', 'usage', 'a', 'b'], {
      env: environment(url),
    })
    expect([code, stdout]).toEqual([
      0,
      `Usage on ${url}\n\n${section('a')}\n${section('b')}\n2 flags: 0 in use, 2 unused\n`,
    ])
  })

  test('one that fails does not hide the others, and the exit code is 10', async () => {
    const { url } = await service({ b: 404 })
    const { code, stdout, stderr } = await flagadm(['feature', 'usage', 'a', 'b', 'c'], {
      env: environment(url),
    })
    expect([code, stdout]).toEqual([
      10,
      `Usage on ${url}\n\n${section('a')}\n${section('c')}\n` +
        'Incomplete: not a flag: b\n\n2 flags read: 0 in use, 2 unused\n',
    ])
    expect(stderr).toBe(
      'error: b: 404 Bad: no\n' +
        `hint: check the name (flagadm feature list --all-projects lists those that exist) and the address (${url})\n` +
        'error: 1 of 3 flags could not be read\n',
    )
  })

  test.each([
    [{ a: 403, b: 403 }, 5],
    [{ a: 403, b: 404 }, 10],
  ])('when all fail with %j the exit code is %i', async (failing, exit) => {
    const { url } = await service(failing)
    const { code, stdout } = await flagadm(['feature', 'usage', 'a', 'b'], {
      env: environment(url),
    })
    expect([code, stdout]).toEqual([exit, ''])
  })

  test('failures are JSON lines with --json', async () => {
    const { url } = await service({ b: 404 })
    const { stderr } = await flagadm(['feature', 'usage', 'a', 'b', '--json'], {
      env: environment(url),
    })
    const lines = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).error)
    expect(lines).toMatchObject([
      { kind: 'notFound', exitCode: 6, featureName: 'b', status: 404, message: 'no' },
      { kind: 'partial', exitCode: 10, message: '1 of 2 flags could not be read' },
    ])
  })

  test('at most four requests are sent at once', async () => {
    let [open, most] = [0, 0]
    const server = await serve((response) => {
      most = Math.max(most, ++open)
      setTimeout(() => {
        open--
        json(response, 200, { lastHourUsage: [] })
      }, 10)
    })
    const names = Array.from({ length: 40 }, (_, index) => `flag-${index}`)
    await flagadm(['feature', 'usage', ...names], { env: environment(server.url) })
    expect([most, server.received.length]).toEqual([4, 40])
  })
})

test.each(['', '.', '..'])('the flag name %j is refused', async (name) => {
  const { code, stderr } = await flagadm(['feature', 'usage', name], {
    env: environment('https://flags.example.com'),
  })
  expect([code, stderr]).toEqual([
    2,
    `error: invalid flag name '${name}'\nhint: a flag name cannot be empty, '.' or '..'\n`,
  ])
})

describe('colour', () => {
  const colored = async (argv: string[], env: Record<string, string>, columns?: number) => {
    const { url } = await serve((response) => json(response, 200, { lastHourUsage: [] }))
    const world = {
      env: { ...environment(url), ...env },
      ...(columns !== undefined && { columns }),
    }
    return (await flagadm(['feature', 'usage', 'f', ...argv], world)).stdout.includes('\u001b[')
  }

  test.each([
    ['is used on a terminal', [], {}, 80, true],
    ['is not used in a pipe', [], {}, undefined, false],
    ['is not used with NO_COLOR', [], { NO_COLOR: '1' }, 80, false],
    ['is not used on a dumb terminal', [], { TERM: 'dumb' }, 80, false],
    ['is not used with --no-color', ['--no-color'], {}, 80, false],
    ['is not used with --color never', ['--color', 'never'], { FORCE_COLOR: '1' }, 80, false],
    ['is used with FORCE_COLOR', [], { FORCE_COLOR: '1' }, undefined, true],
    ['is used with CLICOLOR_FORCE', [], { CLICOLOR_FORCE: '1' }, undefined, true],
    ['is not used with FORCE_COLOR=0', [], { FORCE_COLOR: '0' }, 80, false],
    ['is used with --color always', ['--color', 'always'], { NO_COLOR: '1' }, undefined, true],
  ])('%s', async (_what, argv, env, columns, expected) => {
    expect(await colored(argv, env, columns)).toBe(expected)
  })
})

test('a key that the service returns as the name of a flag is masked before it is shortened', async () => {
  const { stdout } = await usage({ featureName: CANARY }, ['--no-color'], 20)
  expect(stdout.split('\n')[0]).toBe('[redacted]')
})
