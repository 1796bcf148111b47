import { execFileSync } from 'node:child_process'
import { basename, join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, it, test } from 'vitest'
import { temporaryFolder } from '../support/flagadm.ts'
import { daysAgo, feature, type FeatureWorld, type FlagSeed, type Projects } from './service.ts'

const projects: Projects = {
  shop: {
    basket: { production: { on: true, seen: 0.1 }, usage: [[2, 5, 3]] },
    banner: { type: 'experiment', stale: true },
    fresh: { production: { on: true, seen: 5 }, development: {} },
    on: { production: { on: true, seen: 30 } },
    always: { production: { on: true, seen: 0.1 }, usage: [[2, 5, 0]] },
  },
  mail: {
    outage: { type: 'kill-switch' },
    digest: { production: { seen: 20 } },
    gone: { archived: true },
  },
}

const review = (argv: readonly string[], seed: Projects = projects, world: FeatureWorld = {}) =>
  feature(['review', ...argv], seed, world)

const reviewAll: typeof review = (argv, ...rest) => review(['--all-projects', ...argv], ...rest)

/** The row of a flag beside others of its project. */
async function rowOf(seed: FlagSeed, argv: readonly string[] = [], world: FeatureWorld = {}) {
  const { stdout } = await feature(
    ['review', 'flag', '--project', 'shop', '--json', '--quiet', '--retries', '0', ...argv],
    { shop: { flag: seed } },
    world,
  )
  return JSON.parse(stdout).flags[0]
}

const span = 'since 2026-11-18 17:00 UTC (47h 10m of 48h)'
const unused = 'no usage since 2026-11-18 17:00 UTC'
const unseen = "not seen in its project's environments (production)"

