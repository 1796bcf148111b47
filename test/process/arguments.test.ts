import { describe, expect, test } from 'vitest'
import { ended, shell, start } from '../support/binary.ts'
import { environment, temporaryFolder } from '../support/flagadm.ts'
import { json, serve, someUsage } from '../support/server.ts'

describe('bytes that are not UTF-8', () => {
  const bad = `"$(printf 'a\\377b')"`

  test('in a name are shown as replacement characters', async () => {
    expect(await shell(`flagadm naming check ${bad} --pattern '[a-z]+'`)).toEqual({
      code: 9,
      stdout:
        '  error  contains a character that is not one of A-Z a-z 0-9 - _ . ! ~ * \' ( ): "\ufffd", ' +
        'does not match ^[a-z]+$  a\ufffdb  did you mean ab\n' +
        '✗ 1 name checked: 1 failed\n',
      stderr: 'error: 1 of 1 name breaks the rule\n',
    })
  })

  test('in the name of a flag are requested as replacement characters', async () => {
    const { url, received } = await serve((response) => json(response, 404, {}))
    const { code } = await shell(`flagadm feature usage ${bad}`, environment(url))
    expect([code, received[0]?.url]).toEqual([6, '/api/admin/client-metrics/features/a%EF%BF%BDb'])
  })

  test('in an option are shown as replacement characters', async () => {
    expect(await shell(`flagadm --color ${bad} naming lint`)).toEqual({
      code: 2,
      stdout: '',
      stderr:
        "error: --color argument 'a\ufffdb' is invalid. Allowed choices are auto, always, never\n" +
        'hint: see flagadm --help\n',
    })
  })

  test.each(['--file', '--naming-description-file'])(
    'in the path of %s are not found',
    async (option) => {
      const set = `flagadm project settings set p --mode open ${option} ${bad} -p sandbox`
      expect(await shell(`echo > ${bad}; ${set}`)).toEqual({
        code: 2,
        stdout: '',
        stderr: `error: ${option}: cannot read a\ufffdb: no such file\nhint: check the path\n`,
      })
    },
  )

  test('in the name of a scanned file make the result incomplete', async () => {
    const cwd = await temporaryFolder({ 'src/good.ts': "isEnabled('good')" })
    const script = `echo "isEnabled('BAD')" > src/${bad}.ts && flagadm naming check --scan src --pattern '[a-z]+' -q`
    expect(await shell(script, {}, { cwd })).toEqual({
      code: 0,
      stdout:
        '✓ 1 name checked: all follow the rule\n\n' +
        'Incomplete: 1 file could not be read (src/a\ufffdb.ts: its name is not UTF-8)\n',
      stderr: '',
    })
  })

  test('in the name of a scanned folder are in the report', async () => {
    const cwd = await temporaryFolder()
    const script = `mkdir -p src/${bad} && flagadm feature references --scan src --json -q`
    const { code, stdout } = await shell(script, {}, { cwd })
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { unread: [{ file: 'src/a\ufffdb/', reason: 'its name is not UTF-8' }] },
    ])
  })
})

describe('many names on the command line', () => {
  const names = Array.from({ length: 3000 }, (_, index) => `flag-${index}`)

  test('are checked', async () => {
    const argv = ['naming', 'check', ...names, '--pattern', 'flag-[0-9]{1,3}', '-o', 'jsonl']
    const { code, stdout, stderr } = await ended(await start(argv))
    expect([code, stdout.split('\n').length - 1]).toEqual([9, 2000])
    expect(stderr).toBe('error: 2000 of 3000 names break the rule\n')
  })

  test('are requested once each, in order', async () => {
    const flags = names.slice(0, 300)
    const { url, received } = await serve((response) => json(response, 200, someUsage))
    const argv = ['feature', 'usage', ...flags, '-o', 'jsonl', '--concurrency', '50']
    const { code, stdout, stderr } = await ended(await start(argv, environment(url)))
    expect([code, received.length, stderr]).toEqual([0, 300, ''])
    const shown = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).flag)
    expect(shown).toEqual(flags)
  })
})
