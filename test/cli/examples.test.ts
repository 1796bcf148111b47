import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { branchOf } from '../support/branch.ts'
import { patientClock } from '../support/clock.ts'
import { flagadm } from '../support/flagadm.ts'
import { examplesIn, loadCommands } from '../support/program.ts'

const { all } = await loadCommands()

const rule = [
  'featureNaming:',
  '  pattern: checkout-[a-z-]+',
  '  example: checkout-pay',
  '  description: The team, then what the flag is about',
].join('\n')
const profiles = {
  staging: { baseUrl: 'https://flags.staging.example.com', apiKeyEnv: 'STAGING_KEY' },
}
const files = {
  'home/.config/flagadm/config.yaml': JSON.stringify({ profiles }),
  'work/naming.yaml': rule,
  'work/flags/teams.yaml': 'projects: {checkout: {mode: open}}\n',
  'work/old.yaml': rule.replace('+', '*'),
  'work/plan.json': '{"version":1,"service":"https://flags.example.com","projects":[]}',
  'work/archived.yaml':
    '{version: 1, service: https://flags.example.com, project: a, savedAt: 2026-01-05T10:00:00Z, flags: []}',
  'work/flags.txt': 'checkout-pay\ncheckout-new-basket\n',
  'work/seed.yaml': JSON.stringify({ projects: [{ id: 'default', mode: 'open' }], flags: [] }),
  'work/src/a.ts': "isEnabled('checkout-new-basket')",
}

function wordsOf(example: string): string[] {
  return [...example.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}

const examples = all
  .flatMap(({ help }) => examplesIn(help(100)))
  // It asks for an address.
  .filter((example) => example !== 'flagadm profile add')

it.each([...new Set(examples)])('the example works: %s', async (example) => {
  // The sandbox serves until it is interrupted, and its fixed port may be in use.
  const isSandbox = example.startsWith('flagadm sandbox')
  // The services of the examples do not exist.
  const unchecked = example.startsWith('flagadm profile add') ? ['--no-check'] : []
  const argv = [...wordsOf(example).slice(1), ...unchecked]
  const isInBranch = /-since main|--staged/.test(example)
  const branch = isInBranch ? await branchOf(files, {}) : undefined
  const { code, stderr } = await flagadm(isSandbox ? [...argv, '--port', '0'] : argv, {
    ...(branch === undefined ? { files } : { cwd: join('..', basename(branch), 'work') }),
    env: { FLAGADM_PROFILE: 'sandbox', PATH: process.env.PATH ?? '' },
    ...(isSandbox && { signal: AbortSignal.abort() }),
    clock: patientClock().clock,
    dialog: [['?', 'y']],
  })
  // The sandbox has a flag that is removable.
  const failing = example.includes('--fail-on removable') ? 9 : 0
  // The embedded sandbox has a new address each time, so no kept plan or file of archived flags is for it.
  const expected = /--plan|revive -f/.test(example) ? 2 : failing
  expect(code, stderr).toBe(isSandbox ? 130 : expected)
})
