import { dirname } from 'node:path'
import type { YAMLMap } from 'yaml'
import type { Context, Define } from '../cli/context.ts'
import { withExamples } from '../cli/options.ts'
import { failureOf, FlagadmError, refuse, withHints } from '../errors.ts'
import { commandWords } from '../input/words.ts'
import { displayPath, join, pathInHome, resolve } from '../paths.ts'
import { openQuestions } from '../prompts/questions.ts'
import { checkUsage, readUser } from './check.ts'
import { type Configurations, defaultName, ownPart } from './configuration.ts'
import { nameProblem, type ProfileFields } from './configuration-schema.ts'
import { connectTo } from './connect.ts'
import { editConfiguration, type OwnConfiguration, readOwn, setDefault } from './edit.ts'
import { checkAddress, resolveEndpoint } from './endpoint.ts'
import { checkKey, readKeyFile } from './key.ts'

/** A new profile. Its `apiKey` is stored in a file of its own. */
type NewProfile = ProfileFields & { name: string }

/** Checks the name of a new profile. */
function checkNewName(name: string, { profiles }: Configurations): string {
  const problem = nameProblem(name)
  const hint = 'choose another name'
  if (problem !== undefined) throw new FlagadmError('usage', problem, { hint })
  if (profiles.has(name)) refuse(`the profile name '${name}' already exists`, hint)
  return name
}

const KEY_OPTIONS = '--api-key-command, --api-key-env, --api-key-file or --api-key-stdin'

/** The options of the command that specify a key. */
interface KeyOptions {
  apiKeyCommand?: string
  apiKeyEnv?: string
  apiKeyStdin?: true
}

/** The field for the key that the options specify; undefined if they specify none. */
async function givenKey(
  { host, inputs, options: { apiKeyFile } }: Context,
  { apiKeyCommand, apiKeyEnv, apiKeyStdin }: KeyOptions,
): Promise<Partial<ProfileFields> | undefined> {
  const sources = [apiKeyCommand, apiKeyEnv, apiKeyFile, apiKeyStdin]
  const given = sources.filter((source) => source !== undefined)
  // The values are not shown, because they may be keys given by mistake.
  if (given.length > 1 || apiKeyFile === '-') {
    const what = 'a profile has one source of the API key, which is not --api-key-file -'
    throw new FlagadmError('usage', what, { hint: `use one of ${KEY_OPTIONS}` })
  }
  if (apiKeyCommand !== undefined) {
    return { apiKeyCommand: commandWords(apiKeyCommand, '--api-key-command') }
  }
  if (apiKeyEnv !== undefined) {
    if (/^[A-Za-z_]\w*$/.test(apiKeyEnv)) return { apiKeyEnv }
    throw new FlagadmError('usage', '--api-key-env: expected the name of a variable', {
      hint: 'use the name without $, for example FLAGS_PRODUCTION_KEY',
    })
  }
  if (apiKeyFile !== undefined) {
    // No shell expands `~` after `--api-key-file=`.
    const isInHome = pathInHome(apiKeyFile) !== undefined
    return { apiKeyFile: isInHome ? apiKeyFile : resolve(host.cwd, apiKeyFile) }
  }
  if (!apiKeyStdin) return undefined
  return { apiKey: await readKeyFile('-', '--api-key-stdin', inputs) }
}

const KEY_QUESTION = 'API key (an admin, service account or personal access token)'

/** What the arguments and options specify of a profile. */
interface GivenParts {
  name: string | undefined
  baseUrl: string | undefined
  /** The field for the key. */
  key: Partial<ProfileFields> | undefined
}

/** The profile from the arguments and options; on a terminal, asks for what they leave out. */
async function completeProfile(
  context: Context,
  { name, baseUrl, key }: GivenParts,
  configurations: Configurations,
): Promise<NewProfile> {
  if (name !== undefined && baseUrl !== undefined && key) return { name, baseUrl, ...key }
  const { text, secret } = await openQuestions(
    context,
    'a name, an address and a source of the API key are required',
    `flagadm profile add <name> --base-url <url>, and one of ${KEY_OPTIONS}`,
  )
  const checkName = (answer: string) => checkNewName(answer, configurations)
  const checkHere = (answer: string) => checkAddress(answer, 'address', context.options.allowHttp)
  const address = baseUrl ?? (await text('Address', 'https://flags.example.com', checkHere))
  const askKey = () => secret(KEY_QUESTION, (answer) => checkKey(answer, 'the prompt'))
  const source = key ?? { apiKey: await askKey() }
  const chosenName = name ?? (await text('Name of the profile', 'production', checkName))
  return { baseUrl: address, ...source, name: chosenName }
}

