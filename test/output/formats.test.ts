import { readdirSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { join } from '../../src/paths.ts'
import { defaultSeed } from '../../src/sandbox/default-seed.ts'
import { flagadm } from '../support/flagadm.ts'
import { loadCommands } from '../support/program.ts'
import { runs } from '../support/operations.ts'
import { sandboxOf } from '../support/sandbox.ts'

const { all } = await loadCommands()

const profiles = '{"profiles":{"staging":{"baseUrl":"https://a.test"}}}'

it('every command has a command line in test/support/operations.ts', () => {
  const commands = all
    .filter(({ command, path }) => command.commands.length === 0 && path !== 'flagadm help')
    .map(({ path }) => path)
  expect(Object.keys(runs).sort()).toEqual(commands.sort())
})

describe.each(Object.entries(runs))('%s', (command, { argv, code = 0 }) => {
  const words = command.split(' ').slice(1)

  test('accepts with -o exactly the formats that its help lists', async () => {
    const { formats: listed = [] } = all.find(({ path }) => path === command) ?? {}
    for (const format of [...listed, 'xml']) {
      const isListed = listed.includes(format)
      const { code: exit, stderr } = await flagadm([...words, ...argv, '-o', format, '-q'], {
        files: {
          'home/.config/flagadm/config.json': profiles,
          'work/flags.yaml': 'projects: {default: {mode: open}}\n',
        },
        ...(code === 130 && isListed && { signal: AbortSignal.abort() }),
      })
      expect([format, exit]).toEqual([format, isListed ? code : 2])
      if (isListed) continue
      expect(stderr).toContain(`this command has no output format '${format}'`)
      expect(stderr).toContain(`choose one of ${listed.join(', ')}`)
    }
  })
})

describe('a command that changes something', () => {
  test.each([
    ['feature', 'archive', 'legacy-invoice-export', '--project', 'default', '--yes'],
    ['project', 'settings', 'set', 'default', '--mode', 'private', '--yes'],
    ['project', 'settings', 'apply', '-f', 'flags.yaml', '--yes'],
    ['project', 'settings', 'export', '--all-projects', '--dir', 'flags'],
    ['project', 'settings', 'plan', '-f', 'flags.yaml', '--save', 'plan.json'],
    ['profile', 'add', 'a', '--base-url', 'https://a.test', '--api-key-env', 'A', '--no-check'],
  ])('refuses an unknown format before it reads or sends anything: %s %s %s', async (...argv) => {
    const sandbox = await sandboxOf([], { seed: defaultSeed })
    const { code, stderr, folder } = await flagadm([...argv, '-o', 'xml'], {
      env: sandbox.env,
      files: { 'work/flags.yaml': 'projects: {default: {mode: private}}\n' },
    })
    expect([code, stderr.split('\n')[0]]).toEqual([
      2,
      "error: this command has no output format 'xml'",
    ])
    expect(sandbox.requests()).toEqual([])
    expect(readdirSync(join(folder, 'work'))).toEqual(['flags.yaml'])
    expect(readdirSync(folder)).toEqual(['work'])
  })
})
