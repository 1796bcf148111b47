import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { join, pathInHome, resolve } from '../paths.ts'
import { readCheckedConfiguration } from './connection.ts'
import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { formats } from '../output/formats.ts'
import { commandWords } from '../input/words.ts'
import { checkAddress } from './address.ts'
import { chosenName } from './choice.ts'
import type { Editor } from './files/edit.ts'
import { checkKey, pathBeside, readKeyFile } from './key.ts'
import { checkNewName } from './names.ts'
import type { Configurations } from './profiles.ts'
import type { ProfileFields } from './files/schema.ts'
import { openQuestions } from '../prompts/confirmation.ts'
import { reportChange } from './change.ts'
import { changeFile, editableFile } from './file.ts'
import type { Questions } from '../prompts/questions.ts'

interface AddOptions {
  apiKeyCommand?: string | undefined
  apiKeyEnv?: string | undefined
  apiKeyStdin?: true | undefined
}

/** The sources of a profile's key, and their labels in the question. */
const keySources = (platform: NodeJS.Platform) =>
  [
    ['command', 'a command prints it, for example a password manager'],
    ['variable', 'an environment variable contains it'],
    ['file', 'a file contains it'],
    // Windows has no modes: the file gets the permissions of its folder.
    [
      'typed',
      `I type or paste it now; flagadm stores it in a file ${platform === 'win32' ? 'of its own' : 'that only I can read'}`,
    ],
  ] as const

const keyKinds =
  'It must be an admin or service account token (Admin settings → API access) or a personal access token ' +
  '(Profile → Personal API tokens)'

/** The field of a profile for its key, or the key itself. */
type KeyField = Pick<ProfileFields, 'apiKeyCommand' | 'apiKeyEnv' | 'apiKeyFile'>
type KeySource = { field: KeyField } | { key: string }

const keyOptions = '--api-key-command, --api-key-env, --api-key-file or --api-key-stdin'

/** Never quotes the value, which may be a key given by mistake. */
function variableName(name: string, from: string): string {
  if (/^[A-Za-z_]\w*$/.test(name)) return name
  throw new FlagadmError('usage', `${from}: expected the name of a variable`, {
    hint: 'use the name without $, for example FLAGS_PRODUCTION_KEY',
  })
}

function keyFilePath(path: string, { host }: Context): string {
  // No shell expands `~` in an answer or after `--api-key-file=`.
  if (pathInHome(path) !== undefined) return path
  if (path !== '-') return resolve(host.cwd, path)
  throw new FlagadmError('usage', '--api-key-file - cannot be stored in a profile', {
    hint: 'use --api-key-stdin to store the key that standard input contains',
  })
}

/** The key source that the options specify; undefined if they specify none. */
async function givenKeySource(
  context: Context,
  { apiKeyCommand, apiKeyEnv, apiKeyStdin }: AddOptions,
): Promise<KeySource | undefined> {
  const { apiKeyFile } = context.options
  const given = [apiKeyCommand, apiKeyEnv, apiKeyFile, apiKeyStdin]
  if (given.filter((option) => option !== undefined).length > 1) {
    throw new FlagadmError('usage', 'more than one source given for the API key', {
      hint: `use only one of ${keyOptions}`,
    })
  }
  if (apiKeyCommand !== undefined) {
    return {
      field: {
        apiKeyCommand: commandWords(apiKeyCommand, '--api-key-command', context.host.platform),
      },
    }
  }
  if (apiKeyEnv !== undefined) {
    return { field: { apiKeyEnv: variableName(apiKeyEnv, '--api-key-env') } }
  }
  if (apiKeyFile !== undefined) return { field: { apiKeyFile: keyFilePath(apiKeyFile, context) } }
  if (!apiKeyStdin) return undefined
  return { key: await readKeyFile('-', '--api-key-stdin', context.inputs) }
}

