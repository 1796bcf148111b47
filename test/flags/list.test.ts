import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { patientClock } from '../support/clock.ts'
import { environment, flagadm, type World } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'

type Place = [name: string, enabled: boolean, lastSeenAt: string | null]

function flag(name: string, about: object, ...places: Place[]) {
  const environments = places.map(([name, enabled, lastSeenAt]) => ({ name, enabled, lastSeenAt }))
  return { name, type: 'release', stale: false, ...about, environments }
}

// The clock of the tests is at 2026-11-20 16:00.
const recent = '2026-11-20T15:00:00.000Z'
const old = '2026-10-01T09:30:00.000Z'

const shop = [
  flag(
    'shop-basket',
    { createdAt: '2026-02-01T00:00:00.000Z' },
    ['dev', true, recent],
    ['prod', true, old],
  ),
  flag(
    'shop-Banner',
    { type: 'experiment', stale: true, createdAt: '2025-03-04T05:06:07.000Z' },
    ['dev', false, null],
    ['prod', false, null],
  ),
  flag('shop-api', { type: 'kill-switch', createdAt: '2026-01-01T00:00:00.000Z' }, [
    'prod',
    true,
    old,
  ]),
]
const mail = [flag('newsletter', {}, ['dev', true, recent])]

interface Project {
  features: unknown[]
  pattern?: string | null
}

const projects: Record<string, Project> = {
  shop: { features: shop, pattern: 'shop-[a-z]+' },
  mail: { features: mail, pattern: null },
}

const notFound = { name: 'NotFoundError', message: 'No project found' }

/** A service with these projects. As in the real one, an unknown project has an empty list of flags. */
function service(known: Record<string, Project> = projects) {
  return serve((response, { url }) => {
    const [, id = '', what] = /^\/api\/admin\/projects\/([^/]+)\/(\w+)$/.exec(url) ?? []
    const project = known[id]
    if (url === '/api/admin/projects') {
      return json(response, 200, { projects: Object.keys(known).map((id) => ({ id })) })
    }
    if (what === 'features') return json(response, 200, { features: project?.features ?? [] })
    if (!project) return json(response, 404, notFound)
    const featureNaming = { pattern: project.pattern, example: null, description: null }
    return json(response, 200, { environments: [], featureNaming })
  })
}

async function list(argv: readonly string[], known?: Record<string, Project>, world: World = {}) {
  const server = await service(known)
  const { code, stdout, stderr } = await flagadm(['feature', 'list', ...argv], {
    clock: patientClock().clock,
    ...world,
    env: environment(server.url),
  })
  const anonymous = (text: string) => text.replaceAll(server.url, 'http://service')
  const asked = server.received.map(({ url }) => url.replace('/api/admin/', ''))
  return { code, stdout: anonymous(stdout), stderr: anonymous(stderr), asked }
}

const names = async (...argv: string[]) =>
  (await list(['--project', 'shop', ...argv, '-o', 'names'])).stdout.trimEnd().split('\n')

