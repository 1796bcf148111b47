import { describe, expect, it, test } from 'vitest'
import { patientClock } from '../support/clock.ts'
import { environment, flagadm } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'
import { ending, words } from '../support/text.ts'
import { daysAgo, feature, type FeatureWorld, now, type Projects } from '../flags/service.ts'

const use = { hoursAgo: 0, yes: 5, no: 3 }
const projects: Projects = {
  shop: {
    basket: { usage: [use] },
    banner: { development: {} },
    gone: { archived: true },
  },
  mail: { digest: { usage: [use] } },
}

const usage = (text: string, seed: Projects = projects, world: FeatureWorld = {}) =>
  feature(['usage', ...words(text)], seed, world)

const misspelt = 'not a flag of any project that the service lists'
const unlisted: FeatureWorld = { unlisted: { hidden: { secret: {} } } }

test.each([
  ['basket', 'Usage of basket on '],
  ['basket digest', 'Usage on '],
  ['--project shop', 'Usage of project shop on '],
  ['--project shop --project mail', 'Usage of 2 projects on '],
  ['--all-projects', 'Usage of 2 projects on '],
  ['basket --project shop', 'Usage of basket in project shop on '],
])('the heading of usage of %s is %j', async (text, heading) => {
  expect((await usage(text)).stdout.startsWith(heading)).toBe(true)
})

test('the heading has the filters of the usage', async () => {
  const { stdout } = await usage('basket --project shop -e production --app web --since 24h')
  expect(stdout).toContain(' on http://service, by web in production, since 2026-11-19 ')
  const argv = ['review', 'basket', '--project', 'shop', '-e', 'production']
  const review = await feature(argv, projects)
  expect(review.stdout).toContain(' on http://service, in production, since ')
})

