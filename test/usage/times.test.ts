import { describe, expect, it, test } from 'vitest'
import { patientClock } from '../support/clock.ts'
import { environment, flagadm } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'
import { words } from '../support/text.ts'
import { feature, now, type Projects } from '../flags/service.ts'

describe('the current hour', () => {
  const record = (time: string, appName = 'web') => ({
    appName,
    environment: 'production',
    timestamp: `2026-11-20T${time}:00.000Z`,
    yes: 3,
    no: 1,
  })

  const usage = async (text: string, flags: Record<string, readonly object[]>, start = now) => {
    const server = await serve((response, { url }) => {
      const lastHourUsage = flags[url.split('/').at(-1) ?? '']
      return json(response, lastHourUsage ? 200 : 404, { lastHourUsage })
    })
    const outcome = await flagadm(['feature', 'usage', ...words(text)], {
      env: environment(server.url),
      clock: patientClock(start).clock,
    })
    return { ...outcome, stdout: outcome.stdout.replaceAll(server.url, 'http://service') }
  }

  it('is that of the records, with a warning if it is not that of the service', async () => {
    const { stdout, stderr } = await usage('a', { a: [record('21:00')] })
    expect(stdout).toMatch(/^Usage of a on http:\S+, in the clock hour from 2026-11-20 21:00 UTC\n/)
    expect(stderr).toBe(
      'warning: there is usage of another clock hour than the current one, from 2026-11-20 21:00 UTC: a clock may be wrong\n',
    )
  })

  it('is in each row if records are of several hours', async () => {
    const flags = { a: [record('16:00'), record('21:00'), record('21:30', 'ios')], b: [] }
    const { stdout, stderr } = await usage('a b', flags)
    expect(stdout).toBe(`Usage on http://service, in the clock hour from 2026-11-20 16:00 UTC

Flag   Application  Environment  Hour (UTC)        Enabled  Disabled  Total  Share
──────────────────────────────────────────────────────────────────────────────────
a      ios          production   2026-11-20 21:00        3         1      4  75.0%
a      web          production   2026-11-20 16:00        3         1      4  75.0%
a      web          production   2026-11-20 21:00        3         1      4  75.0%
b      —            —            —                       0         0      0      —
──────────────────────────────────────────────────────────────────────────────────
Total                                                    9         3     12  75.0%

Incomplete: names without usage may be misspelt: the service does not list its flags (b)
`)
    expect(stderr).toBe(
      'warning: there is usage of another clock hour than the current one, from 2026-11-20 21:00 UTC: a clock may be wrong (a)\n',
    )
  })

  test.each(['jsonl', 'csv', 'json', 'openmetrics'])('is a warning in %s', async (format) => {
    const { stderr } = await usage(`a -o ${format}`, { a: [record('12:00')] })
    expect(stderr).toContain(
      'there is usage of another clock hour than the current one, from 2026-11-20 12:00 UTC: a clock may be wrong',
    )
  })

  it('labels only samples of other hours in OpenMetrics', async () => {
    const { stdout } = await usage('a -o openmetrics', { a: [record('16:00'), record('12:00')] })
    const samples = stdout.split('\n').filter((line) => line.includes('result="enabled"'))
    expect(samples.map((line) => line.includes('hour='))).toEqual([false, true])
  })

  it('may have ended while a response was under way', async () => {
    const start = Date.UTC(2026, 10, 20, 17, 0, 2)
    const { stdout, stderr } = await usage('a', { a: [record('16:00')] }, start)
    expect(stdout).toContain('in the clock hour from 2026-11-20 16:00 UTC\n')
    expect(stderr).toBe('')
  })
})