describe('the flags of a project', () => {
  test('are a table with a column for each environment', async () => {
    const { code, stdout, stderr, asked } = await list(['--project', 'shop'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(`Flags of project shop on http://service

Flag         Type         Stale  Created     dev                         prod
───────────────────────────────────────────────────────────────────────────────────────────────────
shop-Banner  experiment   stale  2025-03-04  off, never seen             off, never seen
shop-api     kill-switch         2026-01-01                              on, seen 2026-10-01 09:30Z
shop-basket  release             2026-02-01  on, seen 2026-11-20 15:00Z  on, seen 2026-10-01 09:30Z
───────────────────────────────────────────────────────────────────────────────────────────────────
3 flags                                      1 on                        2 on
`)
    expect(asked).toEqual(['projects/shop/overview', 'projects/shop/features'])
  })

  test('are a table with shorter dates on a narrow terminal', async () => {
    const { stdout } = await list(['--project', 'shop', '--no-color'], projects, { columns: 80 })
    expect(stdout).toBe(`Flags of project shop on http://service

Flag         Type         Stale  dev                  prod
─────────────────────────────────────────────────────────────────────────
shop-Banner  experiment   stale  off, never seen      off, never seen
shop-api     kill-switch                              on, seen 2026-10-01
shop-basket  release             on, seen 2026-11-20  on, seen 2026-10-01
─────────────────────────────────────────────────────────────────────────
3 flags                          1 on                 2 on
`)
  })

  test('are a table with dates of the same length in all environments', async () => {
    const { stdout } = await list(['--project', 'shop', '--no-color'], projects, { columns: 95 })
    expect(stdout).toBe(`Flags of project shop on http://service

Flag         Type         Stale  Created     dev                  prod
─────────────────────────────────────────────────────────────────────────────────────
shop-Banner  experiment   stale  2025-03-04  off, never seen      off, never seen
shop-api     kill-switch         2026-01-01                       on, seen 2026-10-01
shop-basket  release             2026-02-01  on, seen 2026-11-20  on, seen 2026-10-01
─────────────────────────────────────────────────────────────────────────────────────
3 flags                                      1 on                 2 on
`)
  })

  test('are a table with a row for each environment on a narrower one', async () => {
    const { stdout } = await list(['--project', 'shop', '--no-color'], projects, { columns: 56 })
    expect(stdout).toBe(`Flags of project shop on http://service

Flag         Environment  State
────────────────────────────────────────────────────
shop-Banner  dev          off, never seen
shop-Banner  prod         off, never seen
shop-api     prod         on, seen 2026-10-01 09:30Z
shop-basket  dev          on, seen 2026-11-20 15:00Z
shop-basket  prod         on, seen 2026-10-01 09:30Z
────────────────────────────────────────────────────
3 flags
`)
  })

  test('have their names above the rows before the table leaves out when they were seen', async () => {
    const name = 'shop-experimental-recommendations-for-returning-customers'
    const long = { shop: { features: [{ ...shop[2], name }] } }
    const { stdout } = await list(['--project', 'shop', '--no-color'], long, { columns: 60 })
    expect(stdout).toBe(`Flags of project shop on http://service

Flag
Environment  State
───────────────────────────────────────
shop-experimental-recommendations-for-returning-customers
prod         on, seen 2026-10-01 09:30Z
───────────────────────────────────────
1 flag
`)
  })

  test('are the document of the service in JSON', async () => {
    const { stdout } = await list(['--project', 'shop', '--json'])
    expect(stdout).toBe(`${JSON.stringify({ features: shop })}\n`)
  })

  test('are one object per line in JSON Lines', async () => {
    const { stdout } = await list(['--project', 'shop', '--name', 'shop-api', '-o', 'jsonl'])
    expect(JSON.parse(stdout)).toEqual({ project: 'shop', ...shop[2] })
  })

  test('have null for fields that the service does not report', async () => {
    const bare = { p: { features: [{ name: 'f', environments: [{ name: 'e' }] }] } }
    const { stdout } = await list(['--project', 'p', '-o', 'jsonl'], bare)
    expect(stdout).toBe(
      '{"project":"p","name":"f","type":null,"stale":false,"createdAt":null,"environments":[{"name":"e","enabled":null,"lastSeenAt":null}]}\n',
    )
  })

  test('have a row for each environment in CSV', async () => {
    const { stdout } = await list(['--project', 'shop', '-o', 'csv'])
    const rows: string[][] = parse(stdout)
    expect(rows).toEqual([
      ['project', 'name', 'type', 'stale', 'createdAt', 'environment', 'enabled', 'lastSeenAt'],
      ['shop', 'shop-Banner', 'experiment', 'true', '2025-03-04T05:06:07.000Z', 'dev', 'false', ''],
      [
        'shop',
        'shop-Banner',
        'experiment',
        'true',
        '2025-03-04T05:06:07.000Z',
        'prod',
        'false',
        '',
      ],
      ['shop', 'shop-api', 'kill-switch', 'false', '2026-01-01T00:00:00.000Z', 'prod', 'true', old],
      [
        'shop',
        'shop-basket',
        'release',
        'false',
        '2026-02-01T00:00:00.000Z',
        'dev',
        'true',
        recent,
      ],
      ['shop', 'shop-basket', 'release', 'false', '2026-02-01T00:00:00.000Z', 'prod', 'true', old],
    ])
  })

  test('have a row in CSV without an environment', async () => {
    const bare = { p: { features: [{ name: '=f', environments: [] }] } }
    const { stdout } = await list(['--project', 'p', '-o', 'csv'], bare)
    expect(stdout.split('\r\n')[1]).toBe("p,'=f,,false,,,,")
  })

  test('are a Markdown table', async () => {
    const { stdout } = await list(['--project', 'shop', '-o', 'markdown'])
    expect(stdout).toBe(`Flags of project shop on http://service

| Flag | Type | Stale | Created | \`dev\` | \`prod\` |
| --- | --- | --- | --- | --- | --- |
| \`shop-Banner\` | \`experiment\` | stale | 2025-03-04 | off, never seen | off, never seen |
| \`shop-api\` | \`kill-switch\` |  | 2026-01-01 |  | on, seen 2026-10-01 09:30Z |
| \`shop-basket\` | \`release\` |  | 2026-02-01 | on, seen 2026-11-20 15:00Z | on, seen 2026-10-01 09:30Z |

3 flags
`)
  })

  test('are one name per line with -o names', async () => {
    const { stdout } = await list(['--project', 'shop', '-o', 'names'])
    expect(stdout).toBe('shop-Banner\nshop-api\nshop-basket\n')
  })

  test('are "No flags." if the project has none', async () => {
    const none = { p: { features: [] } }
    const { code, stdout } = await list(['--project', 'p'], none)
    expect([code, stdout]).toEqual([0, 'Flags of project p on http://service\n\nNo flags.\n'])
  })
})

describe('flags with more environments than a table has columns', () => {
  const places = Array.from({ length: 21 }, (_, index): Place => [`e${index}`, true, old])
  const many = { p: { features: [flag('f', {}, ...places)] } }

  test('have a row for each in a table', async () => {
    const { stdout } = await list(['--project', 'p'], many)
    expect(stdout.split('\n').slice(2, 6)).toEqual([
      'Flag    Environment  State',
      '───────────────────────────────────────────────',
      'f       e0           on, seen 2026-10-01 09:30Z',
      'f       e1           on, seen 2026-10-01 09:30Z',
    ])
  })

  test('have a row for each in Markdown', async () => {
    const { stdout } = await list(['--project', 'p', '-o', 'markdown'], many)
    expect(stdout.split('\n').slice(2, 5)).toEqual([
      '| Flag | Type | Stale | Created | Environment | State |',
      '| --- | --- | --- | --- | --- | --- |',
      '| `f` | `release` |  |  | `e0` | on, seen 2026-10-01 09:30Z |',
    ])
  })
})

describe('the filters', () => {
  test.each([
    [['--name', 'shop-b*'], ['shop-basket']],
    [
      ['--name', 'shop-api', '--name', '*anner'],
      ['shop-Banner', 'shop-api'],
    ],
    [['--type', 'release'], ['shop-basket']],
    [
      ['--type', 'kill-*', '--type', 'release'],
      ['shop-api', 'shop-basket'],
    ],
    [['--stale'], ['shop-Banner']],
    [['--never-seen'], ['shop-Banner']],
    [
      ['--not-seen-for', '30d'],
      ['shop-Banner', 'shop-api'],
    ],
    [['--not-seen-for', '30d', '--never-seen'], ['shop-Banner']],
    [['--not-seen-for', '90d'], ['shop-Banner']],
    [
      ['--not-seen-for', '2h', '--environment', 'prod'],
      ['shop-Banner', 'shop-api', 'shop-basket'],
    ],
    [['--never-seen', '--environment', 'd*'], ['shop-Banner']],
    [
      ['--environment', 'dev'],
      ['shop-Banner', 'shop-basket'],
    ],
    [['--breaks-rule'], ['shop-Banner']],
    [['--breaks-rule', '--type', 'release'], ['']],
  ])('%j keep only the flags that match', async (argv, expected) => {
    expect(await names(...argv)).toEqual(expected)
  })

  test('are mentioned if no flag matches', async () => {
    const { code, stdout } = await list(['--project', 'shop', '--name', 'x'])
    expect(code).toBe(0)
    expect(stdout).toBe(
      'Flags of project shop on http://service: named x\n\nNo flag matches the filters.\n',
    )
  })

  test.each([
    [['--stale', '--never-seen'], 'stale, never seen'],
    [['--not-seen-for', '30d'], 'not seen for 30 d'],
    [['--not-seen-for', '36h', '--breaks-rule'], 'not seen for 36 h, breaking the naming rule'],
    [['--not-seen-for', '90m'], 'not seen for 90 min'],
    [['--not-seen-for', '90s'], 'not seen for 90 s'],
    [
      ['--type', 'release', '--name', 'shop-*', '--name', 'api-*', '--environment', 'prod'],
      'of type release, named shop-* or api-*, in prod',
    ],
  ])('%j are in the heading', async (argv, filters) => {
    for (const format of ['table', 'markdown']) {
      const { stdout } = await list(['--project', 'shop', ...argv, '-o', format])
      expect(stdout.split('\n')[0]).toBe(`Flags of project shop on http://service: ${filters}`)
    }
  })

  test('limit the environments that are shown', async () => {
    const argv = ['--project', 'shop', '--environment', 'prod', '--name', '*api', '-o', 'csv']
    expect((await list(argv)).stdout).not.toContain(',dev,')
  })

  test('refuse an environment that no flag has', async () => {
    const { code, stdout, stderr } = await list([
      '--project',
      'shop',
      '--environment',
      'prd',
      '--never-seen',
    ])
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      "error: --environment: unknown value 'prd'\nhint: did you mean 'prod'?\n",
    ])
  })

  test.each([[[]], [['--never-seen']], [['--not-seen-for', '1h']]])(
    'list no flags if a pattern matches no environment: %j',
    async (filters) => {
      const argv = ['--project', 'shop', '--environment', 'x*', ...filters, '-o', 'names']
      const { code, stdout, stderr } = await list(argv)
      expect([code, stdout, stderr]).toEqual([0, '', ''])
    },
  )

  test('mention a pattern that matches no environment', async () => {
    const { code, stdout } = await list(['--project', 'shop', '--environment', 'x*'])
    expect(code).toBe(0)
    expect(stdout).toBe(
      'Flags of project shop on http://service: in x*\n\nNo flag matches the filters.\n',
    )
  })

  test.each([
    ['no time', [{ name: 'e', enabled: true }]],
    ['no environments', undefined],
  ])('for unseen flags fail if a flag has %s', async (_what, environments) => {
    const bare = { p: { features: [{ name: 'f', environments }] } }
    for (const filter of [['--never-seen'], ['--not-seen-for', '1h']]) {
      const { code, stderr } = await list(['--project', 'p', ...filter], bare)
      expect([code, stderr]).toEqual([
        8,
        'error: the service does not report when flags were last seen\nhint: leave out --never-seen and --not-seen-for, or use flagadm feature usage\n',
      ])
    }
  })

  test('treat an invalid time as recent', async () => {
    const bare = { p: { features: [flag('f', {}, ['e', true, 'yesterday'])] } }
    const { stdout } = await list(['--project', 'p', '--not-seen-for', '1h', '-o', 'names'], bare)
    expect(stdout).toBe('')
  })

  test.each(['--stale', '--sort=name', '--reverse', '--name=a', '--not-seen-for=1h'])(
    'cannot be combined with json: %s',
    async (option) => {
      const { code, stderr } = await list(['--project', 'shop', option, '-o', 'json'])
      expect(code).toBe(2)
      expect(JSON.parse(stderr).error).toMatchObject({
        message: `json output cannot be combined with ${option.replace(/=.*/, '')}`,
        hint: "json is the service's own document; use -o jsonl",
      })
    },
  )

  test('refuse what is not a duration', async () => {
    const { code, stderr } = await list(['--project', 'shop', '--not-seen-for', 'long'])
    expect([code, stderr.split('\n')[0]]).toEqual([
      2,
      "error: --not-seen-for: 'long' is not a duration",
    ])
  })

  test('report that a project without a rule has no names that break it', async () => {
    const { code, stdout, stderr } = await list([
      '--project',
      'mail',
      '--breaks-rule',
      '-o',
      'names',
    ])
    expect([code, stdout, stderr]).toEqual([0, '', 'note: project mail has no naming rule\n'])
  })

  test('report all projects without a rule in one note', async () => {
    const projects = { a: { features: [] }, b: { features: [] }, c: { features: [] } }
    const argv = ['--project', 'a', '--project', 'b', '--project', 'c', '--breaks-rule']
    const { stderr } = await list([...argv, '-o', 'names'], projects)
    expect(stderr).toBe('note: projects a, b, c have no naming rule\n')
  })

  test('warn of names that could not be matched in time, and leave them out', async () => {
    const features = [`${'a'.repeat(60)}!`, 'b'].map((name) => ({ name, environments: [] }))
    const { stdout, stderr } = await list(['--project', 'p', '--breaks-rule', '-o', 'names'], {
      p: { features, pattern: '(a+)+' },
    })
    expect([stdout, stderr]).toEqual([
      'b\n',
      'warning: project p: not listed: 1 flag could not be matched in time\n',
    ])
  })

  test('warn of a stored pattern that does not compile', async () => {
    const broken = { p: { features: shop, pattern: '(' } }
    const { stdout, stderr } = await list(
      ['--project', 'p', '--breaks-rule', '-o', 'names'],
      broken,
    )
    expect([stdout, stderr]).toEqual([
      '',
      'warning: project p: the naming pattern does not compile, so it accepts every name\n',
    ])
  })
})

