import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, it, test } from 'vitest'
import { patientClock } from '../support/clock.ts'
import { flagadm } from '../support/flagadm.ts'
import { now, type Projects, review } from './service.ts'

const projects: Projects = {
  shop: {
    basket: { production: { on: true, seen: 0.1 }, usage: [[2, 5, 3]] },
    banner: { type: 'experiment', stale: true },
    fresh: { production: { on: true, seen: 5 }, development: {} },
  },
  mail: {
    outage: { type: 'kill-switch' },
    digest: { production: { on: true, seen: 20 }, lifecycle: { stage: 'completed' } },
  },
}

const span = 'since 2026-11-18 17:00 UTC, 47 h 10 min of 48 h'

const totals = `Project  Flags  Removable  In use  Unclear  Permanent
─────────────────────────────────────────────────────
mail         2          1       0        0          1
shop         3          1       1        1          0

5 flags: 2 removable, 1 in use, 1 unclear, 1 permanent
`

const unlisted = 'lifecycle and dependencies, which the service does not list'
const notChecked = `Not checked: ${unlisted}`

async function rowsOf(...argv: string[]) {
  const { stdout } = await review(['--json', '--quiet', ...argv], projects)
  return JSON.parse(stdout).flags
}

async function names(...argv: string[]): Promise<string[]> {
  const { stdout } = await review(['-o', 'names', ...argv], projects)
  return stdout.split('\n').slice(0, -1)
}

