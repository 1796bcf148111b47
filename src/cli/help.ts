import { exitCodes, refuseUsage } from '../errors.ts'
import { closest } from '../input/spelling.ts'
import { DEFAULT_CONCURRENCY, DEFAULT_RETRIES, DEFAULT_TIMEOUT } from '../input/values.ts'
import { projectPlaces, userPlaces } from '../profile/configuration.ts'
import type { Line } from '../output/text.ts'
import type { Define } from '../command/context.ts'
import { pathOf, printHelp } from '../command/help-text.ts'
import { withExamples } from '../command/options.ts'

/** What can be configured, and all the places where it can; the help and the reference print this table. */
export const configurationSources: readonly {
  options?: readonly string[]
  variables?: readonly string[]
  /** Fields of configuration files, with the kind of file or profile they belong to. */
  fields?: string
  meaning: string
}[] = [
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
    variables: ['FLAGADM_API_KEY_<host>'],
    meaning:
      "API key for one host at https, also with an address of a project's file; in the name, a dot is _ and a hyphen __",
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
    meaning: `deadline of one request: 10, 10s, 5m or 2h (default: ${DEFAULT_TIMEOUT})`,
  },
  {
    options: ['--retries'],
    variables: ['FLAGADM_RETRIES'],
    fields: 'retries',
    meaning: `further attempts after a failed one (default: ${DEFAULT_RETRIES})`,
  },
  {
    options: ['--concurrency'],
    fields: 'concurrency of a profile',
    meaning: `requests at once (default: ${DEFAULT_CONCURRENCY})`,
  },
  {
    options: ['--allow-http'],
    fields: 'allowHttp of a profile',
    meaning: 'allow plain http to other machines',
  },
  {
    options: ['--rule', '--pattern'],
    fields: 'naming',
    meaning: 'naming rule for naming lint, check and diff',
  },
  {
    options: ['--scan', '--call', '--match'],
    fields: 'scan (paths, exclude, calls, match)',
    meaning: 'source code to read, and the calls that look up flags',
  },
  {
    variables: ['GIT_INDEX_FILE'],
    meaning: 'set by git for a hook: the index that naming check --staged reads',
  },
  {
    options: ['--color', '--no-color'],
    variables: ['NO_COLOR', 'FORCE_COLOR', 'CLICOLOR_FORCE', 'TERM'],
    meaning: 'colour; TERM=dumb turns it off, and progress as well',
  },
  {
    options: ['--quiet'],
    variables: ['CI'],
    meaning: 'no progress; --quiet also prints no warnings and notes',
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
    meaning:
      'http, https, net, tls and child_process are refused, because Node.js would print API keys',
  },
  {
    variables: ['XDG_CONFIG_HOME', 'HOME'],
    meaning: 'folder of the user configuration; on Windows, USERPROFILE unless HOME is set',
  },
]

function variableLines(): (string | Line)[] {
  return [
    'Precedence: option, then variable, then configuration file. An explicit --profile also beats FLAGADM_PROFILE, FLAGADM_BASE_URL and FLAGADM_API_KEY. An empty variable counts as unset.',
    '',
    [{ bold: 'Variables and settings:' }],
    ...configurationSources.flatMap(({ options = [], variables = [], fields, meaning }) => [
      `  ${[...variables, ...options].join(', ')}`,
      `      ${meaning}`,
      ...(fields === undefined ? [] : [`      file: ${fields}`]),
    ]),
    '',
    [{ bold: 'Exit codes:' }],
    ...Object.values(exitCodes).map(({ code, meaning }) => `  ${`${code}`.padEnd(5)}${meaning}`),
    '',
    [{ bold: 'User configuration, the first of:' }],
    ...userPlaces.map((place) => `  $XDG_CONFIG_HOME/flagadm/${place}`),
    'Without XDG_CONFIG_HOME, ~/.config is used.',
    '',
    [
      {
        bold: 'Project configuration, the first of these from the working directory up to its repository:',
      },
    ],
    ...projectPlaces.map(
      (place) => `  ${place}${place === 'package.json' ? ' (its field flagadm)' : ''}`,
    ),
    '',
    [{ bold: 'Example of a user configuration:' }],
    '  defaultProfile: production',
    '  profiles:',
    '    production:',
    '      baseUrl: https://flags.example.com',
    '      apiKeyFile: production.key',
  ]
}

const VARIABLES = 'variables'

export const define: Define = (command, { out, program, formatsOf }) =>
  withExamples(command, ['flagadm help project settings set', `flagadm help ${VARIABLES}`])
    .argument('[command...]', 'words of the command')
    .action(async (words) => {
      if (words.join(' ') === VARIABLES) return out.lines(variableLines())
      const foundCommand = await program.find(words)
      const path = pathOf(foundCommand).split(' ').slice(1)
      const unknown = words[path.length]
      if (unknown !== undefined) {
        const helpTopics = [...foundCommand.commands.map((one) => one.name()), VARIABLES]
        const meant = closest(unknown, helpTopics)
        refuseUsage(
          `unknown command '${unknown}'`,
          meant === undefined ? 'see flagadm --help' : `did you mean ${meant}?`,
        )
      }
      printHelp(foundCommand, formatsOf(foundCommand), out)
    })
