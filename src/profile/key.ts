import { dirname, join, resolve } from 'node:path'
import { fileReason, FlagadmError } from '../errors.ts'
import type { Host } from '../host.ts'
import type { Inputs } from '../input/files.ts'
import type { ProfileFields } from './schema.ts'

const COMMAND_LIMIT_MS = 30_000
const LAST_OUTPUT_MS = 500
const MAX_KEY_LENGTH = 10_000

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
  if (home !== undefined && path.startsWith('~/')) return join(home, path.slice(2))
  return resolve(dirname(file), path)
}

function commandFailure(from: string, reason: string): FlagadmError {
  return new FlagadmError('configuration', `${from}: the command ${reason}`, {
    hint: 'run the command by hand to see why',
  })
}

/**
 * Runs a command and returns the first line of its output. It runs in the folder of the configuration
 * file, so a relative program is not looked up in the working directory. Does not wait for background
 * processes.
 */
async function runCommand(
  [program = '', ...args]: readonly string[],
  from: string,
  cwd: string,
  { env, signal, stderr }: Host,
): Promise<string> {
  const { spawn } = await import('node:child_process')
  return new Promise((fulfil, reject) => {
    const child = spawn(program, args, {
      cwd,
      env,
      signal,
      stdio: ['ignore', 'pipe', 'pipe'],
      killSignal: 'SIGKILL',
    })
    // The option `timeout` would keep the process waiting if the command cannot be run.
    const late = setTimeout(() => child.kill('SIGKILL'), COMMAND_LIMIT_MS)
    let output = ''
    const firstLine = () => output.replace(/\r?\n.*/s, '')
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      // Keep only the first line, since the output may be endless.
      if (!output.includes('\n')) output += text
      if (firstLine().length > MAX_KEY_LENGTH) child.kill('SIGKILL')
    })
    child.stderr.on('data', (chunk) => stderr.write(String(chunk), () => {}))
    child.once('error', (error) => {
      clearTimeout(late)
      reject(commandFailure(from, `cannot be run: ${fileReason(error)}`))
    })
    child.once('exit', (code, killer) => {
      clearTimeout(late)
      const finish = () => {
        child.stdout.destroy()
        child.stderr.destroy()
        if (firstLine().length > MAX_KEY_LENGTH) {
          return reject(commandFailure(from, `printed more than ${MAX_KEY_LENGTH} characters`))
        }
        if (code === 0) return fulfil(firstLine())
        const reason = child.killed ? 'took longer than 30 s' : `ended with ${code ?? killer}`
        return reject(commandFailure(from, reason))
      }
      // Output may still arrive, but a child of the command may keep the pipe open.
      const timer = setTimeout(finish, LAST_OUTPUT_MS)
      child.once('close', () => {
        clearTimeout(timer)
        finish()
      })
    })
  })
}

/** Reads a key file; `-` is standard input. */
export async function readKeyFile(path: string, from: string, inputs: Inputs): Promise<string> {
  // Do not print the path, since it may be an API key given by mistake.
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

/** A key that is read on demand, so a refused address does not open a file or run a command. */
export interface UnreadKey {
  /** The kind of source, for example `apiKeyEnv STAGING_KEY`. */
  kind: string
  read(): Promise<string>
}

/**
 * The key of a profile; undefined if it has none.
 * @param file the configuration file, to which `apiKeyFile` is relative
 */
export function profileKey(
  fields: ProfileFields,
  from: string,
  file: string,
  host: Host,
  inputs: Inputs,
): UnreadKey | undefined {
  const { apiKey, apiKeyEnv, apiKeyFile, apiKeyCommand } = fields
  if (apiKey !== undefined) {
    return { kind: 'apiKey', read: async () => checkKey(apiKey, `apiKey of ${from}`) }
  }
  if (apiKeyEnv !== undefined) {
    const read = async () => readVariable(apiKeyEnv, `apiKeyEnv of ${from}`, host)
    return { kind: `apiKeyEnv ${apiKeyEnv}`, read }
  }
  if (apiKeyFile !== undefined) {
    const path = pathBeside(file, apiKeyFile, host)
    return { kind: 'apiKeyFile', read: () => readKeyFile(path, `apiKeyFile of ${from}`, inputs) }
  }
  if (apiKeyCommand === undefined) return undefined
  const name = `apiKeyCommand of ${from}`
  const read = async () =>
    checkKey(await runCommand(apiKeyCommand, name, dirname(file), host), name)
  return { kind: 'apiKeyCommand', read }
}
