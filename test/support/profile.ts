import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { flagadm, type World } from './flagadm.ts'

export const userFile = 'home/.config/flagadm/config.yaml'
/** A configuration with comments and a default. */
export const before = `# My services

defaultProfile: staging # for now

profiles:
  # The copy
  staging:
    baseUrl: "https://flags.staging.example.com" # behind the VPN
    apiKeyEnv: STAGING_KEY
  production:
    baseUrl: https://flags.example.com
    apiKeyCommand: [pass, show, flags]

timeout: 5s # slow
`

/** Runs `flagadm profile …`, replaces the temporary folder in its output, and reads the configuration. */
export async function profile(argv: readonly string[], world: World = {}, path = userFile) {
  const { code, stdout, stderr, folder } = await flagadm(['profile', ...argv], world)
  const anonymous = (text: string) => text.replaceAll(folder, '/tmp')
  const text = await readFile(join(folder, path), 'utf8').catch(() => undefined)
  return { code, stdout: anonymous(stdout), stderr: anonymous(stderr), text, folder }
}

/** A world with this configuration of the user. */
export const mine = (text = before): World => ({ files: { [userFile]: text } })
