import { commandWords } from '../input/words.ts'
import { pathInHome, resolve } from '../paths.ts'
import type { Questions } from '../prompts/questions.ts'
import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import type { ProfileFields } from './schema.ts'
import { checkKey, readKeyFile } from './key.ts'

/** The options of `profile add` for the API key, beside `--api-key-file`. */
export interface KeyOptions {
  apiKeyCommand?: string | undefined
  apiKeyEnv?: string | undefined
  apiKeyStdin?: true | undefined
}

/** The field of a new profile for its key; `apiKey` if the key has to be stored in a file. */
export type KeyField = Pick<ProfileFields, 'apiKey' | 'apiKeyCommand' | 'apiKeyEnv' | 'apiKeyFile'>

export const keyOptionNames = '--api-key-command, --api-key-env, --api-key-file or --api-key-stdin'

/** The sources of a profile's key, and their labels in the question. */
function keySources(platform: NodeJS.Platform) {
  // Windows has no modes: the file gets the permissions of its folder.
  const file = platform === 'win32' ? 'a file of its own' : 'a file that only I can read'
  return [
    ['typed', `I type it now; it is stored in ${file}`],
    ['command', 'a command prints it, for example a password manager'],
    ['variable', 'an environment variable contains it'],
    ['file', 'a file contains it'],
  ] as const
}

const keyKinds = [
  'flagadm needs one of these API keys of Unleash:',
  'an admin or service account token (Admin settings → API access), or',
  'a personal access token (Profile → Personal API tokens).',
]

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

function masked(apiKey: string, { redactor }: Context): KeyField {
  redactor.add(apiKey)
  return { apiKey }
}

/** The field for the key that the options specify, if they specify one. */
export async function givenKeyField(
  context: Context,
  { apiKeyCommand, apiKeyEnv, apiKeyStdin }: KeyOptions,
): Promise<{ keyField?: KeyField }> {
  const { apiKeyFile } = context.options
  const given = [apiKeyCommand, apiKeyEnv, apiKeyFile, apiKeyStdin]
  if (given.filter((option) => option !== undefined).length > 1) {
    throw new FlagadmError('usage', 'more than one source given for the API key', {
      hint: `use only one of ${keyOptionNames}`,
    })
  }
  if (apiKeyCommand !== undefined) {
    const words = commandWords(apiKeyCommand, '--api-key-command', context.host.platform)
    return { keyField: { apiKeyCommand: words } }
  }
  if (apiKeyEnv !== undefined) {
    return { keyField: { apiKeyEnv: variableName(apiKeyEnv, '--api-key-env') } }
  }
  if (apiKeyFile !== undefined) {
    return { keyField: { apiKeyFile: keyFilePath(apiKeyFile, context) } }
  }
  if (!apiKeyStdin) return {}
  const key = await readKeyFile('-', '--api-key-stdin', context.inputs)
  return { keyField: masked(key, context) }
}

/** Asks for the source of the key, then for the command, variable, file or key. */
export async function askKeyField(questions: Questions, context: Context): Promise<KeyField> {
  const { platform } = context.host
  const question = 'Where does the API key come from?'
  switch (await questions.choice(question, keySources(platform), keyKinds)) {
    case 'typed': {
      const check = (answer: string) => checkKey(answer, 'the prompt')
      return masked(await questions.secret('API key', check), context)
    }
    case 'command': {
      const check = (answer: string) => commandWords(answer, 'command', platform)
      const message = 'Command that prints the API key, run without a shell'
      return { apiKeyCommand: await questions.text(message, 'pass show flags/production', check) }
    }
    case 'variable': {
      const check = (answer: string) => variableName(answer, 'variable')
      const message = 'Variable that contains the API key'
      return { apiKeyEnv: await questions.text(message, 'FLAGS_PRODUCTION_KEY', check) }
    }
    case 'file': {
      const check = (answer: string) => keyFilePath(answer, context)
      const message = 'File that contains the API key'
      return { apiKeyFile: await questions.text(message, '/run/secrets/flags-key', check) }
    }
  }
}