describe('the flags of several projects', () => {
  it('are a table and totals by default, from one document for each project and flag', async () => {
    const { code, stdout, stderr, asked } = await review([], projects)
    expect(stdout).toBe(`Review of 2 projects on http://service, ${span}

Project  Flag    Verdict    Type         State      Reasons
───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
mail     digest  removable  release      completed  no usage since 2026-11-18 17:00 UTC; on in production, last seen 20 d ago, created 300 d ago
mail     outage  permanent  kill-switch             type kill-switch
shop     banner  removable  experiment   stale      no usage since 2026-11-18 17:00 UTC; off everywhere, never seen, created 300 d ago
shop     basket  in use     release                 8 evaluations, last used in the hour from 2026-11-20 14:00 UTC by web in production
shop     fresh   unclear    release                 on in production, last seen 5 d ago; too recent until 2026-11-22 16:10 UTC (--not-seen-for 7 d)

${totals}
${notChecked}
`)
    expect([code, stderr]).toEqual([0, ''])
    expect(asked.sort()).toEqual([
      ...['banner', 'basket', 'digest', 'fresh', 'outage'].map(
        (flag) => `client-metrics/features/${flag}/raw?hoursBack=48`,
      ),
      ...['projects', 'projects/mail/features', 'projects/shop/features'],
    ])
  })

  it('have their reasons below them on a narrow terminal', async () => {
    const { stdout } = await review(['--no-color'], projects, { columns: 70 })
    expect(stdout).toBe(`Review of 2 projects on http://service, since 2026-11-18 17:00
UTC, 47 h 10 min of 48 h

Project  Flag    Verdict    Type         State
──────────────────────────────────────────────────
mail     digest  removable  release      completed
  └ no usage since 2026-11-18 17:00 UTC
  └ on in production, last seen 20 d ago, created 300 d ago
mail     outage  permanent  kill-switch
  └ type kill-switch
shop     banner  removable  experiment   stale
  └ no usage since 2026-11-18 17:00 UTC
  └ off everywhere, never seen, created 300 d ago
shop     basket  in use     release
  └ 8 evaluations, last used in the hour from 2026-11-20 14:00 UTC by
    web in production
shop     fresh   unclear    release
  └ on in production, last seen 5 d ago
  └ too recent until 2026-11-22 16:10 UTC (--not-seen-for 7 d)

${totals}
${notChecked.replace(' list', '\nlist')}
`)
  })

  it('have their names above them, in full, if the terminal is too narrow for a row', async () => {
    const { stdout } = await review(['--no-color', '--verdict', 'removable'], projects, {
      columns: 46,
    })
    const [, table] = stdout.split(/\sof\s48 h\n\n|(?<=300 d\s+ago\n)\nProject\n/)
    expect(table).toBe(`Flag, Project
Verdict    Type        State
────────────────────────────────
digest, mail
removable  release     completed
  └ no usage since 2026-11-18 17:00 UTC
  └ on in production, last seen 20 d ago,
    created 300 d ago
banner, shop
removable  experiment  stale
  └ no usage since 2026-11-18 17:00 UTC
  └ off everywhere, never seen, created 300 d
    ago
`)
  })

  it('are Markdown with the totals first', async () => {
    const { stdout } = await review(['-o', 'markdown', '--verdict', 'removable'], projects)
    expect(stdout).toBe(`Review of 2 projects on http://service, ${span}

| Project | Flags | Removable | In use | Unclear | Permanent |
| --- | ---: | ---: | ---: | ---: | ---: |
| \`mail\` | 2 | 1 | 0 | 0 | 1 |
| \`shop\` | 3 | 1 | 1 | 1 | 0 |

5 flags: 2 removable, 1 in use, 1 unclear, 1 permanent

| Project | Flag | Verdict | Type | State | Reasons |
| --- | --- | --- | --- | --- | --- |
| \`mail\` | \`digest\` | removable | \`release\` | \`completed\` | \`no usage since 2026-11-18 17:00 UTC; on in production, last seen 20 d ago, created 300 d ago\` |
| \`shop\` | \`banner\` | removable | \`experiment\` | \`stale\` | \`no usage since 2026-11-18 17:00 UTC; off everywhere, never seen, created 300 d ago\` |

${notChecked}
`)
  })

  it('are JSON with the evidence and the totals', async () => {
    const { stdout } = await review(['--json'], projects)
    const document = JSON.parse(stdout)
    expect(document).toEqual({
      flags: expect.any(Array),
      totals: [
        { project: 'mail', flags: 2, removable: 1, 'in use': 0, unclear: 0, permanent: 1 },
        { project: 'shop', flags: 3, removable: 1, 'in use': 1, unclear: 1, permanent: 0 },
      ],
      notChecked: ['lifecycle', 'dependencies'],
    })
    expect(document.flags).toHaveLength(5)
    expect(document.flags[3]).toEqual({
      project: 'shop',
      flag: 'basket',
      verdict: 'in use',
      reasons: [
        '8 evaluations, last used in the hour from 2026-11-20 14:00 UTC by web in production',
      ],
      type: 'release',
      stale: false,
      createdAt: '2026-01-24T16:10:00.000Z',
      lastSeenAt: '2026-11-20T13:46:00.000Z',
      lastUsed: '2026-11-20T14:00:00.000Z',
      from: '2026-11-18T17:00:00.000Z',
      to: '2026-11-20T16:10:00.000Z',
      lifecycle: null,
      hasDependents: null,
      dependents: null,
      references: null,
      environments: [
        {
          name: 'production',
          enabled: true,
          lastSeenAt: '2026-11-20T13:46:00.000Z',
          lastUsed: '2026-11-20T14:00:00.000Z',
          yes: 5,
          no: 3,
        },
      ],
    })
  })

  it('are the same rows as JSON Lines, which end with what was not checked', async () => {
    const { stdout } = await review(['-o', 'jsonl'], projects)
    const lines = stdout.split('\n').slice(0, -1)
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      ...(await rowsOf()),
      { notChecked: ['lifecycle', 'dependencies'] },
    ])
  })

  it('are CSV with lists as JSON', async () => {
    const { stdout, stderr } = await review(['-o', 'csv', '--name', 'fresh'], projects)
    const environment = { enabled: false, lastSeenAt: null, lastUsed: null, yes: 0, no: 0 }
    expect(parse(stdout, { columns: true })).toEqual([
      {
        project: 'shop',
        flag: 'fresh',
        verdict: 'unclear',
        reasons: JSON.stringify([
          'on in production, last seen 5 d ago',
          'too recent until 2026-11-22 16:10 UTC (--not-seen-for 7 d)',
        ]),
        type: 'release',
        stale: 'false',
        createdAt: '2026-01-24T16:10:00.000Z',
        lastSeenAt: '2026-11-15T16:10:00.000Z',
        lastUsed: '',
        from: '2026-11-18T17:00:00.000Z',
        to: '2026-11-20T16:10:00.000Z',
        hasDependents: '',
        lifecycle: '',
        yes: '0',
        no: '0',
        references: '',
        environments: JSON.stringify([
          { name: 'development', ...environment },
          {
            ...{ name: 'production', ...environment, enabled: true },
            lastSeenAt: '2026-11-15T16:10:00.000Z',
          },
        ]),
        dependents: '',
      },
    ])
    expect(stderr).toBe(`note: not checked: ${unlisted}\n`)
  })

  it('are annotations', async () => {
    const { stdout } = await review(['-o', 'github', '--project', 'shop'], projects)
    expect(
      stdout,
    ).toBe(`::warning title=removable::banner: removable (project shop): no usage since 2026-11-18 17:00 UTC; off everywhere, never seen, created 300 d ago
::notice title=in use::basket: in use (project shop): 8 evaluations, last used in the hour from 2026-11-20 14:00 UTC by web in production
::notice title=unclear::fresh: unclear (project shop): on in production, last seen 5 d ago; too recent until 2026-11-22 16:10 UTC (--not-seen-for 7 d)
::notice title=not checked::${unlisted}
`)
  })
})

