import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { environment, flagadm, type World } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'

const record = { environment: 'production', timestamp: '2026-11-20T16:00:00.000Z', yes: 3, no: 1 }

interface ServiceOptions {
  /** The flags of each project, or the status that reading them returns. */
  projects?: Record<string, readonly string[] | number>
  edition?: string
  variants?: Record<string, number>
  /** Called before a flag is read. */
  onRead?(flag: string): void
}

/** A service in which the flag `used` is used and the flag `broken` cannot be read. */
function service({ projects = {}, edition, variants, onRead }: ServiceOptions) {
  return serve((response, { url }) => {
    const [, id = '', what] = /^\/api\/admin\/projects\/([^/]+)\/(\w+)$/.exec(url) ?? []
    if (url === '/api/admin/projects') {
      return json(response, 200, { projects: Object.keys(projects).map((id) => ({ id })) })
    }
    if (url === '/api/admin/ui-config') return json(response, 200, { environment: edition })
    if (what !== undefined) {
      const flags = projects[id]
      if (typeof flags === 'number') return json(response, flags, { message: 'no' })
      const environments = [{ name: 'production', enabled: true, lastSeenAt: null }]
      const features = (flags ?? []).map((name) => ({ name, environments }))
      return json(response, 200, what === 'features' ? { features } : { mode: 'open' })
    }
    const flag = url.split('/').at(-1) ?? ''
    onRead?.(flag)
    if (flag === 'broken') return json(response, 403, { message: 'no' })
    return json(response, 200, { lastHourUsage: flag === 'used' ? [{ ...record, variants }] : [] })
  })
}

async function run(argv: readonly string[], options: ServiceOptions, world: World = {}) {
  const server = await service(options)
  const outcome = await flagadm(['feature', ...argv], { ...world, env: environment(server.url) })
  const anonymous = (text: string) => text.replaceAll(server.url, 'http://service')
  return { ...outcome, stdout: anonymous(outcome.stdout), stderr: anonymous(outcome.stderr) }
}

const gaps = { projects: { shop: ['used', 'idle', 'broken'], hidden: 403, mail: [] } }
const gapLine =
  '1 of 3 flags could not be read (broken); 1 of 3 projects could not be read (hidden)'