/** Checks the connection and the key as a command with the profile would use them, before it is stored. */
async function checkConnection(
  context: Context,
  { configurations, file }: OwnConfiguration,
  { name, ...fields }: NewProfile,
): Promise<void> {
  const source = { kind: 'user', from: file, path: file, field: [] } as const
  const all = { ...configurations, profiles: new Map([[name, { ...source, name, fields }]]) }
  const chosen = { ...context.options, profile: name, baseUrl: undefined, apiKeyFile: undefined }
  const run = { ...context, options: chosen }
  try {
    const connection = await connectTo(run, resolveEndpoint(run, all))
    await checkUsage(connection.service, (await readUser(connection)) !== undefined)
  } catch (error) {
    const way = 'nothing was stored; --no-check adds the profile without this check'
    throw withHints(failureOf(error), way)
  }
}

/** Adds a profile to a configuration. */
function addition(name: string, profile: object, configurations: Configurations) {
  const own = ownPart(configurations)
  // The only profile needs no default, but it stays the default beside a second one.
  const chosen = own.profiles.size === 0 ? name : defaultName(own)?.value
  return {
    isDefault: chosen === name,
    change(root: YAMLMap) {
      if (chosen !== undefined) setDefault(root, chosen)
      root.setIn(['profiles', name], profile)
    },
  }
}

const NOTES = `The key must be an admin token or a service account token (Admin settings → API access), or a personal access token (Profile → Personal API tokens). Nothing is stored if the service does not accept it.

--base-url specifies the address, and --api-key-file a file that contains the key. A key that you type is stored in a file of its own beside the configuration. Only you can read that file; on Windows, so can those who can read its folder.

The first profile becomes the default.`

export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'json'])
  return withExamples(
    command,
    [
      'flagadm profile add ci --base-url https://flags.test --api-key-command get-key',
      'flagadm profile add ci --base-url https://flags.test --api-key-env FLAGS_KEY',
    ],
    NOTES,
  )
    .argument('[name]', 'name of the new profile')
    .option('--api-key-command <command>', 'command that prints the API key, run without a shell')
    .option('--api-key-env <variable>', 'environment variable that contains the API key')
    .option('--api-key-stdin', 'read the API key from standard input and store it in a file')
    .option('--no-check', 'do not check the connection and the key before the profile is stored')
    .action(async (givenName, { check, ...keyOptions }) => {
      const { host, messages, options, out, redactor } = context
      const { allowHttp, baseUrl: address } = options
      const isJson = format() === 'json'
      const own = await readOwn(context)
      const { configurations, file } = own
      const isNamed = givenName !== undefined
      const hasAddress = address !== undefined
      const given = {
        name: isNamed ? checkNewName(givenName, configurations) : undefined,
        baseUrl: hasAddress ? checkAddress(address, '--base-url', allowHttp) : undefined,
        key: await givenKey(context, keyOptions),
      }
      const added = await completeProfile(context, given, configurations)
      const { name, apiKey: key, ...fields } = { ...added, allowHttp }
      redactor.add(key ?? '')
      if (check) await checkConnection(context, own, { ...added, allowHttp })
      const keyFile =
        key === undefined ? undefined : { path: join(dirname(file), `${name}.key`), key }
      const profile = { ...fields, ...(keyFile && { apiKeyFile: `${name}.key` }) }
      const { isDefault } = await editConfiguration(context, (stored) => ({
        ...addition(checkNewName(name, stored.configurations), profile, stored.configurations),
        keyFile,
      }))
      if (isJson) {
        const places = { baseUrl: fields.baseUrl, file, keyFile: keyFile?.path }
        out.json({ action: 'added', profile: name, ...places, default: isDefault || undefined })
      } else {
        const place = `${displayPath(file, host)}${isDefault ? ' as the default' : ''}`
        const kept = keyFile ? `; its key is in ${displayPath(keyFile.path, host)}` : ''
        const text = ` (${fields.baseUrl}) to ${place}${kept}`
        out.line({ green: 'Added' }, ' profile ', { bold: name }, text)
      }
      if (!isDefault) messages.note(`make it the default with flagadm profile use ${name}`)
    })
}