describe('a name without usage', () => {
  it('that is a flag has zeros, and costs one list of each project', async () => {
    const { code, stdout, stderr, asked } = await usage('banner -o jsonl')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^{"flag":"banner".*"enabled":0.*}\n$/)
    expect(asked.sort()).toEqual([
      'client-metrics/features/banner',
      'projects',
      'projects/mail/features',
      'projects/shop/features',
    ])
  })

  it('is looked for only among archived flags if it has usage, and not with a project', async () => {
    const { asked } = await usage('basket digest --since 24h')
    expect(asked).toEqual([
      '/health',
      'client-metrics/features/basket/raw?hoursBack=25',
      'client-metrics/features/digest/raw?hoursBack=25',
      'search/features?archived=IS:true&limit=100&query=basket&offset=0',
      'search/features?archived=IS:true&limit=100&query=digest&offset=0',
    ])
    const inProject = await usage('banner --project shop')
    expect(inProject.asked).toEqual(['projects/shop/features', 'client-metrics/features/banner'])
  })

  test.each(['table', 'jsonl', 'csv', 'tsv', 'markdown', 'openmetrics'])(
    'that is not a flag has no row in %s, but an error with a suggestion',
    async (format) => {
      for (const since of ['', '--since 24h', '--since 24h --by hour']) {
        const { code, stdout, stderr } = await usage(`basket baskt ${since} -o ${format}`)
        expect(code).toBe(6)
        expect(stderr).toContain(`baskt: ${misspelt}; did you mean basket?`)
        const data = stdout.replaceAll(/.*could not be read.*\n/g, '')
        expect([data.includes('basket'), data.includes('baskt')]).toEqual([true, false])
      }
      const { code, stdout } = await usage(`baskt -o ${format}`)
      expect([code, stdout]).toEqual([6, ''])
    },
  )

  it('that is not a flag has no document in JSON', async () => {
    const { code, stdout, stderr } = await usage('baskt basket --since 24h --json')
    expect(stdout).toMatch(/^{"flag":"basket","usage":.*}\n$/)
    expect(JSON.parse(stderr.split('\n')[0] ?? '')).toMatchObject({
      error: { featureName: 'baskt', message: `${misspelt}; did you mean basket?` },
    })
    expect(code).toBe(6)
  })

  it('that is archived is an error', async () => {
    expect(ending(await usage('gone'))).toBe('6 error: gone: archived in project shop\n')
  })

  it('that SDKs ask for is an error that says so', async () => {
    const world = { unknown: { baskt: ['web'] } }
    expect(ending(await usage('baskt', projects, world))).toBe(
      `6 error: baskt: ${misspelt}; SDKs ask for it (web); did you mean basket?\n`,
    )
  })

  it('for which the service has a 404 has the suggestion as its hint', async () => {
    const missing = /client-metrics.*baskt/
    expect(ending(await usage('baskt', projects, { missing }))).toBe(
      `6 error: baskt: 404: not found\nhint: ${misspelt}; did you mean basket?\n`,
    )
  })

  describe('in the open-source edition, which lists only the project default', () => {
    const own = { default: { a: { usage: [use] } } }

    it('is searched for', async () => {
      const { code, stdout, stderr, asked } = await usage('secret', own, unlisted)
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout.split('\n').filter((line) => line.startsWith('Incomplete'))).toEqual([
        'Incomplete: not known whether usage arrives from the projects of flags that the service does not list',
      ])
      // Two by its name, and whether the service lists archived flags.
      expect(asked.filter((url) => url.startsWith('search/'))).toHaveLength(3)
    })

    it('is searched for at most 15 times; the others are not checked', async () => {
      const names = Array.from({ length: 20 }, (_, index) => `wrong-${index}`)
      const argv = `a ${names.join(' ')} -o jsonl --concurrency 1`
      const { code, stdout, asked } = await usage(argv, own, unlisted)
      const rows = stdout.trimEnd().split('\n')
      const { incomplete } = JSON.parse(rows.at(-1) ?? '')
      expect(code).toBe(6)
      expect(asked.filter((url) => url.startsWith('search/'))).toHaveLength(15)
      expect(rows).toHaveLength(15)
      expect(incomplete).toMatchObject([
        { message: '7 of 21 flags could not be read' },
        {
          message: 'not checked whether names without usage are flags of other projects',
          names: names.slice(7),
        },
      ])
    })
  })

  it('is not checked if a project could not be read', async () => {
    const { code, stdout } = await usage('baskt', { ...projects, forbidden: {} })
    expect(code).toBe(0)
    expect(stdout).toContain(
      '\nIncomplete: not checked whether names without usage are flags of other projects\n',
    )
  })

  test.each([
    [404, 'the service does not list its flags'],
    [403, 'the lists of flags could not be read: 403: no'],
  ])('may be misspelt if the lists are a %i', async (status, why) => {
    const server = await serve((response, { url }) => {
      if (url.endsWith('/projects')) return json(response, status, { message: 'no' })
      return json(response, 200, { lastHourUsage: [], seenApplications: [] })
    })
    const world = { env: environment(server.url), clock: patientClock(now).clock }
    const run = (...options: string[]) =>
      flagadm(['feature', 'usage', 'baskt', 'other', ...options], world)
    const text = `Incomplete: names without usage may be misspelt: ${why}\n`
    const { code, stdout } = await run()
    expect([code, stdout.endsWith(`\n${text}`)]).toEqual([0, true])
    for (const format of ['json', 'csv', 'openmetrics']) {
      const { stderr } = await run('-o', format)
      expect(stderr).toContain(text.trimEnd())
    }
    expect(server.received.filter(({ url }) => url.endsWith('/projects'))).toHaveLength(4)
  })

  it('is checked with no more requests at once than --concurrency allows', async () => {
    const seed = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`p${index}`, { [`flag-${index}`]: {} }]),
    )
    let current = 0
    let most = 0
    const names = ['flag-0', 'flag-1', 'flag-2']
    const server = await serve(async (response, { url }) => {
      most = Math.max(most, ++current)
      await new Promise((resolve) => setTimeout(resolve, 5))
      current--
      const [, id = ''] = /projects\/(\w+)\/features$/.exec(url) ?? []
      if (url.endsWith('/projects')) {
        return json(response, 200, { projects: Object.keys(seed).map((key) => ({ id: key })) })
      }
      if (id === '') return json(response, 200, { lastHourUsage: [] })
      const features = Object.keys(seed[id] ?? {}).map((name) => ({ name }))
      return json(response, 200, { features })
    })
    const argv = ['feature', 'usage', ...names, '--concurrency', '4']
    const { code } = await flagadm(argv, { env: environment(server.url) })
    expect([code, most <= 4, server.received.length]).toEqual([0, true, 3 + 1 + 12])
  })
})

describe('--environment', () => {
  it('may be one in which a flag has no usage', async () => {
    const { code, stdout, stderr } = await usage('basket -e development -o csv')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/\r\nbasket,,,,0,0,\{\}\r\n$/)
  })

  it('is refused if no flag that the service lists has it', async () => {
    for (const names of ['basket', 'banner', '--project shop']) {
      const { code, stdout, stderr } = await usage(`${names} -e prod`)
      expect(stderr).toBe(
        "error: unknown environment 'prod' (known: development, production)\nhint: did you mean 'production'?\n",
      )
      expect([code, stdout]).toEqual([6, ''])
    }
  })

  it('is only a warning if lists could not be read that may have it', async () => {
    const seed = { ...projects, forbidden: {} }
    expect(ending(await usage('basket -e prod', seed))).toBe(
      "0 warning: unknown environment 'prod' (known: development, production)\n",
    )
    const server = await serve((response, { url }) => {
      if (url.endsWith('/projects')) return json(response, 403, { message: 'no' })
      if (!url.includes('/client-metrics/')) return json(response, 404, { message: 'no' })
      const timestamp = '2026-11-20T16:00:00.000Z'
      const lastHourUsage = [{ environment: 'production', timestamp, yes: 1, no: 0 }]
      return json(response, 200, { lastHourUsage })
    })
    const world = { env: environment(server.url), clock: patientClock(now).clock }
    expect(ending(await flagadm(['feature', 'usage', 'a', '-e', 'prod'], world))).toBe(
      "0 warning: unknown environment 'prod' (known: production)\n",
    )
  })

  it('is refused with the first ten that are known', async () => {
    const lastHourUsage = Array.from({ length: 22 }, (_, index) => {
      const name = `e${String(index).padStart(2, '0')}`
      return { environment: name, timestamp: '2026-11-20T16:00:00.000Z', yes: 1, no: 0 }
    })
    const server = await serve((response, { url }) =>
      url.includes('/client-metrics/')
        ? json(response, 200, { lastHourUsage })
        : json(response, 404, { message: 'not found' }),
    )
    const world = { env: environment(server.url), clock: patientClock(now).clock }
    const known = 'e00, e01, e02, e03, e04, e05, e06, e07, e08, e09 and 12 more'
    expect(ending(await flagadm(['feature', 'usage', 'a', '-e', 'prod'], world))).toBe(
      `6 error: unknown environment 'prod' (known: ${known})\n`,
    )
  })
})

