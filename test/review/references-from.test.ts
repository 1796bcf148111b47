import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repositoryIn, temporaryFolder } from '../support/flagadm.ts'
import { git } from '../support/git.ts'
import { daysAgo, feature, type FeatureWorld, type Projects } from '../flags/service.ts'

const projects: Projects = {
  shop: {
    basket: {},
    used: { usage: [{ hoursAgo: 2, yes: 5, no: 3 }] },
    old: {},
  },
}

const names = Object.keys(projects.shop ?? {})
const facts = [
  'off everywhere',
  'created 9 mo ago',
  "not seen in its project's environments (production)",
]
const unused = 'no usage in 48 h'

type Row = Record<string, unknown>

const found = (name: string, file: string, line: number): Row => {
  return { name, inCode: true, file, line, column: 7 }
}
const absent = (name: string): Row => {
  return { name, inCode: false, file: null, line: null, column: null }
}
const unclear = (name: string, place: Row = {}): Row => ({
  ...absent(name),
  inCode: null,
  ...place,
})

/** The JSON of a search that found no flag, in a repository of this name. */
function searched(repository: string, own: Row = {}): string {
  return JSON.stringify({
    readAt: daysAgo(1),
    service: 'http://service',
    repository: `https://git.example.com/shop/${repository}.git`,
    commit: '0123456789012345678901234567890123456789',
    committedAt: daysAgo(2),
    paths: ['.'],
    files: 9,
    unread: [],
    unresolved: 0,
    references: names.map(absent),
    ...own,
  })
}

/** Files in the working directory. */
function filesOf(own: Record<string, string>): Record<string, string> {
  const paths = Object.entries(own).map(([path, text]) => [`work/${path}`, text])
  return { ...repositoryIn('work'), ...Object.fromEntries(paths) }
}

interface Flag {
  flag: string
  verdict: string
  reasons: string[]
  references: unknown
  repositories: unknown
}

/** Reviews the flags with files, and returns the flags by name and what is incomplete. */
async function review(own: Record<string, string>, argv: readonly string[] = []) {
  const paths = Object.keys(own).filter((path) => path.endsWith('.json'))
  const all = ['review', '--project', 'shop', '--json', ...argv, '--references-from', ...paths]
  const { code, stdout, stderr } = await feature(all, projects, { files: filesOf(own) })
  const { flags = [], incomplete = [], selection } = JSON.parse(stdout || '{}')
  const byName: Record<string, Flag> = Object.fromEntries(
    flags.map((flag: Flag) => [flag.flag, flag]),
  )
  return {
    code,
    stderr,
    flags: byName,
    selection,
    incomplete: incomplete as { message: string; names: string[] }[],
    firstOf: (name: string) => `${byName[name]?.verdict}: ${byName[name]?.reasons[0]}`,
  }
}

const api = searched('shop-api', {
  references: [
    found('basket', 'src/a.ts', 3),
    found('basket', 'src/b.ts', 9),
    ...['used', 'old'].map(absent),
  ],
})

