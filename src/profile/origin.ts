import { FlagadmError } from '../errors.ts'
import type { Host } from '../host.ts'
import { displayPath } from '../paths.ts'
import { commandLine } from '../shell.ts'
import type { Choice, Source } from './choice.ts'
import type { Profile } from './profiles.ts'
import { type Endpoint, isOwnAddress, type requireKey } from './resolve.ts'

function profileText({ name, file }: Profile, host: Host): string {
  return `profile ${name} in ${displayPath(file, host)}`
}

/** Whether a value comes from a profile of a configuration file. */
function isFromProfile({ kind }: Source): boolean {
  return kind === 'user' || kind === 'project'
}

/** The choice of the profile: a file, or the option or variable as it is. */
export function chooserText({ source }: Pick<Choice, 'source'>, host: Host): string {
  return isFromProfile(source) ? displayPath(source.name, host) : source.name
}

/** The variables that are set but not used, because something takes precedence over them. */
export function ignoredVariables({ address, key, choice }: Endpoint, { env }: Host): string[] {
  const used = new Set([address.source.name, key?.source.name, choice?.source.name])
  return ['FLAGADM_PROFILE', 'FLAGADM_BASE_URL', 'FLAGADM_API_KEY'].filter(
    (variable) => env[variable] && !used.has(variable),
  )
}

/** The lines of --verbose: where address and key come from, and which variables are ignored. */
export function originLines(endpoint: ReturnType<typeof requireKey>, host: Host): string[] {
  const { address, key, choice } = endpoint
  const profile = choice && profileText(choice.profile, host)
  const from = isFromProfile(address.source) ? profile : address.source.name
  const keyFrom = isFromProfile(key.source) ? `${key.kind}, ${profile}` : key.kind
  const chooser = choice && chooserText(choice, host)
  const ignored = ignoredVariables(endpoint, host)
  return [
    `address ${address.value} from ${from}`,
    `API key from ${keyFrom}${chooser === undefined ? '' : `; profile chosen by ${chooser}`}`,
    ...(ignored.length > 0 ? [`ignored environment variables: ${ignored.join(', ')}`] : []),
  ]
}

/** The service as shown to the user: `production, https://flags.example.com`, or only the address. */
export function targetText({ address, choice }: Endpoint): string {
  const own = choice && isOwnAddress(choice.profile, address) ? [choice.profile.name] : []
  return [...own, address.value].join(', ')
}

/**
 * The error for a write with a profile that only a project's file chose; undefined if it is allowed.
 * @param argv the command line, which the hint repeats with `-p`
 */
export function writeRefusal(
  { address, choice }: Endpoint,
  host: Host,
  argv: readonly string[],
): FlagadmError | undefined {
  if (!choice || choice.byUser) return undefined
  const { name, trust, file } = choice.profile
  const command = commandLine(['flagadm', '-p', name, ...argv], host.platform)
  const origin =
    trust === 'project'
      ? `is defined in ${displayPath(file, host)}`
      : `was chosen by ${chooserText(choice, host)}`
  return new FlagadmError(
    'configuration',
    `profile '${name}' ${origin}, so it can only be used for reading`,
    {
      hint: `to write to ${address.value}, run: ${command}; or add the folder to trustedProjects in your user configuration`,
    },
  )
}