describe('the flags of several projects', () => {
  it('are a table: what can go first, what is in use last', async () => {
    const { code, stdout, stderr, asked } = await reviewAll([])
    expect(stdout.replace(/─+/, '─')).toBe(`Review of 2 projects on http://service, ${span}

Flag    Project  Verdict         Type                Reasons
─
digest  mail     removable       release             off everywhere, created 300d ago, last seen 20d ago in production; ${unused}
banner  shop     removable       experiment (stale)  off everywhere, created 300d ago, ${unseen}; ${unused}
on      shop     removable (on)  release             on in production, created 300d ago, last seen 30d ago in production; check why it is on where no SDK asked for it; ${unused}
fresh   shop     unclear         release             too recent until 2026-11-22 16:10 UTC (--not-seen-for 7d); on in production, last seen 5d ago in production
always  shop     in use          release             5 evaluations, last used in the hour from 2026-11-20 14:00 UTC by web in production; on everywhere, 300d old: make it permanent in code
basket  shop     in use          release             8 evaluations, last used in the hour from 2026-11-20 14:00 UTC by web in production
outage  mail     permanent       kill-switch         type kill-switch

Project  Flags  Removable  In use  Unclear  Permanent
─────────────────────────────────────────────────────
mail         2          1       0        0          1
shop         5          2       2        1          0

7 flags: 3 removable, 2 in use, 1 unclear, 1 permanent
`)
    expect([code, stderr]).toEqual([0, ''])
    // The own document of each flag that could be removable.
    expect(asked.filter((path) => /features\/\w+$/.test(path)).sort()).toEqual([
      'projects/mail/features/digest',
      'projects/shop/features/banner',
      'projects/shop/features/on',
    ])
  })

  it('are one line each on a terminal of 80 columns', async () => {
    const { stdout } = await reviewAll(['--no-color'], projects, { columns: 80 })
    const lines = stdout.split('\n')
    expect(lines.filter((line) => line.length > 80)).toEqual([lines[0]])
    expect(lines).toContain(
      'digest  mail     removable       off everywhere, created 300d ago, last seen 20…',
    )
    expect(stdout).toContain(
      '\ncut: Reasons; not shown: Type (a wider terminal or a pipe shows all)\n',
    )
  })

  it('are only a number if more than 20 are in use, unless they are asked for', async () => {
    const used = Object.fromEntries(
      Array.from({ length: 21 }, (_, index) => [`flag-${index}`, { usage: [[1, 1, 1]] as const }]),
    )
    const { stdout } = await review(['--project', 'shop'], { shop: { ...used, banner: {} } })
    expect(stdout).toContain('\n21 more flags are in use (--verdict in-use shows them)\n')
    expect(stdout).not.toContain('flag-1 ')
    const all = await review(['--project', 'shop', '--verdict', 'in-use'], { shop: used })
    expect(all.stdout).toContain('\nflag-20 ')
  })

  it('are Markdown', async () => {
    const { stdout } = await reviewAll(['-o', 'markdown', '--verdict', 'removable', '--limit', '1'])
    expect(stdout).toContain(`
| Flag | Project | Verdict | Type | Reasons |
| --- | --- | --- | --- | --- |
| \`digest\` | \`mail\` | removable | release | off everywhere, created 300d ago, last seen 20d ago in production; ${unused} |

2 more rows not shown (--limit)

| Project | Flags | Removable | In use | Unclear | Permanent |
`)
  })

  it('are JSON with the evidence and the totals', async () => {
    const { stdout } = await reviewAll(['--json', '--verdict', 'in-use', '--verdict', 'removable'])
    const { flags, totals } = JSON.parse(stdout)
    expect(totals[0]).toEqual({
      ...{ project: 'mail', flags: 2, removable: 1, 'in use': 0, unclear: 0, permanent: 1 },
      ...{ archived: 0, 'not a flag': 0 },
    })
    expect(flags.at(-1)).toEqual({
      ...{ project: 'shop', flag: 'basket', verdict: 'in use', usage: 'used' },
      reasons: [
        '8 evaluations, last used in the hour from 2026-11-20 14:00 UTC by web in production',
      ],
      ...{ type: 'release', stale: false, createdAt: daysAgo(300), lastSeenAt: daysAgo(0.1) },
      lastUsed: '2026-11-20T14:00:00.000Z',
      from: '2026-11-18T17:00:00.000Z',
      to: '2026-11-20T16:10:00.000Z',
      ...{
        hasDependents: null,
        lifecycle: null,
        yes: 5,
        no: 3,
        dependents: null,
        references: null,
      },
      environments: [
        {
          ...{ name: 'production', enabled: true, lastSeenAt: daysAgo(0.1) },
          ...{ lastUsed: '2026-11-20T14:00:00.000Z', yes: 5, no: 3 },
        },
      ],
    })
    expect(flags[0]).toMatchObject({
      ...{ flag: 'digest', hasDependents: false, dependents: [] },
      lifecycle: { stage: 'live', enteredStageAt: daysAgo(10) },
    })
  })

  it('are JSON Lines, CSV and names', async () => {
    const argv = ['--verdict', 'removable']
    const jsonl = (await reviewAll([...argv, '-o', 'jsonl'])).stdout.trimEnd().split('\n')
    const csv: Record<string, string>[] = parse((await reviewAll([...argv, '-o', 'csv'])).stdout, {
      columns: true,
    })
    const names = (await reviewAll([...argv, '-o', 'names'])).stdout
    expect(jsonl.map((line) => JSON.parse(line).flag)).toEqual(['digest', 'banner', 'on'])
    expect(csv[0]).toMatchObject({ flag: 'digest', verdict: 'removable', yes: '0' })
    expect(JSON.parse(csv[0]?.reasons ?? '')).toHaveLength(2)
    expect(names).toBe('digest\nbanner\non\n')
  })

  it('are annotations and test cases, which fail with --fail-on', async () => {
    const github = await review(['-o', 'github', '--project', 'mail', '--fail-on', 'removable'])
    expect(github.stdout).toBe(
      `::error title=removable::digest: removable (project mail): off everywhere, created 300d ago, last seen 20d ago in production; ${unused}
::notice title=permanent::outage: permanent (project mail): type kill-switch
`,
    )
    expect([github.code, github.stderr]).toEqual([9, 'error: digest is removable\n'])
    const junit = await review(['-o', 'junit', '--project', 'mail', '--fail-on', 'in-use,unclear'])
    expect(junit.code).toBe(0)
    expect(junit.stdout).toContain('<testsuite name="feature review" tests="2" failures="0"')
  })

  it('are sorted, reversed and limited', async () => {
    const names = async (...argv: string[]) =>
      (await reviewAll(['-o', 'names', ...argv])).stdout.trimEnd().split('\n')
    expect(await names('--sort', 'name', '--limit', '2')).toEqual(['always', 'banner'])
    expect(await names('--sort', 'project', '--reverse', '--limit', '1')).toEqual(['on'])
    expect(await names('--type', 'exp*', '--type', 'kill-switch')).toEqual(['banner', 'outage'])
  })
})

