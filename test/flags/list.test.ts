import { parse } from 'csv-parse/sync'
import { describe, expect, it, test } from 'vitest'
import { ending, words } from '../support/text.ts'
import { daysAgo, feature, type FeatureWorld, type Projects } from './service.ts'

const projects: Projects = {
  shop: {
    'shop-basket': {
      production: { on: true, seen: 3 },
      development: { on: true, seen: 0.01 },
    },
    'shop-Banner': { type: 'experiment', stale: true, createdAt: daysAgo(10), development: {} },
    'shop-api': {
      type: 'kill-switch',
      production: { on: true, seen: 40 },
      createdAt: daysAgo(500),
    },
  },
  mail: { newsletter: { production: { seen: 0.5 } } },
}

const list = (argv: readonly string[], seed: Projects = projects, world: FeatureWorld = {}) =>
  feature(['list', ...argv], seed, world)

async function names(...argv: string[]) {
  const { stdout } = await list(['--project', 'shop', ...argv, '-o', 'names'])
  return stdout === '' ? [] : stdout.trimEnd().split('\n')
}

describe('the flags of a project', () => {
  it('are a table with a short state in each environment', async () => {
    const { code, stdout, stderr, asked } = await list(['--project', 'shop'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(`Flags of project shop on http://service

Flag         Type                Age    development  production
───────────────────────────────────────────────────────────────
shop-Banner  experiment (stale)  10 d   off —        off —
shop-api     kill-switch         1.4 y  —            on 40 d
shop-basket  release             9 mo   on 14 min    on 3 d

3 flags
`)
    expect(asked).toEqual(['projects/shop/features'])
  })

  it('have times instead of ages with --verbose, and now for less than a minute ago', async () => {
    const seed: Projects = { mail: { digest: { production: { seen: 0 }, createdAt: daysAgo(1) } } }
    const shown = async (...argv: string[]) =>
      (await list(['--project', 'mail', ...argv], seed)).stdout
    expect(await shown()).toContain(`
Flag    Type     Age   production
─────────────────────────────────
digest  release  24 h  off now
`)
    expect(await shown('--verbose')).toContain(`
Flag    Type     Created               production
───────────────────────────────────────────────────────────────
digest  release  2026-11-19 16:10 UTC  off 2026-11-20 16:10 UTC
`)
  })

  it('fit 80 columns with names of 30 characters and three environments', async () => {
    const place = (name: string) => ({ name, enabled: false, lastSeenAt: daysAgo(300) })
    const environments = ['development', 'production', 'staging'].map(place)
    const name = 'a'.repeat(30)
    const seed = { shop: { [name]: { type: 'kill-switch', environments } } }
    const { stdout } = await list(['--project', 'shop', '--no-color'], seed, { columns: 80 })
    expect(stdout.split('\n').slice(2, 5)).toEqual([
      'Flag                            Type         Age   develop…  producti…  staging',
      '─'.repeat(80),
      `${name}  kill-switch  9 mo  off 9 mo  off 9 mo   off 9 mo`,
    ])
    expect(stdout).not.toContain('not shown')
  })

  it('leave out types and cut a longer name, and a line reports that', async () => {
    const seed = { shop: { ['b'.repeat(90)]: {}, short: {} } }
    const { stdout } = await list(['--project', 'shop', '--no-color'], seed, { columns: 44 })
    expect(stdout.split('\n').filter((line) => line.length > 44)).toEqual([])
    expect(stdout).toContain(
      '\ncut: Flag; not shown: Type, Age (a wider\nterminal or a pipe shows all columns)\n',
    )
  })

  it('are green where they are on, dim where they are off', async () => {
    const environments = [
      { name: 'production', enabled: true },
      { name: 'staging', enabled: false },
    ]
    const argv = ['--project', 'shop', '--color', 'always']
    const { stdout } = await list(argv, { shop: { flag: { environments } } })
    const styled = stdout.replaceAll('\u001b[', '<')
    expect(styled).toContain('<1mproduction<22m')
    expect(styled).toContain('<32mon ?<39m')
    expect(styled).toContain('<2moff ?<22m')
  })

  it('have ? for what the service does not report', async () => {
    const environments = [{ name: 'production' }]
    const flag = { environments, createdAt: undefined, lastSeenAt: daysAgo(2) }
    const argv = ['--project', 'shop', '--sort', 'age']
    const { stdout } = await list(argv, { shop: { flag, other: {} } }, { version: '7.6.5' })
    expect(stdout).toContain(
      '\nother  release  9 mo  —          off —\nflag   release  —     2 d        ? ?\n',
    )
  })

  it('are the document of the service in JSON', async () => {
    const { stdout } = await list(['--project', 'shop', '--json'])
    expect(JSON.parse(stdout).features).toHaveLength(3)
    const several = await list(['--project', 'shop', '--project', 'mail', '--json'])
    const documents = several.stdout.trimEnd().split('\n')
    const parsed = documents.map((line) => JSON.parse(line))
    expect(parsed.map(({ project, flags }) => [project, flags.features.length])).toEqual([
      ['shop', 3],
      ['mail', 1],
    ])
  })

  it('say in JSON of which project they are, also if all projects are one', async () => {
    const { stdout } = await list(['--all-projects', '--json'], { mail: { a: {} } })
    expect(JSON.parse(stdout)).toMatchObject({ project: 'mail', flags: { features: [{}] } })
  })

  it('are JSON Lines and CSV with a row for each environment', async () => {
    const argv = ['--project', 'shop']
    const lastSeenAt = daysAgo(0.01)
    const seed: Projects = {
      shop: {
        'shop-basket': {
          production: { on: true, seen: 3 },
          development: { on: true, seen: 0.01 },
          lastSeenAt,
        },
      },
    }
    const environments = [
      { name: 'production', enabled: true, lastSeenAt: daysAgo(3) },
      { name: 'development', enabled: true, lastSeenAt },
    ]
    const facts = { type: 'release', createdAt: daysAgo(300) }
    const rows = environments.map(({ name: environment, ...state }) => ({
      project: 'shop',
      name: 'shop-basket',
      ...facts,
      stale: false,
      flagLastSeenAt: lastSeenAt,
      environment,
      ...state,
    }))
    const world = { version: '7.6.5' }
    const lines = (await list([...argv, '-o', 'jsonl'], seed, world)).stdout.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(rows)
    const { stdout } = await list([...argv, '-o', 'csv'], seed, world)
    const texts = rows.map((row) => ({ ...row, stale: 'false', enabled: 'true' }))
    expect(parse(stdout, { columns: true })).toEqual(texts)
  })

  it('have no time of the flag itself if the service does not report it', async () => {
    const { stdout } = await list(['--project', 'mail', '-o', 'jsonl'])
    expect(JSON.parse(stdout)).toMatchObject({ flagLastSeenAt: null, lastSeenAt: daysAgo(0.5) })
  })

  it('are Markdown', async () => {
    const { stdout } = await list(['--project', 'mail', '-o', 'markdown'])
    expect(stdout).toBe(`<!-- flagadm feature list -->
Flags of project mail on http://service

| Flag | Type | Age | production |
| --- | --- | --- | --- |
| \`newsletter\` | release | 9 mo | off 12 h |

1 flag
`)
  })

  test('are replaced by a sentence if there are none', async () => {
    expect((await list(['--project', 'shop'], { shop: {} })).stdout).toContain('\nNo flags.\n')
  })
})

describe('the filters', () => {
  test.each([
    ['--name shop-b*', ['shop-basket']],
    ['--name shop-api --name *anner', ['shop-Banner', 'shop-api']],
    ['--type kill-switch --type release', ['shop-api', 'shop-basket']],
    ['--stale', ['shop-Banner']],
    ['--on', ['shop-api', 'shop-basket']],
    ['--on -e dev*', ['shop-basket']],
    ['--off', ['shop-Banner']],
    ['--off -e dev*', ['shop-Banner']],
    ['--on --off', []],
    ['--never-seen', ['shop-Banner']],
    ['--not-seen-for 30d', ['shop-Banner', 'shop-api']],
    ['--not-seen-for 2h -e production', ['shop-Banner', 'shop-api', 'shop-basket']],
    ['--never-seen -e d*', ['shop-Banner']],
    ['-e development', ['shop-Banner', 'shop-basket']],
    ['--reverse --limit 2', ['shop-basket', 'shop-api']],
    ['--sort type --reverse', ['shop-basket', 'shop-api', 'shop-Banner']],
    ['--sort age', ['shop-api', 'shop-basket', 'shop-Banner']],
    ['--sort last-seen --reverse', ['shop-basket', 'shop-api', 'shop-Banner']],
  ])('and the order of %j select and sort flags', async (argv, expected) => {
    expect(await names(...words(argv))).toEqual(expected)
  })

  it('by time are in the heading, as they were typed', async () => {
    const argv = ['--project', 'shop', '--never-seen', '--not-seen-for', '30d', '--name', 'x']
    expect((await list(argv)).stdout).toBe(
      `Flags of project shop on http://service, not seen in their project's environments for 30d

No flag matches the filters.
`,
    )
  })

  it('refuse an environment that no flag has', async () => {
    const { code, stdout, stderr } = await list(['--project', 'shop', '-e', 'prod'])
    expect(stderr).toBe(
      "error: unknown environment 'prod' (known: development, production)\nhint: did you mean 'production'?\n",
    )
    expect([code, stdout]).toEqual([6, ''])
  })

  it('refuse a type that no flag can have', async () => {
    expect(ending(await list(['--project', 'shop', '--type', 'experimnt']))).toBe(
      "2 error: --type: unknown value 'experimnt'\nhint: did you mean 'experiment'?\n",
    )
  })

  it('fail if the service does not report whether a flag is on', async () => {
    const seed = {
      shop: {
        flag: { environments: [{ name: 'production' }] },
        bare: { environments: [] },
        half: { environments: [{ name: 'production' }, { name: 'staging', enabled: true }] },
      },
    }
    const run = (...argv: string[]) => list(['--project', 'shop', '-o', 'names', ...argv], seed)
    const unknown = (names: string, option: string) =>
      `8 error: the service does not report whether some flags are on: ${names}\nhint: leave out ${option}\n`
    expect(ending(await run('--on'))).toBe(unknown('flag, bare', '--on'))
    expect(ending(await run('--off'))).toBe(unknown('flag, bare, half', '--off'))
    expect((await run('--on', '--name', 'half')).stdout).toBe('half\n')
  })

  const unreported = (names: string) =>
    `8 error: the service does not report when some flags were last seen: ${names}\nhint: leave out --never-seen and --not-seen-for, or look at the usage of the flags\n`
  const old = { name: 'production', enabled: true, lastSeenAt: daysAgo(40) }

  it('fail if the service does not report when flags were seen', async () => {
    const seed = {
      shop: {
        flag: { production: { seen: undefined } },
        bare: { environments: [] },
        half: { environments: [old, { name: 'development', enabled: true }] },
      },
    }
    const run = (...argv: string[]) => list(['--project', 'shop', ...argv], seed)
    expect(ending(await run('--never-seen'))).toBe(unreported('flag, bare'))
    expect(ending(await run('--not-seen-for', '30d'))).toBe(unreported('flag, bare, half'))
    // What is known of it is enough.
    const { stdout } = await run('--not-seen-for', '50d', '--name', 'half')
    expect(stdout).toContain('No flag matches the filters.')
  })

  it('fail for a time that cannot be read, which tables show as ?', async () => {
    const flag = { environments: [old], lastSeenAt: 'yesterday', createdAt: 'today' }
    const world = { isFaulty: true }
    const argv = ['--project', 'shop', '--not-seen-for', '30d']
    expect(ending(await list(argv, { shop: { flag } }, world))).toBe(unreported('flag'))
    const bare = { shop: { flag: { ...flag, environments: [] } } }
    const { stdout } = await list(['--project', 'shop'], bare, world)
    expect(stdout).toContain('\nflag  release  ?    ?\n')
  })

  it('use the latest time of a flag that the lists have twice', async () => {
    const seed = {
      shop: { flag: { environments: [old] } },
      pay: { flag: { production: { seen: 1 } } },
    }
    const argv = ['--all-projects', '-o', 'names']
    expect((await list([...argv, '--not-seen-for', '30d'], seed)).stdout).toBe('')
    const never = { shop: { flag: {} }, pay: seed.pay }
    expect((await list([...argv, '--never-seen'], never)).stdout).toBe('')
  })

  it('use the time when the flag itself was seen', async () => {
    const environments = [{ name: 'production', enabled: true }]
    const seed = {
      shop: {
        old: { environments, lastSeenAt: daysAgo(40) },
        fresh: { environments, lastSeenAt: daysAgo(1) },
        elsewhere: { production: { seen: null }, lastSeenAt: daysAgo(1) },
      },
    }
    const argv = ['--project', 'shop', '--not-seen-for', '30d', '-o', 'names']
    const world = { version: '7.6.5' }
    expect((await list(argv, seed, world)).stdout).toBe('old\n')
    const inProduction = ['--project', 'shop', '--never-seen', '-e', 'production', '-o', 'names']
    const { stdout } = await list([...inProduction, '--name', 'elsewhere'], seed, world)
    expect(stdout).toBe('elsewhere\n')
    // It may have been another environment.
    expect(ending(await list(inProduction, seed, world))).toBe(unreported('old, fresh'))
  })

  it('fail if the difference of the clocks decides', async () => {
    const argv = ['--project', 'mail', '-o', 'names']
    const run = (...more: string[]) => list([...argv, ...more], projects, { ahead: 86_400_000 })
    expect(ending(await run('--not-seen-for', '24h'))).toContain(
      'error: the clocks differ by 24 h, so it is not known when some flags were last seen: newsletter\nhint: correct the clock of this machine or of the service\n',
    )
    const { stdout, stderr } = await run('--not-seen-for', '1h')
    expect(stdout).toBe('newsletter\n')
    expect(stderr).toContain("this machine's clock is 24 h behind that of the service")
    expect((await run('--never-seen')).code).toBe(0)
  })

  test.each([[['--stale']], [['--sort', 'type']], [['--limit', '1']]])(
    '%j cannot be combined with json',
    async (argv) => {
      const { code, stderr } = await list(['--project', 'shop', '--json', ...argv])
      expect({ code, message: JSON.parse(stderr).error.message }).toEqual({
        code: 2,
        message: "json is the service's own document",
      })
    },
  )
})

describe('projects', () => {
  it('have a column if there can be several of them', async () => {
    const { stdout } = await list(['--all-projects', '--limit', '1'])
    expect(stdout).toContain('Flags of 2 projects on http://service\n')
    expect(stdout).toContain('\nnewsletter  mail     release  9 mo  off 12 h\n')
    expect(stdout).toContain('\n4 flags, 1 shown\n')
  })

  it('that are unknown are an error, although the service lists no flags for them', async () => {
    expect(ending(await list(['--project', 'shp']))).toBe(
      "6 error: unknown project 'shp'\nhint: did you mean 'shop'?\n",
    )
  })

  it('that may be unknown are an error if that cannot be found out', async () => {
    const world = { missing: /overview/, failing: /projects$/ }
    const argv = ['--project', 'shp', '--retries', '0']
    expect(ending(await list(argv, projects, world))).toMatch(/^8 error: 500: database is down\n/)
    expect((await feature(['review', ...argv], projects, world)).code).toBe(8)
  })

  it('may be missing from a list with only the default one if the edition is not known', async () => {
    const world = { failing: /ui-config/ }
    const argv = ['--all-projects', '--retries', '0']
    const message = 'it is not known whether the service lists all projects'
    const { stdout } = await list(argv, { default: { flag: {} } }, world)
    expect(stdout).toContain(`\nIncomplete: ${message}\n`)
    const review = await feature(['review', ...argv], { default: { flag: {} } }, world)
    expect(review.stdout).toContain(`\nIncomplete: ${message}\n`)
    expect((await list(argv, { default: {} }, {})).stderr).toBe('')
    expect((await list(argv, { shop: {} }, world)).stderr).toBe('')
  })

  it('are read from a service without overviews', async () => {
    const { code, stdout } = await list(['--project', 'shop', '-o', 'names'], projects, {
      missing: /overview/,
    })
    expect([code, stdout.split('\n').length]).toEqual([0, 4])
  })

  it('that could not be read are missing, and the exit code is 10', async () => {
    const { code, stdout, stderr } = await list(['--all-projects'], { ...projects, forbidden: {} })
    expect(stdout).toContain('\nIncomplete: 1 of 3 projects could not be read (forbidden)\n')
    expect({ code, stderr }).toEqual({
      code: 10,
      stderr:
        'error: project forbidden: 403: no\nhint: use a key that has this permission\nerror: 1 of 3 projects could not be read\n',
    })
  })

  it('are required', async () => {
    expect(ending(await list([]))).toBe(
      '2 error: no project given\nhint: use --project <id> or --all-projects\n',
    )
  })
})
