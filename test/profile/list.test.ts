import { expect, it } from 'vitest'
import { flagadm } from '../support/flagadm.ts'

it('leaves out columns if the terminal is too narrow', async () => {
  const profiles = {
    staging: { baseUrl: 'https://flags.staging.example.com', apiKeyEnv: 'STAGING_KEY' },
    production: { baseUrl: 'https://flags.example.com' },
  }
  const files = {
    'home/.config/flagadm/config.yaml': JSON.stringify({ defaultProfile: 'staging', profiles }),
  }
  const { stdout } = await flagadm(['profile', 'list', '--no-color'], { files, columns: 60 })
  expect(stdout).toBe(
    [
      '  Profile     Address                            API key',
      '────────────────────────────────────────────────────────────',
      '* staging     https://flags.staging.example.com  apiKeyEnv …',
      '  production  https://flags.example.com          none',
      '',
      'cut: API key; not shown: File, Default (a wider terminal or a pipe shows all)',
      '',
    ].join('\n'),
  )
})