describe('figures by application', () => {
  const hour = '2026-11-20T16:00:00.000Z'
  const withoutNames = { environment: 'production', timestamp: hour, yes: 3, no: 1 }

  const run = async (text: string, records: readonly object[]) => {
    const server = await serve((response, { url }) =>
      url.includes('/client-metrics/')
        ? json(response, 200, { lastHourUsage: records, seenApplications: ['web'] })
        : json(response, 404, { message: 'not found' }),
    )
    const argv = ['feature', 'usage', 'a', ...words(text)]
    const world = { env: environment(server.url), clock: patientClock(now).clock }
    return flagadm(argv, world)
  }

  test.each(['table', 'jsonl', 'csv', 'openmetrics'])(
    'are refused in the current hour if it has none, in %s',
    async (format) => {
      for (const option of ['--app web', '--group-by application']) {
        const { code, stdout, stderr } = await run(`${option} -o ${format}`, [withoutNames])
        const [name] = option.split(' web')
        expect(stderr).toBe(
          `error: ${name}: the service reports no applications in the current clock hour\nhint: add --since 24h\n`,
        )
        expect([code, stdout]).toEqual([2, ''])
      }
    },
  )

  it('are refused without any record', async () => {
    expect((await usage('banner --app web')).code).toBe(2)
    expect((await usage('--project shop --app web', { shop: { banner: {} } })).code).toBe(2)
    expect((await usage('banner --group-by application --watch')).stderr).toContain(
      '\nhint: leave out --watch and add --since 24h\n',
    )
  })

  it('are shown if a record has one', async () => {
    const records = [withoutNames, { ...withoutNames, appName: 'web', yes: 7 }]
    const { code, stdout } = await run('--app web', records)
    expect(code).toBe(0)
    expect(stdout).toContain('\nweb          production         7')
    expect(stdout).toContain(
      '\nIncomplete: there is usage without the application or environment that the filters ask for\n',
    )
  })

  it('that --since has are shown, and an application without usage is refused', async () => {
    expect((await usage('basket --app web --since 24h')).code).toBe(0)
    expect(ending(await usage('basket --app wbe --since 24h'))).toBe(
      "6 error: unknown application 'wbe' (known: web)\nhint: did you mean 'web'?\n",
    )
    const unused = await usage('banner --app web --since 24h')
    expect(ending(unused)).toBe("0 warning: unknown application 'web' (none known)\n")
  })

  it('of variants are incomplete if the current hour has none', async () => {
    const { stdout } = await run('--group-by variant', [withoutNames])
    expect(stdout).toContain(
      '\nIncomplete: the service reports no variants in the current clock hour (--since 24h has them)\n',
    )
    const none = await run('--group-by variant', [{ ...withoutNames, variants: {} }])
    expect(none.stdout).not.toContain('Incomplete')
  })
})

it('an archived flag has its usage, and is said to be archived, with and without a project', async () => {
  const seed = { shop: { gone: { archived: true, usage: [{ hoursAgo: 2, yes: 5, no: 3 }] } } }
  for (const project of ['', '--project shop']) {
    const { code, stdout, stderr } = await usage(`gone --since 24h -o csv ${project}`, seed)
    expect([code, stderr]).toEqual([0, 'warning: gone: archived in project shop\n'])
    expect(stdout).toContain('gone')
    expect(stdout).toContain(',5,3,')
  }
})

it('an archived flag may have usage from before it was created', async () => {
  const uses = [{ hoursAgo: 20, yes: 5, no: 3 }]
  const warningOf = async (hours: number) => {
    const gone = { archived: true, usage: uses, createdAt: daysAgo(hours / 24) }
    return (await usage('gone --since 24h', { shop: { gone } })).stderr
  }
  expect(await warningOf(10)).toBe(
    'warning: gone: archived in project shop; usage before 2026-11-20 06:10 UTC is of another flag, which had the name before\n',
  )
  expect(await warningOf(30)).toBe('warning: gone: archived in project shop\n')
})
