import { basename, join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, it, test } from 'vitest'
import { repositoryIn, temporaryFolder } from '../support/flagadm.ts'
import { git } from '../support/git.ts'
import { ending } from '../support/text.ts'
import {
  daysAgo,
  feature,
  type FeatureWorld,
  type FlagSeed,
  type Projects,
} from '../flags/service.ts'

const projects: Projects = {
  shop: {
    basket: { production: { on: true, seen: 0.1 }, usage: [{ hoursAgo: 2, yes: 5, no: 3 }] },
    banner: { type: 'experiment', stale: true },
    fresh: { production: { on: true, seen: 5 }, development: {} },
    on: { production: { on: true, seen: 30 } },
    always: {
      production: { on: true, seen: 0.1, strategies: [{ name: 'default' }] },
      usage: [{ hoursAgo: 2, yes: 5, no: 0 }],
    },
  },
  mail: {
    outage: { type: 'kill-switch' },
    digest: { production: { seen: 20 } },
    gone: { archived: true },
  },
}

const review = (argv: readonly string[], seed: Projects = projects, world: FeatureWorld = {}) =>
  feature(['review', '--not-seen-for', '7d', ...argv], seed, world)

const reviewAll: typeof review = (argv, ...rest) => review(['--all-projects', ...argv], ...rest)

/** The row of a flag of the project `shop`. */
async function rowOf(
  seed: FlagSeed,
  argv: readonly string[] = [],
  more: Projects[string] = {},
  world: FeatureWorld = {},
) {
  const { stdout } = await review(
    ['flag', '--project', 'shop', '--json', '--quiet', '--retries', '0', ...argv],
    { shop: { flag: seed, ...more } },
    world,
  )
  return JSON.parse(stdout).flags[0]
}

const unused = 'no usage in 48 h'
const elsewhere = 'no flag of project mail was seen in 7 d, but of project shop'
const digest = `${unused}; ${elsewhere}; off everywhere; created 9 mo ago; last seen 20 d ago in production`

