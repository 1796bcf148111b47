import { expect, test } from 'vitest'
import { shell } from '../support/binary.ts'
import { temporaryFolder } from '../support/flagadm.ts'

test('completion ends although the file of the key is a pipe without a writer', async () => {
  const config = 'profiles:\n  a:\n    baseUrl: http://127.0.0.1:1\n    apiKeyFile: ../../key\n'
  const cwd = await temporaryFolder({ '.config/flagadm/config.yaml': config })
  const script = 'mkfifo key; echo "$(flagadm complete -- feature usage "")"'
  const { code, stdout } = await shell(script, {}, { cwd })
  expect([code, stdout]).toEqual([0, ':\n'])
})
