import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { daysAgo, type FlagSeed, type Projects } from '../feature/service.ts'
import { CANARY } from '../support/flagadm.ts'
import { type Browser, keepPicture, open, shownFlags, startBrowser } from './browser.ts'
import { manyProjects, reviewPage } from './service.ts'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser.close())

const recent = { on: true, seen: 1 / 48 }

// The first hours have no usage, and one has the most.
const usage = Array.from({ length: 46 }, (_, hoursAgo) => {
  return { hoursAgo, yes: hoursAgo === 7 ? 2800 : 100, no: 0 }
})

const projects: Projects = {
  shop: {
    basket: { development: { on: true }, production: recent, usage },
    banner: { type: 'experiment', stale: true },
    fresh: { createdAt: daysAgo(4), production: { on: true, seen: 3 } },
  },
  mail: {
    outage: { type: 'kill-switch', createdAt: daysAgo(500) },
    digest: { createdAt: daysAgo(100), production: { on: true, seen: 20 } },
  },
}

/** The page about these projects, opened in the browser. */
async function openReview(hash = '', given = projects, argv: readonly string[] = [], files = {}) {
  const html = await reviewPage(given, argv, { files })
  return { html, ...(await open(browser, html, hash)) }
}

const hashOf = (page: Page) => page.evaluate('location.hash')

/** The text of each cell of the row of a flag, by the title of its column. */
async function cellsOf(page: Page, name: string): Promise<Record<string, string>> {
  const titles = await page.locator('thead th').allTextContents()
  const row = page.locator('tbody tr', { has: page.getByText(name, { exact: true }) })
  const texts = await row.locator('td').allInnerTexts()
  return Object.fromEntries(titles.map((title, index) => [title, texts[index] ?? '']))
}

describe('the page of a review', () => {
  it('starts with the service, the span, the time and what is incomplete', async () => {
    const { page } = await openReview('', { ...projects, forbidden: {} })
    expect(await page.title()).toBe('Review of 2 projects on http://service')
    expect(await page.locator('h1').textContent()).toBe('Review of 2 projects')
    expect((await page.locator('header p').innerText()).replace('\n', ' ')).toBe(
      'Feature flags of http://service. Usage since 2026-11-18 17:00 UTC (47h 10m). Made at 2026-11-20 16:10 UTC.',
    )
    expect(await page.locator('.incomplete').innerText()).toBe(
      'Incomplete\n1 of 3 projects could not be read (forbidden)',
    )
  })

  it('shows the flags with each verdict, and a bar for each project', async () => {
    const { page } = await openReview()
    expect(await page.locator('.incomplete').count()).toBe(0)
    expect(await page.locator('.card').allInnerTexts()).toEqual([
      '5 flags\nall verdicts',
      '2 removable\nnot used, and not seen for long: can go',
      '1 in use\nused or seen in the span',
      '1 unclear\nsomething is not known: see the reasons',
      '1 permanent\nkill switches and permissions stay',
    ])
    expect(await page.locator('.projects li').allInnerTexts()).toEqual([
      'mail\n1 of 2 removable',
      'shop\n1 of 3 removable',
    ])
    const bars = page.getByRole('img', { name: '1 removable, 1 in use, 1 unclear' })
    expect(await bars.locator('rect').count()).toBe(3)
  })

  it('has a row for each flag, which links to its page of the service', async () => {
    const files = { 'work/src/shop.ts': "isEnabled('basket')\n" }
    const { page } = await openReview('', projects, ['--scan', 'src'], files)
    expect(await shownFlags(page)).toEqual(['banner', 'digest', 'fresh', 'basket', 'outage'])
    expect(await cellsOf(page, 'basket')).toEqual({
      Verdict: 'in use',
      Project: 'shop',
      Flag: 'basket',
      Type: 'release',
      Age: '9 mo',
      Environments: 'development on not seen\nproduction on seen 30 m ago',
      Usage: '7,300\nlast used this hour',
      Reasons:
        'on everywhere, 9 mo old: make it permanent in code; 7,300 evaluations in 48 h; last used this hour by web in production',
      Code: 'src/shop.ts:1',
    })
    expect(await cellsOf(page, 'banner')).toEqual({
      Verdict: 'removable',
      Project: 'shop',
      Flag: 'banner',
      Type: 'experiment (stale)',
      Age: '9 mo',
      Environments: 'production off not seen',
      Usage: 'none',
      Reasons:
        "no usage in 48 h; not in the code; off everywhere; created 9 mo ago; not seen in its project's environments (production)",
      Code: 'none found',
    })
    const link = page.getByRole('link', { name: 'basket', exact: true })
    expect(await link.getAttribute('href')).toBe('http://service/projects/shop/features/basket')
  })

  it('draws the usage of each hour', async () => {
    const { page } = await openReview()
    const chart = page.getByRole('img', {
      name: 'hourly usage, at most 2,800, in the hour from 2026-11-20 09:00 UTC',
    })
    const bars = (await chart.locator('path:not(.axis)').getAttribute('d')) ?? ''
    expect(bars.match(/M/g)?.length).toBe(46)
  })

  it('says if rows are left out', async () => {
    const { page } = await openReview('', projects, ['--limit', '2'])
    expect(await page.locator('.incomplete li').allTextContents()).toEqual([
      'The table has 2 of 5 flags, because --verdict or --limit left out others',
    ])
    expect(await shownFlags(page)).toEqual(['banner', 'digest'])
  })

  it('may have one row or none', async () => {
    const none = await openReview('', projects, ['--verdict', 'archived'])
    expect(await shownFlags(none.page)).toEqual([])
    const one = await openReview('', { shop: { banner: {} } })
    expect(await one.page.getByRole('status').textContent()).toBe('1 flag')
    expect([...none.incidents, ...one.incidents]).toEqual([])
  })

  it('loads nothing, and its policy refuses scripts and styles of others', async () => {
    const { page, incidents } = await openReview()
    expect(incidents).toEqual([])
    await page.evaluate(`
      const script = document.createElement('script')
      script.textContent = 'document.title = "changed"'
      document.body.append(script)`)
    expect(await page.title()).not.toBe('changed')
    expect(incidents).toEqual([expect.stringContaining('Content Security Policy')])
  })

  it('reads without a script', async () => {
    const html = await reviewPage(projects)
    const { page } = await open(browser, html.replace(/<script>.*<\/script>/s, ''))
    expect(await shownFlags(page)).toHaveLength(5)
    expect(await page.locator('form').isVisible()).toBe(false)
  })
})