describe('the flags of several projects', () => {
  it('are a table that begins with what can go, and ends with what is in use', async () => {
    const { code, stdout, stderr, asked } = await reviewAll([])
    expect(stdout.replace(/─+/, '─')).toBe(
      `Review of 2 projects on http://service, since 2026-11-18 17:00 UTC (47h 10m)

Flag    Project  Verdict    Last seen  Type                Reason
─
digest  mail     removable  20 d ago   release             ${unused}
banner  shop     removable  —          experiment (stale)  ${unused}
on      shop     still on   30 d ago   release             unused 48 h, on in production
fresh   shop     unclear    5 d ago    release             too recent until 2026-11-22 16:10 UTC (--not-seen-for 7d)
always  shop     finished   2 h ago    release             keep on: on for everyone in production, unchanged for 7 d
basket  shop     in use     2 h ago    release             8 evaluations in 48 h
outage  mail     permanent  —          kill-switch         type kill-switch

7 flags: 2 removable, 1 still on, 1 finished, 1 in use, 1 unclear, 1 permanent
`,
    )
    expect([code, stderr]).toEqual([0, ''])
    // The own document of each flag that could be removable or finished, or that has an owner.
    expect(asked.filter((path) => /features\/\w+$/.test(path)).sort()).toEqual([
      'projects/mail/features/digest',
      'projects/shop/features/always',
      'projects/shop/features/banner',
      'projects/shop/features/fresh',
      'projects/shop/features/on',
    ])
  })

  it('keep production in a reason that is cut', async () => {
    const places = { development: { on: true, seen: 30 }, production: { on: true, seen: 30 } }
    const used = { production: { on: true, seen: 1 } }
    const seed = { shop: { on: places, used } }
    const { stdout } = await reviewAll(['--no-color'], seed, { columns: 60 })
    expect(stdout).toContain('  unused 48 h, on in production…\n')
  })

  it('are one line each on a terminal, with the decisive reason', async () => {
    const { stdout } = await reviewAll(['--no-color'], projects, { columns: 60 })
    const lines = stdout.split('\n')
    expect(lines.slice(0, 9)).toEqual([
      'Review of 2 projects on http://service, since',
      '2026-11-18 17:00 UTC (47h 10m)',
      '',
      'Flag    Verdict    Reason',
      '─'.repeat(58),
      'digest  removable  no usage in 48 h',
      'banner  removable  ″',
      'on      still on   unused 48 h, on in production',
      'fresh   unclear    too recent until 2026-11-22 16:10 UTC',
    ])
    expect(stdout.replaceAll('\n', ' ')).toContain(
      ' not shown: Project, Last seen, Type (a wider terminal or a pipe shows all columns); --verdict in-use,permanent shows 2 more flags ',
    )
  })

  it('have verdicts in colour', async () => {
    const { stdout } = await reviewAll(['--color', 'always'])
    const verdicts = stdout.match(/\u001b\[\d+m(?:still on|in use|[a-z]+)/g)
    const green = '\u001b[32m'
    const magenta = '\u001b[35m'
    const dim = '\u001b[2m'
    expect(verdicts).toEqual([
      `${green}removable`,
      `${green}removable`,
      `${magenta}still on`,
      `${magenta}unclear`,
      `${green}finished`,
      `${dim}in use`,
      `${dim}permanent`,
    ])
  })

  it('have all reasons below the table if they are few, and with --verbose the time', async () => {
    const world = { columns: 80 }
    const names = ['digest', 'banner', 'always', 'checkout']
    const of = async (count: number) =>
      (await review([...names.slice(0, count), '--no-color', '--verbose'], projects, world)).stdout
    expect(await of(1)).toContain('removable  2026-10-31 16:10 UTC  release  no usage in 48 h\n')
    expect((await of(3)).replaceAll('\n', ' ')).toContain(
      ` digest: ${digest.replace(`; ${elsewhere}`, '')} `,
    )
    expect(await of(4)).not.toContain('digest: ')
  })

  it('have rounded counts in the decisive reason, and exact ones in data and with --verbose', async () => {
    const flags = ['one', 'two', 'three', 'four']
    const usage = [{ hoursAgo: 1, yes: 201_855_280, no: 1_000_000 }]
    const seed = { shop: Object.fromEntries(flags.map((name) => [name, { usage }])) }
    const of = async (...argv: string[]) =>
      (await review([...flags, '--no-color', ...argv], seed, { columns: 80 })).stdout
    const exact = '202,855,280 evaluations in 48 h'
    expect(await of()).toContain('  202.9 M evaluations in 48 h\n')
    expect(await of('--verbose')).toContain(`  ${exact}\n`)
    for (const format of ['markdown', 'jsonl', 'csv'])
      expect(await of('-o', format)).toContain(exact)
  })

  it('are listed on a terminal if someone acts on them, and counted otherwise, unless they are asked for', async () => {
    const usage = [{ hoursAgo: 1, yes: 1, no: 1 }]
    const always = { ...projects.shop?.always }
    const seed = { shop: { used: { usage }, busy: { usage }, always, banner: {} } }
    const world = { columns: 80 }
    const of = async (...argv: string[]) =>
      (await review([...argv, '--no-color'], seed, world)).stdout
    const work = await of('--project', 'shop')
    expect(work).toContain('\n--verdict in-use shows 2 more flags\n')
    expect(work).toMatch(/\nbanner .+\nalways {2}finished /)
    expect(work).not.toContain('\nused ')
    expect(await of('--project', 'shop', '--verdict', 'in-use')).toMatch(/\nused .+\n/)
    expect(await of('used', 'banner')).toMatch(/\nused .+\n/)
    expect(await of('--project', 'shop', '--sort', 'name')).toMatch(/\nused .+\n/)
    expect(await of('--project', 'shop', '--fail-on', 'in-use')).toMatch(/\nused .+\n/)
    expect(await of('--project', 'shop', '--limit', '1')).toMatch(
      /\n4 flags: .+\n2 flags, 1 shown\n$/,
    )
    const { banner: _, always: __, ...inUse } = seed.shop
    const idle = await review(['--project', 'shop', '--no-color'], { shop: inUse }, world)
    expect(idle.stdout).toContain(
      '\nNo flags to act on.\n\n--verdict in-use shows 2 more flags\n2 flags: ',
    )
    // A file has all of them.
    for (const format of ['table', 'markdown']) {
      const { stdout: whole } = await review(['--project', 'shop', '-o', format], seed)
      expect(whole).toContain('used')
      expect(whole).not.toContain('more flags')
    }
  })

  it('have a reason of at most 40 characters on a terminal, the whole one with --verbose', async () => {
    const of = async (...argv: string[]) =>
      (await reviewAll(['--no-color', ...argv], projects, { columns: 160 })).stdout
    const until = 'too recent until 2026-11-22 16:10 UTC'
    expect(await of()).toContain(`${until}\n`)
    expect(await of('--verbose')).toContain(`${until} (--not-seen-for 7d)\n`)
  })

  test.each([
    ['verdict', ['digest', 'banner', 'on', 'fresh', 'always', 'basket', 'outage']],
    ['age', ['basket', 'digest', 'outage', 'always', 'banner', 'fresh', 'on']],
    ['last-seen', ['outage', 'banner', 'on', 'digest', 'fresh', 'always', 'basket']],
    ['name', ['always', 'banner', 'basket', 'digest', 'fresh', 'on', 'outage']],
  ])('are sorted by %s', async (key, names) => {
    const argv = ['-o', 'names', '--sort', key]
    const basket = { ...projects.shop?.basket, createdAt: daysAgo(400) }
    const seed = { ...projects, shop: { ...projects.shop, basket } }
    expect((await reviewAll(argv, seed)).stdout).toBe(`${names.join('\n')}\n`)
    const last = names.toReversed().slice(0, 2)
    const reversed = await reviewAll([...argv, '--reverse', '--limit', '2'], seed)
    expect(reversed.stdout).toBe(`${last.join('\n')}\n`)
  })

  it('show when they were created if they are sorted by that, and all of those in use', async () => {
    const usage = [{ hoursAgo: 1, yes: 1, no: 1 }]
    const flags = Array.from({ length: 21 }, (_, index) => [`flag-${index}`, { usage }])
    const seed = { shop: Object.fromEntries(flags) }
    const { stdout } = await review(['--project', 'shop', '--sort', 'age'], seed)
    expect(stdout).toMatch(/^Flag +Verdict +Created +Last seen +Type +Reason$/m)
    expect(stdout).toMatch(/^flag-20 +in use +9 mo ago +/m)
  })

  it('by the last sighting, which is a column on a narrow terminal, too', async () => {
    const argv = ['review', '--project', 'shop', '--no-color', '--sort']
    const seed = { shop: { 'a-flag-with-quite-a-long-name': { production: { seen: 40 } } } }
    const titles = async (order: string) => {
      const { stdout } = await feature([...argv, order], seed, { columns: 60 })
      return stdout.split('\n').find((line) => line.startsWith('Flag'))
    }
    expect(await titles('last-seen')).toContain('Last seen')
    expect(await titles('name')).not.toContain('Last seen')
  })

  it('are Markdown', async () => {
    const { stdout } = await reviewAll(['-o', 'markdown', '--verdict', 'removable', '--limit', '1'])
    expect(stdout).toMatch(/^<!-- flagadm feature review -->\nReview of 2 projects on /)
    expect(stdout).toContain(`
| Flag | Project | Verdict | Last seen | Type | Reasons |
| --- | --- | --- | --- | --- | --- |
`)
    expect(stdout).toContain(`| release | ${digest} |

7 flags: 2 removable, 1 still on, 1 unclear, 1 permanent, 2 in use or finished

2 flags, 1 shown
`)
  })

  it('are JSON with the evidence and the totals', async () => {
    const { stdout } = await reviewAll(['--json', '--verdict', 'in-use', '--verdict', 'removable'])
    const { flags, totals } = JSON.parse(stdout)
    expect(totals[0]).toEqual({
      project: 'mail',
      flags: 2,
      removable: 1,
      'still-on': 0,
      finished: 0,
      'in-use': 0,
      unclear: 0,
      permanent: 1,
      archived: 0,
      'not-a-flag': 0,
    })
    const lastSeenAt = daysAgo(0.1)
    const lastUsed = '2026-11-20T14:00:00.000Z'
    expect(flags.at(-1)).toEqual({
      project: 'shop',
      flag: 'basket',
      verdict: 'in-use',
      usage: 'used',
      reasons: ['8 evaluations in 48 h', 'last used 2 h ago by web in production'],
      answers: [
        { question: 'listed', says: 'goes', texts: [] },
        { question: 'type', says: 'goes', texts: [] },
        { question: 'arrives', says: 'goes', texts: [] },
        {
          question: 'unused',
          says: 'stays',
          texts: ['8 evaluations in 48 h', 'last used 2 h ago by web in production'],
        },
        { question: 'figures', says: 'goes', texts: [] },
        {
          question: 'untouched',
          says: 'unknown',
          texts: ['too recent until 2026-11-27 13:46 UTC (--not-seen-for 7d)'],
        },
        { question: 'code', says: 'skipped', texts: ['no code was given'] },
        { question: 'outcome', says: 'goes', texts: [] },
      ],
      type: 'release',
      stale: false,
      createdAt: daysAgo(300),
      lastSeenAt,
      lastUsed,
      from: '2026-11-18T17:00:00.000Z',
      to: '2026-11-20T16:10:00.000Z',
      yes: 5,
      no: 3,
      lifecycle: null,
      dependents: null,
      references: null,
      repositories: null,
      createdBy: null,
      outcome: null,
      outcomeVariant: null,
      settledSince: null,
      owner: null,
      environments: [
        {
          name: 'production',
          enabled: true,
          lastSeenAt,
          lastUsed,
          yes: 5,
          no: 3,
        },
      ],
    })
    expect(flags[0]).toMatchObject({
      flag: 'digest',
      dependents: [],
      lifecycle: { stage: 'live', enteredStageAt: daysAgo(290) },
    })
  })

  it('are JSON Lines, CSV and names', async () => {
    const of = async (format: string) =>
      (await reviewAll(['--verdict', 'removable', '--verdict', 'still-on', '-o', format])).stdout
    const names = ['digest', 'banner', 'on']
    const jsonl = (await of('jsonl')).trimEnd().split('\n')
    expect(jsonl.map((line) => JSON.parse(line).flag)).toEqual(names)
    const [csv]: Record<string, string>[] = parse(await of('csv'), { columns: true })
    expect(csv).toMatchObject({
      project: 'mail',
      flag: 'digest',
      verdict: 'removable',
      yes: '0',
    })
    expect(JSON.parse(csv?.reasons ?? '')).toHaveLength(5)
    expect(await of('names')).toBe(`${names.join('\n')}\n`)
  })

  it('are annotations and test cases, which fail with --fail-on', async () => {
    const github = await review(['-o', 'github', '--project', 'mail', '--fail-on', 'removable'])
    const reasons = digest.replace(`; ${elsewhere}`, '')
    expect(
      github.stdout,
    ).toBe(`::error title=removable::digest: removable (project mail): ${reasons}
::notice title=in-use::neighbour-mail: in use (project mail): last seen 12 h ago in production, development; off everywhere
::notice title=permanent::outage: permanent (project mail): type kill-switch
`)
    expect([github.code, github.stderr]).toEqual([9, 'error: digest is removable\n'])
    const junit = await review(['-o', 'junit', '--project', 'mail', '--fail-on', 'unclear'])
    expect(junit.code).toBe(0)
    expect(junit.stdout).toContain('<testsuite name="feature review" tests="3" failures="0"')
  })
})

it('reports with github and junit how many flags --limit leaves out', async () => {
  const github = await reviewAll(['-o', 'github', '--limit', '1'])
  expect(github.stdout).toBe(`::warning title=removable::digest: removable (project mail): ${digest}
::notice title=limit::7 flags, 1 shown
`)
  const junit = await reviewAll(['-o', 'junit', '--limit', '6'])
  expect(junit.stdout).toContain(
    '<testcase name="limit" classname="feature review"><system-out>info: 7 flags, 6 shown</system-out></testcase>',
  )
})

it.each(['github', 'junit'])('has paths from the root of the repository as %s', async (format) => {
  const { stdout } = await review(['basket', '--scan', '.', '-o', format], projects, {
    cwd: 'work/app',
    files: {
      ...repositoryIn('work'),
      'work/app/a.ts': "isEnabled('basket')\n",
    },
  })
  expect(stdout).toMatch(/(?<!\.\.\/)app\/a\.ts/)
})

describe('an expectation', () => {
  test.each<[string, string[], number, string]>([
    ['passes for all', ['banner', 'digest', '--expect', 'removable'], 0, ''],
    ['passes for a permanent flag', ['outage', '--expect', 'unused'], 0, ''],
    ['passes', ['basket', '--expect', 'in-use'], 0, ''],
    ['fails', ['basket', 'on', '--expect', 'unused'], 9, 'basket is in use, expected unused'],
    [
      'fails for several',
      ['basket', 'fresh', 'banner', '--expect', 'removable'],
      9,
      '2 of 3 flags fail the check: 1 unclear, 1 in use or finished, expected removable',
    ],
    ['passes for a flag that is on', ['on', '--expect', 'unused'], 0, ''],
    [
      'fails for a flag that is on',
      ['on', 'banner', '--expect', 'removable'],
      9,
      'on is still on, expected removable\nhint: feature archive --include-on archives flags that are still on',
    ],
    ['fails', ['outage', '--expect', 'removable'], 9, 'outage is permanent, expected removable'],
    ['fails', ['gone', '--expect', 'unused'], 9, 'gone is archived, expected unused'],
    [
      'fails for a name that is not a flag',
      ['bannner', '--expect', 'unused'],
      6,
      'bannner: not a flag of any project that the service lists; did you mean banner?',
    ],
  ])('%s: %j', async (_, argv, code, problem) => {
    const outcome = await review(argv)
    expect([outcome.code, outcome.stderr]).toEqual([code, problem && `error: ${problem}\n`])
  })

  it('is about usage alone: a young flag, or one that others need, may be unused', async () => {
    const seed = { shop: { flag: { production: { seen: 3 }, children: ['used'] }, used: {} } }
    const argv = ['flag', '--project', 'shop', '--expect', 'unused']
    expect((await review(argv, seed)).code).toBe(0)
  })

  it('of no usage does not hold where not all was read that could show it', async () => {
    const kinds = { ...projects, shop: { ...projects.shop, young: { production: { seen: 5 } } } }
    const usageOf = async (name: string, ...argv: string[]) => {
      const { stdout } = await review([name, '--json', ...argv], kinds)
      return JSON.parse(stdout).flags[0].usage
    }
    for (const name of ['outage', 'young']) {
      expect(await usageOf(name)).toBe('unclear')
      expect(await usageOf(name, '--expect', 'unused')).toBe('unused')
    }
  })

  it.each([
    [['--expect', 'removable', '--app', 'web'], '--expect removable', '--app'],
    [['--verdict', 'removable', '-e', 'production'], '--verdict removable', '--environment'],
    [['--verdict', 'still-on', '-e', 'production'], '--verdict still-on', '--environment'],
  ])('is refused with a filter: %j', async (argv, wanted, filter) => {
    expect(
      ending(await review(['banner', ...argv])),
    ).toBe(`2 error: ${wanted} cannot be combined with ${filter}, because it leaves out usage of the flags
hint: use --expect unused, or leave out the filter
`)
  })
})

describe('names', () => {
  it('are distinguished: flags, archived flags and unknown ones', async () => {
    const world = { unknown: { gone: ['web'], bannr: ['ios', 'web'] } }
    const { code, stdout, stderr } = await review(['banner', 'gone', 'bannr'], projects, world)
    expect(code).toBe(6)
    expect(stdout).toContain(`
gone    —        archived    —          —                   archived in project mail; SDKs ask for it (web)
bannr   —        not a flag  —          —                   not a flag of any project that the service lists; SDKs ask for it (ios, web); did you mean banner?

banner: ${unused}; off everywhere; created 9 mo ago; not seen in its project's environments (production)
3 flags: 1 removable, 0 in use, 0 unclear, 0 permanent, 1 archived, 1 not a flag
`)
    expect(stderr).toContain('error: bannr: not a flag of any project that the service lists; SDKs')
  })

  it('have their usage if they are archived and asked for, with and without a project', async () => {
    const seed = { mail: { gone: { archived: true, usage: [{ hoursAgo: 2, yes: 5, no: 3 }] } } }
    for (const project of [[], ['--project', 'mail']]) {
      const { stdout } = await review(['gone', '--json', ...project], seed)
      expect(JSON.parse(stdout).flags).toMatchObject([
        {
          verdict: 'archived',
          reasons: [
            'archived in project mail',
            '8 evaluations in 48 h',
            'last used 2 h ago by web in production',
          ],
          yes: 5,
          no: 3,
        },
      ])
    }
  })

  it('may contain wildcards, or come from a list', async () => {
    const matching = await review(['ba*', '--project', 'shop', '-o', 'names'])
    expect(matching.stdout).toBe('banner\nbasket\n')
    const world = { stdin: '# flags\nbanner\n\ndigest\n' }
    const listed = await review(['--names-from', '-', '-o', 'names'], projects, world)
    expect(listed.stdout).toBe('digest\nbanner\n')
  })

  it('are of the given types', async () => {
    const { stdout } = await reviewAll(['-o', 'names', '--type', 'experiment,kill-switch'])
    expect(stdout.split('\n')).toEqual(['banner', 'outage', ''])
    const given = await review(['basket', 'nix', '--type', 'experiment', '-o', 'names'])
    expect([given.code, given.stdout]).toEqual([6, 'nix\n'])
    expect(given.stderr).toMatch(/^warning: 1 flag left out because of --type\n/)
    expect((await review(['nix', '--fail-on', 'not-a-flag'])).code).toBe(9)
  })

  it('are required unless projects are given', async () => {
    const { code, stderr } = await review([])
    const hint =
      'hint: name a flag, use --project <id>, or:\n  flagadm feature review --not-seen-for 7d --all-projects'
    expect([code, stderr]).toEqual([2, `error: no names or projects given\n${hint}\n`])
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

describe('in the part of the span without figures, a flag', () => {
  const seen = { seen: 47.35 / 24 }
  const unreported = { seen: undefined }
  test.each<[string, FlagSeed, string[], string]>([
    ['that was seen is in use', { production: seen }, [], 'used'],
    ['whose sightings are not reported is unclear', { production: unreported }, [], 'unclear'],
    [
      'is unused if a shorter span leaves out that part',
      { production: unreported },
      ['--since', '47h', '--expect', 'unused'],
      'unused',
    ],
    ['that was created is unclear', { createdAt: daysAgo(1.9) }, [], 'unclear'],
  ])('%s', async (_, seed, argv, usage) => {
    expect(await rowOf(seed, argv)).toMatchObject({ usage })
  })
})

describe('a flag that others depend on', () => {
  test.each<[string, FlagSeed, string, string]>([
    [
      'is unclear if one of them is',
      { status: 500 },
      'unclear',
      'child depends on it and is unclear',
    ],
    [
      'is removable together with them',
      {},
      'removable',
      'child depends on it: archive them together',
    ],
  ])('%s', async (_, child, verdict, reason) => {
    const row = await rowOf({ children: ['child'] }, [], { child })
    expect(row).toMatchObject({ verdict, dependents: ['child'] })
    expect(row.reasons).toContain(reason)
  })

  const unread = 'its own document could not be read'
  const unreported = 'flags that depend on it are not reported'
  it.each<[string, FlagSeed, number, string]>([
    ['cannot be read', { ownStatus: 500 }, 8, `${unread}: 500: database is down`],
    ['is missing from the service', { ownStatus: 404 }, 0, `${unread}: 404: database is down`],
    [
      'reports that it is archived',
      { own: { archived: true } },
      0,
      'its own document says that it is archived',
    ],
    [
      'has a lifecycle that cannot be understood',
      { wrong: { lifecycle: [{ stage: 'live', enteredStageAt: daysAgo(0) }] } },
      8,
      `${unread}: http://service/api/admin/projects/shop/features/flag returned JSON of the wrong shape (lifecycle: expected an object)`,
    ],
    ['does not list them', { wrong: { children: [{ name: 'x' }] } }, 0, unreported],
  ])('is unclear if its document %s', async (_, flag, expected, reason) => {
    const argv = ['flag', '--project', 'shop', '--json', '--quiet', '--retries', '0']
    const { code, stdout } = await review(argv, { shop: { flag } })
    const [row] = JSON.parse(stdout).flags
    expect({ code, verdict: row.verdict, usage: row.usage }).toEqual({
      code: expected,
      verdict: 'unclear',
      usage: 'unclear',
    })
    expect(row.reasons[0]).toBe(reason)
  })
})

it('finds usage in an environment that the project no longer has', async () => {
  const row = await rowOf({ usage: [{ hoursAgo: 5, yes: 2, no: 0, environment: 'staging' }] })
  expect(row).toMatchObject({ verdict: 'in-use', usage: 'used' })
  expect(row.environments).toMatchObject([
    { name: 'production', enabled: false, yes: 0 },
    { name: 'staging', enabled: null, yes: 2 },
  ])
})

it('decides by the clock of the service, and warns of a difference', async () => {
  // This machine is 6 hours ahead.
  const ahead = -6 * 3_600_000
  const seed = { shop: { flag: { production: { seen: 1.25, on: true } } } }
  const { stdout, stderr } = await review(['flag', '--project', 'shop', '--json'], seed, { ahead })
  expect(JSON.parse(stdout).flags[0]).toMatchObject({ verdict: 'in-use', usage: 'used' })
  expect(stderr).toContain(
    "this machine's clock is 6 h ahead of that of the service; times are the service's",
  )
  const near = await review(['--project', 'mail'], projects, { ahead: 30_000 })
  expect(near.stderr).toBe('')
})

it('considers the time when the flag itself was seen', async () => {
  const nowhere = { environments: [{ name: 'production', enabled: true }] }
  const rowAt = (lastSeenAt: string) =>
    rowOf({ ...nowhere, lastSeenAt }, [], {}, { version: '7.6.5', missing: /\/events|ui-config/ })
  expect(await rowAt(daysAgo(1))).toMatchObject({ verdict: 'in-use', lastSeenAt: daysAgo(1) })
  const old = await rowAt(daysAgo(30))
  expect(old.reasons[2]).toBe('last seen 30 d ago')
})

it('shows a flag on the page whose name is not Unicode', async () => {
  const { code, stdout } = await review(['--project', 'shop', '-o', 'html'], {
    shop: { 'f\ud800': {}, old: {} },
  })
  expect(code).toBe(10)
  expect(stdout).toContain('<td class="key">f\\ud800</td>')
})

describe('filters of usage', () => {
  const seed: FlagSeed = {
    usage: [{ hoursAgo: 5, yes: 2, no: 0, appName: 'ios' }],
    production: { seen: 0.2 },
  }

  it('narrow what counts, and then no flag is removable', async () => {
    const byIos = await rowOf(seed, ['--app', 'ios'])
    expect(byIos).toMatchObject({ verdict: 'in-use', usage: 'used' })
    const unused = ['-e', 'dev*', '--expect', 'unused']
    const inDevelopment = await rowOf({ ...seed, development: {} }, unused)
    expect(inDevelopment).toMatchObject({ verdict: 'unclear', usage: 'unused' })
    expect(inDevelopment.reasons).toContain('--app and --environment leave out usage')
  })

  it('with a value that the service does not know cause a warning, and leave flags unclear', async () => {
    const argv = ['banner', '-e', 'prod', '--expect', 'unused', '--since', '24h', '--json']
    const { code, stdout, stderr } = await review(argv)
    const [row] = JSON.parse(stdout).flags
    const doubt = "unknown environment 'prod' (known: development, production)"
    expect(code).toBe(9)
    expect(row.usage).toBe('unclear')
    expect(row.reasons[0]).toBe(doubt)
    expect(stderr).toContain(doubt)
  })
})

describe('a service with the two operations of the specification', () => {
  const missing = /projects|raw|search|unknown/

  it('shows by the current hour that a name is in use', async () => {
    const used = { shop: { flag: { usage: [{ hoursAgo: 0, yes: 3, no: 1 }] } } }
    const { code, stdout } = await review(['flag', '--expect', 'in-use'], used, { missing })
    expect(code).toBe(0)
    expect(stdout).toContain(
      'Review of 1 flag on http://service, since 2026-11-20 16:00 UTC (10m of',
    )
    expect(stdout).toContain('4 evaluations in 10 min; last used this hour by web in production')
  })

  it('never makes a flag unused or removable', async () => {
    const { code, stdout } = await review(['flag', '--expect', 'unused'], { shop: {} }, { missing })
    expect(code).toBe(9)
    expect(stdout).toContain('the service covers only 10m of the 48 h requested')
  })
})

it('a failure leaves a flag unclear, and sets the exit code unless a check fails', async () => {
  const seed = { shop: { flag: { status: 500 }, other: {} } }
  const argv = ['--project', 'shop', '--retries', '0']
  const failed = await review(argv, seed)
  expect(failed.stdout).toContain('the usage could not be read: 500: database is down')
  expect(failed.stdout).toContain('\nIncomplete: 1 of 3 flags could not be read (flag)\n')
  expect(failed.stderr).toMatch(/error: 1 of 3 flags could not be read\n$/)
  expect(failed.code).toBe(10)
  expect((await rowOf({ status: 500 })).environments).toMatchObject([{ yes: null, no: null }])
  const checked = await review([...argv, '--fail-on', 'removable'], seed)
  expect(checked.stderr).toMatch(
    /error: 1 of 3 flags could not be read\nerror: other is removable\n$/,
  )
  expect(checked.code).toBe(9)
})

describe('source code', () => {
  const files = {
    'work/src/a.ts': 'isEnabled("banner")\n',
    'work/config.yaml': 'flags: [digest]\n',
  }

  it('keeps a flag that it contains, wherever it is', async () => {
    const { stdout } = await reviewAll(['--scan', '.', '--json'], projects, { files })
    const rows = new Map<string, { reasons: string[] }>(
      JSON.parse(stdout).flags.map((row: { flag: string }) => [row.flag, row]),
    )
    expect(rows.get('banner')).toMatchObject({
      verdict: 'unclear',
      references: [{ file: 'src/a.ts', line: 1, column: 12 }],
    })
    expect(rows.get('banner')?.reasons[0]).toBe('in the code: src/a.ts:1')
    expect(rows.get('digest')).toMatchObject({ verdict: 'unclear' })
    expect(rows.get('on')).toMatchObject({ verdict: 'still-on' })
    expect(rows.get('on')?.reasons).toContain('not in the code')
  })

  it('may have a flag whose name is composed, or is in a file that cannot be read', async () => {
    const code = {
      'work/a.ts': 'const name = `${app}-export`\n',
      'work/b.ts': 'version https://git-lfs.github.com/spec/v1\n',
    }
    const seed = { shop: { 'my-export': {} } }
    const argv = ['--project', 'shop', '--scan', '.', '--json']
    const { stdout } = await review(argv, seed, { files: code })
    const [row] = JSON.parse(stdout).flags
    expect(row).toMatchObject({
      verdict: 'unclear',
      usage: 'unclear',
    })
    expect(row.reasons.slice(0, 2)).toEqual([
      'a composed text may be its name: a.ts:1',
      '1 file could not be read: b.ts (Git LFS pointer)',
    ])
  })

  it('is required with --removed-since, and --scan needs a file', async () => {
    expect((await reviewAll(['--removed-since', 'HEAD'])).stderr).toBe(
      'error: nothing to scan\nhint: use --scan <path>, or add scan.paths to the project configuration\n',
    )
    expect((await reviewAll(['--scan', 'nix'])).stderr).toContain(
      'error: --scan: no file matches nix\n',
    )
  })

  it('finds the flags that a branch removed', async () => {
    const folder = await temporaryFolder(files)
    const cwd = join(folder, 'work')
    const lines = ['init -b main', 'add .', 'commit -m a', 'checkout -b topic', 'rm src/a.ts']
    for (const line of [...lines, 'commit -m b']) git(cwd, ...line.split(' '))
    const world = { cwd: `../${basename(folder)}/work`, env: { PATH: process.env.PATH ?? '' } }
    const argv = ['--scan', '.', '-o', 'names', '--removed-since']
    const removed = await reviewAll([...argv, 'main'], projects, world)
    expect([removed.code, removed.stdout]).toEqual([0, 'banner\n'])
    const none = await reviewAll([...argv, 'topic'], projects, world)
    const note = 'note: no flag was removed from the code since topic\n'
    expect([none.code, none.stderr]).toEqual([0, note])
  })
})

describe('what is not known is not none', () => {
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n'
  const flag = { usage: [{ hoursAgo: 1, yes: 0, no: 0 }] }
  const world = { files: { 'work/src/a.bin': pointer }, hours: 10 }
  const argv = ['--project', 'shop', '--scan', 'src']

  it('on the page', async () => {
    const { stdout } = await review([...argv, '-o', 'html'], { shop: { flag } }, world)
    expect(stdout).toContain('<td class="usage figure">unclear</td>')
    expect(stdout).toContain('<td class="references">unclear</td>')
    const clear = { files: { 'work/src/a.ts': '' } }
    const { stdout: none } = await review([...argv, '-o', 'html'], { shop: { flag: {} } }, clear)
    expect(none).toContain('<td class="usage figure">none</td>')
    expect(none).toContain('<td class="references">none found</td>')
  })

  it('in JSON', async () => {
    const { stdout } = await review([...argv, '--json'], { shop: { flag: {} } }, world)
    expect(JSON.parse(stdout).flags[0].references).toBeNull()
  })

  it('in the files of CI systems', async () => {
    const check = ['--project', 'shop', '--expect', 'removable', '-o']
    const { code, stdout } = await review([...check, 'junit'], { shop: {} })
    expect(code).toBe(9)
    expect(stdout).toContain('tests="1" failures="1"')
    expect(stdout).toContain('<failure message="no flags in project shop" type="nothing-to-check">')
    const accepted = await review([...check, 'junit', '--allow-empty'], { shop: {} })
    expect(accepted.stdout).toContain('failures="0"')
    const annotations = (await review([...check, 'github'], { shop: {} })).stdout
    expect(annotations).toContain('::error title=nothing-to-check::no flags in project shop\n')
  })
})
