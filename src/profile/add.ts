import { dirname } from 'node:path'
import type { YAMLMap } from 'yaml'
import type { Context, Define } from '../command/context.ts'
import { withExamples } from '../command/options.ts'
import {
  type ErrorKind,
  errorText,
  failureOf,
  FlagadmError,
  refuse,
  withCommand,
  withHints,
  refuseUsage,
} from '../errors.ts'
import { isLoopback } from '../input/values.ts'
import { commandWords } from '../input/words.ts'
import type { Line } from '../output/text.ts'
import { displayPath, join, pathInHome, resolve } from '../paths.ts'
import { openQuestions } from '../prompts/terminal.ts'
import { checkUsage, readUser } from './access.ts'
import { type Configurations, defaultName, ownPart, type Profile } from './configuration.ts'
import { keyFields, nameProblem, type ProfileFields } from './configuration-schema.ts'
import { connectTo } from './connect.ts'
import {
  editConfiguration,
  type OwnConfiguration,
  ownProfile,
  readOwn,
  setDefault,
} from './edit.ts'
import { checkAddress, resolveEndpoint, withoutApiPath } from './endpoint.ts'
import { checkKey, readKeyFile } from './key.ts'

/** A new profile. Its `apiKey` is stored in a file of its own. */
type NewProfile = ProfileFields & { name: string }

function checkNewName(name: string, { profiles }: Configurations): string {
  const problem = nameProblem(name)
  const hint = 'choose another name'
  const isAddress = /^https?:/.test(name)
  if (problem !== undefined) {
    refuseUsage(problem, isAddress ? 'put a name first, and --base-url before the address' : hint)
  }
  if (profiles.has(name)) {
    refuse(
      `the profile name '${name}' already exists`,
      `${hint}, or replace its key with --replace`,
    )
  }
  return name
}

const withoutKeys = {
  apiKey: undefined,
  apiKeyEnv: undefined,
  apiKeyFile: undefined,
  apiKeyCommand: undefined,
}