describe('the order', () => {
  test.each([
    [
      ['--sort', 'name'],
      ['shop-Banner', 'shop-api', 'shop-basket'],
    ],
    [['--reverse'], ['shop-basket', 'shop-api', 'shop-Banner']],
    [
      ['--sort', 'type'],
      ['shop-Banner', 'shop-api', 'shop-basket'],
    ],
    [
      ['--sort', 'created'],
      ['shop-Banner', 'shop-api', 'shop-basket'],
    ],
    [
      ['--sort', 'created', '--reverse'],
      ['shop-basket', 'shop-api', 'shop-Banner'],
    ],
    [
      ['--sort', 'last-seen'],
      ['shop-Banner', 'shop-api', 'shop-basket'],
    ],
    [
      ['--sort', 'last-seen', '--reverse'],
      ['shop-basket', 'shop-api', 'shop-Banner'],
    ],
    [
      ['--sort', 'last-seen', '--environment', 'dev'],
      ['shop-Banner', 'shop-basket'],
    ],
  ])('follows %j', async (argv, expected) => {
    expect(await names(...argv)).toEqual(expected)
  })

  test('refuses an unknown key', async () => {
    const { code, stderr } = await list(['--project', 'shop', '--sort', 'age'])
    expect([code, stderr]).toEqual([
      2,
      "error: --sort argument 'age' is invalid. Allowed choices are name, type, created, last-seen\nhint: see flagadm feature list --help\n",
    ])
  })
})

