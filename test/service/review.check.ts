import { beforeAll, describe, expect, test } from 'vitest'
import { run } from './cases/target.ts'
import { environment, flagadm } from '../support/flagadm.ts'
import { relay } from '../support/relay.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { admin, inOneHour, read, realTarget, sql } from './service.ts'
import { report } from './usage.ts'

// The setup and the tests take at most this long, and no hour may begin in that time.
const takes = 5 * 60_000

interface Expected {
  project: string
  flag: string
  used: number
  usage: string
  verdict: string
}

interface Row extends Expected {
  reasons: string[]
  yes: number
  no: number
}

const projects = Array.from({ length: 25 }, (_, index) => `team-${String(index).padStart(2, '0')}`)

// The open-source edition lists only the project `default`.
// Most flags were never seen: whether usage arrives is the subject of other tests.
const scope = [...projects.flatMap((id) => ['--project', id]), '--accept-silence', '*']

async function review(...argv: string[]) {
  const { code, stdout } = await run(realTarget(), ['feature', 'review', ...argv, '--json'])
  const rows: Row[] = JSON.parse(stdout).flags
  return { code, rows: rows.toSorted((a, b) => (a.flag < b.flag ? -1 : 1)) }
}

const figuresOf = ({ project, flag, verdict, usage, yes, no }: Row): Expected => {
  return { project, flag, used: yes + no, usage, verdict }
}

const week = ['--not-seen-for', '7d']

const defaults = {
  hours: 47,
  asked: 48,
  days: 7,
  includesPermanent: false,
  contradicted: [],
  unreadable: [],
  unread: [],
}

interface Listed {
  name: string
  lastSeenAt?: unknown
}

// Remainders of the number of a flag.
const disguises = {
  contradicted: [6, 7, 8, 9],
  unreadable: [4, 5],
  unread: [8],
}

const remainderOf = (name: string) => Number(name.split('-').at(-1)) % 31

/** Changes what the service says about some flags, as no database can. */
function disguise({ url }: { url: string }, text: string): string {
  const [, own] = /\/api\/admin\/projects\/team-\d+\/features(?:\/([^/?]+))?$/.exec(url) ?? []
  if (own !== undefined) {
    const fields = new Map<number, object>([
      [6, { type: 'kill-switch' }],
      [7, { archived: true }],
      [8, { name: 'another-flag' }],
      [9, { createdAt: new Date().toISOString() }],
    ])
    return JSON.stringify({ ...JSON.parse(text), ...fields.get(remainderOf(own)) })
  }
  if (!url.endsWith('/features')) return text
  const document = JSON.parse(text)
  document.features.forEach((flag: Listed) => {
    if (remainderOf(flag.name) === 4) flag.lastSeenAt = 'Fri, 20 Nov 2026 16:00:00 GMT'
    if (remainderOf(flag.name) === 5) flag.lastSeenAt = { seconds: 1795021200 }
  })
  return JSON.stringify(document)
}

