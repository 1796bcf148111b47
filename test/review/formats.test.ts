import { expect, it } from 'vitest'
import { factsOf, rowFormats } from '../../src/output/formats.ts'
import { feature } from '../flags/service.ts'

it.each([...rowFormats, 'html', 'github', 'junit'] as const)(
  'reports with %s that the service lists at most 100 applications',
  async (format) => {
    const usage = Array.from({ length: 100 }, (_, index) => {
      return { hoursAgo: 1, yes: 1, no: 0, appName: `app-${index}` }
    })
    const argv = ['review', '--not-seen-for', '7d', '--project', 'shop', '-o', format]
    const { stdout, stderr } = await feature(argv, { shop: { flag: { usage } } })
    const text = 'the service reports only 100 applications of a flag, and there may be more'
    const isShown = format === 'html' || factsOf(format).showsGaps
    expect(isShown ? stdout : stderr).toContain(text)
  },
)