describe('an unknown project', () => {
  test('is an error, although the service lists no flags for it', async () => {
    const { code, stdout, stderr, asked } = await list(['--project', 'shp'])
    expect([code, stdout, stderr]).toEqual([
      6,
      '',
      "error: unknown project 'shp'\nhint: did you mean shop?\n",
    ])
    expect(asked).toEqual(['projects/shp/overview', 'projects'])
  })

  test('for all projects has a hint that does not recommend the same command', async () => {
    const { url } = await serve((response) => json(response, 404, { message: 'no such path' }))
    const argv = ['feature', 'list', '--all-projects']
    const { code, stderr } = await flagadm(argv, { env: environment(url) })
    expect([code, stderr]).toEqual([
      6,
      `error: 404: no such path\nhint: check the address (${url}); the service may lack this operation\n`,
    ])
  })

  test('has another hint if the service has only the operations of the specification', async () => {
    const server = await serve((response) => json(response, 404, { message: 'no such path' }))
    const { code, stderr } = await flagadm(['feature', 'list', '--project', 'p'], {
      env: environment(server.url),
    })
    expect([code, stderr]).toEqual([
      6,
      'error: project p: 404: no such path\nhint: this service lists neither projects nor flags; pass names as arguments, or use --names-from\n',
    ])
  })

  const ten = 'p0, p1, p2, p3, p4, p5, p6, p7, p8, p9'

  test.each([
    [10, ten],
    [12, `${ten} and 2 more`],
  ])('is reported with at most ten of %i known ones', async (count, listed) => {
    const many = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`p${index}`, { features: [] }]),
    )
    const { stderr } = await list(['--project', 'q'], many)
    expect(stderr).toContain(`the service lists: ${listed}\n`)
  })

  test.each([
    ['the list of projects', 404, 403, 6, 'check the name', ['projects/q/overview', 'projects']],
    ['the project', 403, 200, 5, 'use a key', ['projects/q/overview']],
  ])(
    'has the hint of the response if the key may not read %s',
    async (_what, overview, all, exit, hint, asked) => {
      const server = await serve((response, { url }) =>
        json(response, url.endsWith('/projects') ? all : overview, { message: 'no', projects: [] }),
      )
      const { code, stderr } = await flagadm(['feature', 'list', '--project', 'q'], {
        env: environment(server.url),
      })
      expect(code).toBe(exit)
      expect(stderr.startsWith(`error: project q: ${overview}: no\nhint: ${hint} `)).toBe(true)
      expect(server.received.map(({ url }) => url.replace('/api/admin/', ''))).toEqual(asked)
    },
  )

  test.each([
    [[], 'no project given'],
    [['--project', 'a', '--all-projects'], '--project cannot be used with --all-projects'],
    [['--unknown', '--project', 'a'], '--unknown cannot be used with --project'],
    [['--unknown', '--stale'], '--unknown cannot be used with --stale'],
    [['--unknown', '--sort', 'type'], '--sort type cannot be combined with --unknown'],
  ])('is not looked up with %j', async (argv, message) => {
    const { code, stderr, asked } = await list(argv)
    expect([code, stderr.split('\n')[0], asked]).toEqual([2, `error: ${message}`, []])
  })
})

