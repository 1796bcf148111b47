import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Context, Define } from '../context.ts'
import { failureOf, FlagadmError, withHints } from '../errors.ts'
import { withExamples } from '../options.ts'
import { displayPath, isReservedName, join } from '../paths.ts'
import { openQuestions } from '../prompts/confirmation.ts'
import type { Questions } from '../prompts/questions.ts'
import { checkAccess } from './access.ts'
import { type Configurations, ownPart, pathBeside, type Profile } from './configuration.ts'
import { connectWith } from './connection.ts'
import { beginEdit, type ConfigurationEdit } from './edit.ts'
import { checkAddress, ownDefaultName } from './endpoint.ts'
import { askKeyField, givenKeyField, type KeyField, keyOptionNames } from './key-field.ts'
import { NAME_HINT, PROFILE_NAME } from './schema.ts'

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

function missing(what: string, hint: string): never {
  throw new FlagadmError('usage', `${what} is required`, { hint })
}

/** Opens the questions about missing values. @throws a usage error without a terminal */
async function questionsAbout(
  context: Context,
  { name, baseUrl }: Partial<NewProfile>,
): Promise<Questions> {
  const terminal = await context.host.openTerminal()
  if (terminal) return openQuestions(context, terminal)
  if (name === undefined) missing('the name of the profile', 'see flagadm profile add --help')
  if (baseUrl === undefined) {
    missing('--base-url', 'use --base-url <url> with the address of the service')
  }
  return missing('a source of the API key', `use one of ${keyOptionNames}`)
}

/** Asks for what the arguments and options leave out, the key first. */
async function askMissing(
  { name, baseUrl, keyField }: Partial<NewProfile>,
  questions: Questions,
  context: Context,
  configurations: Configurations,
): Promise<NewProfile> {
  const checkHere = (answer: string) => checkAddress(answer, 'address', context.options.allowHttp)
  return {
    keyField: keyField ?? (await askKeyField(questions, context)),
    baseUrl:
      baseUrl ??
      (await questions.text('Address of the service', 'https://flags.example.com', checkHere)),
    name:
      name ??
      (await questions.text('Name of the profile', 'production', (answer) =>
        checkNewName(answer, configurations),
      )),
  }
}

/** The profile from the arguments and options; asks for what they leave out. */
async function completeProfile(
  context: Context,
  given: Partial<NewProfile>,
  configurations: Configurations,
): Promise<{ profile: NewProfile; questions?: Questions }> {
  const { name, baseUrl, keyField } = given
  if (name !== undefined && baseUrl !== undefined && keyField) {
    return { profile: { name, baseUrl, keyField } }
  }
  const questions = await questionsAbout(context, given)
  return { profile: await askMissing(given, questions, context, configurations), questions }
}

/** Checks the connection and the key as a command with the profile would use them. */
async function checkConnection(
  context: Context,
  { configurations, file }: ConfigurationEdit,
  { name, baseUrl, keyField }: NewProfile,
): Promise<void> {
  const { options } = context
  const fields = { baseUrl, ...keyField, allowHttp: options.allowHttp }
  const added: Profile = { name, file, trust: 'user', fields, path: [] }
  const profiles = new Map([...configurations.profiles, [name, added]])
  const chosen = { ...options, profile: name, baseUrl: undefined, apiKeyFile: undefined }
  const run = { ...context, options: chosen }
  await checkAccess(await connectWith(run, { ...configurations, profiles }))
}

/**
 * The profile once it passes its check. In a dialog, asks again after a failure.
 * @throws the failure without a dialog
 */
async function passingProfile(
  context: Context,
  edit: ConfigurationEdit,
  profile: NewProfile,
  given: Partial<NewProfile>,
  questions: Questions | undefined,
): Promise<NewProfile> {
  let current = profile
  for (;;) {
    const failure = await checkConnection(context, edit, current).then(() => undefined, failureOf)
    if (!failure) return current
    if (!questions || (given.baseUrl !== undefined && given.keyField)) {
      const way = 'nothing was stored; --no-check adds the profile without this check'
      throw withHints(failure, way)
    }
    context.messages.fail(failure)
    const again = await questions.confirm('Try again with other answers?')
    if (!again) throw new FlagadmError('interrupted', 'the profile was not added')
    const kept = { ...given, name: current.name }
    current = await askMissing(kept, questions, context, edit.configurations)
  }
}