describe('the code of other repositories', () => {
  it('has a flag, or has not', async () => {
    const files = { 'api.json': api, 'web.json': searched('shop-web') }
    const { code, flags, incomplete, stderr } = await review(files)
    expect([code, stderr, incomplete]).toEqual([0, '', []])
    expect(flags.basket).toMatchObject({
      verdict: 'unclear',
      reasons: [
        'in the code of shop-api (src/a.ts:3 and 1 more)',
        ...facts.filter((one) => !one.startsWith('created')),
      ],
      references: null,
      repositories: [
        {
          repository: 'https://git.example.com/shop/shop-api.git',
          places: 2,
          file: 'src/a.ts',
          line: 3,
          column: 7,
        },
      ],
    })
    expect(flags.old).toMatchObject({
      verdict: 'removable',
      reasons: [unused, 'not in the code of 2 repositories', ...facts],
      references: null,
      repositories: [],
    })
    expect(flags.used?.verdict).toBe('in-use')
  })

  it('is that of one repository', async () => {
    const { flags } = await review({ 'web.json': searched('shop-web') })
    expect(flags.old?.reasons).toContain('not in the code of shop-web')
  })

  it('is combined with that of this one', async () => {
    const files = { 'src/c.ts': 'basket', 'api.json': api, 'web.json': searched('shop-web') }
    const { flags } = await review(files, ['--scan', 'src'])
    expect(flags.basket?.reasons.slice(0, 2)).toEqual([
      'in the code: src/c.ts:1',
      'in the code of shop-api (src/a.ts:3 and 1 more)',
    ])
    expect(flags.basket?.references).toEqual([{ file: 'src/c.ts', line: 1, column: 1 }])
    expect(flags.old).toMatchObject({
      verdict: 'removable',
      reasons: [unused, 'not in the code, nor in that of 2 repositories', ...facts],
      references: [],
      repositories: [],
    })
  })

  it('is certain about a flag that this one leaves open', async () => {
    const files = { 'src/c.ts': 'isEnabled(name)', 'api.json': api }
    const { flags } = await review(files, ['--scan', 'src'])
    expect(flags.basket).toMatchObject({ references: null, repositories: [{ places: 2 }] })
    expect(flags.basket?.reasons.slice(0, 2)).toEqual([
      'in the code of shop-api (src/a.ts:3 and 1 more)',
      'off everywhere',
    ])
    expect(flags.old?.reasons[0]).toBe('some lookups could not be read')
  })

  it('is that of names without a service', async () => {
    const { firstOf } = await review({ 'api.json': searched('api', { service: null }) })
    expect(firstOf('old')).toBe('removable: no usage in 48 h')
  })

  it('is a column of the page', async () => {
    const argv = ['review', '--project', 'shop', '-o', 'html', '--references-from', 'api.json']
    const { stdout } = await feature(argv, projects, { files: filesOf({ 'api.json': api }) })
    expect(stdout).toContain('<td class="references">2 places</td>')
    expect(stdout).toContain(
      '<td class="text">in the code of shop-api (src/a.ts:3 and 1 more)</td>',
    )
    expect(stdout).toContain(' --references-from api.json"')
  })

  it('does not get an annotation', async () => {
    const argv = [
      'review',
      'basket',
      '--project',
      'shop',
      '-o',
      'github',
      '--references-from',
      'api.json',
    ]
    const { stdout } = await feature(argv, projects, { files: filesOf({ 'api.json': api }) })
    expect(stdout).toMatch(
      /^::notice title=unclear::basket: unclear \(project shop\): in the code of shop-api /,
    )
  })

  it('is listed for three repositories', async () => {
    const references = names.map((name) => found(name, 'a.ts', 1))
    const files = Object.fromEntries(
      ['a', 'b', 'c', 'd'].map((name) => [`${name}.json`, searched(name, { references })]),
    )
    expect((await review(files)).firstOf('old')).toBe(
      'unclear: in the code of a (a.ts:1), b (a.ts:1), c (a.ts:1) and 1 more',
    )
  })
})