describe('all projects', () => {
  test('are merged', async () => {
    const { stdout, asked } = await list(['--all-projects', '--type', 'release'])
    expect(stdout).toBe(`Flags of 2 projects on http://service: of type release

Flag         Project  Type     Created     dev                         prod
─────────────────────────────────────────────────────────────────────────────────────────────────
newsletter   mail     release  —           on, seen 2026-11-20 15:00Z
shop-basket  shop     release  2026-02-01  on, seen 2026-11-20 15:00Z  on, seen 2026-10-01 09:30Z
─────────────────────────────────────────────────────────────────────────────────────────────────
2 flags                                    2 on                        1 on
`)
    expect(asked.sort()).toEqual(['projects', 'projects/mail/features', 'projects/shop/features'])
  })

  test('are one document per line in JSON', async () => {
    const { stdout } = await list(['--all-projects', '--json'])
    expect(stdout).toBe(
      `${JSON.stringify({ features: mail })}\n${JSON.stringify({ features: shop })}\n`,
    )
  })

  test('are judged by their own rules', async () => {
    const both = { ...projects, mail: { features: mail, pattern: 'mail-.*' } }
    const { stdout } = await list(['--all-projects', '--breaks-rule', '-o', 'names'], both)
    expect(stdout).toBe('newsletter\nshop-Banner\n')
  })

  test('that can be read are listed, and the others reported', async () => {
    const server = await serve((response, { url }) => {
      if (url.endsWith('/projects')) {
        return json(response, 200, { projects: [{ id: 'b' }, { id: 'a' }] })
      }
      if (url.endsWith('/a/features')) return json(response, 403, { message: 'no' })
      return json(response, 200, { features: mail })
    })
    const env = environment(server.url)
    const { code, stdout, stderr } = await flagadm(
      ['feature', 'list', '--all-projects', '-o', 'names'],
      { env },
    )
    expect([code, stdout, stderr]).toEqual([
      10,
      'newsletter\n',
      'error: project a: 403: no\nhint: use a key that has this permission\nerror: 1 of 2 projects could not be read\n',
    ])
  })
})