describe('filtering', () => {
  it('follows the address', async () => {
    const { page } = await openReview('#verdict=removable')
    expect(await shownFlags(page)).toEqual(['banner', 'digest'])
    expect(await page.getByRole('status').textContent()).toBe('2 of 5 flags')
    expect(await page.getByRole('combobox', { name: 'Verdict' }).inputValue()).toBe('removable')
    for (const [link, names] of [
      ['1 in use', ['basket']],
      ['shop', ['banner', 'fresh', 'basket']],
      ['5 flags', ['banner', 'digest', 'fresh', 'basket', 'outage']],
    ] as const) {
      await page.locator('main a', { hasText: link }).first().click()
      // The event for a new address comes after the click.
      await expect.poll(() => shownFlags(page)).toEqual(names)
    }
  })

  it('by verdict, project, type and text changes the address', async () => {
    const { page } = await openReview()
    await page.getByRole('combobox', { name: 'Project' }).selectOption('shop')
    await page.getByRole('combobox', { name: 'Type' }).selectOption('release')
    expect(await shownFlags(page)).toEqual(['fresh', 'basket'])
    await page.getByLabel('Text').fill('USED this hour')
    expect(await shownFlags(page)).toEqual(['basket'])
    expect(await hashOf(page)).toBe('#project=shop&type=release&text=USED+this+hour')
    await page.getByRole('button', { name: 'Show all' }).click()
    expect(await shownFlags(page)).toHaveLength(5)
    await page.getByRole('combobox', { name: 'Verdict' }).selectOption('unclear')
    expect(await shownFlags(page)).toEqual(['fresh'])
    expect(await page.locator('tbody tr[hidden]').count()).toBe(4)
  })
})

describe('sorting', () => {
  it('by a column and back is in the address, and announced', async () => {
    const { page } = await openReview()
    await page.getByRole('button', { name: /^Age/ }).click()
    expect(await shownFlags(page)).toEqual(['fresh', 'digest', 'banner', 'basket', 'outage'])
    expect(await hashOf(page)).toBe('#sort=Age')
    const heading = page.getByRole('columnheader', { name: /^Age/ })
    expect(await heading.getAttribute('aria-sort')).toBe('ascending')
    await page.getByRole('button', { name: /^Age/ }).click()
    expect(await shownFlags(page)).toEqual(['outage', 'basket', 'banner', 'digest', 'fresh'])
    expect(await heading.getAttribute('aria-sort')).toBe('descending')
  })

  it.each([
    ['Flag', ['banner', 'basket', 'digest', 'fresh', 'outage']],
    ['-Usage', ['basket', 'outage', 'fresh', 'digest', 'banner']],
    ['-Environments', ['basket', 'fresh', 'digest', 'outage', 'banner']],
  ])('by %s is in the address', async (key, names) => {
    const { page } = await openReview(`#sort=${key}`)
    expect(await shownFlags(page)).toEqual(names)
  })

  it('works with the keyboard', async () => {
    const { page } = await openReview()
    await page.getByRole('button', { name: 'Show all' }).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await hashOf(page)).toBe('#sort=Project')
    await page.keyboard.press('Space')
    expect(await hashOf(page)).toBe('#sort=-Project')
  })
})

