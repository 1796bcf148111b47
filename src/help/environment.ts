import { projectPlaces, userPlaces } from '../profile/configuration.ts'

/** A setting and all the places where it can be configured. */
interface Setting {
  options?: readonly string[]
  variables?: readonly string[]
  /** Fields of configuration files, with the kind of file or profile they belong to. */
  fields?: string
  meaning: string
}

/** All settings, for `flagadm help environment` and the reference. */
export const settings: readonly Setting[] = [
  {
    options: ['--base-url'],
    variables: ['FLAGADM_BASE_URL'],
    fields: 'baseUrl of a profile',
    meaning: 'address of the service, with its path prefix if it has one',
  },
  {
    options: ['--api-key-file'],
    variables: ['FLAGADM_API_KEY'],
    fields: 'apiKey, apiKeyEnv, apiKeyFile or apiKeyCommand of a profile',
    meaning: 'API key; --api-key-file - reads it from standard input',
  },
  {
    options: ['--profile'],
    variables: ['FLAGADM_PROFILE'],
    fields: 'profile (project), defaultProfile (user)',
    meaning: 'profile to use',
  },
  {
    options: ['--config'],
    variables: ['FLAGADM_CONFIG'],
    meaning: 'configuration file to read instead of searching for one',
  },
  {
    options: ['--timeout'],
    variables: ['FLAGADM_TIMEOUT'],
    fields: 'timeout',
    meaning: 'deadline of one request, retries included: 10, 10s, 5m or 2h (default: 10s)',
  },
  {
    options: ['--retries'],
    variables: ['FLAGADM_RETRIES'],
    fields: 'retries',
    meaning: 'further attempts after a failed one (default: 2)',
  },
  {
    options: ['--concurrency'],
    fields: 'concurrency of a profile',
    meaning: 'concurrent requests of a command (default: 4)',
  },
  {
    options: ['--allow-http'],
    fields: 'allowHttp of a profile',
    meaning: 'allow plain http to other machines',
  },
  {
    options: ['--rule', '--pattern'],
    fields: 'naming',
    meaning: 'naming rule for naming lint and naming check',
  },
  {
    options: ['--color', '--no-color'],
    variables: ['NO_COLOR', 'FORCE_COLOR', 'CLICOLOR_FORCE', 'TERM'],
    meaning: 'colour; TERM=dumb turns it off, and progress and live views as well',
  },
  {
    variables: ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'],
    meaning: 'proxies, in upper or lower case; never used for this machine',
  },
  {
    variables: ['NODE_EXTRA_CA_CERTS'],
    fields: 'caFile of a user profile',
    meaning: 'certificates to trust',
  },
  {
    variables: ['NODE_DEBUG'],
    meaning: 'http, https, net and tls are refused, because Node.js would print the API key',
  },
  {
    variables: ['XDG_CONFIG_HOME', 'HOME'],
    meaning: 'folder of the user configuration; on Windows, USERPROFILE unless HOME is set',
  },
]

function settingLines({ options = [], variables = [], fields, meaning }: Setting): string[] {
  const option = options.join(', ')
  const lines = [`  ${variables.join(', ') || option}`, `      ${meaning}`]
  if (variables.length > 0 && option) lines.push(`      option: ${option}`)
  if (fields !== undefined) lines.push(`      file: ${fields}`)
  return lines
}

/** The lines of `flagadm help environment`, not yet wrapped, with variables as the user's shell writes them. */
export function environmentHelp(platform: NodeJS.Platform): string[] {
  const folder = platform === 'win32' ? '$env:XDG_CONFIG_HOME' : '$XDG_CONFIG_HOME'
  return [
    'Precedence: option, then environment variable, then configuration file. An explicit --profile ' +
      'also takes precedence over FLAGADM_PROFILE, FLAGADM_BASE_URL and FLAGADM_API_KEY. An empty ' +
      'variable counts as unset.',
    '',
    'Environment variables and settings:',
    ...settings.flatMap(settingLines),
    '',
    'User configuration, the first of:',
    ...userPlaces.map((place) => `  ${folder}/flagadm/${place}`),
    'Without XDG_CONFIG_HOME, ~/.config is used.',
    '',
    'Project configuration, the first of these in the working directory or a folder above it, up ' +
      'to the root of the repository:',
    ...projectPlaces.map(
      (place) => `  ${place}${place === 'package.json' ? ' (its field flagadm)' : ''}`,
    ),
    '',
    'Example of a user configuration:',
    '  defaultProfile: production',
    '  profiles:',
    '    production:',
    '      baseUrl: https://flags.example.com',
    '      apiKeyFile: production.key',
  ]
}