describe('an expectation', () => {
  test.each<[string, string[], number, string]>([
    ['holds', ['banner', '--expect', 'unused'], 0, ''],
    ['holds for all', ['banner', 'digest', '--expect', 'removable'], 0, ''],
    ['holds for a permanent flag', ['outage', '--expect', 'unused'], 0, ''],
    ['holds', ['basket', '--expect', 'in-use'], 0, ''],
    [
      'fails',
      ['basket', 'banner', '--expect', 'unused'],
      9,
      'error: basket is in use, expected unused\n',
    ],
    [
      'fails for several',
      ['basket', 'fresh', 'banner', '--expect', 'removable'],
      9,
      'error: 2 of 3 flags fail the check: 2 flags: 0 removable, 1 in use, 1 unclear, 0 permanent, expected removable\n',
    ],
    [
      'fails',
      ['outage', '--expect', 'removable'],
      9,
      'error: outage is permanent, expected removable\n',
    ],
    ['fails', ['gone', '--expect', 'unused'], 9, 'error: gone is archived, expected unused\n'],
    [
      'fails for a name of no flag',
      ['bannner', '--expect', 'unused'],
      6,
      'error: bannner: not a flag of any project that the service lists; did you mean banner?\n',
    ],
    ['is refused with a filter', ['banner', '--expect', 'removable', '--app', 'web'], 2, ''],
    ['is refused with a filter', ['banner', '--verdict', 'removable', '-e', 'production'], 2, ''],
  ])('%s: %j', async (_, argv, code, stderr) => {
    const outcome = await review(argv)
    expect(outcome.code).toBe(code)
    if (code !== 2) expect(outcome.stderr).toBe(stderr)
    else expect(outcome.stderr).toContain('because it leaves out usage of the flags')
  })

  it('is about usage alone: a young flag, or one that others need, may be unused', async () => {
    const seed = { shop: { flag: { production: { seen: 3 }, children: ['used'] }, used: {} } }
    const argv = ['flag', '--project', 'shop', '--expect', 'unused']
    expect((await review(argv, seed)).code).toBe(0)
  })
})

describe('names', () => {
  it('are shown with what they are: flags, archived flags and none', async () => {
    const world = { unknown: { gone: ['web'], bannr: ['ios', 'web'] } }
    const { code, stdout, stderr } = await review(['banner', 'gone', 'bannr'], projects, world)
    expect(code).toBe(6)
    expect(stdout).toContain(
      '\ngone             archived    —                   archived in project mail; SDKs ask for it (web)\n',
    )
    expect(stdout).toContain(
      '\nbannr            not a flag  —                   not a flag of any project that the service lists; SDKs ask for it (ios, web); did you mean banner?\n',
    )
    expect(stderr).toMatch(/^error: bannr: not a flag of any project/)
  })

  it('may contain wildcards', async () => {
    const { stdout } = await review(['ba*', '--project', 'shop', '-o', 'names'])
    expect(stdout).toBe('banner\nbasket\n')
  })

  it('come from a list', async () => {
    const { stdout } = await feature(['review', '--names-from', '-', '-o', 'names'], projects, {
      stdin: '# flags\nbanner\n\ndigest\n',
    })
    expect(stdout).toBe('digest\nbanner\n')
  })

  it('or projects are required', async () => {
    const { code, stderr } = await feature(['review'], projects)
    expect([code, stderr]).toEqual([
      2,
      'error: no project given\nhint: use --project <id> or --all-projects\n',
    ])
  })

  it('may be of a project that could not be read', async () => {
    const { code, stdout } = await review(['nix', '--retries', '0'], { ...projects, forbidden: {} })
    expect(stdout).toContain(
      'not a flag of the projects that could be read; 1 project could not be',
    )
    expect(stdout).toContain('\n1 flag: 0 removable, 0 in use, 1 unclear, 0 permanent\n')
    expect(code).toBe(10)
  })
})

describe('V1: what is not covered is not evidence', () => {
  it('takes a flag that was last seen before the first hour, but in the span, for used', async () => {
    const seed = { production: { seen: 47.35 / 24 } }
    expect(await rowOf(seed)).toMatchObject({ verdict: 'in use', usage: 'used' })
  })

  it('does not know about that part of the span if sightings are not reported', async () => {
    expect(await rowOf({ production: { seen: undefined } })).toMatchObject({ usage: 'unclear' })
    const covered = await rowOf({ production: { seen: undefined } }, ['--since', '47h'])
    expect(covered).toMatchObject({ usage: 'unused', verdict: 'unclear' })
  })

  it('never takes a flag that was created in the span for unused', async () => {
    expect(await rowOf({ createdAt: daysAgo(1.9) })).toMatchObject({ usage: 'unclear' })
  })
})

