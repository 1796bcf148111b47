import { expect, it } from 'vitest'
import { flagadm } from '../support/flagadm.ts'

it('shows profiles one below the other if the terminal is too narrow', async () => {
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
      '* staging',
      '    Address  https://flags.staging.example.com',
      '    API key  apiKeyEnv STAGING_KEY',
      '    File     ~/.config/flagadm/config.yaml',
      '    Default  defaultProfile in ~/.config/flagadm/config.yaml',
      '  production',
      '    Address  https://flags.example.com',
      '    API key  none',
      '    File     ~/.config/flagadm/config.yaml',
      '',
    ].join('\n'),
  )
})