describe('unknown names', () => {
  const seenAt = '2026-11-20T15:00:00.000Z'
  const later = '2026-11-20T16:00:00.000Z'
  const unknownFlags = [
    {
      name: 'shop-bsket',
      lastSeenAt: seenAt,
      reports: [
        { appName: 'web', environments: [{ environment: 'prod', seenAt }] },
        {
          appName: 'api',
          environments: [
            { environment: 'prod', seenAt },
            { environment: 'dev', seenAt },
          ],
        },
      ],
    },
    { name: 'a', lastSeenAt: later },
  ]

  async function unknown(argv: readonly string[] = [], world: World = {}) {
    const server = await serve((response) => json(response, 200, { unknownFlags }))
    const { code, stdout } = await flagadm(['feature', 'list', '--unknown', ...argv], {
      env: environment(server.url),
      ...world,
    })
    expect(code).toBe(0)
    return stdout.replaceAll(server.url, 'http://service')
  }

  test('are a table with applications and environments', async () => {
    expect(await unknown()).toBe(`Unknown names that SDKs asked for, on http://service

Name             Application  Environment  Last seen
────────────────────────────────────────────────────────────
a                —            —            2026-11-20 16:00Z
shop-bsket       api          dev          2026-11-20 15:00Z
shop-bsket       api          prod         2026-11-20 15:00Z
shop-bsket       web          prod         2026-11-20 15:00Z
────────────────────────────────────────────────────────────
2 unknown names
`)
  })

  test('have their applications below them if the terminal is too narrow for a row', async () => {
    expect(await unknown(['--no-color'], { columns: 50 })).toBe(
      `Unknown names that SDKs asked for, on
http://service

Name
Application  Environment  Last seen
───────────────────────────────────────────
a
—            —            2026-11-20 16:00Z
shop-bsket
api          dev          2026-11-20 15:00Z
api          prod         2026-11-20 15:00Z
web          prod         2026-11-20 15:00Z
───────────────────────────────────────────
2 unknown names
`,
    )
  })

  test.each([
    ['names', 'a\nshop-bsket\n'],
    ['json', `${JSON.stringify({ unknownFlags })}\n`],
    [
      'jsonl',
      `{"name":"a","application":null,"environment":null,"seenAt":"${later}"}\n` +
        `{"name":"shop-bsket","application":"api","environment":"dev","seenAt":"${seenAt}"}\n` +
        `{"name":"shop-bsket","application":"api","environment":"prod","seenAt":"${seenAt}"}\n` +
        `{"name":"shop-bsket","application":"web","environment":"prod","seenAt":"${seenAt}"}\n`,
    ],
    [
      'csv',
      'name,application,environment,seenAt\r\n' +
        `a,,,${later}\r\n` +
        `shop-bsket,api,dev,${seenAt}\r\n` +
        `shop-bsket,api,prod,${seenAt}\r\n` +
        `shop-bsket,web,prod,${seenAt}\r\n`,
    ],
    [
      'markdown',
      'Unknown names that SDKs asked for, on http://service\n\n' +
        '| Name | Application | Environment | Last seen |\n' +
        '| --- | --- | --- | --- |\n' +
        '| `a` |  |  | 2026-11-20 16:00Z |\n' +
        '| `shop-bsket` | `api` | `dev` | 2026-11-20 15:00Z |\n' +
        '| `shop-bsket` | `api` | `prod` | 2026-11-20 15:00Z |\n' +
        '| `shop-bsket` | `web` | `prod` | 2026-11-20 15:00Z |\n\n' +
        '2 unknown names\n',
    ],
  ])('are printed as %s', async (format, expected) => {
    expect(await unknown(['-o', format])).toBe(expected)
  })

  test.each([
    [['--sort', 'last-seen'], 'shop-bsket\na\n'],
    [['--sort', 'last-seen', '--reverse'], 'a\nshop-bsket\n'],
    [['--reverse'], 'shop-bsket\na\n'],
  ])('are sorted with %j', async (argv, expected) => {
    expect(await unknown([...argv, '-o', 'names'])).toBe(expected)
  })

  test('are not known to a service that follows only the specification', async () => {
    const server = await serve((response) => json(response, 404, { message: 'no such path' }))
    const { code, stderr } = await flagadm(['feature', 'list', '--unknown'], {
      env: environment(server.url),
    })
    expect([code, stderr.split('\n')[0]]).toEqual([6, 'error: 404: no such path'])
  })

  test('can be filtered', async () => {
    expect(await unknown(['--name', 'shop-*', '--environment', 'dev', '-o', 'csv'])).toBe(
      `name,application,environment,seenAt\r\nshop-bsket,api,dev,${seenAt}\r\n`,
    )
    expect(await unknown(['--name', 'x'])).toContain('\n\nNo unknown name matches the filters.\n')
  })
})
