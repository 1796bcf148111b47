import { FlagadmError } from '../errors.ts'
import type { Host } from '../host.ts'
import { displayPath } from '../paths.ts'
import type { Key } from './key.ts'
import type { Endpoint } from './resolve.ts'
import { isFile, sourceText } from './source.ts'

/** A note about the variables that are set but overridden, if there are any. */
export function ignoredVariables({ address, key, choice }: Endpoint, { env }: Host): string[] {
  const used = new Set([address.source.name, key?.source.name, choice?.source.name])
  const ignored = ['FLAGADM_PROFILE', 'FLAGADM_BASE_URL', 'FLAGADM_API_KEY'].filter(
    (variable) => env[variable] && !used.has(variable),
  )
  return ignored.length > 0 ? [`ignored environment variables: ${ignored.join(', ')}`] : []
}

/** The lines of --verbose: where address and key come from, and which variables are ignored. */
export function originLines(endpoint: Endpoint, key: Key, host: Host): string[] {
  const { address, choice } = endpoint
  const profile =
    choice && `profile ${choice.profile.name} in ${displayPath(choice.profile.file, host)}`
  const from = isFile(address.source) ? profile : address.source.name
  const keyFrom = isFile(key.source) ? `${key.origin}, ${profile}` : key.origin
  const chooser = choice ? `; profile chosen by ${sourceText(choice.source, host)}` : ''
  return [
    `address ${address.value} from ${from}`,
    `API key from ${keyFrom}${chooser}`,
    ...ignoredVariables(endpoint, host),
  ]
}

/** The service as shown to the user: `production, https://flags.example.com`, or only the address. */
export function targetText({ address, addressProfile }: Endpoint): string {
  return addressProfile ? `${addressProfile.name}, ${address.value}` : address.value
}

/** The error for a write with a profile that only a project's file chose; undefined if it is allowed. */
export function writeRefusal({ address, choice }: Endpoint, host: Host): FlagadmError | undefined {
  if (!choice || choice.byUser) return undefined
  const { name, trust, file } = choice.profile
  const origin =
    trust === 'project'
      ? `is defined in ${displayPath(file, host)}`
      : `was chosen by ${sourceText(choice.source, host)}`
  return new FlagadmError(
    'configuration',
    `profile '${name}' ${origin}, so it can only be used for reading`,
    {
      hint: `to write to ${address.value}, use -p ${name}; or add the folder to trustedProjects in your user configuration`,
    },
  )
}
