import { mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { makeFolder, temporaryFolder } from '../support/flagadm.ts'

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export interface Browser {
  context: BrowserContext
  close(): Promise<void>
}

/** Starts Chromium of the system with a profile of its own. */
export async function startBrowser(): Promise<Browser> {
  const folder = makeFolder()
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    args,
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    colorScheme: 'light',
  })
  return {
    context,
    async close() {
      await context.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** A page from disk, and what it tried or complained about. */
export interface OpenPage {
  page: Page
  /** Its requests besides the one for itself, its messages, errors and dialogs. */
  incidents: string[]
}

/** Opens HTML as a file. @param hash the filter in the address */
export async function open({ context }: Browser, html: string, hash = ''): Promise<OpenPage> {
  const folder = await temporaryFolder({ 'review.html': html })
  const address = `file://${folder}/review.html`
  const page = await context.newPage()
  const incidents: string[] = []
  page.on('console', (message) => incidents.push(`console: ${message.text()}`))
  page.on('pageerror', (error) => incidents.push(`error: ${error.message}`))
  page.on('request', (request) => {
    const url = request.url().replace(/#.*/, '')
    if (url !== address) incidents.push(`request: ${url}`)
  })
  page.on('dialog', async (dialog) => {
    incidents.push(`dialog: ${dialog.message()}`)
    await dialog.dismiss()
  })
  await page.goto(address + hash)
  return { page, incidents }
}

export const shownRows = 'tbody tr:not([hidden], .details)'

/** The names of the flags that are shown, in their order. */
export function shownFlags(page: Page): Promise<string[]> {
  return page.locator(`${shownRows} td.key`).allTextContents()
}

/** Keeps a picture of what is in view, to look at. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = fileURLToPath(new URL('../../node_modules/.cache/page', import.meta.url))
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png` })
}
