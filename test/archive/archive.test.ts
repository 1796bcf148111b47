import { describe, expect, it, test } from 'vitest'
import {
  daysAgo,
  feature,
  type FeatureWorld,
  type FlagSeed,
  type Projects,
} from '../flags/service.ts'

const projects: Projects = {
  shop: {
    old: {},
    used: { usage: [{ hoursAgo: 2, yes: 5, no: 3 }] },
    parent: { children: ['child'] },
    child: {},
    gone: { archived: true },
  },
}

const archive = (argv: readonly string[], seed: Projects = projects, world: FeatureWorld = {}) =>
  feature(['archive', '--project', 'shop', ...argv], seed, world)

const reasons =
  "no usage in 48 h; off everywhere; created 9 mo ago; not seen in its project's environments (production)"
const revive = 'To revive:\n  flagadm feature revive --project shop old\n'

const sent = ({ asked }: { asked: string[] }) => asked.filter((path) => path.endsWith('/archive'))

describe('a removable flag', () => {
  it('is archived with one request and read back', async () => {
    const outcome = await archive(['old', '--yes'])
    expect(outcome.stdout).toBe(`project shop on http://service
old: archived (${reasons})
${revive}`)
    expect([outcome.code, outcome.stderr]).toEqual([0, ''])
    expect(outcome.asked.slice(-2)).toEqual(['projects/shop/archive', 'projects/shop/features'])
  })

  it('is archived after a question', async () => {
    const dialog = [['Archive 1 flag of project shop on http://', 'y\r']] as const
    const outcome = await archive(['old'], projects, { dialog, dialogColumns: 200 })
    expect(outcome.code).toBe(0)
    expect(sent(outcome)).toEqual(['projects/shop/archive'])
    expect(outcome.stderr).toContain(`: removable: ${reasons}\n`)
    expect(outcome.stdout).toContain(`old: archived (${reasons})\n`)
  })

  it('is archived without saying the reasons again on the terminal of the question', async () => {
    const dialog = [['Archive 1 flag of project shop on http://', 'y\r']] as const
    const outcome = await archive(['old'], projects, { dialog, columns: 200 })
    expect(outcome.stdout.replaceAll(/\u001b\[\d+m/g, '')).toContain('old: archived\n')
  })

  it('is not archived without an answer', async () => {
    const outcome = await archive(['old'])
    expect(outcome).toMatchObject({
      code: 2,
      stderr:
        'error: confirmation required: this archives 1 flag of project shop\nhint: run the command on a terminal, or use --yes\n',
    })
    expect(sent(outcome)).toEqual([])
  })

  it('is not sent together with a name that is not Unicode', async () => {
    const outcome = await archive(['old', 'f\ud800', '--force', '--yes'])
    expect(outcome).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        "error: 'f\\ud800' is not valid Unicode\nhint: check how the text is encoded\n",
      ),
    })
    expect(sent(outcome)).toEqual([])
  })

  it('is shown with its request by a dry run', async () => {
    const outcome = await archive(['old', '--dry-run'])
    expect(outcome.stdout).toBe(`project shop on http://service
old: removable: ${reasons}

POST http://service/api/admin/projects/shop/archive
{
  "features": [
    "old"
  ]
}
`)
    expect(outcome).toMatchObject({
      code: 0,
      stderr: 'note: dry run: nothing was sent\n',
    })
    expect(sent(outcome)).toEqual([])
  })

  it('is reported as JSON', async () => {
    const { stdout } = await archive(['old', 'gone', '--yes', '--json'])
    expect(JSON.parse(stdout)).toEqual({
      projectId: 'shop',
      baseUrl: 'http://service',
      dryRun: false,
      flags: [
        {
          flag: 'old',
          status: 'archived',
          verdict: 'removable',
          reasons: reasons.split('; '),
          on: [],
          dependsOn: [],
        },
        {
          flag: 'gone',
          status: 'unchanged',
          verdict: 'archived',
          reasons: ['archived in project shop'],
        },
      ],
      undo: 'flagadm feature revive --project shop old',
      restored: [],
      notRestored: [],
    })
  })

  it('may come from a list', async () => {
    const outcome = await archive(['--names-from', '-', '--yes'], projects, { stdin: 'old\n' })
    expect(outcome.code).toBe(0)
    expect(sent(outcome)).toHaveLength(1)
  })
})