const KEY_OPTIONS = '--api-key-command, --api-key-env, --api-key-file or --api-key-stdin'

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
  const fields = sources.filter((source) => source !== undefined)
  // The values are not shown, because they may be keys given by mistake.
  if (fields.length > 1 || apiKeyFile === '-') {
    const what = 'a profile has one source of the API key, which is not --api-key-file -'
    refuseUsage(what, `use one of ${KEY_OPTIONS}`)
  }
  if (apiKeyCommand !== undefined) {
    return { apiKeyCommand: commandWords(apiKeyCommand, '--api-key-command') }
  }
  if (apiKeyEnv !== undefined) {
    if (/^[A-Za-z_]\w*$/.test(apiKeyEnv)) return { apiKeyEnv }
    refuseUsage(
      '--api-key-env: expected the name of a variable',
      'use the name without $, for example FLAGS_PRODUCTION_KEY',
    )
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

interface GivenParts {
  name: string | undefined
  baseUrl: string | undefined
  key: Partial<ProfileFields> | undefined
  /** What a profile whose key is replaced keeps. */
  kept: Partial<ProfileFields>
}

/** Checks the connection and the key as a command with the profile would use them, before it is stored. */
async function checkProfile(
  context: Context,
  { configurations, file }: OwnConfiguration,
  { name, ...fields }: NewProfile,
): Promise<void> {
  const source = { kind: 'user', from: file, path: file, field: [] } as const
  const all = { ...configurations, profiles: new Map([[name, { ...source, name, fields }]]) }
  const chosen = { ...context.options, profile: name, baseUrl: undefined, apiKeyFile: undefined }
  const run = { ...context, options: chosen }
  const connection = await connectTo(run, resolveEndpoint(run, all))
  await checkUsage(connection.service, (await readUser(connection)) !== undefined)
}

/** The error of a check for which nothing can be asked again. */
function unstored(error: unknown): FlagadmError {
  const way = 'nothing was stored; --no-check adds the profile without this check'
  return withHints(failureOf(error), way)
}

type Questions = Awaited<ReturnType<typeof openQuestions>>

/** Asks for an address. One with the path of the API is offered without it. */
async function askAddress(
  { text }: Questions,
  { options: { allowHttp } }: Context,
  suggestion?: string,
): Promise<string> {
  const example = 'https://flags.example.com'
  const check = (answer: string) => checkAddress(answer, 'address', allowHttp)
  const answer = await text('Address', { example, suggestion }, (address) => {
    check(withoutApiPath(address))
    return address
  })
  const meant = withoutApiPath(answer)
  if (meant === answer.trim()) return check(answer)
  return text('Address without the path of the API', { suggestion: meant }, check)
}

async function askKey({ secret }: Questions): Promise<{ apiKey: string }> {
  return { apiKey: await secret(KEY_QUESTION, (answer) => checkKey(answer, 'the prompt')) }
}

/** Failures that another key may solve; for others, the address may be wrong. */
const ofKey: ReadonlySet<ErrorKind> = new Set(['unauthenticated', 'forbidden'])

/**
 * Asks for the address and the key that are not given, and again for one that is refused.
 * @param check throws if the service does not accept them
 */
async function askConnection(
  context: Context,
  questions: Questions,
  parts: GivenParts,
  check: (fields: ProfileFields) => Promise<void>,
): Promise<ProfileFields> {
  let baseUrl = parts.baseUrl ?? (await askAddress(questions, context))
  let key = parts.key ?? (await askKey(questions))
  for (;;) {
    try {
      await check({ baseUrl, ...key })
      return { baseUrl, ...key }
    } catch (error) {
      const failure = failureOf(error)
      const isOfKey = ofKey.has(failure.kind)
      if (isOfKey ? parts.key : parts.baseUrl) throw unstored(failure)
      const { kind, hint, command } = failure
      if (kind === 'unauthenticated') questions.refuse('the service refused this key (401)')
      else questions.refuse(errorText(failure), hint && withCommand(hint, command))
      if (isOfKey) key = await askKey(questions)
      else baseUrl = await askAddress(questions, context, baseUrl)
    }
  }
}

function freeName(baseUrl: string, { profiles }: Configurations): string {
  const name = isLoopback(new URL(baseUrl).hostname) ? 'local' : 'production'
  let free = name
  for (let number = 2; profiles.has(free); number++) free = `${name}-${number}`
  return free
}

/** The profile from the arguments and options, checked; on a terminal, asks for what they leave out. */
async function completeProfile(
  context: Context,
  ownConfiguration: OwnConfiguration,
  parts: GivenParts,
  isChecked: boolean,
): Promise<NewProfile> {
  const { configurations } = ownConfiguration
  const { allowHttp } = context.options
  const { name, baseUrl, key, kept } = parts
  const check = async (fields: ProfileFields) => {
    const free = name ?? freeName(fields.baseUrl, configurations)
    if (isChecked) {
      await checkProfile(context, ownConfiguration, { ...kept, ...fields, allowHttp, name: free })
    }
  }
  if (name !== undefined && baseUrl !== undefined && key) {
    await check({ baseUrl, ...key }).catch((error: unknown) => {
      throw unstored(error)
    })
    return { name, baseUrl, ...key }
  }
  const questions = await openQuestions(
    context,
    'a name, an address and a source of the API key are required',
    `flagadm profile add <name> --base-url <url>, and one of ${KEY_OPTIONS}`,
  )
  const fields = await askConnection(context, questions, parts, check)
  if (name !== undefined) return { ...fields, name }
  const suggestion = freeName(fields.baseUrl, configurations)
  const checkName = (answer: string) => checkNewName(answer, configurations)
  return { ...fields, name: await questions.text('Name of the profile', { suggestion }, checkName) }
}

function addition(name: string, profile: object, configurations: Configurations) {
  const ownProfiles = ownPart(configurations)
  // The only profile needs no default, but it stays the default beside a second one.
  const chosen = ownProfiles.profiles.size === 0 ? name : defaultName(ownProfiles)?.value
  return {
    isDefault: chosen === name,
    change(root: YAMLMap) {
      if (chosen !== undefined) setDefault(root, chosen)
      root.setIn(['profiles', name], profile)
    },
  }
}

/** Replaces the key of a profile, and its address if another one is given. */
function replacement({ name, field }: Profile, fields: object, configurations: Configurations) {
  return {
    isDefault: defaultName(ownPart(configurations))?.value === name,
    change(root: YAMLMap) {
      for (const keyField of keyFields) root.deleteIn([...field, keyField])
      for (const [name, value] of Object.entries(fields)) {
        if (value !== undefined) root.setIn([...field, name], value)
      }
    },
  }
}

/** The profile whose key is to be replaced. @throws an error without a name, and for a profile that is not the user's */
function replaceable(name: string | undefined, configurations: Configurations): Profile {
  if (name !== undefined) return ownProfile(name, configurations)
  throw new FlagadmError('usage', '--replace requires the name of a profile', {
    hint: 'to see the profiles:',
    command: ['flagadm', 'profile', 'list'],
  })
}

const NOTES = `The key must be an admin token or a service account token (Admin settings → API access), or a personal access token (Profile → Personal API tokens). Nothing is stored if the service does not accept it.

--base-url specifies the address, and --api-key-file a file that contains the key. A key that you type is stored in a file of its own beside the configuration. Only you can read that file; on Windows, so can those who can read its folder.

The first profile becomes the default. --replace stores another key for a profile that exists, which keeps its address and everything else.`

interface AddOptions extends KeyOptions {
  check: boolean
  replace?: true
}

async function store(
  context: Context,
  givenName: string | undefined,
  { check, replace, ...keyOptions }: AddOptions,
) {
  const { options, redactor } = context
  const ownConfiguration = await readOwn(context)
  const { configurations, file } = ownConfiguration
  const replaced = replace && replaceable(givenName, configurations)
  const allowHttp = options.allowHttp ?? (replaced?.fields.allowHttp ? true : undefined)
  const address = options.baseUrl ?? replaced?.fields.baseUrl
  const from = options.baseUrl === undefined ? `profile '${givenName}'` : '--base-url'
  const checkName = (name: string, all: Configurations) =>
    replaced ? ownProfile(name, all).name : checkNewName(name, all)
  const parts = {
    name: givenName === undefined ? undefined : checkName(givenName, configurations),
    baseUrl: address === undefined ? undefined : checkAddress(address, from, allowHttp),
    key: await givenKey(context, keyOptions),
    kept: { ...replaced?.fields, ...withoutKeys },
  }
  redactor.add(parts.key?.apiKey ?? '')
  const run = { ...context, options: { ...options, allowHttp } }
  const added = await completeProfile(run, ownConfiguration, parts, check)
  const { name, apiKey: key, ...fields } = { ...added, allowHttp }
  redactor.add(key ?? '')
  const isReplaced = replaced !== undefined
  const path = join(dirname(file), `${name}.key`)
  const keyFile = key === undefined ? undefined : { path, key, replaces: isReplaced }
  const profile = { ...fields, ...(keyFile && { apiKeyFile: `${name}.key` }) }
  const { isDefault } = await editConfiguration(context, ({ configurations: stored }) => {
    const checked = checkName(name, stored)
    const edit = isReplaced
      ? replacement(ownProfile(name, stored), profile, stored)
      : addition(checked, profile, stored)
    return { ...edit, keyFile }
  })
  const { baseUrl } = fields
  return { name, baseUrl, file, keyFile: keyFile?.path, isDefault, isReplaced }
}

type StoredProfile = Awaited<ReturnType<typeof store>>

function storedLine({ name, isReplaced, ...stored }: StoredProfile, host: Context['host']): Line {
  const { baseUrl, file, keyFile, isDefault } = stored
  const isNewDefault = isDefault && !isReplaced
  const place = `${displayPath(file, host)}${isNewDefault ? ' as the default' : ''}`
  const kept = keyFile === undefined ? '' : `; its key is in ${displayPath(keyFile, host)}`
  if (isReplaced) {
    const text = ` (${baseUrl}) in ${place}${kept}`
    return [{ green: 'Replaced' }, ' the key of profile ', { bold: name }, text]
  }
  return [{ green: 'Added' }, ' profile ', { bold: name }, ` (${baseUrl}) to ${place}${kept}`]
}

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
    .option('--replace', 'replace the key of a profile that exists')
    .option('--no-check', 'do not check the connection and the key before the profile is stored')
    .action(async (givenName, options) => {
      const { host, messages, out } = context
      const isJson = format() === 'json'
      const stored = await store(context, givenName, options)
      const { name, isDefault, isReplaced, baseUrl, file, keyFile } = stored
      if (isJson) {
        const action = isReplaced ? 'replaced' : 'added'
        const places = { baseUrl, file, keyFile }
        out.json({ action, profile: name, ...places, default: isDefault || undefined })
      } else {
        out.line(...storedLine(stored, host))
      }
      if (isReplaced) return
      const service = isDefault ? [] : ['-p', name]
      const next = ['flagadm', 'feature', 'review', '--all-projects', ...service]
      messages.note('to see which flags can go:', next)
      if (!isDefault) messages.note('to make it the default:', ['flagadm', 'profile', 'use', name])
    })
}
