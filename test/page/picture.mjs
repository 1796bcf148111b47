// Draws docs/review.png, the picture of the README: the page about the embedded sandbox.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'flagadm-picture-'))
const argv = 'feature review --all-projects -o html -p sandbox'.split(' ')
const html = execFileSync('node', [here('../../bin/flagadm.js'), ...argv])
writeFileSync(join(folder, 'review.html'), html)
const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
  viewport: { width: 1400, height: 820 },
  colorScheme: 'light',
})
const page = await context.newPage()
await page.goto(`file://${folder}/review.html`)
await page.screenshot({ path: here('../../docs/review.png') })
await context.close()
rmSync(folder, { recursive: true })