it('writes a file', async () => {
  const argv = ['--limit', '1', '--output-file', 'review.md', '-o', 'markdown']
  const { stdout, folder } = await review(argv, projects)
  const text = readFileSync(join(folder, 'work/review.md'), 'utf8')
  expect([stdout, text.split('\n').filter((line) => line.includes('digest')).length]).toEqual([
    '',
    1,
  ])
  expect(text).toContain('\n\n4 more rows not shown (--limit)\n')
})

describe('the flags of one project', () => {
  it('have no column of projects, and one line of totals', async () => {
    const { stdout, asked } = await review(['--project', 'mail'], projects)
    expect(stdout).toBe(`Review of project mail on http://service, ${span}

Flag    Verdict    Type         State      Reasons
───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
digest  removable  release      completed  no usage since 2026-11-18 17:00 UTC; on in production, last seen 20 d ago, created 300 d ago
outage  permanent  kill-switch             type kill-switch

2 flags: 1 removable, 0 in use, 0 unclear, 1 permanent

${notChecked}
`)
    expect(asked.sort()).toEqual([
      'client-metrics/features/digest/raw?hoursBack=48',
      'client-metrics/features/outage/raw?hoursBack=48',
      'projects/mail/features',
    ])
  })

  it('may be none', async () => {
    const { code, stdout } = await review(['--project', 'shop', '--name', 'x*'], projects)
    expect([code, stdout]).toEqual([
      0,
      'Review of project shop on http://service\n\nNo flags to show.\n',
    ])
  })
})

describe('filters', () => {
  test.each([
    [['--verdict', 'in-use'], ['basket']],
    [
      ['--verdict', 'in use', '--verdict', 'unclear'],
      ['basket', 'fresh'],
    ],
    [
      ['--type', 'experiment', '--type', 'kill*'],
      ['outage', 'banner'],
    ],
    [['--name', 'b*', '--verdict', 'removable'], ['banner']],
    [['--environment', 'dev*'], ['fresh']],
    [['--environment', 'x*'], []],
    [
      ['--not-seen-for', '4d', '--verdict', 'removable'],
      ['digest', 'banner', 'fresh'],
    ],
    [['--since', '1h', '--verdict', 'in-use'], []],
    [
      ['--include-permanent', '--verdict', 'removable'],
      ['digest', 'outage', 'banner'],
    ],
    [
      ['--sort', 'verdict', '--limit', '3'],
      ['digest', 'banner', 'basket'],
    ],
    [
      ['--sort', 'last-seen', '--reverse', '--limit', '2'],
      ['basket', 'fresh'],
    ],
  ])('%j select flags', async (argv, expected) => {
    expect(await names(...argv)).toEqual(expected)
  })

  it('for an environment restrict the evidence, but not the verdict', async () => {
    const [row] = await rowsOf('--environment', 'development')
    expect(row).toMatchObject({
      verdict: 'unclear',
      reasons: ['on in production, last seen 5 d ago', expect.stringMatching(/^too recent/)],
      lastSeenAt: null,
    })
    expect(row.environments).toHaveLength(1)
  })

  it('accept a pattern that matches no environment', async () => {
    const argv = ['--environment', 'x*', '-o', 'names']
    const { code, stdout, stderr } = await review(argv, projects)
    expect([code, stdout, stderr]).toEqual([0, '', ''])
  })

  test.each([
    [
      ['--verdict', 'used'],
      "error: --verdict: unknown value 'used'\nhint: choose one of removable, in-use, unclear, permanent\n",
    ],
    [
      ['--verdict', 'unclear,in-use'],
      "error: --verdict: unknown value 'unclear,in-use'\nhint: choose one of removable, in-use, unclear, permanent\n",
    ],
    [['--type', 'relase'], "error: --type: unknown value 'relase'\n"],
    [
      ['--environment', 'x'],
      "error: --environment: unknown value 'x'\nhint: choose one of development, production\n",
    ],
    [
      ['--call', 'isOn'],
      'error: nothing to scan\nhint: use --scan <glob>, or add scan.paths to the project configuration\n',
    ],
  ])('%j are refused', async (argv, stderr) => {
    const outcome = await review(argv, projects)
    expect([outcome.code, outcome.stdout]).toEqual([2, ''])
    expect(outcome.stderr).toContain(stderr)
  })

  it('count in the totals, except for verdicts', async () => {
    const { stdout } = await review(['--name', 'b*', '--verdict', 'unclear', '--json'], projects)
    expect(JSON.parse(stdout)).toMatchObject({
      flags: [],
      totals: [{ project: 'shop', flags: 2, removable: 1, 'in use': 1, unclear: 0, permanent: 0 }],
    })
  })
})

