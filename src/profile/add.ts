import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { join } from '../paths.ts'
import { connectWith } from './connection.ts'
import type { Context } from '../old/context.ts'
import { errorLines, failureOf, FlagadmError, withHints } from '../errors.ts'
import { formats } from '../old/output/formats.ts'
import { createStatusLine } from '../old/output/terminal.ts'
import { safe } from '../old/output/text.ts'
import { checkAccess } from './access.ts'
import {
  type Configurations,
  editableFile,
  ownPart,
  pathBeside,
  type Profile,
  readCheckedConfiguration,
} from './configuration.ts'
import { beginEdit, type ConfigurationEdit, type Editor } from './edit.ts'
import { checkAddress, ownDefaultName } from './endpoint.ts'
import {
  askKeyField,
  givenKeyField,
  type KeyOptions,
  keyOptionNames,
  type KeyField,
} from './key-field.ts'
import { checkNewName } from './names.ts'
import { openQuestions } from '../prompts/confirmation.ts'
import { reportChange } from './change.ts'
import type { Questions } from '../prompts/questions.ts'

interface AddOptions extends KeyOptions {
  check: boolean
}

interface NewProfile {
  name: string
  baseUrl: string
  keyField: KeyField
}

function missing(what: string, hint: string): never {
  throw new FlagadmError('usage', `${what} is required`, { hint })
}

function askAddress(questions: Questions, { options }: Context): Promise<string> {
  const check = (answer: string) => checkAddress(answer, 'address', options.allowHttp)
  return questions.text('Address of the service', 'https://flags.example.com', check)
}

/**
 * The profile from the arguments and options; on a terminal, asks for what they leave out, the key first.
 * @returns the questions as well, if any was asked
 */
async function completeProfile(
  context: Context,
  configurations: Configurations,
  givenName: string | undefined,
  options: AddOptions,
): Promise<{ profile: NewProfile; questions?: Questions }> {
  const { host, options: globals } = context
  const checkName = (name: string) => checkNewName(name, configurations)
  const name = givenName === undefined ? undefined : checkName(givenName)
  const baseUrl =
    globals.baseUrl === undefined
      ? undefined
      : checkAddress(globals.baseUrl, '--base-url', globals.allowHttp)
  const keyField = await givenKeyField(context, options)
  if (name !== undefined && baseUrl !== undefined && keyField) {
    return { profile: { name, baseUrl, keyField } }
  }
  const terminal = await host.openTerminal()
  if (!terminal) {
    if (name === undefined) missing('the name of the profile', 'see flagadm profile add --help')
    if (baseUrl === undefined)
      missing('--base-url', 'use --base-url <url> with the address of the service')
    return missing('a source of the API key', `use one of ${keyOptionNames}`)
  }
  const questions = await openQuestions(context, terminal)
  const profile = {
    keyField: keyField ?? (await askKeyField(questions, context)),
    baseUrl: baseUrl ?? (await askAddress(questions, context)),
    name: name ?? (await questions.text('Name of the profile', 'production', checkName)),
  }
  return { profile, questions }
}

/** Checks the connection and the key as a command with the profile would use them, before it is stored. */
async function checkConnection(
  context: Context,
  configurations: Configurations,
  file: string,
  { name, baseUrl, keyField }: NewProfile,
): Promise<void> {
  const { options, printer, stderr } = context
  const fields = { baseUrl, ...keyField, allowHttp: options.allowHttp }
  const added: Profile = { name, file, trust: 'user', fields, path: [] }
  const profiles = new Map([...configurations.profiles, [name, added]])
  const chosen = { ...options, profile: name, baseUrl: undefined, apiKeyFile: undefined }
  const line = createStatusLine(stderr, !options.quiet && !options.verbose)
  line.show(safe`checking the API key on ${printer.text(baseUrl)} …`)
  try {
    const given = { ...context, options: chosen }
    await checkAccess(await connectWith(given, { ...configurations, profiles }))
  } finally {
    line.clear()
  }
}

/** The choices after a profile has failed its check, the most likely first. */
function remedies({ kind }: FlagadmError) {
  const key = ['key', 'enter another API key'] as const
  const address = ['address', 'enter another address'] as const
  const first = kind === 'unavailable' || kind === 'notFound' ? [address, key] : [key, address]
  const others = [
    ['add', 'add the profile as it is'],
    ['stop', 'stop; nothing is stored'],
  ] as const
  return [...first, ...others]
}