const refused = (
  what: string,
  name: string,
  hint = 'archive only removable flags, or use --force',
) => `error: nothing was archived: ${what} cannot go: ${name}\nhint: ${hint}\n`

const unknown =
  'error: nothing was archived: 1 of 1 flag cannot go: nix\nhint: check the names and the project\n'

const invalid = (what: string, hint: string) => `error: ${what}\nhint: ${hint}\n`

describe('after the question, the evidence is read again', () => {
  const question = 'Archive 2 flags of project shop on http://'
  /** Two removable flags, one of which is used before the answer. */
  function duringQuestion(argv: readonly string[] = []) {
    const usage: { hoursAgo: number; yes: number; no: number }[] = []
    const answer = () => {
      usage.push({ hoursAgo: 0, yes: 5, no: 0 })
      return 'y\r'
    }
    const seed = { shop: { old: {}, other: { usage } } }
    return archive(['old', 'other', ...argv], seed, {
      dialog: [[question, answer]],
      dialogColumns: 200,
    })
  }

  it('and only flags with the same verdict are sent', async () => {
    const outcome = await duringQuestion()
    expect(outcome.code).toBe(9)
    expect(outcome.stdout).toContain(`
old: archived (${reasons})
other: left (in use: 5 evaluations in 48 h; last used `)
    expect(outcome.stderr.replaceAll(/\u001b\[\d+m/g, '')).toContain(
      'error: 1 flag left, because the verdict has changed since the question: other is in use\n',
    )
    const documents = outcome.asked.filter((path) => path === 'projects/shop/features/old')
    expect(documents.length).toBeGreaterThan(1)
  })

  it('also with --force', async () => {
    expect((await duringQuestion(['--force'])).stdout).toContain('other: left (in use')
  })

  it('and nothing is sent if all verdicts are others', async () => {
    const usage: { hoursAgo: number; yes: number; no: number }[] = []
    const answer = () => {
      usage.push({ hoursAgo: 0, yes: 5, no: 0 })
      return 'y\r'
    }
    const dialog = [['Archive 1 flag of', answer]] as const
    const outcome = await archive(['old'], { shop: { old: { usage } } }, { dialog })
    expect(outcome.code).toBe(9)
    expect(sent(outcome)).toEqual([])
  })
})

describe('if one of several flags cannot go', () => {
  it('the others are not archived because of it, and the hint archives them', async () => {
    const outcome = await archive(['old', 'used', '--yes', '--since', '48h'])
    expect(outcome).toMatchObject({
      code: 9,
      stdout: expect.stringContaining(`
old: not archived, because used cannot go (removable)
used: refused (in use: 8 evaluations in 48 h; `),
      stderr: `error: nothing was archived: 1 of 2 flags cannot go: used
hint: archive only the removable ones (--force archives all):
  flagadm feature archive --since 48h --not-seen-for 30d --project shop old
`,
    })
    expect(sent(outcome)).toEqual([])
  })

  it('the hint of a dry run is a dry run', async () => {
    expect((await archive(['old', 'used', '--dry-run'])).stderr).toContain(
      '\n  flagadm feature archive --not-seen-for 30d --dry-run --project shop old\n',
    )
  })

  it('the hint leaves out flags that depend on it', async () => {
    const usage = [{ hoursAgo: 2, yes: 5, no: 3 }]
    const seed = { shop: { old: {}, parent: { children: ['child'] }, child: { usage } } }
    const argv = ['old', 'parent', 'child', '--yes', '--save-before', 'undo.yaml']
    expect((await archive(argv, seed)).stderr).toContain(
      '\n  flagadm feature archive --not-seen-for 30d --save-before undo.yaml --project shop old\n',
    )
  })
})

it('says which project has a flag that the project has not', async () => {
  const seed = { shop: { old: {} }, default: { 'dark-mode': {} } }
  const outcome = await archive(['dark-mode', '--yes'], seed)
  expect(outcome).toMatchObject({
    code: 6,
    stderr: `error: nothing was archived: 1 of 1 flag cannot go: dark-mode
hint: dark-mode is a flag of project default (--project default)
`,
  })
  expect(outcome.stdout).toContain(
    'not a flag of project shop, but of project default (--project default)',
  )
  const usage = await feature(['usage', 'dark-mode', '--project', 'shop'], seed)
  expect([usage.code, usage.stderr]).toEqual([
    6,
    'error: dark-mode: not a flag of project shop, but of project default (--project default)\n',
  ])
})

describe('a flag that is still on', () => {
  const strategies = [{ name: 'default' }]
  const environments = [{ name: 'production', enabled: true, strategies }]
  const lit: FlagSeed = { production: { on: true, seen: 40 }, own: { environments } }
  const seed: Projects = {
    shop: { lit, old: {}, used: { usage: [{ hoursAgo: 2, yes: 5, no: 3 }] } },
  }
  const line = 'unused 48 h, on in production; created 9 mo ago; last seen 40 d ago in production'

  it('is refused, and the hint archives it with a file that has where it was on', async () => {
    const outcome = await archive(['lit', 'old', '--yes'], seed)
    expect(outcome).toMatchObject({
      code: 9,
      stdout: `project shop on http://service
lit: refused (still on: ${line})
old: not archived, because lit cannot go (removable)
`,
      stderr: `error: nothing was archived: 1 of 2 flags is still on: lit
hint: find out why, or archive with a file that can switch on again:
  flagadm feature archive --not-seen-for 30d --include-on --save-before archived-shop.yaml --project shop lit old
`,
    })
    expect(sent(outcome)).toEqual([])
  })

  it('is left out of a hint about other flags', async () => {
    const { stderr } = await archive(['lit', 'old', 'used', '--yes'], seed)
    expect(stderr).toBe(`error: nothing was archived: 2 of 3 flags cannot go: lit, used
hint: archive only the removable ones (--force archives all):
  flagadm feature archive --not-seen-for 30d --project shop old
`)
  })

  it('is archived with --include-on, which requires a file', async () => {
    const argv = ['lit', 'old', '--yes', '--include-on']
    const refused = await archive(argv, seed)
    expect(refused).toMatchObject({
      code: 2,
      stderr: `error: --include-on requires --save-before <file>
hint: so that it can be undone:
  flagadm feature archive --not-seen-for 30d --include-on --save-before archived-shop.yaml --project shop lit old
`,
    })
    expect(refused.asked).toEqual([])
    const outcome = await archive([...argv, '--save-before', 'undo.yaml'], seed)
    expect(outcome.code).toBe(0)
    expect(outcome.stdout).toContain(`lit: archived (still on: ${line})\n`)
  })
})

it('repeats the options that choose the service in the command that revives', async () => {
  const files = {
    'home/.config/flagadm/config.yaml': 'profiles: {}\n',
  }
  const argv = ['old', '--yes', '--config', '../home/.config/flagadm/config.yaml']
  const { stdout } = await archive(argv, projects, { files })
  expect(stdout).toContain(
    'flagadm feature revive --config ../home/.config/flagadm/config.yaml --project shop old\n',
  )
})

describe('nothing is sent', () => {
  test.each<[string, string[], number, string]>([
    [
      'for a flag in use',
      ['used'],
      9,
      refused(
        '1 of 1 flag',
        'used',
        'see who still asks, and what is finished, or use --force:\n  flagadm feature review --not-seen-for 30d --project shop used',
      ),
    ],
    ['for a name that is not a flag', ['nix'], 6, unknown],
    ['for a flag without those that depend on it', ['parent'], 9, refused('1 of 1 flag', 'parent')],
    ['if all are archived', ['gone'], 0, ''],
    ['for a pattern', ['old*'], 2, invalid("'old*' is a pattern", 'pass whole names')],
    [
      'for a pattern of projects',
      ['old', '--project', 'sh*'],
      2,
      invalid("'sh*' is a pattern", 'pass whole names'),
    ],
    ['without names', [], 2, invalid('no flag names given', 'pass names, or use --names-from')],
  ])('%s', async (_, names, code, stderr) => {
    const outcome = await archive([...names, '--yes'])
    expect(outcome).toMatchObject({ code, stderr })
    expect(sent(outcome)).toEqual([])
  })

  it('if the code has the flag', async () => {
    const files = { 'work/a.ts': '"old"' }
    const outcome = await archive(['old', '--yes', '--scan', '.'], projects, { files })
    expect(outcome.code).toBe(9)
    expect(sent(outcome)).toEqual([])
    expect(outcome.stdout).toContain('old: refused (unclear: in the code: a.ts:1; ')
  })
})

it('archives flags together with those that depend on them', async () => {
  const outcome = await archive(['parent', 'child', '--yes'])
  expect(outcome.code).toBe(0)
  expect(outcome.stdout).toContain('parent: archived (')
})

it('sends flags that are not removable and unknown names with --force', async () => {
  const outcome = await archive(['used', 'nix', '--yes', '--force'])
  expect(outcome.stdout).toContain('used: archived (in use: 8 evaluations')
  expect(outcome.stdout).toContain('nix: unknown (not a flag: not a flag of project shop')
  expect((await archive(['gone', '--dry-run'])).stdout).not.toContain('POST')
})

describe('the question for flags that are not removable', () => {
  test.each([
    [['used'], 'used has 8 evaluations in 48 h. Archive it anyway on http://'],
    [['nix'], 'nix is not a flag: not a flag of project shop. Archive it anyway on http://'],
    [
      ['old', 'used', 'parent'],
      'used has 8 evaluations in 48 h; parent is unclear: child must be archived with it. Archive 3 flags of project shop anyway on http://',
    ],
    [
      ['used', 'n1', 'n2', 'n3'],
      'n2 is not a flag: not a flag of project shop; and 1 more are not removable. Archive 4 flags of project shop anyway on http://',
    ],
  ])('says what speaks against %j', async (names, question) => {
    const outcome = await archive([...names, '--force'], projects, {
      dialog: [[question, 'n']],
      dialogColumns: 300,
    })
    expect(outcome.code).toBe(130)
    expect(sent(outcome)).toEqual([])
  })
})

describe('an unknown name that was sent', () => {
  it('ends with 8, because the effect is not known', async () => {
    const outcome = await archive(['used', 'nix', '--yes', '--force'])
    expect(outcome).toMatchObject({
      code: 8,
      stderr:
        'error: it is not known whether nix was archived, because project shop does not list it\nhint: check the name: the service accepts any; to see the flags that are left:\n  flagadm feature list --project shop\n',
    })
    expect(sent(await archive(['nix', '--yes', '--force']))).toHaveLength(1)
  })

  it('is listed with others', async () => {
    const { stderr } = await archive(['nix', 'nada', '--yes', '--force', '--json'])
    expect(JSON.parse(stderr)).toMatchObject({
      error: {
        exitCode: 8,
        message:
          'it is not known whether nix, nada were archived, because project shop does not list them',
        names: ['nix', 'nada'],
      },
    })
  })

  it('does not fail a dry run', async () => {
    expect((await archive(['nix', '--dry-run', '--force'])).code).toBe(0)
  })
})

it('sends nothing, and does not know what became of flags that the project lists no more', async () => {
  const outcome = await archive(['old', '--yes'], projects, { wholeLists: 1 })
  expect(outcome).toMatchObject({
    code: 8,
    stdout: `project shop on http://service\nold: unknown (${reasons})\n`,
    stderr:
      'error: nothing was sent, because project shop does not list old any more\nhint: run it again\n',
  })
  expect(sent(outcome)).toEqual([])
})

it('fails if the service refuses the request', async () => {
  const refused = await archive(['parent', '--yes', '--force'])
  expect(refused).toMatchObject({
    code: 5,
    stderr: 'error: project shop: 403 InvalidOperationError: other features depend on it\n',
  })
  expect(refused.stdout).toContain('parent: failed (unclear: ')
})

test.each([
  ['archive', 'old', 'old: removable: '],
  ['revive', 'gone', 'gone: revive'],
  ['off', 'old', 'old'],
])('a dry run of %s may use a profile that a repository chose', async (command, name, text) => {
  const world: FeatureWorld = {
    files: {
      'work/.flagadmrc': 'profile: mine\n',
      'home/.config/flagadm/config.yaml':
        'profiles: {mine: {baseUrl: "http://service", apiKeyEnv: SHOP_KEY}}\n',
    },
    env: { FLAGADM_BASE_URL: '', FLAGADM_API_KEY: '', SHOP_KEY: '*:*.0123456789abcdef' },
  }
  const where = command === 'off' ? ['-e', 'production'] : []
  const argv = [command, name, '--project', 'shop', ...where]
  const { code, stdout, stderr } = await feature([...argv, '--dry-run'], projects, world)
  expect([code, stderr]).toEqual([0, expect.stringContaining('note: dry run: nothing was sent\n')])
  expect(stdout).toContain(text)
  const refused = await feature([...argv, '--yes'], projects, world)
  expect([refused.code, refused.stderr]).toEqual([
    3,
    expect.stringContaining('can only be used for reading'),
  ])
})

it('follows --not-seen-for and --include-permanent', async () => {
  const seed = { shop: { fresh: { createdAt: daysAgo(3) }, stop: { type: 'kill-switch' } } }
  expect((await archive(['fresh', '--yes'], seed)).code).toBe(9)
  expect((await archive(['fresh', '--yes', '--not-seen-for', '2d'], seed)).code).toBe(0)
  expect((await archive(['stop', '--yes'], seed)).code).toBe(9)
  expect((await archive(['stop', '--yes', '--include-permanent'], seed)).code).toBe(0)
})

describe('what archiving takes away', () => {
  const on = { production: { on: true } }
  const strategies = [{ name: 'default' }]
  const environments = [{ name: 'production', enabled: true, strategies }]
  const malformed = [{ feature: 'parent', variants: 'all' }]

  it('is said to be unknown by a dry run if it cannot be understood', async () => {
    const seed = { shop: { old: { wrong: { dependencies: malformed } } } }
    const { stderr } = await archive(['old', '--dry-run', '--force'], seed)
    expect(stderr).toContain('dependencies are deleted, and could not be read: old')
  })

  test.each<[string, FlagSeed, string]>([
    [
      'dependencies are malformed',
      { wrong: { environments, dependencies: malformed } },
      'http://service/api/admin/projects/shop/features/old returned JSON of the wrong shape (dependencies[0].variants: expected Array)',
    ],
    [
      'strategies are malformed',
      { wrong: { environments: [{ ...environments[0], strategies: 'all' }] } },
      'http://service/api/admin/projects/shop/features/old returned JSON of the wrong shape (environments[0].strategies: expected Array)',
    ],
    [
      'environments are missing',
      { wrong: { environments: null } },
      'the service does not report its environments',
    ],
    [
      'state in the document is another',
      { own: { environments: [{ ...environments[0], enabled: false }] } },
      'its own document contradicts the list: not on in production',
    ],
    [
      'document is of another flag',
      { own: { name: 'other', environments } },
      "the service returned the document of the flag 'other' of project shop",
    ],
    ['strategies are missing', {}, 'the service does not report its strategies in production'],
  ])('is not saved, and nothing is sent, if its %s', async (_, own, problem) => {
    const argv = ['old', '--yes', '--force', '--save-before', 'undo.yaml']
    const outcome = await archive(argv, { shop: { old: { ...on, ...own } } })
    expect(outcome.stderr).toContain(`error: project shop: old: ${problem}\n`)
    expect([outcome.code, sent(outcome)]).toEqual([8, []])
  })
})