describe('source code', () => {
  const files = {
    'work/src/a.ts': "useFlag('banner')\n",
    'work/src/b.py': "b = 'banner'\n",
    'work/other/c.ts': 'useFlag(name)\nuseFlag(other)\n',
  }

  it('that contains a flag makes it unclear', async () => {
    const { stdout } = await review(['--scan', 'src', '--json', '--name', 'b*'], projects, {
      files,
    })
    const { flags } = JSON.parse(stdout)
    expect(flags[0]).toMatchObject({
      flag: 'banner',
      verdict: 'unclear',
      reasons: ['off everywhere, never seen', 'in the code: src/a.ts:1:10, src/b.py:1:6'],
      references: [
        { file: 'src/a.ts', line: 1, column: 10, kind: 'call' },
        { file: 'src/b.py', line: 1, column: 6, kind: 'mention' },
      ],
    })
    expect(flags[1]).toMatchObject({ flag: 'basket', verdict: 'in use', references: [] })
  })

  it('that does not contain a flag is a reason to remove it', async () => {
    const argv = ['--scan', 'src', '--json', '--name', 'digest']
    const { stdout } = await review(argv, projects, { files })
    expect(JSON.parse(stdout).flags).toMatchObject([
      {
        verdict: 'removable',
        reasons: [
          'no usage since 2026-11-18 17:00 UTC',
          'on in production, last seen 20 d ago, created 300 d ago',
          'not in the code',
        ],
        references: [],
      },
    ])
  })

  it('with lookups that could not be read may contain any flag', async () => {
    const argv = ['--scan', 'other', '--json', '--name', 'digest']
    const { stdout } = await review(argv, projects, { files })
    expect(JSON.parse(stdout)).toMatchObject({
      flags: [
        {
          verdict: 'unclear',
          reasons: [
            'on in production, last seen 20 d ago',
            '2 lookups that could not be read may use it: other/c.ts:1:1, other/c.ts:2:1',
          ],
        },
      ],
      incomplete: { lookups: [{ unread: 2, of: 2 }] },
    })
  })

  it.each([
    ['src/b.java', '// caf\xe9', 'removable'],
    ['src/b.ts', `//${' '.repeat(1024 * 1024)}`, 'unclear'],
    ['src/b.ts', 'use()\n'.repeat(3) + "isEnabled('x');".repeat(20_001), 'unclear'],
    ['src/b.json', `${' '.repeat(1024 * 1024)}{}`, 'removable'],
    ['src/b.png', 'caf\xe9', 'removable'],
  ])('in %s that is not read makes a flag unclear if it is code', async (file, text, verdict) => {
    const code = { [`work/${file}`]: Buffer.from(text, 'latin1') }
    const { stdout } = await review(['--scan', 'src', '--json', '--name', 'digest'], projects, {
      files: code,
    })
    const [flag] = JSON.parse(stdout).flags
    expect(flag.verdict).toBe(verdict)
    const reason = `1 file that could not be read may use it: ${file}`
    expect(flag.reasons.includes(reason)).toBe(verdict === 'unclear')
  })
})

