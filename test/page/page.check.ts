import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { daysAgo, feature, type FlagSeed, type Projects } from '../flags/service.ts'
import { CANARY, flagadm } from '../support/flagadm.ts'
import { type Browser, keepPicture, open, shownFlags, shownRows, startBrowser } from './browser.ts'
import { pageTexts } from './pdf.ts'
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
    // Somebody asks for the project's flags in production.
    outage: { type: 'kill-switch', createdAt: daysAgo(500), production: { seen: 1 / 48 } },
    digest: { createdAt: daysAgo(100), production: { on: true, seen: 20 } },
  },
}

/** The page about these projects, opened in the browser. */
async function openReview(hash = '', given = projects, argv: readonly string[] = [], files = {}) {
  const html = await reviewPage(given, argv, { files })
  return { html, ...(await open(browser, html, hash)) }
}

/** The code that has one of the flags. */
const code = { 'work/src/shop.ts': "isEnabled('basket')\n" }

const hashOf = (page: Page) => page.evaluate('location.hash')

/** The counts above the table, which filter it. */
const linksOf = (page: Page) => page.locator('nav a').allInnerTexts()

/** The button with the name of a flag, which opens its row. */
const buttonOf = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** The text of each section that open rows show, by its title. */
async function detailsOf(page: Page): Promise<Record<string, string[]>> {
  const sections = await page.locator('.details section:not([hidden])').allInnerTexts()
  return Object.fromEntries(
    sections.map((text) => {
      const [title = '', ...lines] = text.split('\n').filter(Boolean)
      return [title, lines]
    }),
  )
}

/** What the clipboard has after a click. */
async function copied(page: Page, name: RegExp): Promise<string> {
  await page.getByRole('button', { name }).click()
  await expect.poll(() => page.getByRole('status').textContent()).toMatch(/^Copied/)
  return page.evaluate('navigator.clipboard.readText()')
}

/** The text of each cell of the row of a flag, by the title of its column. */
async function cellsOf(page: Page, name: string): Promise<Record<string, string>> {
  const titles = await page.locator('thead button').allTextContents()
  const row = page.locator('tbody tr', { has: buttonOf(page, name) })
  const texts = await row.locator('td').allInnerTexts()
  return Object.fromEntries(titles.map((title, index) => [title, texts[index] ?? '']))
}

