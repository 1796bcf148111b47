import { expect, it } from 'vitest'
import { feature } from '../flags/service.ts'

const used = (hoursAgo: number, appName = 'web', environment = 'production') => {
  return { hoursAgo, yes: 1, no: 0, appName, environment }
}

const projects = {
  shop: {
    basket: { usage: [used(2), used(1), used(1, 'ios'), used(1, 'web', 'staging')] },
    banner: { usage: [used(2), used(1)] },
  },
}

const argv = ['usage', '--project', 'shop', '--since', '4h', '--by', 'hour']

const rowsOf = (stdout: string) => stdout.split(/^─+\n/m)[1]?.trimEnd().split('\n')

it('shows names once in a table of hours on a terminal', async () => {
  const { stdout } = await feature(argv, projects, { columns: 120 })
  expect(rowsOf(stdout)).toEqual([
    'banner  web          production   2026-11-20 14:00        1         0      1  100.0%',
    '                                  2026-11-20 15:00        1         0      1  100.0%',
    'basket  ios          production   2026-11-20 15:00        1         0      1  100.0%',
    '        web          production   2026-11-20 14:00        1         0      1  100.0%',
    '                                  2026-11-20 15:00        1         0      1  100.0%',
    '                     staging      2026-11-20 15:00        1         0      1  100.0%',
  ])
})

it('repeats them in a pipe', async () => {
  const { stdout } = await feature(argv, projects)
  expect(rowsOf(stdout)?.every((row) => /^(banner|basket) /.test(row))).toBe(true)
})

it('keeps the share longer than the counts on a narrow terminal', async () => {
  const { stdout } = await feature(argv, projects, { columns: 70, env: { NO_COLOR: '1' } })
  expect(stdout).toMatch(/\nFlag .* Total +Share\n/)
})