describe('V2: a flag that others depend on', () => {
  const parent = { children: ['child'] }

  test.each<[string, FlagSeed, string, string]>([
    [
      'stays while one is in use',
      { usage: [[1, 1, 0]] },
      'unclear',
      'child depends on it and is in use',
    ],
    [
      'stays while one is unclear',
      { status: 500 },
      'unclear',
      'child depends on it and is unclear',
    ],
    ['goes with those', {}, 'removable', 'child depends on it: archive them together'],
  ])('%s', async (_, child, verdict, reason) => {
    const { stdout } = await feature(
      ['review', 'parent', '--project', 'shop', '--json', '--quiet', '--retries', '0'],
      { shop: { parent, child } },
    )
    const [row, ...others] = JSON.parse(stdout).flags
    expect(row).toMatchObject({ verdict, dependents: ['child'], hasDependents: true })
    expect(row.reasons).toContain(reason)
    expect(others).toEqual([])
  })

  it('is unclear if its document cannot be read', async () => {
    const row = await rowOf({ ownStatus: 500 })
    expect(row).toMatchObject({ verdict: 'unclear', usage: 'unused' })
    expect(row.reasons[0]).toBe(
      'the flags that depend on it could not be read: 500: database is down',
    )
  })
})

it('V3: finds usage in an environment that the project does not have any more', async () => {
  const row = await rowOf({ usage: [[5, 2, 0, 'web', 'staging']] })
  expect(row).toMatchObject({ verdict: 'in use', usage: 'used' })
  expect(row.environments.map(({ name }: { name: string }) => name)).toEqual([
    'production',
    'staging',
  ])
})

describe('V4: the clock of the service', () => {
  // This machine is 60 days ahead.
  const ahead = -60 * 24 * 3_600_000

  it('decides, and a difference is a warning', async () => {
    const seen = { production: { seen: 60.04, on: true } }
    const { stdout, stderr } = await feature(
      ['review', 'flag', '--project', 'shop', '--json'],
      { shop: { flag: { ...seen, createdAt: daysAgo(300) } } },
      { ahead },
    )
    expect(JSON.parse(stdout).flags[0]).toMatchObject({ verdict: 'in use', usage: 'used' })
    expect(stderr).toContain(
      "this machine's clock is 60d ahead of that of the service; times are the service's",
    )
  })

  it('is not mentioned if it differs by seconds', async () => {
    const { stderr } = await review(['--project', 'mail'], projects, { ahead: 30_000 })
    expect(stderr).toBe('')
  })
})

it('V5: considers the time when the flag itself was seen', async () => {
  const nowhere = { environments: [{ name: 'production', enabled: true }] }
  expect(await rowOf({ ...nowhere, lastSeenAt: daysAgo(1) })).toMatchObject({
    verdict: 'in use',
    lastSeenAt: daysAgo(1),
  })
  const old = await rowOf({ ...nowhere, lastSeenAt: daysAgo(30) })
  expect(old.reasons[0]).toBe('on in production, created 300d ago, last seen 30d ago')
})

it('V6: says in every format that 100 applications are the most', async () => {
  const usage = Array.from({ length: 100 }, (_, index) => [1, 1, 0, `app-${index}`] as const)
  const seed = { shop: { flag: { usage } } }
  const text = 'the service reports only 100 applications of each, and there may be more'
  for (const format of ['table', 'markdown', 'json', 'jsonl', 'html', 'github', 'junit']) {
    expect((await review(['--project', 'shop', '-o', format], seed)).stdout).toContain(text)
  }
  for (const format of ['csv', 'names']) {
    expect((await review(['--project', 'shop', '-o', format], seed)).stderr).toContain(text)
  }
})

describe('filters of usage', () => {
  it('narrow what counts, and then no flag is removable', async () => {
    const seed: FlagSeed = { usage: [[5, 2, 0, 'ios']], production: { seen: 0.2 } }
    const row = await rowOf(seed, ['--app', 'ios'])
    expect(row).toMatchObject({ verdict: 'in use', usage: 'used' })
    const other = await rowOf({ ...seed, production: { seen: null } }, [
      ...['-e', 'development', '--since', '24h'],
    ])
    expect(other.usage).toBe('unclear')
    const development = await rowOf({ ...seed, development: {} }, ['-e', 'dev*'])
    expect(development).toMatchObject({ verdict: 'unclear', usage: 'unused' })
    expect(development.reasons).toContain('--app and --environment leave out other usage')
  })

  it('T3: with a value that the service does not know are a warning, and not evidence', async () => {
    const { code, stdout, stderr } = await review([
      ...['banner', '-e', 'prod', '--expect', 'unused', '--json'],
    ])
    expect(JSON.parse(stdout).flags[0].usage).toBe('unclear')
    expect(code).toBe(9)
    expect(stderr).toContain("unknown environment 'prod' (known: development, production)")
  })
})

