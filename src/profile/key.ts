import { spawn } from 'node:child_process'
import { dirname, join, resolve } from 'node:path'
import { FlagadmError } from '../errors.ts'
import type { Host } from '../host.ts'
import type { Inputs } from '../input/files.ts'
import { fileReason } from '../system.ts'
import type { ProfileFields } from './schema.ts'

const COMMAND_LIMIT_MS = 30_000
const LAST_OUTPUT_MS = 500

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

/** A path of a configuration file: `~/` is the home directory, others are relative to the file. */
export function pathBeside(file: string, path: string, { home }: Host): string {
  if (home !== undefined && path.startsWith('~/')) return join(home, path.slice(2))
  return resolve(dirname(file), path)
}

function commandFailure(from: string, ending: string): FlagadmError {
  return new FlagadmError('configuration', `${from}: the command ${ending}`, {
    hint: 'run the command by hand to see why',
  })
}

/**
 * The first line that a command prints. It runs in the folder of the configuration file: a relative
 * program must not be found in a foreign one. What it leaves running in the background is not waited for.
 */
function runCommand(
  [program = '', ...args]: readonly string[],
  from: string,
  cwd: string,
  { env, signal, stderr }: Host,
): Promise<string> {
  return new Promise((fulfil, reject) => {
    const child = spawn(program, args, {
      cwd,
      env,
      signal,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: COMMAND_LIMIT_MS,
      killSignal: 'SIGKILL',
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    child.stderr.on('data', (chunk) => stderr.write(String(chunk), () => {}))
    child.once('error', (error) => {
      reject(commandFailure(from, `cannot be run: ${fileReason(error)}`))
    })
    child.once('exit', (code, killer) => {
      const finish = () => {
        child.stdout.destroy()
        child.stderr.destroy()
        if (code === 0) return fulfil(output.replace(/\r?\n.*/s, ''))
        const ending = child.killed ? 'took longer than 30 s' : `ended with ${code ?? killer}`
        reject(commandFailure(from, ending))
      }
      if (child.stdout.readableEnded) return finish()
      // The last output may still be under way; a child of the command may hold the pipe open.
      const timer = setTimeout(finish, LAST_OUTPUT_MS)
      return child.stdout.once('end', () => {
        clearTimeout(timer)
        finish()
      })
    })
  })
}

/** Reads the key file of `--api-key-file`, `-` being standard input. */
export async function readKeyFile(path: string, from: string, inputs: Inputs): Promise<string> {
  // Whoever puts the key itself where its path belongs must not see it printed.
  const text = await inputs.read(path, from, 'configuration', 'the file')
  return checkKey(text.replace(/\r?\n$/, ''), from)
}

function readVariable(variable: string, from: string, { env }: Host): string {
  const key = env[variable]
  if (key) return checkKey(key, variable)
  throw new FlagadmError('configuration', `${from}: ${variable} is not set`, {
    hint: `export ${variable} with the API key`,
  })
}

/** Reads a key; only then is a file opened or a command run. */
export type ReadKey = () => Promise<string>

/**
 * Reads the key of a profile from wherever the profile says; undefined when it says nothing.
 * @param file the configuration file, to which `apiKeyFile` is relative
 */
export function profileKey(
  fields: ProfileFields,
  from: string,
  file: string,
  host: Host,
  inputs: Inputs,
): ReadKey | undefined {
  const { apiKey, apiKeyEnv, apiKeyFile, apiKeyCommand } = fields
  if (apiKey !== undefined) return async () => checkKey(apiKey, `apiKey of ${from}`)
  if (apiKeyEnv !== undefined) {
    return async () => readVariable(apiKeyEnv, `apiKeyEnv of ${from}`, host)
  }
  if (apiKeyFile !== undefined) {
    return () => readKeyFile(pathBeside(file, apiKeyFile, host), `apiKeyFile of ${from}`, inputs)
  }
  if (apiKeyCommand === undefined) return undefined
  const name = `apiKeyCommand of ${from}`
  return async () => checkKey(await runCommand(apiKeyCommand, name, dirname(file), host), name)
}