async function askKeySource(questions: Questions, context: Context): Promise<KeySource> {
  const question = `Where does the API key come from? ${keyKinds}`
  switch (await questions.choice(question, keySources(context.host.platform))) {
    case 'command': {
      const check = (answer: string) => commandWords(answer, 'command', context.host.platform)
      const command = await questions.text('Command', 'pass show flags/production', check)
      return { field: { apiKeyCommand: check(command) } }
    }
    case 'variable': {
      const check = (answer: string) => variableName(answer, 'variable')
      const name = await questions.text('Variable', 'FLAGS_PRODUCTION_KEY', check)
      return { field: { apiKeyEnv: name } }
    }
    case 'file': {
      const path = await questions.text('File', '/run/secrets/flags-key', (answer) =>
        keyFilePath(answer, context),
      )
      return { field: { apiKeyFile: keyFilePath(path, context) } }
    }
    case 'typed':
      return { key: await questions.secret('API key', (answer) => checkKey(answer, 'the prompt')) }
  }
}

interface Profile {
  name: string
  baseUrl: string
  keySource: KeySource
}

function missing(what: string, hint: string): never {
  throw new FlagadmError('usage', `${what} is required`, { hint })
}

/** The profile from the arguments and options; on a terminal, asks for what they leave out. */
async function completeProfile(
  context: Context,
  configurations: Configurations,
  givenName: string | undefined,
  options: AddOptions,
): Promise<Profile> {
  const { host, options: globals } = context
  const checkName = (name: string) => checkNewName(name, configurations)
  const checkUrl = (url: string, from: string) =>
    checkAddress(url, from, globals.allowHttp === true)
  const name = givenName === undefined ? undefined : checkName(givenName)
  const url = globals.baseUrl === undefined ? undefined : checkUrl(globals.baseUrl, '--base-url')
  const keySource = await givenKeySource(context, options)
  if (name !== undefined && url !== undefined && keySource) return { name, baseUrl: url, keySource }
  if (!host.terminal) {
    if (name === undefined) missing('the name of the profile', 'see flagadm profile add --help')
    if (url === undefined)
      missing('--base-url', 'use --base-url <url> with the address of the service')
    return missing('a source of the API key', `use one of ${keyOptions}`)
  }
  const questions = await openQuestions(context, host.terminal)
  const asked = (answer: string) => checkUrl(answer, 'address')
  return {
    name: name ?? (await questions.text('Name of the profile', 'production', checkName)),
    baseUrl:
      url ??
      asked(await questions.text('Address of the service', 'https://flags.example.com', asked)),
    keySource: keySource ?? (await askKeySource(questions, context)),
  }
}

/** Adds a profile to the user's configuration. A key that is typed or read is stored in a file of its own. */
export async function addProfile(
  context: Context,
  givenName: string | undefined,
  options: AddOptions,
): Promise<void> {
  context.format(formats.textOrJson)
  const { host, messages, redactor } = context
  const configurations = await readCheckedConfiguration(context)
  const file = editableFile(configurations, host)
  const added = await completeProfile(context, configurations, givenName, options)
  const { name, baseUrl, keySource } = added
  if ('key' in keySource) redactor.add(keySource.key)
  const keyFile =
    'key' in keySource
      ? { path: join(dirname(file), `${name}.key`), key: keySource.key }
      : undefined
  const field: KeyField = 'key' in keySource ? { apiKeyFile: `${name}.key` } : keySource.field
  const allowHttp = context.options.allowHttp === true && { allowHttp: true }
  const add = (editor: Editor, current: Configurations) => {
    // A single profile needs no default, but it stays the default beside a second one.
    const given = { ...context.options, profile: undefined }
    const before = chosenName({ host: { ...host, env: {} }, options: given }, current)
    if (before?.reason === 'only' && before.source.kind === 'user') editor.setDefault(before.name)
    editor.add(checkNewName(name, current), { baseUrl, ...field, ...allowHttp })
  }
  await changeFile(file, context, add, keyFile)
  const stored = keyFile ? { keyFile: keyFile.path } : {}
  await reportChange(context, { action: 'added', profile: name, baseUrl, file, ...stored })
  const { apiKeyFile } = field
  // The path is not shown, because it may be an API key given by mistake.
  if (apiKeyFile !== undefined && !existsSync(pathBeside(file, apiKeyFile, host))) {
    messages.warn('the API key file does not exist yet')
  }
  messages.note(`check it with flagadm profile check ${name}`)
}
