import { describe, expect, it } from 'vitest'
import { ended, shell, start } from '../support/binary.ts'
import { environment, temporaryFolder } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'

describe('bytes that are not UTF-8', () => {
  const bad = `"$(printf 'a\\377b')"`
  const notFound = (option: string) =>
    `error: ${option}: cannot read a\ufffdb: no such file\nhint: check the path\n`

  it.each([
    [
      'in a name are shown as replacement characters',
      `flagadm naming check ${bad} --pattern '[a-z]+'`,
      9,
      'Names must match ^[a-z]+$\n' +
        '  error  a\ufffdb  contains a character that is not one of A-Z a-z 0-9 - _ . ! ~ * \' ( ): "\ufffd"  ' +
        'did you mean ab\n',
      'error: 1 of 1 name breaks the rule\n',
    ],
    [
      'in a path are not found',
      `echo > ${bad}; flagadm project settings set p --mode open --file ${bad} -p sandbox`,
      2,
      '',
      notFound('--file'),
    ],
    [
      'in the name of a scanned file make the result incomplete',
      `mkdir src; echo "isEnabled('good')" > src/good.ts; echo "isEnabled('BAD')" > src/${bad}.ts; flagadm naming check --scan src --pattern '[a-z]+' -q`,
      0,
      '✓ 1 name checked: all follow the rule\n\n' +
        'Incomplete: 1 file could not be read (src/a\ufffdb.ts: its name is not UTF-8)\n',
      '',
    ],
  ])('%s', async (_what, script, code, stdout, stderr) => {
    const cwd = await temporaryFolder()
    expect(await shell(script, {}, { cwd })).toEqual({ code, stdout, stderr })
  })

  it('in the name of a flag are requested as replacement characters', async () => {
    const { url, received } = await serve((response) => json(response, 404, {}))
    const { code } = await shell(`flagadm feature usage ${bad}`, environment(url))
    expect([code, received[0]?.url]).toEqual([6, '/api/admin/client-metrics/features/a%EF%BF%BDb'])
  })
})

describe('many names on the command line', () => {
  const names = Array.from({ length: 3000 }, (_, index) => `flag-${index}`)

  it('are checked', async () => {
    const argv = ['naming', 'check', ...names, '--pattern', 'flag-[0-9]{1,3}', '-o', 'jsonl']
    const { code, stdout, stderr } = await ended(await start(argv))
    expect([code, stdout.split('\n').length - 1]).toEqual([9, 2000])
    expect(stderr).toBe('error: 2000 of 3000 names break the rule\n')
  })
})