describe('a usage report with flags and projects that could not be read', () => {
  const usage = (...argv: string[]) => run(['usage', '--all-projects', ...argv], gaps)

  test('has no total as a table', async () => {
    const { code, stdout, stderr } = await usage('--layout', 'table')
    expect(code).toBe(10)
    expect(stdout).toBe(`Usage on http://service, since 16:00 UTC

Flag  Project  Environment  Enabled  Disabled  Total              Share  Reported
──────────────────────────────────────────────────────────────────────────────────────────
idle  shop     —                  0         0      0                  —  —
used  shop     production         3         1      4  ████████░░  75.0%  2026-11-20 16:00Z

Incomplete: ${gapLine}

2 flags read: 1 in use, 1 unused
`)
    expect(stderr).toMatch(/\nerror: 1 of 3 flags could not be read\n$/)
  })

  test('reports them in sections', async () => {
    const { stdout } = await usage('--layout', 'sections')
    expect(stdout).toMatch(
      /\nIncomplete: 1 of 3 flags [^\n]+\n\n2 flags read: 1 in use, 1 unused\n$/,
    )
  })

  test('has no total in markdown, and names them', async () => {
    const { stdout } = await usage('-o', 'markdown')
    expect(stdout).toBe(`Usage on http://service, since 16:00 UTC

| Flag | Project | Environment | Enabled | Disabled | Total | Share | Variants |
| --- | --- | --- | ---: | ---: | ---: | ---: | --- |
| \`idle\` | \`shop\` |  | 0 | 0 | 0 | — |  |
| \`used\` | \`shop\` | \`production\` | 3 | 1 | 4 | 75.0% |  |

Incomplete: 1 of 3 flags could not be read (\`broken\`); 1 of 3 projects could not be read (\`hidden\`)

2 flags read: 1 in use, 1 unused
`)
  })

  test('ends with a line about them in JSON Lines', async () => {
    const { stdout } = await usage('-o', 'jsonl')
    expect(stdout.split('\n').slice(2)).toEqual([
      '{"incomplete":{"flags":["broken"],"projects":["hidden"]}}',
      '',
    ])
    const sorted = await usage('-o', 'jsonl', '--sort', 'total')
    expect(sorted.stdout.split('\n').slice(2)).toEqual(stdout.split('\n').slice(2))
  })

  test('counts them in openmetrics', async () => {
    const { stdout } = await usage('-o', 'openmetrics')
    expect(stdout).toMatch(
      /\nfeature_flag_usage_unread\{kind="flag"\} 1\nfeature_flag_usage_unread\{kind="project"\} 1\n# EOF\n$/,
    )
  })

  test.each(['csv', 'json'])('exits 10 with %s, which cannot contain them', async (format) => {
    const { code, stderr } = await usage('-o', format)
    expect(code).toBe(10)
    expect(stderr).toContain('1 of 3 flags could not be read')
  })

  test.each([
    ['table', '--layout=sections'],
    ['table', '--layout=table'],
    ['markdown', '--quiet'],
  ])('does not say that no flag is unused: %s %s', async (format, option) => {
    const projects = { shop: ['used', 'broken'] }
    const argv = ['usage', '--project', 'shop', '--unused', '-o', format, option]
    const { stdout } = await run(argv, { projects })
    expect(stdout).toContain('\nNo flag that could be read is unused.\n')
  })

  test('lists them on a terminal with --watch', async () => {
    const argv = ['usage', 'used', 'broken', '--watch', '--count', '1', '--no-color']
    const { stdout } = await run(argv, {}, { columns: 100 })
    expect(stdout).toContain('\nIncomplete: 1 of 2 flags could not be read (broken)\n')
  })

  test('has a line about them with --watch as JSON Lines', async () => {
    const { stdout } = await run(['usage', 'used', 'broken', '--watch', '--count', '1'], {})
    expect(stdout).toMatch(/\n\{"readAt":"[^"]+","incomplete":\{"flags":\["broken"\]\}\}\n$/)
  })
})

describe('a gate with projects that could not be read', () => {
  const projects = { shop: ['used'], hidden: 403 }
  const gate = async (...argv: string[]) => {
    const options = ['--all-projects', '--expect', 'used', '-q', ...argv]
    return run(['usage', ...options], { projects })
  }

  test.each(['text', 'markdown'])('reports them as %s', async (format) => {
    const { code, stdout } = await gate('-o', format)
    const name = format === 'text' ? 'hidden' : '`hidden`'
    expect(code).toBe(10)
    expect(stdout.endsWith(`\n\nIncomplete: 1 of 2 projects could not be read (${name})\n`)).toBe(
      true,
    )
  })

  test('reports them as json', async () => {
    const { stdout } = await gate('--json')
    expect(JSON.parse(stdout).incomplete).toEqual({ projects: ['hidden'] })
    const { stdout: complete } = await run(['usage', 'used', '--expect', 'used', '--json'], {})
    expect(JSON.parse(complete)).not.toHaveProperty('incomplete')
  })

  test('reports them as an error of GitHub', async () => {
    const { stdout } = await gate('-o', 'github')
    expect(stdout.split('\n').at(-2)).toBe(
      '::error title=usage-incomplete::1 of 2 projects could not be read (hidden)',
    )
  })

  test('reports them as a failed test case of JUnit', async () => {
    const { stdout } = await gate('-o', 'junit')
    expect(stdout).toContain(
      '<testcase name="usage-incomplete" classname="flagadm feature usage">' +
        '<failure message="1 of 2 projects could not be read (hidden)" type="usage-incomplete">',
    )
  })

  test('warns of the projects that the open-source edition does not list', async () => {
    const options = { projects: { default: ['used'] }, edition: 'Open Source' }
    const argv = ['usage', '--all-projects', '--expect', 'used', '-q', '-o', 'github']
    const { code, stdout } = await run(argv, options)
    expect([code, stdout.split('\n').at(-2)]).toEqual([
      0,
      '::warning title=usage-incomplete::the open-source edition lists only the project default',
    ])
  })
})

describe('a list of flags with projects that could not be read', () => {
  const list = (...argv: string[]) => run(['list', '--all-projects', ...argv], gaps)

  test('has no count as a table', async () => {
    const { code, stdout } = await list('--name', 'us*')
    expect([code, stdout]).toEqual([
      10,
      `Flags of 2 projects on http://service: named us*

Flag  Project  Type  Created  production
────────────────────────────────────────────
used  shop     —     —        on, never seen

Incomplete: 1 of 3 projects could not be read (hidden)
`,
    ])
  })

  test('has no count in markdown', async () => {
    const { stdout } = await list('-o', 'markdown', '--name', 'us*')
    expect(stdout).toBe(`Flags of 2 projects on http://service: named us*

| Flag | Project | Type | Stale | Created | \`production\` |
| --- | --- | --- | --- | --- | --- |
| \`used\` | \`shop\` |  |  |  | on, never seen |

Incomplete: 1 of 3 projects could not be read (\`hidden\`)
`)
  })

  test('ends with a line about them in JSON Lines', async () => {
    const { stdout } = await list('-o', 'jsonl')
    expect(stdout.split('\n').at(-2)).toBe('{"incomplete":{"projects":["hidden"]}}')
  })

  test('does not say that no flag matches', async () => {
    const { stdout } = await list('--name', 'x')
    expect(stdout).toBe(`Flags of 2 projects on http://service: named x

No flag that could be read matches the filters.

Incomplete: 1 of 3 projects could not be read (hidden)
`)
  })

  test.each(['names', 'csv', 'json'])('exits 10 with %s', async (format) => {
    const { code, stderr } = await list('-o', format)
    expect(code).toBe(10)
    expect(stderr).toContain('1 of 3 projects could not be read')
  })
})

describe('the open-source edition, which lists only the project default,', () => {
  const open = { projects: { default: ['used', 'idle'] }, edition: 'Open Source' }
  const warning =
    'warning: the open-source edition lists only the project default; pass the ids of others\n'

  test('is reported in a usage report', async () => {
    const { code, stdout, stderr } = await run(['usage', '--all-projects', '--used'], open)
    expect([code, stderr]).toEqual([0, warning])
    expect(stdout).toMatch(
      /\n\nIncomplete: the open-source edition lists only the project default\n\n2 flags read: 1 in use, 1 unused\n$/,
    )
  })

  test.each([
    ['table', '\n\nIncomplete: the open-source edition lists only the project default\n'],
    ['jsonl', '{"incomplete":{"unlistedProjects":true}}\n'],
    ['csv', 'flag,application,environment,timestamp,enabled,disabled,variants'],
  ])('is reported as %s even if that project has no flags', async (format, text) => {
    const options = { ...open, projects: { default: [] } }
    const { code, stdout } = await run(['usage', '--all-projects', '-o', format], options)
    expect([code, stdout]).toEqual([0, expect.stringContaining(text)])
  })

  test('makes a gate inconclusive if that project has no flags', async () => {
    const options = { ...open, projects: { default: [] } }
    const argv = ['usage', '--all-projects', '--expect', 'used']
    const { code, stdout, stderr } = await run(argv, options)
    expect([code, stdout]).toEqual([9, ''])
    expect(stderr).toContain(
      'error: inconclusive: the open-source edition lists only the project default\n',
    )
  })

  test('is reported instead of "No flag is unused."', async () => {
    const options = { ...open, projects: { default: ['used'] } }
    const { stdout } = await run(['usage', '--all-projects', '--unused'], options)
    expect(stdout).toContain('\nNo flag that could be read is unused.\n')
    const other = await run(['usage', '--all-projects', '--unused'], {
      ...options,
      edition: 'Enterprise',
    })
    expect([other.stdout, other.stderr]).toEqual([
      'Usage on http://service\n\nNo flag is unused.\n',
      '',
    ])
  })

  test('is reported in a list of flags', async () => {
    const { code, stdout, stderr } = await run(['list', '--all-projects', '-o', 'jsonl'], open)
    expect([code, stderr]).toEqual([0, warning])
    expect(stdout.split('\n').at(-2)).toBe('{"incomplete":{"unlistedProjects":true}}')
  })

  test('is reported in openmetrics', async () => {
    const { stdout } = await run(['usage', '--all-projects', '-o', 'openmetrics'], open)
    expect(stdout).toContain(
      '# HELP feature_flag_usage_unread Flags and projects that could not be read; the open-source edition lists only the project default.\n',
    )
  })

  test('is not reported with --project', async () => {
    const { stdout, stderr } = await run(['usage', '--project', 'default'], open)
    expect(stderr).toBe('')
    expect(stdout).toMatch(/\n2 flags: 1 in use, 1 unused\n$/)
  })
})

describe('settings of projects that could not be read', () => {
  const get = async (projects: ServiceOptions['projects'], ...argv: string[]) => {
    const server = await service({ ...(projects && { projects }), edition: 'Open Source' })
    const options = ['project', 'settings', 'get', '--all-projects', '--retries', '0', ...argv]
    return flagadm(options, { env: environment(server.url) })
  }

  test('are reported as text', async () => {
    const { code, stdout } = await get({ shop: [], hidden: 403 })
    expect([code, stdout]).toEqual([
      10,
      'shop\n  mode         open\n\nIncomplete: 1 of 2 projects could not be read (hidden)\n',
    ])
  })

  test('are reported as a table', async () => {
    const { stdout } = await get({ shop: [], hidden: 403 }, '-o', 'table')
    expect(stdout).toMatch(/\n\nIncomplete: 1 of 2 projects could not be read \(hidden\)\n$/)
  })

  test.each(['text', 'table', 'yaml', 'json'])(
    'are not reported as "No projects.": %s',
    async (format) => {
      const { code, stdout } = await get({ closed: 403, hidden: 403 }, '-o', format)
      expect([code, stdout]).toEqual([5, ''])
    },
  )

  test('are reported if the edition lists only one project', async () => {
    const { code, stdout, stderr } = await get({ default: [] })
    expect([code, stdout, stderr]).toEqual([
      0,
      'default\n  mode         open\n\nIncomplete: the open-source edition lists only the project default\n',
      'warning: the open-source edition lists only the project default; pass the ids of others\n',
    ])
  })
})

test.each([
  ['table', /\n\nIncomplete: the open-source edition lists only the project default\n$/],
  [
    'jsonl',
    /\n\{"incomplete":\[\{"message":"the open-source edition lists only the project default","names":\[\]\}\]\}\n$/,
  ],
  ['names', /^default\n$/],
])('a list of projects of the open-source edition is incomplete: %s', async (format, expected) => {
  const server = await service({ projects: { default: [] }, edition: 'Open Source' })
  const { code, stdout, stderr } = await flagadm(['project', 'list', '-o', format], {
    env: environment(server.url),
  })
  expect([code, stdout]).toEqual([0, expect.stringMatching(expected)])
  expect(stderr).toMatch(/^warning: the open-source edition lists only the project default; /)
})

describe('an interrupted read', () => {
  const flags = ['used', 'idle', 'last', 'more']

  /** Runs a command that is interrupted while the service reads the flag `last`. */
  function interrupted(argv: readonly string[], world: World = {}, variants = {}) {
    const interruption = new AbortController()
    const onRead = (flag: string) => {
      if (flag === 'last') interruption.abort()
    }
    const command = ['usage', ...flags, '--concurrency', '1', ...argv]
    return run(command, { variants, onRead }, { ...world, signal: interruption.signal })
  }

  test.each(['csv', 'jsonl', 'markdown', 'table', 'openmetrics', 'json'])(
    'reports on stderr how many flags it read: %s',
    async (format) => {
      const { code, stderr } = await interrupted(['-o', format])
      expect(code).toBe(130)
      expect(stderr).toContain('interrupted after 2 of 4 flags')
    },
  )

  test('has no total', async () => {
    const { stdout, stderr } = await interrupted([])
    expect(stderr).toBe('error: interrupted after 2 of 4 flags\n')
    expect(stdout).not.toMatch(/^Total /m)
    expect(stdout).toMatch(
      /\nIncomplete: interrupted after 2 of 4 flags\n\n2 flags read: 1 in use, 1 unused\n$/,
    )
  })

  test('ends with a line about it in JSON Lines', async () => {
    const { stdout } = await interrupted(['-o', 'jsonl'])
    expect(stdout.split('\n').at(-2)).toBe('{"incomplete":{"interruptedAfter":2,"flagCount":4}}')
  })

  test('of a gate reports how many flags it read, and prints no verdict', async () => {
    const { code, stdout, stderr } = await interrupted(['--expect', 'used'])
    expect([code, stdout, stderr]).toEqual([130, '', 'error: interrupted after 2 of 4 flags\n'])
  })

  test('counts the flags that it did not read in openmetrics', async () => {
    const { stdout } = await interrupted(['-o', 'openmetrics'], {}, { red: 3 })
    expect(stdout).toContain('feature_flag_usage_unread{kind="flag"} 2\n')
  })

  test.each(['csv', 'markdown'])('leaves --output-file as it was: %s', async (format) => {
    const world = { files: { 'work/out': 'old' } }
    const { code, stdout, folder } = await interrupted(
      ['-o', format, '--output-file', 'out'],
      world,
    )
    expect([code, stdout, await readFile(join(folder, 'work/out'), 'utf8')]).toEqual([
      130,
      '',
      'old',
    ])
  })

  test('of projects reports how many it read', async () => {
    const interruption = new AbortController()
    const server = await serve((response, { url }) => {
      if (url.endsWith('/c/features')) return interruption.abort()
      if (url.endsWith('/features')) return json(response, 200, { features: [] })
      json(response, 200, { projects: ['a', 'b', 'c', 'd'].map((id) => ({ id })) })
    })
    const files = {
      'home/.config/flagadm/config.json': JSON.stringify({
        baseUrl: server.url,
        apiKey: '*:*.some-key',
        concurrency: 1,
      }),
    }
    const { code, stdout, stderr } = await flagadm(['feature', 'list', '--all-projects'], {
      files,
      signal: interruption.signal,
    })
    expect([code, stdout, stderr]).toEqual([130, '', 'error: interrupted after 2 of 4 projects\n'])
  })
})