describe('a progress bar', () => {
  const names = Array.from({ length: 40 }, (_, index) => `f${index}`)
  const many: Projects = { shop: Object.fromEntries(names.map((name) => [name, {}])) }

  /** Runs a review with a clock that advances by 40 ms each time it is read. */
  async function progress(argv: readonly string[], talksToTerminal: boolean) {
    let elapsed = 0
    const clock = { ...patientClock(now).clock, monotonic: () => (elapsed += 40) }
    return (await review(argv, many, { clock, talksToTerminal })).stderr
  }

  it('appears on a terminal if the run takes long, and is removed before the report', async () => {
    const stderr = await progress([], true)
    expect(stderr).toMatch(/^(?:\r\u001b\[K[█░]{20} \d+ of 40 flags)+\r\u001b\[K$/)
  })

  it('does not appear with --quiet, and not elsewhere', async () => {
    expect([await progress(['--quiet'], true), await progress([], false)]).toEqual(['', ''])
  })
})

describe('the exit code', () => {
  it('is 9 with --fail-on for removable flags, whichever are shown', async () => {
    const argv = ['--fail-on', 'removable', '--verdict', 'in-use', '-o', 'names']
    expect(await review(argv, projects)).toMatchObject({
      code: 9,
      stdout: 'basket\n',
      stderr: `note: not checked: ${unlisted}\nerror: 2 flags are removable\n`,
    })
  })

  it('is 0 with --fail-on if no flag is removable', async () => {
    const { code } = await review(['--fail-on', 'removable', '--name', 'fresh'], projects)
    expect(code).toBe(0)
  })

  const broken: Projects = { ...projects, z: { broken: { status: 500 } } }

  it('is 10 if some flags could not be read, which are unclear', async () => {
    const argv = ['--retries', '0', '--verdict', 'unclear', '-o', 'markdown']
    const { code, stdout, stderr } = await review(argv, broken)
    expect([code, stderr]).toEqual([10, 'error: 1 of 6 flags could not be read\n'])
    expect(stdout).toContain(
      '| `z` | `broken` | unclear | `release` | `off everywhere, never seen; the usage could not be read: 500: database is down` |\n',
    )
    expect(stdout).not.toContain('flags:')
    expect(stdout).toMatch(/\n\nIncomplete: 1 of 6 flags could not be read \(`broken`\)\n$/)
  })

  it('is 9 rather than 10 if others are removable', async () => {
    const argv = ['--retries', '0', '--fail-on', 'removable', '-o', 'github', '--name', 'b*']
    const { code, stdout, stderr } = await review(argv, broken)
    expect([code, stderr]).toEqual([
      9,
      'error: 1 of 3 flags could not be read\nerror: 1 flag is removable\n',
    ])
    expect(stdout).toContain('::error title=removable::banner: removable (project shop): ')
    expect(stdout).toContain(
      '::warning title=incomplete::1 of 3 flags could not be read (broken)\n',
    )
  })

  it('is that of the failure if no flag could be read', async () => {
    const argv = ['--retries', '0', '--project', 'z', '-o', 'names']
    expect(await review(argv, broken)).toMatchObject({ code: 8, stdout: 'broken\n' })
  })

  it('is that of the projects if flags failed, too, and both are reported', async () => {
    const argv = ['--retries', '0', '--name', 'broken', '-o', 'names', '-q']
    const { code, stdout, stderr } = await review(argv, { ...broken, forbidden: {} })
    const errors = stderr.split('\n').filter((line) => line.startsWith('error: '))
    expect([code, stdout, errors]).toEqual([
      10,
      'broken\n',
      [
        'error: project forbidden: 403: no',
        'error: broken: 500: database is down',
        'error: 1 of 4 projects could not be read',
      ],
    ])
  })

  it('is 6 for an unknown project', async () => {
    const { code, stdout, stderr } = await review(['--project', 'shp'], projects)
    expect([code, stdout]).toEqual([6, ''])
    expect(stderr).toBe("error: unknown project 'shp'\nhint: did you mean shop?\n")
  })

  it('is 2 without projects', async () => {
    const { code, stderr } = await flagadm(['feature', 'review'])
    expect([code, stderr]).toEqual([
      2,
      'error: no project given\nhint: use --project <id> or --all-projects\n',
    ])
  })
})
