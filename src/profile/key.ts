import { execFile } from 'node:child_process'
import { dirname, resolve } from 'node:path'
import { FlagadmError } from '../errors.ts'
import type { Host } from '../host.ts'
import type { Inputs } from '../input/files.ts'
import type { ProfileFields } from './schema.ts'

const COMMAND_LIMIT_MS = 30_000

/**
 * Checks that a key can stand in a header.
 * @param from where the key was given; the key itself is never shown
 */
export function checkKey(key: string, from: string): string {
  if (/^[\x20-\x7e]+$/.test(key) && key.trim() === key) return key
  const problem = key.trim() === '' ? 'is empty' : 'holds a character that no API key can hold'
  throw new FlagadmError('configuration', `the API key from ${from} ${problem}`, {
    hint: 'look for a line break, a blank or a quotation mark that was copied with it',
  })
}

function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? ''
}

/** Runs in the folder of the configuration file: a relative program must not be found in a foreign one. */
function runCommand(
  command: readonly string[],
  from: string,
  cwd: string,
  host: Host,
): Promise<string> {
  const [program = '', ...args] = command
  return new Promise((fulfil, reject) => {
    const options = { timeout: COMMAND_LIMIT_MS, env: host.env, cwd, signal: host.signal }
    const child = execFile(program, args, options, (error, stdout) => {
      if (!error) return fulfil(firstLine(stdout))
      // The error's own message holds the whole command line.
      const ending = error.killed ? 'took longer than 30 s' : `ended with ${error.code}`
      reject(
        new FlagadmError('configuration', `${from}: ${program} ${ending}`, {
          hint: 'run the command by hand to see why',
        }),
      )
    })
    child.stdin?.end()
    child.stderr?.on('data', (chunk) => host.stderr.write(String(chunk), () => {}))
  })
}

/** Reads the key file of `--api-key-file`, `-` being standard input. */
export async function readKeyFile(path: string, from: string, inputs: Inputs): Promise<string> {
  const text = await inputs.read(path, from, 'configuration')
  return checkKey(text.replace(/\r?\n$/, ''), from)
}

/**
 * The key of a profile, from wherever the profile says; undefined when it says nothing.
 * @param file the configuration file, to which `apiKeyFile` is relative
 */
export async function readProfileKey(
  fields: ProfileFields,
  from: string,
  file: string,
  host: Host,
  inputs: Inputs,
): Promise<string | undefined> {
  const { apiKey, apiKeyEnv, apiKeyFile, apiKeyCommand } = fields
  if (apiKey !== undefined) return checkKey(apiKey, `${from}.apiKey`)
  if (apiKeyFile !== undefined) {
    const path = apiKeyFile.replace(/^~(?=\/)/, host.home)
    return readKeyFile(resolve(dirname(file), path), `${from}.apiKeyFile`, inputs)
  }
  if (apiKeyCommand !== undefined) {
    const key = await runCommand(apiKeyCommand, `${from}.apiKeyCommand`, dirname(file), host)
    return checkKey(key, `${from}.apiKeyCommand`)
  }
  if (apiKeyEnv === undefined) return undefined
  const key = host.env[apiKeyEnv]
  if (key) return checkKey(key, apiKeyEnv)
  throw new FlagadmError('configuration', `${from}.apiKeyEnv: ${apiKeyEnv} is not set`, {
    hint: `export ${apiKeyEnv} with the API key`,
  })
}
