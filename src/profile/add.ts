import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Context, Define } from '../context.ts'
import { failureOf, FlagadmError, withHints } from '../errors.ts'
import { commandWords } from '../input/words.ts'
import { withExamples } from '../options.ts'
import { displayPath, isReservedName, join, pathInHome, resolve } from '../paths.ts'
import { openQuestions } from '../prompts/confirmation.ts'
import { checkUsage, readUser } from './access.ts'
import { type Configurations, ownPart, pathBeside, type Profile } from './configuration.ts'
import { connectTo } from './connection.ts'
import { addProfile, beginEdit, type ConfigurationEdit, setDefault } from './edit.ts'
import { checkAddress, ownDefaultName, resolveEndpoint } from './endpoint.ts'
import { checkKey, readKeyFile } from './key.ts'
import { NAME_HINT, PROFILE_NAME, type ProfileFields } from './schema.ts'

/** The field of a new profile for its key; `apiKey` if the key has to be stored in a file. */
type KeyField = Pick<ProfileFields, 'apiKey' | 'apiKeyCommand' | 'apiKeyEnv' | 'apiKeyFile'>

interface NewProfile {
  name: string
  baseUrl: string
  keyField: KeyField
}

// The schema ignores the first two, which every object inherits.
const reserved = ['constructor', 'prototype', 'sandbox']

/**
 * Checks the name of a new profile.
 * @throws a usage error for one that is malformed or reserved, a configuration error for one that exists
 */
export function checkNewName(name: string, { profiles }: Pick<Configurations, 'profiles'>): string {
  if (!PROFILE_NAME.test(name)) {
    throw new FlagadmError('usage', `invalid profile name '${name}'`, { hint: NAME_HINT })
  }
  if (reserved.includes(name) || isReservedName(name)) {
    throw new FlagadmError('usage', `the profile name '${name}' is reserved`, {
      hint: 'choose another name',
    })
  }
  const other = profiles.get(name)
  if (!other) return name
  throw new FlagadmError('configuration', `profile '${name}' already exists in ${other.file}`, {
    hint: 'choose another name, or remove that profile first',
  })
}

const keyOptionNames = '--api-key-command, --api-key-env, --api-key-file or --api-key-stdin'

/** The field for the key that the options specify, if they specify one. */
async function givenKeyField(
  { host, inputs, options: { apiKeyFile } }: Context,
  command: string | undefined,
  variable: string | undefined,
  stdin: true | undefined,
): Promise<KeyField | undefined> {
  const given = [command, variable, apiKeyFile, stdin].filter((option) => option !== undefined)
  const refuse = (what: string, hint: string): never => {
    throw new FlagadmError('usage', what, { hint })
  }
  if (given.length > 1) {
    refuse('more than one source given for the API key', `use only one of ${keyOptionNames}`)
  }
  if (command !== undefined) {
    return { apiKeyCommand: commandWords(command, '--api-key-command', host.platform) }
  }
  if (variable !== undefined) {
    if (/^[A-Za-z_]\w*$/.test(variable)) return { apiKeyEnv: variable }
    // The value is not shown, because it may be a key given by mistake.
    const hint = 'use the name without $, for example FLAGS_PRODUCTION_KEY'
    refuse('--api-key-env: expected the name of a variable', hint)
  }
  if (apiKeyFile === '-') {
    const hint = 'use --api-key-stdin to store the key that standard input contains'
    refuse('--api-key-file - cannot be stored in a profile', hint)
  }
  if (apiKeyFile !== undefined) {
    // No shell expands `~` after `--api-key-file=`.
    const isInHome = pathInHome(apiKeyFile) !== undefined
    return { apiKeyFile: isInHome ? apiKeyFile : resolve(host.cwd, apiKeyFile) }
  }
  return stdin && { apiKey: await readKeyFile('-', '--api-key-stdin', inputs) }
}

const keyQuestion = 'API key (an admin, service account or personal access token)'

/** The profile from the arguments and options; on a terminal, asks for what they leave out. */
async function completeProfile(
  context: Context,
  { name, baseUrl, keyField }: Partial<NewProfile>,
  configurations: Configurations,
): Promise<NewProfile> {
  if (name !== undefined && baseUrl !== undefined && keyField) return { name, baseUrl, keyField }
  const terminal = await context.host.openTerminal()
  if (!terminal) {
    const [what, hint] =
      name === undefined
        ? ['the name of the profile', 'see flagadm profile add --help']
        : baseUrl === undefined
          ? ['--base-url', 'use --base-url <url> with the address of the service']
          : ['a source of the API key', `use one of ${keyOptionNames}`]
    throw new FlagadmError('usage', `${what} is required`, { hint })
  }
  const { text, secret } = await openQuestions(context, terminal)
  const checkName = (answer: string) => checkNewName(answer, configurations)
  const checkHere = (answer: string) => checkAddress(answer, 'address', context.options.allowHttp)
  return {
    baseUrl: baseUrl ?? (await text('Address', 'https://flags.example.com', checkHere)),
    keyField: keyField ?? {
      apiKey: await secret(keyQuestion, (answer) => checkKey(answer, 'the prompt')),
    },
    name: name ?? (await text('Name of the profile', 'production', checkName)),
  }
}