describe('300 flags in 25 projects', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    await inOneHour(takes)
    await sql({})
  }, 2 * takes)

  test.each([
    { argv: ['--since', '48h', '--not-seen-for', '7d'], terms: {} },
    {
      argv: ['--since', '24h', '--not-seen-for', '7d'],
      terms: { hours: 24, asked: 24 },
    },
    {
      argv: ['--since', '48h', '--not-seen-for', '30d', '--include-permanent'],
      terms: { days: 30, includesPermanent: true },
    },
  ])('have the verdicts and figures of the database with $argv', async ({ argv, terms }) => {
    const expected: Expected[] = JSON.parse(await sql({ ...defaults, ...terms }))
    // This reads all that may show usage.
    const { code, rows } = await review(...scope, ...argv, '--expect', 'unused')
    expect([code, rows.map(figuresOf)]).toEqual([9, expected])
    // Without it, what the verdict does not need is not asked, and no usage is not proven.
    const brief = await review(...scope, ...argv)
    const possible = brief.rows.map((row, index) => {
      const { usage } = row
      const isOpen = usage === 'unclear' && expected[index]?.usage === 'unused'
      return { ...figuresOf(row), usage: isOpen ? 'unused' : usage }
    })
    expect([brief.code, possible]).toEqual([0, expected])
    expect(new Set(expected.map(({ verdict }) => verdict)).size).toBeGreaterThanOrEqual(3)
  })

  test('have them also where the documents contradict each other, or have times that cannot be read', async () => {
    const expected: Expected[] = JSON.parse(await sql({ ...defaults, ...disguises }))
    const { url } = await relay(realTarget().url, undefined, disguise)
    const { keys } = realTarget()
    const asked = ['--not-seen-for', '7d', '--expect', 'unused', '--json']
    const argv = ['feature', 'review', ...scope, ...asked]
    const { code, stdout } = await flagadm(argv, { env: environment(url, keys.full) })
    const rows: Row[] = JSON.parse(stdout).flags
    const verdictOf = new Map(
      rows.map(({ flag, verdict, usage }) => [flag, `${verdict}, ${usage}`]),
    )
    // Flags are used.
    expect(code).toBe(9)
    for (const { flag, verdict, usage } of expected) {
      expect([flag, verdictOf.get(flag)]).toEqual([flag, `${verdict}, ${usage}`])
    }
  })

  test('are distinguished from archived flags and unknown names', async () => {
    const { code, stdout } = await run(realTarget(), [
      'feature',
      'review',
      'coupon-023',
      'coupon-nix',
      '--project',
      'team-23',
      '--json',
    ])
    const { flags } = JSON.parse(stdout)
    expect(flags.map(({ flag, verdict }: Row) => [flag, verdict])).toEqual([
      ['coupon-023', 'archived'],
      ['coupon-nix', 'not-a-flag'],
    ])
    expect(code).toBe(6)
  })

  test('are all archived if they were, however many there are', async () => {
    const { features } = await read('/api/admin/search/features?archived=IS:true&limit=100')
    const all: { name: string; project: string }[] = features
    const names = all.filter(({ project }) => project.startsWith('team-')).map(({ name }) => name)
    const { code, stdout } = await run(realTarget(), ['feature', 'review', ...names, '--json'])
    const verdicts = JSON.parse(stdout).flags.map(({ verdict }: Row) => verdict)
    expect([code, verdicts]).toEqual([0, names.map(() => 'archived')])
    expect(names).toHaveLength(14)
  })

  test('are not archived if they are used while the question is open', async () => {
    const expected: Expected[] = JSON.parse(await sql(defaults))
    const [unused] = expected.filter(({ verdict }) => verdict === 'removable').slice(-1)
    const { flag = '', project = '' } = unused ?? {}
    const { url, keys } = realTarget()
    const answer = async () => {
      await report(flag, 'web')
      const path = `/api/admin/client-metrics/features/${flag}/raw?hoursBack=1`
      while (!(await (await admin('GET', path)).text()).includes('"yes":1')) await pause(200)
      return 'y\r'
    }
    const outcome = await flagadm(['feature', 'archive', flag, '--project', project, ...week], {
      env: environment(url, keys.full),
      dialog: [['Archive 1 flag of project', answer]],
    })
    // The service stores evaluations and sightings one after the other.
    expect(outcome.stdout).toMatch(
      new RegExp(`${flag}: left \\(in use: (?:last seen|1 evaluation) `),
    )
    expect(outcome.code).toBe(9)
  })

  test('can be archived if they are removable, together with those that depend on them', async () => {
    const expected: Expected[] = JSON.parse(await sql(defaults))
    const going = expected.filter(({ verdict }) => ['removable', 'still-on'].includes(verdict))
    const project = going[0]?.project ?? ''
    const names = going.filter((row) => row.project === project).map(({ flag }) => flag)
    const including = ['--include-on', '--save-before', 'archived.yaml']
    const argv = ['feature', 'archive', ...names, '--project', project, ...week, ...including]
    const { code, stdout } = await run(realTarget(), [...argv, '--yes', '--json'])
    expect([code, JSON.parse(stdout).flags.map((one: { status: string }) => one.status)]).toEqual([
      0,
      names.map(() => 'archived'),
    ])
    const list = await (await admin('GET', `/api/admin/projects/${project}/features`)).text()
    expect(names.filter((name) => list.includes(`"${name}"`))).toEqual([])
  })
})
