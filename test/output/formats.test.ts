import { describe, expect, it, test } from 'vitest'
import { flagadm } from '../support/flagadm.ts'
import { loadCommands } from '../support/program.ts'
import { runs } from '../support/operations.ts'

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
