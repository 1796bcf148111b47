import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { print } from './measure.mjs'

const RUNS = 7
const SIZES = [2500, 5000]

// What a reader does one after the other, as addresses of the page.
const steps = {
  'sort by name': 'sort=Flag',
  'sort by usage': 'sort=-Usage',
  'search, 1 in 8 flags': 'text=coupon',
  'search, all flags': 'text=flag',
  'one verdict': 'verdict=in-use',
  'all flags again': '',
}
const MOST_OF_OPENING = 0.5
const MOST_OF_HALF = 2.6

const words = ['basket', 'search', 'banner', 'checkout', 'invoice', 'profile', 'delivery', 'coupon']

/** Flags of 25 projects, every other one used. */
function seedOf(size) {
  const projects = Array.from({ length: 25 }, (_, index) => ({ id: `team-${index}`, mode: 'open' }))
  const flags = Array.from({ length: size }, (_, index) => ({
    name: `flag-${words[index % 8]}-${index}`,
    project: `team-${index % 25}`,
    environments: [
      { name: 'production', enabled: true, strategies: [{ name: 'flexibleRollout' }] },
    ],
    usage:
      index % 2 === 0 ? [] : [{ appName: 'web', environment: 'production', yes: index, no: 1 }],
  }))
  return { projects, flags }
}

/** Writes the page of a review of a sandbox with this number of flags. @returns its address */
async function writePage(folder, size, start) {
  const seed = join(folder, `${size}.json`)
  writeFileSync(seed, JSON.stringify(seedOf(size)))
  const { env, stop } = await start(seed)
  const flagadm = join(import.meta.dirname, '../../bin/flagadm.js')
  const argv = [flagadm, 'feature', 'review', '--all-projects', '-o', 'html', '--quiet']
  const options = { env: { ...process.env, ...env }, maxBuffer: 1e8 }
  const { stdout } = spawnSync(process.execPath, argv, options)
  stop()
  const path = join(folder, `${size}.html`)
  writeFileSync(path, stdout)
  return pathToFileURL(path).href
}

/** The milliseconds of the processor that a page takes to open and for each step. */
async function timesOf(browser, address) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const spent = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1000
  }
  const timeOf = async (action) => {
    const before = await spent()
    await action()
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))')
    return (await spent()) - before
  }
  const times = [await timeOf(() => page.goto(address))]
  for (const hash of Object.values(steps)) {
    times.push(
      await timeOf(() =>
        page.evaluate(`new Promise((done) => {
          addEventListener('hashchange', done, { once: true })
          location.hash = '${hash}'
        })`),
      ),
    )
  }
  await context.close()
  return times
}

/** Alternates between the sizes. @returns for each, the least time of each step, because other work of the machine only adds to one */
async function measure(addresses) {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  const least = addresses.map(() => [])
  for (let run = 0; run < RUNS; run++) {
    for (const [index, address] of addresses.entries()) {
      const times = await timesOf(browser, address)
      least[index] = times.map((time, step) => Math.min(time, least[index][step] ?? Infinity))
    }
  }
  await browser.close()
  return least
}

/**
 * Prints what the page of a review takes to open, and what a sort or a search takes beside that.
 * @param start starts a sandbox with a seed file
 */
export async function page(folder, start) {
  const own = join(folder, 'page')
  mkdirSync(own)
  const addresses = []
  for (const size of SIZES) addresses.push(await writePage(own, size, start))
  const [half, whole] = await measure(addresses)
  console.log(
    `\nThe page of ${SIZES[1]} flags, processor time; beside opening it, and beside ${SIZES[0]} flags`,
  )
  for (const [index, name] of ['open', ...Object.keys(steps)].entries()) {
    const ofOpening = whole[index] / whole[0]
    const ofHalf = whole[index] / half[index]
    const limit = `at most ${index > 0 ? `${MOST_OF_OPENING} and ` : ''}${MOST_OF_HALF} ×`
    const isSlow = index > 0 && ofOpening > MOST_OF_OPENING
    const figures = [
      `${whole[index].toFixed(0)} ms`,
      ...[ofOpening, ofHalf].map((n) => `${n.toFixed(2)} ×`),
    ]
    const columns = figures.map((figure) => figure.padStart(9)).join(' ')
    print(name, columns, limit, isSlow || ofHalf > MOST_OF_HALF)
  }
}