describe('a file that leaves flags open', () => {
  const ending = 'flags that it does not have are unclear'
  const own = { references: [found('basket', 'src/a.ts', 3), absent('used'), absent('old')] }

  it.each([
    ['an old one', { readAt: daysAgo(40) }, 'read 40 d ago (--not-seen-for 30d)'],
    ['one from the future', { readAt: daysAgo(-3) }, 'read at a time in the future'],
    [
      'one of another service',
      { service: 'https://other.example.com' },
      'of https://other.example.com, not of http://service',
    ],
    [
      'one with unread files',
      { unread: [{ file: 'b.bin', reason: 'Git LFS pointer' }] },
      '1 file could not be read',
    ],
    ['one that read nothing', { files: 0 }, 'no file was read'],
    ['one with unresolved lookups', { unresolved: 2 }, '2 lookups could not be read'],
  ])('is %s', async (_what, head, reason) => {
    const files = { 'api.json': searched('api', { ...own, ...head }), 'web.json': searched('web') }
    const { code, firstOf, incomplete } = await review(files)
    expect(code).toBe(0)
    expect(firstOf('old')).toBe(`unclear: may be in the code of api (${reason})`)
    expect(firstOf('basket')).toBe('unclear: in the code of api (src/a.ts:3)')
    expect(firstOf('used')).toBe('in-use: 8 evaluations in 48 h')
    expect(incomplete).toEqual([
      { message: `api.json, the code of api: ${reason}; ${ending}`, names: [] },
    ])
  })

  it('is one that is as old as --not-seen-for allows, but not older', async () => {
    const files = { 'api.json': searched('api', { readAt: daysAgo(7) }) }
    expect((await review(files, ['--not-seen-for', '7d'])).incomplete).toEqual([])
    expect((await review(files, ['--not-seen-for', '6d'])).incomplete).toHaveLength(1)
  })

  it('is one without a name that is asked for', async () => {
    const files = { 'api.json': searched('api', { references: [absent('used')] }) }
    const { flags, firstOf, incomplete } = await review(files)
    expect(firstOf('old')).toBe('unclear: may be in the code of api (not searched for)')
    expect(flags.old?.repositories).toBeNull()
    expect(incomplete).toEqual([
      {
        message: `api.json, the code of api: 2 flags not searched for; ${ending}`,
        names: ['basket', 'old'],
      },
    ])
    // The others of the project are not asked for.
    expect((await review(files, ['used'])).incomplete).toEqual([])
  })

  it('is one that may have a flag', async () => {
    const references = [
      unclear('old', { file: 'a.ts', line: 3, column: 2 }),
      unclear('basket'),
      absent('used'),
    ]
    const { firstOf, incomplete } = await review({ 'api.json': searched('api', { references }) })
    expect(firstOf('old')).toBe('unclear: may be in the code of api (a.ts:3)')
    expect(firstOf('basket')).toBe('unclear: may be in the code of api')
    expect(incomplete).toEqual([])
  })

  it('fails the check for unread code', async () => {
    const unread = [{ file: 'b.bin', reason: 'Git LFS pointer' }]
    const argv = [
      'review',
      '--project',
      'shop',
      '--fail-on',
      'unread',
      '--references-from',
      'a.json',
    ]
    const files = filesOf({ 'a.json': searched('api', { unread }) })
    const { code, stderr } = await feature(argv, projects, { files })
    expect([code, stderr]).toEqual([9, 'error: unread: api: b.bin\n'])
    const whole = filesOf({ 'a.json': searched('api') })
    expect((await feature(argv, projects, { files: whole })).code).toBe(0)
  })
})

describe('the same repository twice', () => {
  const older = searched('api', { references: names.map((name) => found(name, 'a.ts', 1)) })
  const newer = searched('api', { readAt: daysAgo(0.5) })

  it.each([
    ['first', { 'a.json': newer, 'b.json': older }, 'b.json', 'a.json'],
    ['last', { 'a.json': older, 'b.json': newer }, 'a.json', 'b.json'],
  ])('counts as the newer file, which is the %s', async (_what, files, ignored, counted) => {
    const { flags, stderr } = await review(files)
    expect(flags.old?.reasons).toContain('not in the code of api')
    expect(JSON.parse(stderr)).toEqual({
      note: {
        message: `${ignored}: ignored, because ${counted} has newer references of the same code`,
      },
    })
  })

  it('counts twice with other paths', async () => {
    const { firstOf, stderr } = await review({
      'a.json': older.replace('"paths":["."]', '"paths":["lib"]'),
      'b.json': newer,
    })
    expect([firstOf('old'), stderr]).toEqual(['unclear: in the code of api (a.ts:1)', ''])
    const { flags } = await review({
      'a.json': newer.replace('"paths":["."]', '"paths":["lib"]'),
      'b.json': newer,
    })
    expect(flags.old?.reasons).toContain('not in the code of api')
  })

  it.each([
    ['folders', { commit: null, committedAt: null }],
    ['repositories without an origin', {}],
  ])('is not what %s of the same name are', async (_what, head) => {
    const folder = { repository: 'app', ...head }
    const { flags, firstOf } = await review({
      'a.json': searched('', {
        ...folder,
        references: names.map((name) => found(name, 'a.ts', 1)),
      }),
      'b.json': searched('', { ...folder, readAt: daysAgo(0.5) }),
    })
    expect(firstOf('old')).toBe('unclear: in the code of app (a.json) (a.ts:1)')
    expect(flags.old?.repositories).toMatchObject([{ repository: 'app' }])
  })

  it('is not what repositories of the same name are', async () => {
    const references = names.map((name) => found(name, 'a.ts', 1))
    const other = 'https://git.example.com/pay/api'
    const { firstOf } = await review({
      'a.json': searched('api'),
      'b.json': searched('', { repository: other, references }),
    })
    expect(firstOf('old')).toBe(`unclear: in the code of ${other} (a.ts:1)`)
  })
})

