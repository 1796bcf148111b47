import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { run } from './cases/target.ts'
import { admin, realTarget, sql } from './service.ts'

const HOUR = 3_600_000
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
const scope = projects.flatMap((id) => ['--project', id])

async function review(...argv: string[]) {
  const { code, stdout } = await run(realTarget(), ['feature', 'review', ...argv])
  expect(code).toBe(0)
  return stdout
}

const defaults = { hours: 47, asked: 48, days: 7, includesPermanent: false }

describe('300 flags in 25 projects', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    const left = HOUR - (Date.now() % HOUR)
    if (left < takes) await new Promise((resolve) => setTimeout(resolve, left))
    await sql({})
  }, 2 * takes)

  test.each([
    { argv: ['--since', '48h'], terms: {} },
    { argv: ['--since', '24h'], terms: { hours: 24, asked: 24 } },
    {
      argv: ['--since', '48h', '--not-seen-for', '30d', '--include-permanent'],
      terms: { days: 30, includesPermanent: true },
    },
  ])('have the verdicts and figures of the database with $argv', async ({ argv, terms }) => {
    const expected: Expected[] = JSON.parse(await sql({ ...defaults, ...terms }))
    const document = JSON.parse(await review(...scope, ...argv, '--json'))
    const rows = document.flags.toSorted((a: Row, b: Row) => (a.flag < b.flag ? -1 : 1))
    const found = rows.map(({ project, flag, verdict, usage, yes, no }: Row) => {
      return { project, flag, used: yes + no, usage, verdict }
    })
    expect(found).toEqual(expected)
    expect(new Set(expected.map(({ verdict }) => verdict)).size).toBeGreaterThanOrEqual(3)
  })

  test.runIf(process.env.PICTURE)('are the picture of the page', async () => {
    const argv = [...scope.slice(0, 12), '-o', 'html']
    const html = (await review(...argv)).replaceAll(realTarget().url, 'https://flags.example.com')
    const folder = mkdtempSync(join(tmpdir(), 'picture-'))
    writeFileSync(join(folder, 'review.html'), html)
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu'],
    })
    const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } })
    await page.goto(`file://${folder}/review.html#sort=Flag`)
    const path = fileURLToPath(new URL('../../docs/review.png', import.meta.url))
    await page.screenshot({ path })
    await browser.close()
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
      ['coupon-nix', 'not a flag'],
    ])
    expect(code).toBe(6)
  })

  test('can be archived if they are removable, together with those that depend on them', async () => {
    const expected: Expected[] = JSON.parse(await sql(defaults))
    const removable = expected.filter(({ verdict }) => verdict === 'removable')
    const project = removable[0]?.project ?? ''
    const names = removable.filter((row) => row.project === project).map(({ flag }) => flag)
    const argv = ['feature', 'archive', ...names, '--project', project, '--yes', '--json']
    const { code, stdout } = await run(realTarget(), argv)
    expect([code, JSON.parse(stdout).flags.map((one: { status: string }) => one.status)]).toEqual([
      0,
      names.map(() => 'archived'),
    ])
    const list = await (await admin('GET', `/api/admin/projects/${project}/features`)).text()
    expect(names.filter((name) => list.includes(`"${name}"`))).toEqual([])
  })
})
