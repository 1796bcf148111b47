// Installs Unleash, and the older versions of it.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const versions = join(import.meta.dirname, 'versions')
const older = readdirSync(versions).map((version) => join(versions, version))
const folders = older.filter((folder) => existsSync(join(folder, 'package.json')))
for (const folder of [import.meta.dirname, ...folders]) {
  const options = ['--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', ['install', '--prefix', folder, ...options], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(1)
}