/** Whether a new profile becomes the default; in a dialog, asks if there are others. */
async function becomesDefault(
  name: string,
  configurations: Configurations,
  questions: Questions | undefined,
): Promise<boolean> {
  const before = ownDefaultName(configurations)
  const isFirst = ownPart(configurations).profiles.size === 0
  if (!questions || isFirst) return !before && isFirst
  const instead = before ? ` instead of ${before.value}` : ''
  return questions.confirm(`Make ${name} the default${instead}?`)
}

/** Stores a profile, and a key that was typed or read in a file of its own, whose path is returned. */
async function storeProfile(
  { configurations, file, store }: ConfigurationEdit,
  { name, baseUrl, keyField }: NewProfile,
  allowHttp: true | undefined,
  isDefault: boolean,
): Promise<string | undefined> {
  const { apiKey: key } = keyField
  const keyFile = key === undefined ? undefined : { path: join(dirname(file), `${name}.key`), key }
  const before = ownDefaultName(configurations)
  await store((editor) => {
    if (isDefault) editor.setDefault(name)
    // The only profile needs no default, but it stays the default beside a second one.
    else if (before?.implied === 'only') editor.setDefault(before.value)
    const source = keyFile ? { apiKeyFile: `${name}.key` } : keyField
    editor.add(name, { baseUrl, ...source, allowHttp })
  }, keyFile)
  return keyFile?.path
}

const notes = `

Use --base-url for the address, and --api-key-file for a file that contains the API key. The key itself is never written to the configuration, only to a file of its own. Only you can read that file; on Windows, so can those who can read its folder.

The key must be an admin token or a service account token (Admin settings → API access), or a personal access token (Profile → Personal API tokens). Nothing is stored if the service does not accept it.

The first profile becomes the default. Later ones do if you answer yes to that question, or with flagadm profile use.`

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
    .action(async (givenName, { check, ...keyOptions }) => {
      const { host, messages, options, out } = context
      const { allowHttp, baseUrl: address } = options
      const isJson = format() === 'json'
      const edit = await beginEdit(context)
      const { configurations, file } = edit
      const given = {
        ...(givenName !== undefined && { name: checkNewName(givenName, configurations) }),
        ...(address !== undefined && { baseUrl: checkAddress(address, '--base-url', allowHttp) }),
        ...(await givenKeyField(context, keyOptions)),
      }
      const { profile, questions } = await completeProfile(context, given, configurations)
      const added = check ? await passingProfile(context, edit, profile, given, questions) : profile
      const { name, baseUrl, keyField } = added
      const isDefault = await becomesDefault(name, configurations, questions)
      const keyFile = await storeProfile(edit, added, allowHttp, isDefault)
      if (isJson) {
        const change = { action: 'added', profile: name, baseUrl, file, keyFile }
        out.json({ ...change, default: isDefault || undefined })
      } else {
        const place = `${displayPath(file, host)}${isDefault ? ' as the default' : ''}`
        const kept = keyFile === undefined ? '' : `; its key is in ${displayPath(keyFile, host)}`
        const text = ` (${baseUrl}) to ${place}${kept}`
        out.line({ green: 'Added' }, ' profile ', { bold: name }, text)
      }
      const { apiKeyFile } = keyField
      // The path is not shown, because it may be an API key given by mistake.
      if (apiKeyFile !== undefined && !existsSync(pathBeside(file, apiKeyFile, host))) {
        messages.warn('the API key file does not exist yet')
      }
      if (!check) messages.note(`check it with flagadm profile check ${name}`)
      if (!isDefault) messages.note(`make it the default with flagadm profile use ${name}`)
    })
}