describe('a flag with several rows', () => {
  const place = { file: 'src/b.js', line: 3, column: 1 }
  const inCode = { ...absent('old'), ...place, inCode: true }
  const maybe = unclear('old', { file: 'src/c.js', line: 4, column: 1 })

  it.each<[string, Row[], string]>([
    ['is in the code if one of them says so', [absent('old'), maybe, inCode], 'unclear'],
    ['may be there if that is not known of one', [absent('old'), maybe], 'unclear'],
    ['is not there if all say so', [absent('old'), absent('old')], 'removable'],
  ])('%s', async (_, references, verdict) => {
    const { flags } = await review({ 'a.json': searched('api', { references }) })
    expect(flags.old?.verdict).toBe(verdict)
    const places = references.includes(inCode) ? [expect.objectContaining({ places: 1 })] : []
    if (places.length > 0) expect(flags.old?.repositories).toEqual(places)
  })
})

describe('a file that is not such JSON', () => {
  const refuse = async (text: string | undefined, argv: readonly string[] = []) => {
    const all = ['review', '--project', 'shop', '--references-from', 'a.json', ...argv]
    const files = filesOf(text === undefined ? {} : { 'a.json': text })
    const { code, stderr } = await feature(all, projects, { files })
    return `${code} ${stderr}`
  }
  const hint = 'hint: feature references --json writes such a file\n'

  it.each([
    ['a list', '[]', 'expected an object'],
    ['the JSON before this field', '{"files":1,"references":[]}', 'readAt: missing'],
    ['a wrong time', searched('api', { readAt: 'today' }), 'readAt: expected a time'],
    [
      'a wrong row',
      searched('api', { references: [{ ...absent('old'), inCode: 'yes' }] }),
      'references[0].inCode: expected boolean',
    ],
    ['a negative count', searched('api', { unresolved: -1 }), 'unresolved: expected a count'],
    ['a part of a file', searched('api', { files: 0.5 }), 'files: expected a count'],
    ['one of no path', searched('api', { paths: [] }), 'paths: expected at least one path'],
    [
      'one of a service with a password',
      searched('api', { service: 'https://ada:pw@flags.example.com' }),
      'service: expected an address without a user or password',
    ],
    [
      'one of a repository with a password',
      searched('api', { repository: 'https://ada:pw@git.example.com/api' }),
      'repository: expected an address without a user or password',
    ],
  ])('is %s', async (_what, text, problem) => {
    expect(await refuse(text)).toBe(
      `2 error: a.json: not the JSON of references: ${problem}\n${hint}`,
    )
  })

  it.each([
    ['readAt: 1', '1:1'],
    ['{"a":1', '1:7'],
    ['{"a": [1,\n2,, 3]}', '2:3'],
    ['{"a":\n  tru}', '2:6'],
    ['', '1:1'],
  ])('is not JSON: %j', async (text, place) => {
    expect(await refuse(text)).toBe(`2 error: a.json:${place}: not JSON\n${hint}`)
  })

  it.each([
    ['has too many levels', '['.repeat(15_000_000), 'a.json: JSON with more than 100 levels'],
    ['is large and cut off', `[${'{"a":1},'.repeat(200_000)}`, 'a.json: not JSON'],
  ])('%s', async (_what, text, problem) => {
    expect(await refuse(text)).toBe(`2 error: ${problem}\n${hint}`)
  })

  it('is refused in a moment with a long text in place of an address', async () => {
    const text = searched('api', { repository: '/'.repeat(1_000_000), files: -1 })
    expect(await refuse(text)).toContain('files: expected a count')
  })

  it('is missing, not UTF-8 or too large', async () => {
    expect(await refuse(undefined)).toBe(
      '2 error: --references-from: cannot read a.json: no such file\nhint: check the path\n',
    )
    const large = searched('api').padEnd(16 * 1024 * 1024 + 1)
    expect(await refuse(large)).toBe(
      '2 error: --references-from: a.json is larger than 16 MiB\nhint: check the path\n',
    )
  })

  it('is a name after it', async () => {
    expect(await refuse(searched('api'), ['old'])).toBe(
      '2 error: --references-from: cannot read old: no such file\nhint: check the path\n',
    )
  })
})

