import { dirname } from 'node:path'
import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import type { Host } from '../host.ts'
import type { Inputs } from '../input/files.ts'
import { join, pathInHome, resolve } from '../paths.ts'
import { settingOf } from '../shell.ts'
import { runCommand } from './command.ts'
import { describeProfile, type Profile, sourceOf } from './profiles.ts'
import type { Source } from './source.ts'

/**
 * Checks that a key can be sent in a header.
 * @param from where the key comes from, for errors, which never contain the key
 */
export function checkKey(key: string, from: string): string {
  if (/^[\x20-\x7e]+$/.test(key) && key.trim() === key) return key
  const problem =
    key.trim() === '' ? 'is empty' : 'contains a character that is not allowed in API keys'
  throw new FlagadmError('configuration', `the API key from ${from} ${problem}`, {
    hint: 'look for a line break, a space or a quotation mark that was copied with it',
  })
}

/** Resolves a path in a configuration file: `~/` is the home directory, other paths are relative to the file. */
export function pathBeside(file: string, path: string, { home }: Host): string {
  const inHome = pathInHome(path)
  if (home !== undefined && inHome !== undefined) return join(home, inHome)
  return resolve(dirname(file), path)
}

/** Reads a key file; `-` is standard input. */
export async function readKeyFile(path: string, from: string, inputs: Inputs): Promise<string> {
  // Do not print the path, because it may be an API key given by mistake.
  const text = await inputs.read(path, from, 'configuration', 'the file')
  return checkKey(text.replace(/\r?\n$/, ''), from)
}

function readVariable(variable: string, from: string, { env, platform }: Host): string {
  const key = Object.hasOwn(env, variable) ? env[variable] : undefined
  if (key) return checkKey(key, variable)
  throw new FlagadmError('configuration', `${from}: ${variable} is not set`, {
    hint: `set it, for example: ${settingOf({ [variable]: '…' }, platform)}`,
  })
}

/** A key that is read on demand, so a refused address does not open a file or run a command. */
export interface Key {
  source: Source
  /** Its source as shown to the user: `FLAGADM_API_KEY`, `apiKeyEnv STAGING_KEY`. */
  origin: string
  read(context: Context): Promise<string>
}

/** The key of a profile; undefined if it has none. */
export function profileKey(profile: Profile): Key | undefined {
  const { file, fields } = profile
  const { apiKey, apiKeyEnv, apiKeyFile, apiKeyCommand } = fields
  const from = (field: string) => `${field} of ${describeProfile(profile)}`
  const keyOf = (field: string, read: Key['read'], origin = field): Key => {
    return { source: sourceOf(profile, field), origin, read }
  }
  if (apiKey !== undefined) return keyOf('apiKey', async () => checkKey(apiKey, from('apiKey')))
  if (apiKeyEnv !== undefined) {
    const read: Key['read'] = async ({ host }) => readVariable(apiKeyEnv, from('apiKeyEnv'), host)
    return keyOf('apiKeyEnv', read, `apiKeyEnv ${apiKeyEnv}`)
  }
  if (apiKeyFile !== undefined) {
    return keyOf('apiKeyFile', ({ host, inputs }) => {
      return readKeyFile(pathBeside(file, apiKeyFile, host), from('apiKeyFile'), inputs)
    })
  }
  if (apiKeyCommand === undefined) return undefined
  const name = from('apiKeyCommand')
  return keyOf('apiKeyCommand', async (context) => {
    return checkKey(await runCommand(apiKeyCommand, name, dirname(file), context), name)
  })
}
