// Draws the picture of the README: the review of a shop as a page.
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const root = join(import.meta.dirname, '..')
const bin = join(root, 'bin/flagadm.js')
const DAY = 86_400_000

/** Rows of usage by applications in production; `when` is for those that are not of every hour. */
function usedBy(counts, when = {}) {
  return Object.entries(counts).map(([appName, [yes, no, variants = {}]]) => {
    return { appName, environment: 'production', yes, no, variants, ...when }
  })
}

// Those who made the flags, in turn.
const people = ['ada', 'grace', 'linus']

/** The flags of a project: `[name, type, age in days, usage, environments where it is on]`. */
const shop = {
  accounts: [
    ['accounts-avatar-upload', 'release', 356],
    ['accounts-passkeys', 'release', 76, usedBy({ 'web-shop': [12_044, 36_512] })],
    ['accounts-magic-link', 'release', 7],
  ],
  catalog: [
    ['catalog-old-filters', 'release', 504],
    ['catalog-size-guide', 'experiment', 228, [], ['production', 'staging']],
    ['catalog-similar-items', 'experiment', 91, usedBy({ 'web-shop': [96_415, 98_230] })],
    ['catalog-image-zoom', 'release', 319, usedBy({ 'web-shop': [88_210, 0] })],
    ['search-autocomplete', 'experiment', 35, usedBy({ 'search-api': [148_377, 49_420] })],
    ['catalog-staff-preview', 'permission', 609, usedBy({ 'web-shop': [1_204, 88_000] })],
  ],
  checkout: [
    ['checkout-one-page', 'release', 665],
    ['checkout-gift-wrap', 'experiment', 336],
    ['checkout-express-pay', 'release', 126, usedBy({ 'web-shop': [23_018, 207_164] })],
    ['checkout-new-basket', 'experiment', 49, usedBy({ 'mobile-ios': [52_876, 17_641] })],
    ['checkout-coupon-banner', 'release', 490, usedBy({ 'web-shop': [4752, 0] }, { hoursAgo: 30 })],
    ['maintenance-banner', 'kill-switch', 1_050, usedBy({ 'web-shop': [0, 245_613] })],
  ],
  mobile: [
    ['mobile-onboarding', 'experiment', 261, usedBy({ 'mobile-ios': [8412, 0, { short: 8412 }] })],
    ['mobile-tablet-layout', 'experiment', 399, [], ['staging']],
    ['mobile-widget', 'release', 357, usedBy({ 'mobile-android': [0, 12_480] })],
    ['dark-mode', 'release', 216, usedBy({ 'mobile-android': [58_190, 37_271] })],
    ['mobile-biometric-login', 'release', 147, usedBy({ 'mobile-ios': [31_244, 3_472] })],
    ['mobile-offline-cart', 'experiment', 18],
  ],
  payments: [
    ['legacy-invoice-export', 'operational', 972],
    ['payments-3ds-fallback', 'release', 404],
    ['billing-statements', 'release', 427, usedBy({ billing: [36_000, 0] }, { daysAgo: 10 })],
    ['payments-instalments', 'release', 41, usedBy({ 'payment-gateway': [2_204, 88_120] })],
    ['payments-stop', 'kill-switch', 1_190, usedBy({ 'payment-gateway': [0, 161_204] })],
  ],
}

const flags = Object.entries(shop).flatMap(([project, own]) =>
  own.map(([name, type, age, usage = [], on = []], index) => {
    const isOn = (environment) => on.includes(environment) || usage.some(({ yes }) => yes > 0)
    return {
      name,
      project,
      type,
      createdAt: new Date(Date.now() - age * DAY).toISOString(),
      createdBy: people[index % people.length],
      environments: [
        { name: 'production', enabled: isOn('production') },
        { name: 'staging', enabled: on.includes('staging') },
      ],
      usage,
    }
  }),
)
const projects = Object.keys(shop).map((id) => ({ id, mode: 'protected' }))

/** Starts a sandbox; returns its process, its address and its keys. */
async function startSandbox(seed) {
  const options = ['--seed', seed, '--port', '0', '--json', '--quiet']
  const sandbox = spawn(process.execPath, [bin, 'sandbox', ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: sandbox.stdout })) {
    return { ...JSON.parse(line), stop: () => sandbox.kill() }
  }
  throw new Error('the sandbox did not start')
}

const folder = mkdtempSync(join(tmpdir(), 'picture-'))
const seed = join(folder, 'seed.json')
writeFileSync(seed, JSON.stringify({ projects, flags }))
const { baseUrl, keys, stop } = await startSandbox(seed)
try {
  const env = { ...process.env, FLAGADM_BASE_URL: baseUrl, FLAGADM_API_KEY: keys.full }
  const review = [bin, 'feature', 'review', '--all-projects', '-o', 'html']
  const html = execFileSync(process.execPath, review, { env, encoding: 'utf8' })
  const page = join(folder, 'review.html')
  writeFileSync(page, html.replaceAll(baseUrl, 'https://flags.example.com'))
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const view = await browser.newPage({ viewport: { width: 1400, height: 900 } })
  await view.goto(`file://${page}`)
  await view.screenshot({ path: join(root, 'docs/review.png') })
  await browser.close()
} finally {
  stop()
  rmSync(folder, { recursive: true, force: true })
}
