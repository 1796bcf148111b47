import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { run } from './cases/target.ts'
import { realTarget } from './service.ts'

const HOUR = 3_600_000
// The setup and the tests take at most this long, and no hour may begin in that time.
const takes = 5 * 60_000

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Runs SQL on the database of the service. */
async function sql(work: object): Promise<string> {
  const argv = [path('review-fixture.mjs'), JSON.stringify({ ...inject('service'), ...work })]
  const { stdout } = await promisify(execFile)(path('node_modules/.bin/node'), argv)
  return stdout
}

interface Expected {
  project: string
  flag: string
  used: number
  verdict: string
}

interface Row extends Expected {
  reasons: string[]
  environments: { yes: number; no: number }[]
}

const projects = Array.from({ length: 40 }, (_, index) => `team-${String(index).padStart(2, '0')}`)

// The open-source edition lists only the project `default`.
const scope = projects.flatMap((id) => ['--project', id])

async function review(...argv: string[]) {
  const { code, stdout } = await run(realTarget(), ['feature', 'review', ...scope, ...argv])
  expect(code).toBe(0)
  return stdout
}

/** The number of rows with each verdict, by project. */
function countsOf(rows: readonly Expected[]) {
  return projects.map((project) => {
    const own = rows.filter((row) => row.project === project)
    const count = (verdict: string) => own.filter((row) => row.verdict === verdict).length
    return {
      project,
      flags: own.length,
      removable: count('removable'),
      'in use': count('in use'),
      unclear: count('unclear'),
      permanent: count('permanent'),
    }
  })
}

describe('feature review of 500 flags in 40 projects', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    const left = HOUR - (Date.now() % HOUR)
    if (left < takes) await new Promise((resolve) => setTimeout(resolve, left))
    await sql({})
  }, 2 * takes)

  test.each([
    { argv: ['--since', '48h'], hours: 47, days: 7, includesPermanent: false },
    { argv: ['--since', '24h'], hours: 24, days: 7, includesPermanent: false },
    {
      argv: ['--since', '48h', '--not-seen-for', '30d', '--include-permanent'],
      ...{ hours: 47, days: 30, includesPermanent: true },
    },
  ])('has the verdicts and totals of the database with $argv', async ({ argv, ...terms }) => {
    const expected: Expected[] = JSON.parse(await sql(terms))
    const document = JSON.parse(await review(...argv, '--json'))
    const found = document.flags.map(({ project, flag, verdict, environments }: Row) => {
      const used = environments.reduce((sum, { yes, no }) => sum + yes + no, 0)
      return { project, flag, used, verdict }
    })
    expect(found).toEqual(expected)
    expect(expected).toHaveLength(500)
    expect(document.totals).toEqual(countsOf(expected))
    const verdicts = ['removable', 'in use', 'unclear', 'permanent']
    const all = verdicts.map((one) => expected.filter(({ verdict }) => verdict === one).length)
    const [removable, inUse, unclear, permanent] = all
    expect(await review(...argv)).toContain(
      `\n500 flags: ${removable} removable, ${inUse} in use, ${unclear} unclear, ${permanent} permanent\n`,
    )
  })

  test('has the totals of projects in feature usage', async () => {
    const expected: Expected[] = JSON.parse(
      await sql({ hours: 47, days: 7, includesPermanent: false }),
    )
    const totals = projects.map((project) => {
      const counts = expected.filter((row) => row.project === project).map(({ used }) => used)
      const used = counts.filter((count) => count > 0).length
      return {
        ...{ project, flags: counts.length, used, unused: counts.length - used, failed: 0 },
        evaluations: counts.reduce((sum, count) => sum + count, 0),
      }
    })
    const argv = ['--since', '48h', '--group-by', 'project', '-o', 'jsonl']
    const { code, stdout } = await run(realTarget(), ['feature', 'usage', ...scope, ...argv])
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect([code, rows]).toEqual([0, totals.map((total) => expect.objectContaining(total))])
  })

  test('explains each verdict, and notes what the service does not list', async () => {
    const { flags, notChecked, incomplete } = JSON.parse(await review('--json'))
    expect(flags.filter(({ reasons }: Row) => reasons.length === 0)).toEqual([])
    expect([notChecked, incomplete]).toEqual([['lifecycle', 'dependencies'], undefined])
  })
})
