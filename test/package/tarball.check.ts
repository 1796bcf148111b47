import { execFileSync, spawn } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { copyFile, mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { type Ended, ended } from '../support/binary.ts'
import { restricted } from '../support/nobody.ts'
import { reports } from '../docs/reports.ts'
import { schemaNames } from '../docs/schemas.ts'
import { flagadm, run } from './installed.ts'
import { fetchNode } from './node.ts'

const { baseUrl } = inject('sandbox')

const table = (
  target: string,
) => `Usage of dark-mode on ${target}, in the clock hour from 2026-01-05 10:00 UTC

Application     Environment  Enabled  Disabled    Total  Share
──────────────────────────────────────────────────────────────
mobile-android  production    58,190    37,271   95,461  61.0%
mobile-ios      production    44,062    26,455   70,517  62.5%
web-shop        production    96,415   149,230  245,645  39.2%
──────────────────────────────────────────────────────────────
Total                        198,667   212,956  411,623  48.3%
`

const usage = ['feature', 'usage', 'dark-mode']
// Without reading first, because the same sandbox gets the same settings on each version.
const set = ['project', 'settings', 'set', 'checkout', '--mode', 'protected', '--no-read', '-q']
const rule = ['--pattern', 'checkout-[a-z-]+', '--example', 'checkout-express-pay']
const setAll = [...set, ...rule, '--description', 'team, then words']

function updated(service: string): string {
  return `Updated project checkout on ${service}
  mode         protected
  pattern      checkout-[a-z-]+
  example      checkout-express-pay
  description  team, then words
`
}

function done(stdout: string): Ended {
  return { code: 0, stdout, stderr: '' }
}

test('the package contains the built program and its documentation, in under 390 kB', () => {
  const list = execFileSync('tar', ['-tzf', inject('tarball')], { encoding: 'utf8' })
  const names = list.trimEnd().replaceAll(/dist\/[\w-]+-[\w-]{8}\.js/g, 'dist/name-hash.js')
  const kinds = names.replaceAll('package/', '').replaceAll(/[\w-]+(?=\.schema)/g, 'name')
  expect([...new Set(kinds.split('\n'))].sort()).toEqual([
    'LICENSE',
    'README.md',
    'bin/flagadm.js',
    'dist/LICENSES.txt',
    'dist/cli.js',
    'dist/name-hash.js',
    'llms.txt',
    'package.json',
    'schemas/name.schema.json',
    'skills/flagadm/SKILL.md',
  ])
  const schemas = names.match(/(?<=schemas\/)[\w-]+(?=\.schema\.json$)/gm)
  expect(schemas?.sort()).toEqual([...schemaNames, ...Object.keys(reports)].sort())
  expect(statSync(inject('tarball')).size).toBeLessThan(390_000)
  expect(readdirSync(join(inject('folder'), 'node_modules/.bin'))).toEqual(['flagadm'])
})

describe.each([20, 22, 24, 26])('on Node %i the installed flagadm', (major) => {
  let node: string
  beforeAll(async () => {
    node = await fetchNode(major)
  })

  test('prints its version', async () => {
    const { stdout: version } = await run(node, ['-p', 'process.version'])
    expect(version).toMatch(new RegExp(`^v${major}\\.`))
    expect(await flagadm(['--version'], { node })).toEqual(done(`${manifest.version}\n`))
  })

  test('changes the settings of a project', async () => {
    expect(await flagadm(setAll, { node })).toEqual(done(updated(baseUrl)))
    const settings = { mode: 'protected' }
    const target = { projectId: 'checkout', baseUrl, dryRun: false }
    const sent = { ...target, settings, changed: true, sent: settings }
    expect(await flagadm([...set, '--json'], { node })).toEqual(done(`${JSON.stringify(sent)}\n`))
  })

  test('shows usage as a table and as JSON', async () => {
    expect(await flagadm(usage, { node })).toEqual(done(table(baseUrl)))
    const json = ['feature', 'usage', 'mobile-offline-cart', '--json']
    const { stdout } = await flagadm(json, { node })
    expect(JSON.parse(stdout)).toMatchObject({
      lastHourUsage: [{ appName: 'mobile-android', yes: 23, no: 19, variants: {} }],
      seenApplications: ['mobile-android'],
    })
  })
})

// The parsers that cosmiconfig would load are not installed.
test('a configuration in TypeScript is refused without another package', async () => {
  const argv = [...usage, '--config', 'a.ts']
  const { code, stdout, stderr } = await flagadm(argv, { files: { 'a.ts': '{' } })
  const problem = 'not valid YAML or JSON: a missing quotation mark, bracket, colon or comma'
  expect([code, stdout]).toEqual([3, ''])
  expect(stderr.replace(/\/\S+\//, '')).toBe(
    `error: a.ts:1:2: ${problem}\nhint: add it; put single quotes around the value if it is a pattern\n`,
  )
})

test('works globally installed, for a user without a home directory who may write nothing', async () => {
  const { cwd: prefix, ...user } = await restricted()
  const bin = join(prefix, 'bin')
  await mkdir(bin)
  await copyFile(await fetchNode(20), join(bin, 'node'))
  const npm = await realpath(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim())
  const options = ['--global', '--offline', '--prefix', prefix, '--loglevel=error']
  execFileSync(join(bin, 'node'), [npm, 'install', ...options, inject('tarball')], { cwd: prefix })
  const argv = ['project', 'settings', 'set', 'checkout', '--mode', 'protected', '-p', 'sandbox']
  const child = spawn(join(bin, 'flagadm'), argv, { cwd: '/', env: { PATH: bin }, ...user })
  expect(await ended(child)).toMatchObject({ code: 0, stderr: '' })
})
