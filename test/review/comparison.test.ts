import { parse } from 'csv-parse/sync'
import { describe, expect, it, test } from 'vitest'
import { feature, type FlagSeed, type Projects } from '../flags/service.ts'

const used: FlagSeed = { usage: [{ hoursAgo: 2, yes: 5, no: 3 }] }

const before: Projects = {
  shop: {
    same: used,
    stopped: used,
    started: {},
    archived: {},
  },
}
const after: Projects = {
  shop: {
    same: used,
    stopped: {},
    started: used,
    added: used,
  },
}

const argv = ['--project', 'shop', '--scan', 'src']

const review = (options: readonly string[], seed: Projects, files: Record<string, string>) =>
  feature(['review', ...argv, ...options], seed, { files: { 'work/src/a.ts': '', ...files } })

/** The JSON of the review before. */
async function earlier(options: readonly string[] = []): Promise<Record<string, string>> {
  const { stdout } = await review(['--json', ...options], before, {})
  return { 'work/last.json': stdout }
}

const compare = ['--compare', 'last.json']

describe('a comparison with an earlier review', () => {
  it('shows the flags whose verdict has changed, new ones and those that are gone', async () => {
    const { code, stdout } = await review(compare, after, await earlier())
    const rows = stdout
      .split('\n')
      .filter((line) => /^(same|stopped|started|added|archived) /.test(line))
    expect(code).toBe(0)
    expect(rows.map((row) => row.split(/ {2,}/).slice(0, 3))).toEqual([
      ['stopped', 'removable', 'in use'],
      ['added', 'in use', 'new'],
      ['started', 'in use', 'removable'],
      ['archived', 'gone', 'removable'],
    ])
    expect(stdout).toContain('\n4 flags: 1 removable, 3 in use, 0 unclear, 0 permanent\n')
    expect(stdout).toContain('\n4 changed since the earlier review\n')
  })

  it('is CSV, names and annotations of the changed flags', async () => {
    const files = await earlier()
    const csv = await review([...compare, '-o', 'csv'], after, files)
    const rows: Record<string, string>[] = parse(csv.stdout, { columns: true })
    expect(rows.map((row) => `${row.flag} ${row.verdict} ${row.before} ${row.changed}`)).toEqual([
      'stopped removable in-use true',
      'added in-use  true',
      'started in-use removable true',
      'archived  removable true',
    ])
    const names = await review([...compare, '-o', 'names', '--verdict', 'in-use'], after, files)
    expect(names.stdout).toBe('added\nstarted\n')
    const github = await review(
      [...compare, '-o', 'github', '--fail-on', 'removable'],
      after,
      files,
    )
    expect(github.code).toBe(9)
    expect(github.stdout).toContain('::stopped: removable (in use before) (project shop): ')
    expect(github.stdout).toContain('::archived: gone (removable before) (project shop): ')
  })

  it('is JSON of all flags, which is the file of the next comparison', async () => {
    const { stdout } = await review(
      [...compare, '--json', '--verdict', 'unclear'],
      after,
      await earlier(),
    )
    const rows: Record<string, unknown>[] = JSON.parse(stdout).flags
    expect(
      rows.map(({ flag, verdict, before: was, changed }) => [flag, verdict, was, changed]),
    ).toEqual([
      ['stopped', 'removable', 'in-use', true],
      ['added', 'in-use', null, true],
      ['started', 'in-use', 'removable', true],
      ['archived', null, 'removable', true],
      ['same', 'in-use', 'in-use', false],
    ])
    const next = await review(compare, after, { 'work/last.json': stdout })
    expect(next.stdout).toContain('\nNo changes.\n')
    expect(next.stdout).toContain('\n0 changed since the earlier review\n')
    expect(next.code).toBe(0)
  })

  it('is a page of all flags, the changed ones first', async () => {
    const { stdout } = await review([...compare, '-o', 'html'], after, await earlier())
    const cells = stdout.match(/<b [^>]+>[\w ]+<\/b>(<small>[\w ]+<\/small>)?/g)
    expect(
      cells?.map((cell) =>
        cell
          .split(/<[^>]+>/)
          .filter(Boolean)
          .join(' '),
      ),
    ).toEqual([
      'removable was in use',
      'in use new',
      'in use was removable',
      'gone was removable',
      'in use',
    ])
  })

  it('fails only on changed flags', async () => {
    const files = await earlier()
    const failOn = [...compare, '--fail-on', 'in-use']
    expect((await review(failOn, { shop: { same: used } }, files)).code).toBe(0)
    expect((await review(failOn, after, files)).code).toBe(9)
  })

  test.each<[string, string[], string]>([
    [
      'another span',
      ['--since', '24h'],
      'the review was made without --since, this one with --since 24h',
    ],
    [
      'another time without sightings',
      ['--not-seen-for', '8d'],
      'the review was made with --not-seen-for 30d, this one with --not-seen-for 8d',
    ],
    ['names', ['same'], 'the review was made without names, this one with names same'],
    ['other lookups', ['--call', 'isOn'], 'without --call, this one with --call isOn'],
    [
      'other patterns',
      ['--match', 'on\\((?<flag>\\w+)'],
      'without --match, this one with --match on\\((?<flag>\\w+)',
    ],
    ['other code', ['--scan', 'src/a.ts'], 'with --scan src, this one with --scan src, src/a.ts'],
    [
      'permanent flags',
      ['--include-permanent'],
      'without --include-permanent, this one with --include-permanent',
    ],
    ['another type', ['--type', 'release'], 'without --type, this one with --type release'],
    [
      'another project',
      ['--project', 'mail'],
      'with --project shop, this one with --project mail, shop',
    ],
    ['an application', ['--app', 'web'], 'without --app, this one with --app web'],
  ])('is refused with %s', async (_, options, problem) => {
    const { code, stderr } = await review([...compare, ...options], after, await earlier())
    expect([code, stderr]).toEqual([2, expect.stringContaining(problem)])
  })

  it('is refused with a file that has an option like a property of every object', async () => {
    const { 'work/last.json': text = '' } = await earlier()
    const changed = text.replace('"selection":{', '"selection":{"toString":"a",')
    const { code, stderr } = await review(compare, after, { 'work/last.json': changed })
    expect([code, stderr]).toEqual([
      2,
      'error: last.json: the review was made with toString a, this one without toString\n' +
        'hint: make a new one with the same names and options\n',
    ])
  })

  it('is refused with a file that has a flag twice', async () => {
    const { 'work/last.json': text = '' } = await earlier()
    const { flags, ...head } = JSON.parse(text)
    const twice = JSON.stringify({ ...head, flags: [...flags, { ...flags[0], verdict: 'in-use' }] })
    const { code, stderr } = await review(compare, after, { 'work/last.json': twice })
    expect([code, stderr]).toEqual([
      2,
      `error: last.json: ${flags[0].flag} occurs twice\nhint: remove one of the entries\n`,
    ])
  })

  it('is refused with a file that is of another service, or left flags out, or is none', async () => {
    const refusal = async (files: Record<string, string>, options: readonly string[] = []) => {
      const { code, stderr } = await review([...compare, ...options], after, files)
      expect(code).toBe(2)
      return stderr
    }
    const files = await earlier()
    const [json = ''] = Object.values(files)
    const other = json.replace(/"service": ?"[^"]+"/, '"service":"https://other.example.com"')
    expect(await refusal({ 'work/last.json': other })).toContain(
      'last.json: the review is of https://other.example.com, not of ',
    )
    const secret = json.replace(/"service": ?"http:\/\//, '$&ada:p/w@')
    expect(await refusal({ 'work/last.json': secret })).toBe(
      'error: last.json: not the JSON of a review: service: expected an address without a user or password\n' +
        'hint: feature review --json writes such a file\n',
    )
    expect(await refusal(await earlier(['--verdict', 'removable']))).toContain(
      'made with --verdict removable, this one without --verdict',
    )
    expect(await refusal(await earlier(['--limit', '1']))).toContain('--limit 1')
    expect(await refusal({ 'work/last.json': '{' })).toContain('last.json:1:2: not JSON\n')
    for (const [value, problem] of [
      ['{"toString":1,"valueOf":1}', 'selection.x'],
      ['['.repeat(20_000) + ']'.repeat(20_000), 'last.json: JSON with more than 100 levels\n'],
    ]) {
      const changed = json.replace(/"selection": ?\{/, `$&"x":${value},`)
      expect(await refusal({ 'work/last.json': changed })).toContain(problem)
    }
    const named = json.replace(/"selection": ?\{/, '$&"toString":"1",')
    expect(await refusal({ 'work/last.json': named })).toContain('made with toString 1, ')
    expect(await refusal({ 'work/last.json': '{"flags":[]}' })).toContain('service: missing')
    expect(await refusal(files, ['--expect', 'unused'])).toContain(
      '--compare cannot be combined with --expect',
    )
  })

  it('says that a flag is left out that is of another type now', async () => {
    const typed = ['review', '--all-projects', '--type', 'release']
    const first = await feature([...typed, '--json'], { shop: { a: {} } })
    const files = { 'work/last.json': first.stdout }
    const now = { shop: { a: { type: 'experiment' } } }
    const { stdout } = await feature([...typed, ...compare, '--json'], now, { files })
    expect(JSON.parse(stdout).flags).toMatchObject([
      { flag: 'a', verdict: null, reasons: ['left out by --type now'] },
    ])
  })

  it('does not call flags new of a project that could not be read before', async () => {
    const argvAll = ['review', '--all-projects', '--retries', '0']
    const seed = { shop: { a: {} }, forbidden: { b: {} } }
    const first = await feature([...argvAll, '--json'], seed, {})
    const files = { 'work/last.json': first.stdout }
    const { stdout } = await feature([...argvAll, ...compare], seed, { files, allowsAll: true })
    expect(stdout).toContain('\nNo changes.\n')
  })

  it('does not say that a flag is gone whose project cannot be read', async () => {
    const argvAll = ['review', '--all-projects', '--retries', '0']
    const seen = { production: { seen: 0.1 } }
    const seed = { shop: { a: {}, seen }, forbidden: { b: {} } }
    const first = await feature([...argvAll, '--json'], seed, { allowsAll: true })
    const files = { 'work/last.json': first.stdout }
    const lost = await feature([...argvAll, ...compare], seed, { files })
    expect(lost.stdout).toMatch(
      /\nb +forbidden +unclear +removable .* project forbidden could not be read\n/,
    )
  })

  it('says that more usage is covered now, and what has changed only for that', async () => {
    const seed = {
      shop: {
        old: { days: [{ daysAgo: 10, yes: 5, no: 0 }] },
        off: {},
        steady: { days: [{ daysAgo: 29, yes: 5, no: 0 }] },
        used: { days: [{ daysAgo: 29, yes: 5, no: 0 }], usage: [{ hoursAgo: 1, yes: 1, no: 0 }] },
      },
    }
    const typed = ['review', '--project', 'shop', '--accept-silence', 'shop']
    const first = await feature([...typed, '--json'], seed)
    const files = { 'work/last.json': first.stdout }
    const { stdout } = await feature([...typed, ...compare], seed, { files, keepsDays: true })
    expect(stdout).toMatch(/\nold +in use +removable \(shorter span\) /)
    expect(stdout).toContain(
      '\nthe earlier review covers 48 h of usage, this one 29 d: 2 changed only for that\n',
    )
    const json = await feature([...typed, ...compare, '--json'], seed, { files, keepsDays: true })
    const rows: Record<string, unknown>[] = JSON.parse(json.stdout).flags
    expect(rows.map(({ flag, changed, changedBySpan }) => [flag, changed, changedBySpan])).toEqual([
      ['old', true, true],
      ['steady', true, true],
      ['off', false, false],
      ['used', false, false],
    ])
  })

  it('has no names of flags that are gone', async () => {
    const { stdout } = await review([...compare, '-o', 'names'], after, await earlier())
    expect(stdout).toBe('stopped\nadded\nstarted\n')
  })
})