/** Checks the connection and the key as a command with the profile would use them, before it is stored. */
async function checkConnection(
  context: Context,
  { configurations, file }: ConfigurationEdit,
  { name, baseUrl, keyField }: NewProfile,
): Promise<void> {
  const { options } = context
  const fields = { baseUrl, ...keyField, allowHttp: options.allowHttp }
  const added: Profile = { name, file, trust: 'user', fields, path: [] }
  const all = { ...configurations, profiles: new Map([[name, added]]) }
  const chosen = { ...options, profile: name, baseUrl: undefined, apiKeyFile: undefined }
  const run = { ...context, options: chosen }
  try {
    const endpoint = resolveEndpoint(run, all)
    const connection = await connectTo(run, { configurations: all, endpoint })
    await checkUsage(connection.service, (await readUser(connection)) !== undefined)
  } catch (error) {
    const way = 'nothing was stored; --no-check adds the profile without this check'
    throw withHints(failureOf(error), way)
  }
}

const notes = `

The key must be an admin token or a service account token (Admin settings → API access), or a personal access token (Profile → Personal API tokens). Nothing is stored if the service does not accept it.

--base-url specifies the address, and --api-key-file a file that contains the key. A key that you type is stored in a file of its own beside the configuration. Only you can read that file; on Windows, so can those who can read its folder.

The first profile becomes the default.`

export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'json'])
  return command
    .description(
      withExamples(
        command.summary(),
        "flagadm profile add production --base-url https://flags.example.com --api-key-command 'pass show flags'",
        'flagadm profile add ci --base-url https://flags.example.com --api-key-env FLAGS_KEY --no-check',
      ).concat(notes),
    )
    .argument('[name]', 'name of the new profile')
    .option('--api-key-command <command>', 'command that prints the API key, run without a shell')
    .option('--api-key-env <variable>', 'environment variable that contains the API key')
    .option('--api-key-stdin', 'read the API key from standard input and store it in a file')
    .option('--no-check', 'do not check the connection and the key before the profile is stored')
    .action(async (givenName, { check, apiKeyCommand, apiKeyEnv, apiKeyStdin }) => {
      const { host, messages, options, out, redactor } = context
      const { allowHttp, baseUrl: address } = options
      const isJson = format() === 'json'
      const edit = await beginEdit(context)
      const { configurations, file } = edit
      const field = await givenKeyField(context, apiKeyCommand, apiKeyEnv, apiKeyStdin)
      const given = {
        ...(givenName !== undefined && { name: checkNewName(givenName, configurations) }),
        ...(address !== undefined && { baseUrl: checkAddress(address, '--base-url', allowHttp) }),
        ...(field && { keyField: field }),
      }
      const added = await completeProfile(context, given, configurations)
      const { name, baseUrl, keyField } = added
      const { apiKey: key, apiKeyFile } = keyField
      if (key !== undefined) redactor.add(key)
      if (check) await checkConnection(context, edit, added)
      const keyFile =
        key === undefined ? undefined : { path: join(dirname(file), `${name}.key`), key }
      const before = ownDefaultName(configurations)
      const isDefault = ownPart(configurations).profiles.size === 0 && !before
      await edit.store((root) => {
        if (isDefault) setDefault(root, name)
        // The only profile needs no default, but it stays the default beside a second one.
        else if (before?.implied === 'only') setDefault(root, before.value)
        const source = keyFile ? { apiKeyFile: `${name}.key` } : keyField
        addProfile(root, name, { baseUrl, ...source, allowHttp })
      }, keyFile)
      if (isJson) {
        const change = { action: 'added', profile: name, baseUrl, file, keyFile: keyFile?.path }
        out.json({ ...change, default: isDefault || undefined })
      } else {
        const place = `${displayPath(file, host)}${isDefault ? ' as the default' : ''}`
        const kept = keyFile ? `; its key is in ${displayPath(keyFile.path, host)}` : ''
        const text = ` (${baseUrl}) to ${place}${kept}`
        out.line({ green: 'Added' }, ' profile ', { bold: name }, text)
      }
      // The path is not shown, because it may be an API key given by mistake.
      if (apiKeyFile !== undefined && !existsSync(pathBeside(file, apiKeyFile, host))) {
        messages.warn('the API key file does not exist yet')
      }
      if (!check) messages.note(`check it with flagadm profile check ${name}`)
      if (!isDefault) messages.note(`make it the default with flagadm profile use ${name}`)
    })
}