describe('the page of a review', () => {
  it('starts with the service, the span, the time and what is incomplete', async () => {
    const { page } = await openReview('', { ...projects, forbidden: {} })
    expect(await page.title()).toBe('Review of 2 projects on http://service')
    expect(await page.locator('h1').textContent()).toBe('Review of 2 projects')
    expect((await page.locator('header p').innerText()).replace('\n', ' ')).toBe(
      'On http://service, since 2026-11-18 17:00 UTC (47h 10m), read at 2026-11-20 16:10 UTC',
    )
    expect(await page.locator('.incomplete').innerText()).toBe(
      'Incomplete\n1 of 3 projects could not be read (forbidden)',
    )
  })

  it('shows how many flags each verdict has, and a bar for each project', async () => {
    const { page } = await openReview()
    expect(await page.locator('.incomplete').count()).toBe(0)
    expect(await linksOf(page)).toEqual([
      '5 all',
      '1 removable',
      '1 still on',
      '1 in use',
      '1 unclear',
      '1 permanent',
    ])
    expect(await page.locator('.projects li').allInnerTexts()).toEqual([
      'shop\n1 of 3 removable',
      'mail\n0 of 2 removable',
    ])
    const bars = page.getByRole('img', { name: '1 removable, 1 in use, 1 unclear' })
    const parts = await bars.locator('span').all()
    const widths = await Promise.all(
      parts.map(async (part) => (await part.boundingBox())?.width ?? 0),
    )
    expect(widths.map((width) => width > 0)).toEqual([true, false, true, true, false])
  })

  it('has bars that follow the filters, in the colours of the counts', async () => {
    const { page } = await openReview()
    const texts = () => page.locator('.projects li').allInnerTexts()
    const colourOf = (selector: string) =>
      page.evaluate(
        `getComputedStyle(document.querySelector('${selector}'), '::before').backgroundColor`,
      )
    const partColour = `getComputedStyle(document.querySelector('.bar span')).backgroundColor`
    expect(await page.evaluate(partColour)).toBe(await colourOf('nav a.green'))
    await page.getByRole('searchbox').fill('banner')
    expect(await texts()).toEqual(['shop\n1 of 1 removable', 'mail\n0 of 0 removable'])
    expect(await page.getByRole('img', { name: '1 removable', exact: true }).count()).toBe(1)
    await page.getByRole('searchbox').fill('')
    await page.locator('nav a', { hasText: 'in use' }).click()
    expect(await texts()).toEqual(['shop\n1 of 3 in use', 'mail\n0 of 2 in use'])
    await page.getByRole('link', { name: 'shop' }).click()
    expect(await texts()).toEqual(['shop\n1 of 3 in use', 'mail\n0 of 2 in use'])
  })

  it('has no number twice in a row', async () => {
    const given: Projects = {
      shop: {
        basket: { usage, production: { seen: 1 } },
        seen: { production: { on: true, seen: 1 } },
      },
    }
    const { page } = await openReview('', given)
    expect(await cellsOf(page, 'basket')).toMatchObject({
      Usage: '7,300',
      Reason: 'used by web in production',
    })
    expect(await cellsOf(page, 'seen')).toMatchObject({
      'Last seen': '24 h ago',
      Reason: 'seen in production',
    })
  })

  it('has the details of each flag if an environment has an empty name', async () => {
    const environments = [{ name: '', enabled: true, lastSeenAt: null }]
    const { page } = await openReview('', { shop: { basket: { environments }, old: {} } })
    await buttonOf(page, 'basket').press('Enter')
    const lines = await page
      .locator('.details section', { hasText: 'Environments' })
      .allInnerTexts()
    expect(lines.join().split('\n').slice(-3)).toEqual(['on', 'never seen', 'no evaluations'])
    await buttonOf(page, 'old').press('Enter')
    expect((await detailsOf(page)).Created).toEqual(['9 mo ago (2026-01-24 16:10 UTC)'])
  })

  it.each([
    [12, true],
    [13, false],
  ])('has the bars of %i projects open: %s', async (count, isOpen) => {
    const { page } = await openReview('', manyProjects(count, count))
    expect(await page.locator('summary').innerText()).toBe(`${count} projects`)
    expect(await page.locator('.projects ul').isVisible()).toBe(isOpen)
  })

  it('has a row for each flag', async () => {
    const { page } = await openReview('', projects, ['--scan', 'src'], code)
    expect(await shownFlags(page)).toEqual(['banner', 'digest', 'fresh', 'basket', 'outage'])
    expect(await cellsOf(page, 'basket')).toEqual({
      Flag: 'basket',
      Project: 'shop',
      Verdict: 'in use',
      Age: '9 mo',
      'On in': 'development, production',
      'Last seen': '30 min ago',
      Type: 'release',
      Usage: '7,300',
      Reason: 'used by web in production',
      Code: '1 place',
    })
    expect(await cellsOf(page, 'banner')).toEqual({
      Flag: 'banner',
      Project: 'shop',
      Verdict: 'removable',
      Age: '9 mo',
      'On in': 'off',
      'Last seen': '',
      Type: 'experiment\nstale',
      Usage: 'none',
      Reason: 'no usage in 48 h',
      Code: 'none found',
    })
    expect(await cellsOf(page, 'digest')).toMatchObject({
      Verdict: 'still on',
      'On in': 'production',
      'Last seen': '20 d ago',
    })
  })

  it('draws the usage of each hour', async () => {
    const { page } = await openReview()
    const row = page.locator('tbody tr', { has: page.getByText('basket', { exact: true }) })
    const bars = (await row.locator('path:not(.axis)').getAttribute('d')) ?? ''
    expect(bars.match(/M/g)?.length).toBe(46)
    expect(bars.match(/V0/g)?.length).toBe(1)
    expect(await row.locator('.axis').getAttribute('d')).toBe('M0 100H48')
    expect(await page.locator('.chart').count()).toBe(1)
    expect(await page.locator('thead small').innerText()).toBe('in 48 h')
    await buttonOf(page, 'basket').press('Enter')
    expect(await page.locator('figcaption').innerText()).toBe('each hour in 48 h')
  })

  it('has no chart of a flag without usage in these hours', async () => {
    const days = [{ daysAgo: 10, yes: 36_000, no: 0 }]
    const given = { shop: { billing: { days } } }
    const argv = ['review', '--all-projects', '--since', '30d', '-o', 'html']
    const { stdout } = await feature(argv, given, { keepsDays: true })
    const { page } = await open(browser, stdout)
    expect(await cellsOf(page, 'billing')).toMatchObject({ Usage: '36,000' })
    await buttonOf(page, 'billing').press('Enter')
    expect((await detailsOf(page)).Usage).toEqual([
      '36,000 enabled, 0 disabled',
      'last used 10 d ago (2026-11-10 UTC)',
      'no evaluations in 41 h',
    ])
    expect(await page.locator('.chart, thead small').count()).toBe(0)
  })

  it('has figures at the right, in one line', async () => {
    const most = [{ hoursAgo: 3, yes: 2_237_106_718, no: 0 }]
    const { page } = await openReview('', { shop: { basket: { usage: most }, used: { usage } } })
    const ends = `Array.from(document.querySelectorAll('${shownRows} > .figure'), (cell) => {
      const range = document.createRange()
      range.selectNode(cell.lastChild)
      const boxes = Array.from(range.getClientRects())
      return [boxes.length, Math.round(boxes[0].right), cell.scrollWidth <= cell.clientWidth]
    })`
    for (const [media, width] of [
      ['screen', 1440],
      ['print', 1046],
    ] as const) {
      await page.emulateMedia({ media })
      await page.setViewportSize({ width, height: 900 })
      const [first, second] = await page.evaluate<unknown[][]>(ends)
      expect(first).toEqual([1, expect.any(Number), true])
      expect(second).toEqual(first)
    }
  })

  it('says if rows are left out', async () => {
    const { page } = await openReview('', projects, ['--limit', '2'])
    expect(await page.locator('.incomplete li').allTextContents()).toEqual([
      'The table has 2 of 5 flags, because --verdict or --limit left out others',
    ])
    expect(await shownFlags(page)).toEqual(['banner', 'digest'])
    expect((await linksOf(page))[0]).toBe('2 all')
  })

  it('may have one row or none', async () => {
    const none = await openReview('', projects, ['--verdict', 'archived'])
    expect(await shownFlags(none.page)).toEqual([])
    expect(await none.page.locator('.nothing').isVisible()).toBe(false)
    expect(await none.page.getByRole('button', { name: /^Copy/ }).count()).toBe(0)
    const one = await openReview('', { shop: { banner: {} } })
    expect(await one.page.getByRole('status').textContent()).toBe('1 of 1 flags')
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

describe('a row', () => {
  it('opens with all that is known about the flag, and closes', async () => {
    const { page } = await openReview('', projects, ['--scan', 'src'], code)
    const button = buttonOf(page, 'basket')
    await button.click()
    expect(await button.getAttribute('aria-expanded')).toBe('true')
    expect(await detailsOf(page)).toEqual({
      Reasons: ['7,300 evaluations in 48 h', 'last used this hour by web in production'],
      Created: ['9 mo ago (2026-01-24 16:10 UTC)'],
      Code: ['src/shop.ts:1'],
      Environments: [
        'development',
        'on',
        'never seen',
        'no evaluations',
        'production',
        'on',
        'seen 30 min ago (2026-11-20 15:40 UTC)',
        '7,300 enabled, 0 disabled',
      ],
      Usage: [
        'each hour in 48 h',
        '7,300 enabled, 0 disabled',
        'last used this hour (2026-11-20 16:00–16:59 UTC)',
        'at most 2,800 in an hour, from 2026-11-20 09:00 UTC',
      ],
    })
    const link = page.getByRole('link', { name: 'Open in the service' })
    expect(await link.getAttribute('href')).toBe('http://service/projects/shop/features/basket')
    await button.click()
    expect(await page.locator('.details').count()).toBe(0)
    expect(await button.getAttribute('aria-expanded')).toBe('false')
  })

  it('opens and closes with a click anywhere, but not with one that selects text', async () => {
    const { page } = await openReview()
    const cells = page.locator('tbody tr').first().locator('td')
    // The first click opens the row, the second one selects a word.
    await cells.nth(6).dblclick({ position: { x: 20, y: 10 } })
    expect(await page.evaluate('String(getSelection()).trim()')).toBe('experiment')
    expect(await page.locator('.details').count()).toBe(1)
    await page.locator('.details h3').first().click()
    expect(await page.locator('.details').count()).toBe(1)
    await cells.nth(3).click()
    expect(await page.locator('.details').count()).toBe(0)
  })

  it('stays open below its flag when the order changes, and closes when it is filtered out', async () => {
    const { page } = await openReview()
    await buttonOf(page, 'outage').press('Enter')
    await page.getByRole('button', { name: /^Flag/ }).press('Enter')
    const rows = await page
      .locator('tbody tr')
      .evaluateAll((all) => all.map((row) => row.className))
    expect(rows).toEqual(['removable', 'in-use', 'still-on', 'unclear', 'permanent', 'details'])
    await page.getByRole('searchbox').fill('basket')
    await page.getByRole('searchbox').fill('')
    expect(await page.locator('.details').count()).toBe(0)
    expect(await buttonOf(page, 'outage').getAttribute('aria-expanded')).toBe('false')
  })

  it.each([1440, 900, 390])('has a long name as a whole at %i pixels', async (width) => {
    const start = 'checkout-express-pay-with-'
    const names = ['national', 'regional'].map((word) => `${start}${word}-provider-fallback`)
    const [first = '', second = ''] = names
    const given = { shop: { [first]: {}, [second]: {} }, 'loyalty-programme-europe': { short: {} } }
    const { page } = await openReview('', given)
    await page.setViewportSize({ width, height: 900 })
    for (const name of names) {
      const button = buttonOf(page, name)
      expect(await button.innerText()).toBe(name)
      const isCut = await button.evaluate(
        ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => {
          return scrollWidth > clientWidth || scrollHeight > clientHeight
        },
      )
      expect(isCut).toBe(false)
      const row = page.locator('tbody tr', { has: button })
      if (width === 1440) expect((await row.boundingBox())?.height).toBe(40)
    }
  })

  it.each(['a b', 'a/b', 'a\ud800'])('has no link if the name is %j', async (name) => {
    const { page } = await openReview('', { shop: { [name]: {} } })
    await page.locator('tbody button').press('Enter')
    expect((await detailsOf(page)).Created).toEqual(['9 mo ago (2026-01-24 16:10 UTC)'])
    expect(await page.locator('.details a').count()).toBe(0)
  })

  it('has no link to a service that is gone when the page is read', async () => {
    const argv = ['feature', 'review', '--all-projects', '-o', 'html', '-p', 'sandbox']
    const { stdout } = await flagadm(argv)
    const { page } = await open(browser, stdout)
    await buttonOf(page, 'legacy-invoice-export').press('Enter')
    expect(await page.locator('a:not([href^="#"])').count()).toBe(0)
    expect(await page.locator('header p').innerText()).toContain('On the embedded sandbox, since')
    expect(await copied(page, /^Copy archive command/)).toBe(
      'flagadm feature archive -p sandbox --not-seen-for 30d --project default legacy-invoice-export',
    )
  })
})

describe('a comparison', () => {
  const before: Projects = {
    shop: { basket: {}, banner: {}, left: { type: 'kill-switch' } },
    mail: projects.mail ?? {},
  }
  const argv = ['review', '--all-projects', '--not-seen-for', '7d']
  const compare = ['--compare', 'last.json']

  async function openComparison(earlier: Projects, hash = '') {
    const { stdout } = await feature([...argv, '--json'], earlier)
    return openReview(hash, projects, compare, { 'work/last.json': stdout })
  }

  it('says so, and what has changed', async () => {
    const { page } = await openComparison(before)
    expect(await page.locator('header p').last().innerText()).toBe(
      'Compared with the review of 2026-11-20 16:10 UTC: 3 changed (1 new, 1 gone).',
    )
    expect(await page.locator('td small').allTextContents()).toEqual([
      'new',
      'was removable',
      'was permanent',
      'stale',
    ])
    expect(await cellsOf(page, 'left')).toMatchObject({
      Verdict: 'gone\nwas permanent',
      Project: 'shop',
    })
    await buttonOf(page, 'left').press('Enter')
    expect(await page.locator('.details a').count()).toBe(0)
  })

  it('has rows of the same height as a review', async () => {
    const { page } = await openComparison(before)
    const boxes = await Promise.all(
      (await page.locator(shownRows).all()).map((row) => row.boundingBox()),
    )
    expect(new Set(boxes.map((box) => box?.height))).toEqual(new Set([40]))
    const isCut = await page
      .locator(`${shownRows} > .badge`)
      .evaluateAll((cells) => cells.some((cell) => cell.scrollHeight > cell.clientHeight))
    expect(isCut).toBe(false)
  })

  it('counts and copies only flags that are there', async () => {
    const { page } = await openComparison(before)
    expect(await linksOf(page)).toEqual([
      '5 all',
      '3 changed',
      '1 removable',
      '1 still on',
      '1 in use',
      '1 unclear',
      '1 permanent',
      '1 gone',
    ])
    expect(await page.getByRole('status').textContent()).toBe('5 of 5 flags, 1 gone')
    expect(await copied(page, /^Copy names \(5\)$/)).toBe('fresh\nbasket\nbanner\ndigest\noutage\n')
  })

  it('can be filtered by what has changed', async () => {
    const { page } = await openComparison(before, '#verdict=changed&project=shop')
    expect(await shownFlags(page)).toEqual(['fresh', 'basket', 'left'])
    expect(await page.getByRole('status').textContent()).toBe(
      '2 of 5 flags, 1 gone: not what the earlier review had',
    )
    await page.locator('nav a', { hasText: 'gone' }).click()
    expect(await shownFlags(page)).toEqual(['left'])
    expect(await page.getByRole('button', { name: /^Copy/ }).count()).toBe(0)
  })

  it('may have no changes', async () => {
    const { page } = await openComparison(projects)
    expect(await page.locator('header p').last().innerText()).toContain(': 0 changed.')
    expect((await linksOf(page))[1]).toBe('0 changed')
  })

  it('may be with a review without flags', async () => {
    const { page } = await openComparison({ shop: {}, mail: {} })
    expect(await page.locator('header p').last().innerText()).toBe(
      'Compared with an earlier review: 5 changed (5 new).',
    )
  })
})

describe('filtering', () => {
  it('follows the address', async () => {
    const { page } = await openReview('#verdict=removable')
    expect(await shownFlags(page)).toEqual(['banner'])
    expect(await page.getByRole('status').textContent()).toBe(
      '1 of 5 flags: not used or seen for a long time, and off: can go',
    )
    await page.evaluate("location.hash = '#verdict=in-use'")
    // The event for a new address comes later.
    await expect.poll(() => shownFlags(page)).toEqual(['basket'])
  })

  it('by links changes the address, and keeps other filters', async () => {
    const { page } = await openReview()
    const link = (text: string) => page.locator('main a', { hasText: text }).first()
    await link('shop').click()
    expect(await shownFlags(page)).toEqual(['banner', 'fresh', 'basket'])
    expect(await linksOf(page)).toEqual([
      '3 all',
      '1 removable',
      '0 still on',
      '1 in use',
      '1 unclear',
      '0 permanent',
    ])
    await link('1 in use').click()
    expect(await shownFlags(page)).toEqual(['basket'])
    expect(await hashOf(page)).toBe('#project=shop&verdict=in-use')
    const current = page.locator('a[aria-current]')
    expect(await current.allInnerTexts()).toEqual(['1 in use', 'shop'])
    await link('3 all').click()
    expect(await shownFlags(page)).toEqual(['banner', 'fresh', 'basket'])
    await link('shop').click()
    expect(await hashOf(page)).toBe('')
    expect(await shownFlags(page)).toHaveLength(5)
  })

  it('by project, type and text changes the address', async () => {
    const { page } = await openReview()
    await page.getByRole('combobox', { name: 'Project' }).selectOption('shop')
    await page.getByRole('combobox', { name: 'Type' }).selectOption('release')
    expect(await shownFlags(page)).toEqual(['fresh', 'basket'])
    await page.getByRole('searchbox').fill('USED this hour')
    expect(await shownFlags(page)).toEqual(['basket'])
    expect(await hashOf(page)).toBe('#project=shop&type=release&text=USED+this+hour')
    await page.getByRole('button', { name: 'Clear' }).click()
    expect(await shownFlags(page)).toHaveLength(5)
    expect(await page.getByRole('button', { name: 'Clear' }).count()).toBe(0)
  })

  it('that leaves nothing can be cleared where the flags were', async () => {
    const { page } = await openReview('#text=nowhere')
    expect(await page.getByRole('status').textContent()).toBe('0 of 5 flags')
    expect(await page.getByRole('button', { name: /^Copy/ }).count()).toBe(0)
    await expect.poll(() => page.getByText('No flags match the filters.').isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Clear the filters' }).click()
    expect(await shownFlags(page)).toHaveLength(5)
    expect(await page.locator('.nothing').isVisible()).toBe(false)
  })

  it('shows finished flags, with whom to ask', async () => {
    const done: FlagSeed = {
      production: { on: true, seen: 0.02, strategies: [{ name: 'default' }] },
      usage: [{ hoursAgo: 1, yes: 9, no: 0 }],
      own: { createdBy: { id: 1, name: 'ada', imageUrl: '' } },
    }
    const { page } = await openReview('#verdict=finished', { shop: { done, banner: {} } })
    expect(await shownFlags(page)).toEqual(['done'])
    expect(await linksOf(page)).toContain('1 finished')
    expect(await cellsOf(page, 'done')).toMatchObject({
      Verdict: 'finished',
      Owner: 'ada',
      Reason: 'keep on: on for everyone in production, unchanged for 7 d',
    })
  })

  it('shows owners without the domain that all have, and the whole address in an open row', async () => {
    const ownedBy = (name: string): FlagSeed => ({
      own: { createdBy: { id: 7, name, imageUrl: '' } },
    })
    const addresses = { a: ownedBy('ada.of.checkout@shop.example'), b: ownedBy('eve@shop.example') }
    const { page } = await openReview('', { shop: addresses })
    expect(await cellsOf(page, 'a')).toMatchObject({ Owner: 'ada.of.checkout' })
    await buttonOf(page, 'b').click()
    expect(await cellsOf(page, 'b')).toMatchObject({ Owner: 'eve' })
    expect(await detailsOf(page)).toMatchObject({ Owner: ['eve@shop.example'] })
  })

  it('does not move the table', async () => {
    const { page } = await openReview('#verdict=in-use')
    await page.setViewportSize({ width: 1366, height: 900 })
    const table = page.locator('table')
    const before = await table.boundingBox()
    await page.getByRole('button', { name: 'Clear' }).click()
    expect(await page.getByRole('status').textContent()).toBe('5 of 5 flags')
    expect(await table.boundingBox()).toMatchObject({ y: before?.y })
  })

  it('begins at the top of the table', async () => {
    const { page } = await openReview('', manyProjects(100, 3))
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    await page.locator('nav a', { hasText: 'removable' }).click()
    const [row, head] = await Promise.all(
      [page.locator(shownRows).first(), page.locator('thead')].map((one) => one.boundingBox()),
    )
    expect(row?.y).toBeGreaterThanOrEqual((head?.y ?? 0) + (head?.height ?? 0) - 1)
    expect(row?.y).toBeLessThan(300)
  })

  it('is taken back by the history, a search as a whole', async () => {
    const { page } = await openReview()
    await page.locator('nav a', { hasText: 'in use' }).click()
    await page.getByRole('searchbox').pressSequentially('bas')
    expect(await hashOf(page)).toBe('#verdict=in-use&text=bas')
    await page.goBack()
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('')
    expect(await shownFlags(page)).toEqual(['basket'])
    await page.goBack()
    await expect.poll(() => shownFlags(page)).toHaveLength(5)
    const length = await page.evaluate('history.length')
    await page.keyboard.press('Escape')
    expect(await page.evaluate('history.length')).toBe(length)
  })

  it('stays at the top, with the counts and the titles of the columns', async () => {
    const { page } = await openReview('', manyProjects(100, 3))
    await page.evaluate('scrollTo(0, document.body.scrollHeight / 2)')
    for (const selector of ['nav a', '[type=search]', '#copy-names', 'thead']) {
      expect(await page.locator(selector).first().isVisible()).toBe(true)
      const box = await page.locator(selector).first().boundingBox()
      expect(box?.y).toBeGreaterThanOrEqual(0)
      expect(box?.y).toBeLessThan(100)
    }
  })
})

describe('copying', () => {
  it('gives the names that are shown, in their order', async () => {
    const { page } = await openReview('#project=shop&sort=Flag')
    expect(await copied(page, /^Copy names \(3\)$/)).toBe('banner\nbasket\nfresh\n')
    expect(await page.getByRole('status').textContent()).toBe('Copied names (3)')
  })

  it('gives one command that archives the removable flags of each project', async () => {
    const given = {
      shop: { "it's": {}, '-x': {}, '~root': {}, hot: { usage } },
      mail: {
        on: { production: { on: true } },
        off: {},
        stop: { type: 'kill-switch', production: { seen: 1 } },
      },
    }
    const { page } = await openReview(
      '#sort=-Flag',
      given,
      ['--scan', 'src', '--since', '47h'],
      code,
    )
    const options = '--since 47h --not-seen-for 7d --scan src'
    expect(await copied(page, /^Copy archive command \(5\)$/)).toBe(
      `flagadm feature archive ${options} --include-on --save-before archived-mail.yaml --project mail on off &&\nflagadm feature archive ${options} --project shop -- 'it'\\''s' '~root' -x`,
    )
    expect(await page.getByRole('status').textContent()).toBe('Copied the archive command (5)')
    await page.getByRole('searchbox').fill('hot')
    expect(await page.getByRole('button', { name: /^Copy/ }).allInnerTexts()).toEqual([
      'Copy names (1)',
    ])
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
    await page.getByRole('button', { name: /^Age/ }).click()
    expect(await hashOf(page)).toBe('')
    expect(await heading.getAttribute('aria-sort')).toBe(null)
    expect(await shownFlags(page)).toEqual(['banner', 'digest', 'fresh', 'basket', 'outage'])
  })

  it('by usage begins with the most', async () => {
    const { page } = await openReview()
    await page.getByRole('button', { name: /^Usage/ }).click()
    expect(await hashOf(page)).toBe('#sort=-Usage')
    await page.getByRole('button', { name: /^Usage/ }).click()
    expect(await hashOf(page)).toBe('#sort=Usage')
  })

  it.each([
    ['Flag', ['banner', 'basket', 'digest', 'fresh', 'outage']],
    ['-Usage', ['basket', 'outage', 'fresh', 'digest', 'banner']],
    ['-On in', ['basket', 'fresh', 'digest', 'outage', 'banner']],
    ['Last seen', ['basket', 'outage', 'fresh', 'digest', 'banner']],
    ['-Verdict', ['outage', 'basket', 'fresh', 'digest', 'banner']],
  ])('by %s is in the address', async (key, names) => {
    const { page } = await openReview(`#${new URLSearchParams({ sort: key })}`)
    expect(await shownFlags(page)).toEqual(names)
  })
})

describe('the keyboard', () => {
  it('reaches everything in its order', async () => {
    const { page } = await openReview('#verdict=in-use')
    const reached: unknown[] = []
    const focused = `
      const { innerText, ariaLabel } = document.activeElement
      ariaLabel ?? innerText`
    for (let step = 0; step < 26; step++) {
      await page.keyboard.press('Tab')
      reached.push(await page.evaluate(focused))
    }
    expect(reached).toEqual([
      'http://service',
      ...['5 all', '1 removable', '1 still on', '1 in use', '1 unclear', '1 permanent'],
      ...['Search', 'Project', 'Type', 'Clear', 'Copy names (1)'],
      ...['2 projects', 'shop', 'mail'],
      ...['Flag', 'Project', 'Verdict', 'Age', 'On in', 'Last seen', 'Type', 'Usage', 'Reason'],
      'basket',
      expect.anything(),
    ])
  })

  it('searches with / and clears with Escape', async () => {
    const { page } = await openReview('#project=shop')
    await page.keyboard.press('/')
    await page.keyboard.type('a/b')
    expect(await page.getByRole('searchbox').inputValue()).toBe('a/b')
    expect(await hashOf(page)).toBe('#project=shop&text=a%2Fb')
    await page.keyboard.press('Escape')
    expect(await hashOf(page)).toBe('')
    expect(await page.getByRole('searchbox').inputValue()).toBe('')
    expect(await shownFlags(page)).toHaveLength(5)
  })

  const focusedText = (page: Page) => page.evaluate('document.activeElement.textContent')

  it('closes an open row with Escape before it clears, and keeps the focus', async () => {
    const { page } = await openReview('#project=shop')
    await buttonOf(page, 'fresh').press('Enter')
    await buttonOf(page, 'basket').press('Enter')
    await page.getByRole('link', { name: 'Open in the service' }).last().focus()
    await page.keyboard.press('Escape')
    expect(await page.locator('[aria-expanded=true]').allTextContents()).toEqual(['fresh'])
    expect(await focusedText(page)).toBe('basket')
    await page.keyboard.press('Escape')
    expect(await page.locator('.details').count()).toBe(0)
    expect(await hashOf(page)).toBe('#project=shop')
    await page.keyboard.press('Escape')
    expect(await hashOf(page)).toBe('')
    expect(await shownFlags(page)).toHaveLength(5)
    expect(await focusedText(page)).toBe('basket')
  })

  it('goes from the search to the first row with Enter', async () => {
    const { page } = await openReview()
    await page.getByRole('searchbox').fill('shop')
    await page.getByRole('searchbox').press('Enter')
    expect(await focusedText(page)).toBe('banner')
  })

  it.each([1440, 390])('shows all of a row that it opens at %i pixels', async (width) => {
    const { page } = await openReview('', manyProjects(60, 3))
    await page.setViewportSize({ width, height: 900 })
    const rows = await page.locator(shownRows).all()
    const boxes = await Promise.all(rows.map((row) => row.boundingBox()))
    const last = boxes.findLastIndex((box) => box && box.y + box.height <= 900)
    await rows[last]?.locator('button').press('Enter')
    const box = await page.locator('.details').boundingBox()
    expect(Math.floor(box ? box.y + box.height : Infinity)).toBeLessThanOrEqual(900)
  })

  it('opens rows with Enter and Space, and goes to the next one with Tab', async () => {
    const { page } = await openReview('#project=shop')
    await buttonOf(page, 'banner').focus()
    await page.keyboard.press('Enter')
    // The first one is the link of the open row.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    expect(await page.locator('[aria-expanded=true]').allTextContents()).toEqual([
      'banner',
      'basket',
    ])
    await page.keyboard.press('Shift+Tab')
    expect(await focusedText(page)).toBe('fresh')
  })

  it('sorts', async () => {
    const { page } = await openReview()
    await page.getByRole('button', { name: /^Project/ }).press('Enter')
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
    const cells = await cellsOf(page, `</td></table>${image}`)
    expect(cells).toMatchObject({
      Project: `"'${image}`,
      Type: `</option></select>${image}`,
      'On in': `</li>${image}`,
    })
    expect(await cellsOf(page, 'javascript:alert(3)')).toMatchObject({
      Type: '&lt;b&gt;',
      Code: '1 place',
    })
    await buttonOf(page, 'javascript:alert(3)').press('Enter')
    expect(await detailsOf(page)).toMatchObject({
      Created: ['9 mo ago (2026-01-24 16:10 UTC)'],
      Reasons: expect.arrayContaining(['in the code: src/&img src=x onerror=alert(1)&.ts:1']),
    })
    await buttonOf(page, 'javascript:alert(3)').press('Enter')
    await buttonOf(page, `</td></table>${image}`).press('Enter')
    const details = await detailsOf(page)
    expect(details.Reasons).toContain(
      'last used this hour by </script><script>alert(2)</script>\\u202e\\x1b[31m in production',
    )
    expect(details.Environments?.slice(0, 4)).toEqual([
      `</li>${image}`,
      'on',
      'never seen',
      'no evaluations',
    ])
    // Neither in the rows nor in what they opened; the verdicts are bold.
    expect(await page.locator('img, tbody script, td:not(.badge) b').count()).toBe(0)
    expect(await page.locator('script').count()).toBe(2)
    expect(await page.locator('.details a').count()).toBe(0)
    await page.getByRole('searchbox').fill('<img SRC=x')
    expect(await page.locator('img').count()).toBe(0)
    expect(incidents).toEqual([])
  })
})

describe('looks', () => {
  const many = { ...manyProjects(60, 5), forbidden: {} }

  it.each([
    [360, 'light'],
    [900, 'light'],
    [1440, 'light'],
    [360, 'dark'],
    [900, 'dark'],
    [1440, 'dark'],
  ] as const)('have contrast and names at %i pixels, %s', async (width, colorScheme) => {
    const { page } = await openReview('', many)
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 1000 })
    for (const name of await page.locator('tbody button').all()) await name.press('Enter')
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate<AxeResults>('axe.run()')
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  })

  it.each([360, 390, 700, 900, 1100, 1280, 1440, 1920])('fit %i pixels', async (width) => {
    const { page } = await openReview('', many, ['--scan', 'src'], code)
    await page.setViewportSize({ width, height: 900 })
    await page.locator('tbody button').first().press('Enter')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    // Only texts that an open row repeats are cut.
    const cut = `Array.from(document.querySelectorAll('${shownRows} > *'))
      .filter((cell) => cell.scrollWidth > cell.clientWidth)
      .map((cell) => document.querySelectorAll('th')[cell.cellIndex].dataset.title)`
    const titles = new Set(await page.evaluate<string[]>(cut))
    expect([...titles].filter((title) => !['On in', 'Reason'].includes(title))).toEqual([])
    await keepPicture(page, `${width}`)
  })

  it.each([
    [1366, 40],
    [1440, 40],
  ])('have rows of one height at %i pixels: %i', async (width, height) => {
    const { page } = await openReview('', many)
    await page.setViewportSize({ width, height: 900 })
    const heights = `Array.from(document.querySelectorAll('${shownRows}'), (row) => row.offsetHeight)`
    expect([...new Set(await page.evaluate<number[]>(heights))]).toEqual([height])
  })

  it('begin with the flags on a telephone, below all counts', async () => {
    const html = await reviewPage(many)
    const { page } = await open(browser, html)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.reload()
    expect(await page.locator('.projects ul').isVisible()).toBe(false)
    const links = await page.locator('nav a').all()
    const boxes = await Promise.all(links.map((link) => link.boundingBox()))
    expect(boxes.filter((box) => !box || box.x + box.width > 390)).toEqual([])
    const row = await page.locator(shownRows).first().boundingBox()
    // Of a small one, without the bars of its browser.
    expect(row && row.y + row.height).toBeLessThan(664)
    await page.evaluate('scrollTo(0, document.body.scrollHeight / 2)')
    expect((await page.locator('nav').boundingBox())?.y).toBe(0)
  })

  it('have at least nine rows in view when the page opens', async () => {
    const { page } = await openReview('', many)
    const rows = await page.locator(shownRows).all()
    const boxes = await Promise.all(rows.map((row) => row.boundingBox()))
    const inView = boxes.filter((box) => box && box.y + box.height <= 900)
    expect(inView.length).toBeGreaterThanOrEqual(9)
  })
})

describe('on paper', () => {
  it('the table has the rows that are shown, on white', async () => {
    const { page } = await openReview('#verdict=removable')
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    expect(await page.locator('form').isVisible()).toBe(false)
    expect(await page.locator('tbody tr:visible').count()).toBe(1)
    const back = await page.evaluate('getComputedStyle(document.body).backgroundColor')
    expect(back).toBe('rgb(255, 255, 255)')
  })

  it('340 flags have at most 15 pages, each with the titles of the columns', async () => {
    const { page } = await openReview('', manyProjects(340, 7))
    const pages = pageTexts(await page.pdf({ preferCSSPageSize: true }))
    expect(pages.length).toBeLessThanOrEqual(15)
    const titles = 'FlagProjectVerdictAgeOninLastseenTypeUsageReason'
    expect(pages.map((text) => text.split(titles).length - 1)).toEqual(pages.map(() => 1))
    expect(pages.slice(1).filter((text) => !text.startsWith(titles))).toEqual([])
    expect(pages.at(-1)).toContain('typekill-switch')
  })

  it('no word is broken', async () => {
    const { page } = await openReview('', manyProjects(60, 5), ['--scan', 'src'], code)
    await page.emulateMedia({ media: 'print' })
    // The width of A4 in landscape, without its margins.
    await page.setViewportSize({ width: Math.floor((277 / 25.4) * 96), height: 900 })
    const badges = `Array.from(document.querySelectorAll('${shownRows} b'), (badge) => {
      return badge.closest('td').nextSibling.getBoundingClientRect().x - badge.getBoundingClientRect().right
    })`
    expect(Math.min(...(await page.evaluate<number[]>(badges)))).toBeGreaterThan(5)
    const broken = `Array.from(document.querySelectorAll('tbody td'), (cell) => {
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
      const words = []
      while (texts.nextNode()) {
        const range = document.createRange()
        for (const { 0: word, index } of texts.currentNode.data.matchAll(/[^\\s-]+/g)) {
          range.setStart(texts.currentNode, index)
          range.setEnd(texts.currentNode, index + word.length)
          const lines = new Set(Array.from(range.getClientRects(), ({ top }) => top))
          if (lines.size > 1) words.push(word)
        }
      }
      return words
    }).flat()`
    expect(await page.evaluate(broken)).toEqual([])
  })
})

describe('5,000 flags', () => {
  it('are sorted and filtered; only those that are shown are in the table', async () => {
    const html = await reviewPage(manyProjects(5000, 25), ['--concurrency', '20'])
    expect(Buffer.byteLength(html)).toBeLessThan(3_000_000)
    const { page } = await open(browser, html)
    // By selectors, because a search by roles looks at each element.
    const rowCount = () => page.locator('tbody tr').count()
    const status = () => page.locator('[role=status]').textContent()
    expect(await rowCount()).toBe(5000)
    await page.locator('thead button').first().click()
    const firstRow = page.locator('tbody button').first()
    expect(await firstRow.textContent()).toBe('banner-coupon-2')
    await page.locator('input').fill('coupon')
    expect(await status()).toBe('1250 of 5000 flags')
    expect(await rowCount()).toBe(1250)
    expect(await page.locator('tbody:visible').count()).toBe(50)
    await page.locator('nav a', { hasText: 'in use' }).click()
    expect(await status()).toMatch(/^500 of 5000 flags: /)
    expect(await rowCount()).toBe(500)
    await page.locator('[type=reset]').click()
    expect(await status()).toBe('5000 of 5000 flags')
    expect(await rowCount()).toBe(5000)
    expect(await firstRow.textContent()).toBe('banner-coupon-2')
  }, 180_000)
})