describe('a service with the two operations of the specification', () => {
  const missing = /projects|raw|search|unknown/

  it('judges names by the hour: in use can hold', async () => {
    const used = { shop: { flag: { usage: [[0, 3, 1]] as const } } }
    const { code, stdout } = await review(['flag', '--expect', 'in-use'], used, { missing })
    expect(code).toBe(0)
    expect(stdout).toContain('4 evaluations, last used in the hour from 2026-11-20 16:00 UTC')
  })

  it('never takes a flag for unused or removable', async () => {
    const { code, stdout } = await review(['flag', '--expect', 'unused'], { shop: {} }, { missing })
    expect(code).toBe(9)
    expect(stdout).toContain('the service covers only 10m of the 48h requested')
  })
})

describe('failures', () => {
  it('of flags leave them unclear, and are the exit code', async () => {
    const seed = { shop: { flag: { status: 500 }, other: {} } }
    const { code, stdout, stderr } = await review(['--project', 'shop', '--retries', '0'], seed)
    expect(stdout).toContain('the usage could not be read: 500: database is down')
    expect(stdout).toContain('\nIncomplete: 1 of 2 flags could not be read (flag)\n')
    expect(stderr).toContain('error: 1 of 2 flags could not be read\n')
    expect(code).toBe(10)
  })

  it('come before a failed check, which is the exit code', async () => {
    const seed = { shop: { flag: { status: 500 }, other: {} } }
    const argv = ['--project', 'shop', '--retries', '0', '--fail-on', 'removable']
    const { code, stderr } = await review(argv, seed)
    expect(stderr).toMatch(/error: 1 of 2 flags could not be read\nerror: other is removable\n$/)
    expect(code).toBe(9)
  })
})

describe('source code', () => {
  const files = {
    'work/src/a.ts': 'isEnabled("banner")\n',
    'work/config.yaml': 'flags: [digest]\n',
  }

  it('keeps a flag that it contains, wherever it is', async () => {
    const { stdout } = await reviewAll(['--scan', '.', '--json'], projects, { files })
    const rows: Record<string, { verdict: string; reasons: string[] }> = Object.fromEntries(
      JSON.parse(stdout).flags.map((row: { flag: string }) => [row.flag, row]),
    )
    expect(rows.banner).toMatchObject({
      verdict: 'unclear',
      references: [{ file: 'src/a.ts', line: 1, column: 12 }],
    })
    expect(rows.banner?.reasons[0]).toBe('in the code: src/a.ts:1')
    expect(rows.digest?.verdict).toBe('unclear')
    expect(rows.on?.verdict).toBe('removable')
    expect(rows.on?.reasons).toContain('not in the code')
  })

  it('is required with --removed-since, and --scan needs a file', async () => {
    expect((await reviewAll(['--removed-since', 'HEAD'])).stderr).toBe(
      'error: --removed-since requires --scan\nhint: add --scan <path>\n',
    )
    expect((await reviewAll(['--scan', 'nix'])).stderr).toContain(
      'error: --scan: no file matches nix\n',
    )
  })

  it('finds the flags that a branch removed', async () => {
    const git = (...argv: string[]) => ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...argv]
    const folder = await temporaryFolder(files)
    const cwd = join(folder, 'work')
    const run = (...argv: string[]) => execFileSync('git', git(...argv), { cwd, stdio: 'ignore' })
    run('init', '-b', 'main')
    run('add', '.')
    run('commit', '-m', 'first')
    run('checkout', '-b', 'topic')
    run('rm', 'src/a.ts')
    run('commit', '-m', 'second')
    const world = { cwd: `../${basename(folder)}/work`, env: { PATH: process.env.PATH ?? '' } }
    const argv = ['--scan', '.', '--removed-since']
    const removed = await reviewAll([...argv, 'main', '-o', 'names'], projects, world)
    expect([removed.code, removed.stdout]).toEqual([0, 'banner\n'])
    const none = await reviewAll([...argv, 'topic'], projects, world)
    expect([none.code, none.stderr]).toEqual([
      0,
      'note: no flag was removed from the code since topic\n',
    ])
  })
})