/**
 * The profile once it passes its check. In a dialog, asks what to change after a failure.
 * @throws the failure without a dialog, or if the user stops
 */
async function passingProfile(
  context: Context,
  profile: NewProfile,
  questions: Questions | undefined,
  check: (profile: NewProfile) => Promise<void>,
): Promise<NewProfile> {
  let current = profile
  for (;;) {
    const failure = await check(current).then(() => undefined, failureOf)
    if (!failure) return current
    if (!questions) {
      const way = 'nothing was stored; --no-check adds the profile without this check'
      throw withHints(failure, way)
    }
    const problem = errorLines(failure)
    const remedy = await questions.choice('What next?', remedies(failure), problem)
    if (remedy === 'stop') throw failure
    if (remedy === 'add') return current
    current =
      remedy === 'key'
        ? { ...current, keyField: await askKeyField(questions, context) }
        : { ...current, baseUrl: await askAddress(questions, context) }
  }
}

/** In a dialog, asks whether a profile becomes the default; undefined if that needs no question. */
async function askForDefault(
  name: string,
  configurations: Configurations,
  questions: Questions | undefined,
): Promise<boolean | undefined> {
  if (!questions || ownPart(configurations).profiles.size === 0) return undefined
  const before = ownDefaultName(configurations)
  const instead = before ? ` instead of ${before.value}` : ''
  return questions.confirm(`Make ${name} the default${instead}?`)
}

/** Stores the profile, and a typed key in a file of its own. */
async function storeProfile(
  context: Context,
  configurations: Configurations,
  { file, edit }: { file: string; edit: ConfigurationEdit },
  { name, baseUrl, keyField }: NewProfile,
  makeDefault: boolean | undefined,
): Promise<{ keyFile: string | undefined; isDefault: boolean }> {
  const { apiKey: key } = keyField
  const keyFile = key === undefined ? undefined : { path: join(dirname(file), `${name}.key`), key }
  const field = keyFile ? { apiKeyFile: `${name}.key` } : keyField
  const { allowHttp } = context.options
  const before = ownDefaultName(configurations)
  const isFirst = !before && ownPart(configurations).profiles.size === 0
  const isDefault = makeDefault ?? isFirst
  const add = (editor: Editor) => {
    if (isDefault) editor.setDefault(name)
    // The only profile needs no default, but it stays the default beside a second one.
    else if (before?.implied === 'only') editor.setDefault(before.value)
    editor.add(name, { baseUrl, ...field, allowHttp })
  }
  await context.commit(() => edit.store(add, keyFile))
  return { keyFile: keyFile?.path, isDefault }
}

/** Adds a profile to the user's configuration, after a check of the connection and the key. */
export async function addProfile(
  context: Context,
  givenName: string | undefined,
  options: AddOptions,
): Promise<void> {
  context.format(formats.textOrJson)
  const { host, messages } = context
  const configurations = await readCheckedConfiguration(context)
  const file = editableFile(configurations, host)
  const edit = await beginEdit(file)
  const { profile, questions } = await completeProfile(context, configurations, givenName, options)
  const check = (one: NewProfile) => checkConnection(context, configurations, file, one)
  const added = options.check ? await passingProfile(context, profile, questions, check) : profile
  const { name, baseUrl, keyField } = added
  const makeDefault = await askForDefault(name, configurations, questions)
  const { keyFile, isDefault } = await storeProfile(
    context,
    configurations,
    { file, edit },
    added,
    makeDefault,
  )
  await reportChange(context, {
    action: 'added',
    profile: name,
    baseUrl,
    file,
    keyFile,
    default: isDefault || undefined,
  })
  const { apiKeyFile } = keyField
  // The path is not shown, because it may be an API key given by mistake.
  if (apiKeyFile !== undefined && !existsSync(pathBeside(file, apiKeyFile, host))) {
    messages.warn('the API key file does not exist yet')
  }
  if (!options.check) messages.note(`check it with flagadm profile check ${name}`)
  if (!isDefault) messages.note(`make it the default with flagadm profile use ${name}`)
}