describe('text from outside', () => {
  const image = '<img src=x onerror=alert(1)>'
  const environments = [{ name: `</li>${image}`, enabled: true, lastSeenAt: null }]
  const used = (appName: string, fields: object = {}): FlagSeed => ({
    production: recent,
    usage: [{ hoursAgo: 0, yes: 5, no: 0, appName }],
    ...fields,
  })
  const hostile: Projects = {
    [`"'${image}`]: {
      [`</td></table>${image}`]: used(`</script><script>alert(2)</script>\u202e\u001b[31m`, {
        type: `</option></select>${image}`,
        environments,
      }),
      'javascript:alert(3)': { type: '&lt;b&gt;' },
    },
    [CANARY]: { leak: used(CANARY) },
  }

  it('is text, never markup, and has no key', async () => {
    const files = { [`work/src/${image.replace(/[/<>]/g, '&')}.ts`]: "'javascript:alert(3)'" }
    const { page, incidents, html } = await openReview('', hostile, ['--scan', 'src'], files)
    expect(html).not.toContain('canary')
    expect(await page.locator('img, tbody script, b').count()).toBe(0)
    expect(await page.locator('script').count()).toBe(1)
    const cells = await cellsOf(page, `</td></table>${image}`)
    expect(cells).toMatchObject({
      Project: `"'${image}`,
      Type: `</option></select>${image}`,
      Environments: `</li>${image} on not seen\nproduction state unknown when it was seen is not known`,
    })
    expect(cells.Reasons).toContain(
      'by </script><script>alert(2)</script>\\u202e\\x1b[31m in production',
    )
    const script = await cellsOf(page, 'javascript:alert(3)')
    expect(script).toMatchObject({
      Type: '&lt;b&gt;',
      Code: 'src/&img src=x onerror=alert(1)&.ts:1',
    })
    expect(incidents).toEqual([])
  })
})

describe('looks', () => {
  const many = { ...manyProjects(60, 5), forbidden: {} }

  it.each(['light', 'dark'] as const)('have contrast and names in %s', async (colorScheme) => {
    const { page } = await openReview('', many)
    await page.emulateMedia({ colorScheme })
    for (const width of [360, 1600]) {
      await page.setViewportSize({ width, height: 1000 })
      await page.evaluate(axe.source)
      const { violations } = await page.evaluate<AxeResults>('axe.run()')
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    }
    await page.emulateMedia({ colorScheme: 'light' })
  })

  it.each([360, 700, 1100, 1600])('fit %i pixels', async (width) => {
    const { page } = await openReview('', many)
    await page.setViewportSize({ width, height: 1000 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    const wide =
      'Array.from(document.querySelectorAll("td")).filter((td) => td.scrollWidth > td.clientWidth)'
    expect(await page.evaluate(`${wide}.map((td) => td.textContent)`)).toEqual([])
    await keepPicture(page, `${width}`)
    await page.locator('table').scrollIntoViewIfNeeded()
    await keepPicture(page, `${width}-table`)
  })

  it('print the rows that are shown, in a table on white', async () => {
    const { page } = await openReview('#verdict=removable')
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    const styleOf = (selector: string, property: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${property}`)
    expect(await page.locator('form').isVisible()).toBe(false)
    expect(await styleOf('thead', 'display')).toBe('table-header-group')
    expect(await styleOf('tbody tr:not([hidden])', 'display')).toBe('table-row')
    expect(await page.locator('tbody tr:visible').count()).toBe(2)
    expect(await styleOf('body', 'backgroundColor')).toBe('rgb(255, 255, 255)')
    expect((await page.pdf({ preferCSSPageSize: true })).subarray(0, 5).toString()).toBe('%PDF-')
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' })
  })
})

describe('5,000 flags', () => {
  it('are sorted and filtered in less than 100 ms', async () => {
    const html = await reviewPage(manyProjects(5000, 25), ['--concurrency', '20'])
    const { page } = await open(browser, html)
    const session = await page.context().newCDPSession(page)
    // The time of the processor, because the machine may be busy.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    const spent = async () => {
      const { metrics } = await session.send('Performance.getMetrics')
      const parts = ['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration']
      const own = metrics.filter(({ name }) => parts.includes(name))
      return own.reduce((sum, { value }) => sum + value * 1000, 0)
    }
    const timeOf = async (filter: string) => {
      const before = await spent()
      await page.evaluate(`(async () => {
        const changed = new Promise((resolve) => addEventListener('hashchange', resolve))
        location.hash = '${filter}'
        await changed
        document.body.getBoundingClientRect()
      })()`)
      return (await spent()) - before
    }
    const times = [await timeOf('sort=Flag'), await timeOf('sort=-Usage')]
    expect(Math.min(...times)).toBeLessThan(100)
    expect(await timeOf('text=coupon')).toBeLessThan(100)
    expect(await page.getByRole('status').textContent()).toBe('1250 of 5000 flags')
  })
})