describe('archive', () => {
  const argv = ['archive', 'old', 'basket', '--project', 'shop', '--yes', '--references-from']

  it('refuses flags in other repositories', async () => {
    const files = filesOf({ 'api.json': api })
    const outcome = await feature([...argv, 'api.json'], projects, { files })
    expect(outcome.code).toBe(9)
    expect(outcome.stdout).toContain(
      '\nbasket: refused (unclear: in the code of shop-api (src/a.ts:3 and 1 more); ',
    )
    expect(outcome.asked.filter((path) => path.endsWith('/archive'))).toEqual([])
  })

  it('archives flags that are in none of them', async () => {
    const files = filesOf({ 'api.json': searched('api'), 'web.json': searched('web') })
    const outcome = await feature([...argv, 'api.json', 'web.json'], projects, { files })
    expect(outcome.code).toBe(0)
    expect(outcome.stdout).toContain('not in the code of 2 repositories')
  })
})

describe('a comparison', () => {
  it('is of the same files', async () => {
    const files = { 'b.json': searched('b'), 'a.json': searched('a') }
    const earlier = await review(files)
    expect(earlier.selection.referencesFrom).toEqual(['a.json', 'b.json'])
    const last = JSON.stringify({
      service: 'http://service',
      selection: earlier.selection,
      flags: [],
    })
    const compare = ['--compare', 'last']
    expect((await review({ ...files, last }, compare)).code).toBe(0)
    const other = await review({ 'a.json': searched('a'), last }, compare)
    expect(other.code).toBe(2)
    expect(JSON.parse(other.stderr).error.message).toBe(
      'last: the review was made with --references-from a.json, b.json, this one with --references-from a.json',
    )
  })
})

describe('the JSON of references', () => {
  /** A repository with a file that has some flags. */
  async function referencesIn(text: string, argv: readonly string[]) {
    const root = await temporaryFolder({ 'a.ts': text })
    git(root, 'init', '--quiet')
    git(root, 'add', '--all')
    git(root, 'commit', '--quiet', '--message', 'm')
    git(root, 'remote', 'add', 'origin', 'https://me:secret@git.example.com/shop/api.git')
    const world: FeatureWorld = {
      cwd: `../${basename(root)}`,
      env: { PATH: process.env.PATH ?? '' },
    }
    const all = ['references', '--scan', '.', ...argv, '--json']
    return (await feature(all, projects, world)).stdout
  }

  it.each([
    [['--project', 'shop'], 'unclear: in the code of api (a.ts:1)', 'removable: no usage in 48 h'],
    [names, 'unclear: in the code of api (a.ts:1)', 'removable: no usage in 48 h'],
    [
      [],
      'unclear: in the code of api (a.ts:1)',
      'unclear: may be in the code of api (not searched for)',
    ],
    [
      ['--project', 'shop', '--unreferenced'],
      'unclear: may be in the code of api (not searched for)',
      'removable: no usage in 48 h',
    ],
    [
      ['--project', 'shop', '--limit', '1'],
      'unclear: in the code of api (a.ts:1)',
      'unclear: may be in the code of api (not searched for)',
    ],
  ])('made with %j is what a review reads', async (argv, basket, old) => {
    const text = await referencesIn("isEnabled('basket')\n", argv)
    const { firstOf } = await review({ 'api.json': text })
    expect([firstOf('basket'), firstOf('old')]).toEqual([basket, old])
  })

  it('leaves the flags open that the code may have', async () => {
    const lookup = await referencesIn('isEnabled(name)\n', ['--project', 'shop'])
    expect((await review({ 'api.json': lookup })).firstOf('old')).toBe(
      'unclear: may be in the code of api (1 lookup could not be read)',
    )
    const composed = await referencesIn('const x = `${a}sket`\n', ['--project', 'shop'])
    const { firstOf } = await review({ 'api.json': composed })
    expect([firstOf('basket'), firstOf('old')]).toEqual([
      'unclear: may be in the code of api (a.ts:1)',
      'removable: no usage in 48 h',
    ])
  })
})
