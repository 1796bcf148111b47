import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { flagadm, type World } from './flagadm.ts'
import { json, serve, someUsage } from './server.ts'

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

/** A run of flagadm. In its texts, SERVICE is the address of a service. */
export interface Run extends Pick<World, 'env' | 'cwd' | 'stdin'> {
  /** By default, makes one request. */
  command?: readonly string[]
  /** Options for the command. */
  argv?: readonly string[]
  files?: Record<string, string>
}

/**
 * Runs flagadm beside a new service; returns the keys of the requests that the service received. In the
 * output, SERVICE is its address and F the temporary folder.
 */
export async function send(run: Run) {
  const server = await serve((response, { method }) =>
    method === 'GET' ? json(response, 200, someUsage) : response.end(),
  )
  const filled: Run = JSON.parse(JSON.stringify(run).replaceAll('SERVICE', server.url))
  const { command = ['api', 'client-metrics/features/some-flag'], argv = [], ...world } = filled
  const { code, stdout, stderr, folder } = await flagadm([...command, ...argv], world)
  const anonymous = (text: string) => text.replaceAll(server.url, 'SERVICE').replaceAll(folder, 'F')
  const keys = server.received.map(({ headers }) => headers.authorization)
  return { code, keys, stdout: anonymous(stdout), stderr: anonymous(stderr) }
}