describe('the last use', () => {
  const minutes = (count: number) => count / (24 * 60)
  const hoursAgo = (count: number, appName = 'web') => ({ hoursAgo: count, yes: 1, no: 0, appName })
  const projects: Projects = {
    shop: {
      basket: { usage: [hoursAgo(0)], production: { seen: minutes(3) } },
      banner: { usage: [hoursAgo(1)], production: { seen: minutes(100) } },
      both: { usage: [hoursAgo(0), hoursAgo(0, 'ios')], production: { seen: minutes(5) } },
      old: { production: { seen: 5 } },
    },
  }
  const lines = async (text: string) => {
    const { stdout } = await feature(['usage', ...words(text)], projects)
    return stdout
      .split('\n')
      .filter((line) => / ago$| hour$|UTC$/.test(line) && !/^Usage/.test(line))
  }

  it('is the hour of the last figures', async () => {
    expect(await lines('basket banner --since 24h')).toEqual([
      'basket  web          production         1         0      1  100.0%  this hour',
      'banner  web          production         1         0      1  100.0%  1 h ago',
    ])
  })

  it('is the time of the sighting there if it can only be that of the row', async () => {
    expect(await lines('basket banner both old --project shop --since 24h')).toEqual([
      'basket  web          production         1         0      1  100.0%  3 min ago',
      'banner  web          production         1         0      1  100.0%  1 h ago',
      'both    ios          production         1         0      1  100.0%  this hour',
      'both    web          production         1         0      1  100.0%  this hour',
      'old     —            —                  0         0      0       —  5 d ago',
    ])
    expect(await lines('--project shop --since 24h --group-by environment')).toEqual([
      'production         4         0      4  100.0%  3 min ago',
    ])
    expect(await lines('--project shop --since 24h --group-by application')).toEqual([
      'ios                1         0      1  100.0%  this hour',
      'web                3         0      3  100.0%  3 min ago',
    ])
    expect(await lines('both --project shop --since 24h --app web')).toEqual([
      'web          production         1         0      1  100.0%  this hour',
    ])
    expect(await lines('old --project shop --since 24h --app web')).toEqual([])
  })

  it('is the same in data and, as a time or an hour, with --verbose', async () => {
    const { stdout } = await feature(
      ['usage', '--project', 'shop', '--since', '24h', '-o', 'jsonl', '--group-by', 'flag'],
      projects,
    )
    const rows = stdout.trimEnd().split('\n')
    expect(rows.map((row) => JSON.parse(row).lastUsed)).toEqual([
      '2026-11-20T15:00:00.000Z',
      '2026-11-20T16:07:00.000Z',
      '2026-11-20T16:05:00.000Z',
      '2026-11-15T16:10:00.000Z',
    ])
    expect(await lines('basket both --project shop --since 24h -v')).toEqual([
      'basket  web          production         1         0      1  100.0%  2026-11-20 16:07 UTC',
      'both    ios          production         1         0      1  100.0%  2026-11-20 16:00–16:59 UTC',
      'both    web          production         1         0      1  100.0%  2026-11-20 16:00–16:59 UTC',
    ])
  })

  it('is the reason why a flag is in use, and the same on the page', async () => {
    const { stdout } = await feature(['review', '--project', 'shop', '-o', 'markdown'], projects)
    expect(stdout).toContain(' last used 3 min ago by web in production |\n')
    expect(stdout).toContain(' last used 5 min ago by ios, web in production |\n')
    const page = await feature(['review', '--project', 'shop', '-o', 'html'], projects)
    expect(page.stdout).toContain('"last used 3 min ago (2026-11-20 16:07 UTC)"')
    const byHour = await feature(['review', 'basket', '-o', 'html'], {
      shop: { basket: { usage: [hoursAgo(2)], production: { seen: undefined } } },
    })
    expect(byHour.stdout).toContain('"last used 2 h ago (2026-11-20 14:00–14:59 UTC)"')
    expect(byHour.stdout).toContain('"when it was seen is not known"')
  })

  it('in the future is a doubt about the figures', async () => {
    const seed = { shop: { a: { usage: [{ hoursAgo: -2, yes: 1, no: 0 }] } } }
    const { stdout } = await feature(['usage', 'a', '--since', '24h'], seed)
    expect(stdout).toContain('100.0%  in 1 h\n')
    expect(stdout).toContain(
      '\nIncomplete: usage by web in production is reported for 2026-11-20 18:00 UTC, which is in the future\n',
    )
  })
})
