import { execFile, type ExecFileException } from 'node:child_process'
import { dirname } from 'node:path'
import type { Context } from '../command/context.ts'
import { fileReason, FlagadmError, refuse } from '../errors.ts'
import type { Host } from '../host.ts'
import type { Inputs } from '../input/files.ts'
import { pathBeside, type Profile, type Source, sourceOf } from './configuration.ts'
import { keyFields } from './configuration-schema.ts'

export const KEY_VARIABLE = 'FLAGADM_API_KEY'

const LIMIT_MS = 30_000
const LAST_OUTPUT_MS = 500
const TOO_MUCH = 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER'

/** A key that is read on demand, so a refused address does not open a file or run a command. */
export interface Key extends Source {
  read(run: Context): Promise<string>
}

/** What may be wrong with a key. The first that matches is reported. */
const mistakes: readonly { pattern: RegExp; problem: string }[] = [
  { pattern: /^\s*$/, problem: 'is empty' },
  // Such a text is another file, and no header could contain it.
  { pattern: /^[^]{10001}/, problem: 'is longer than 10000 characters' },
  { pattern: /^authorization\s*:/i, problem: "begins with 'Authorization:'" },
  { pattern: /^bearer\s/i, problem: "begins with 'Bearer'" },
  { pattern: /^["'`]|["'`]$/, problem: 'is in quotation marks' },
  {
    pattern: /^\s|[^\x20-\x7e]|\s$/,
    problem: 'contains a character that is not allowed in API keys',
  },
]

/**
 * Checks that a key can be sent in a header and looks like nothing else.
 * @param from where the key comes from, for errors, which never contain the key
 */
export function checkKey(key: string, from: string): string {
  const mistake = mistakes.find(({ pattern }) => pattern.test(key))
  if (!mistake) return key
  const hint = 'use the key alone, without quotation marks, spaces or line breaks'
  return refuse(`the API key from ${from} ${mistake.problem}`, hint)
}

/** Reads a key file; `-` is standard input. */
export async function readKeyFile(path: string, from: string, inputs: Inputs): Promise<string> {
  // Do not print the path, because it may be an API key given by mistake.
  const text = await inputs.read(path, from, 'configuration', 'the file')
  return checkKey(text.replace(/\r?\n$/, ''), from)
}

/**
 * The variable with the key for one host, which also goes to an address from a project's file: `FLAGADM_API_KEY_flags_example_com`.
 * A dot is `_` and a hyphen `__`. Undefined for a host whose variable would be that of another one, and for other
 * services than those at the usual port of https.
 */
export function hostVariable(address: string): string | undefined {
  const { protocol, port, hostname } = new URL(address)
  if (protocol !== 'https:' || port !== '') return undefined
  const labels = hostname.split('.')
  if (!labels.every((label) => /^[a-z\d](?:[a-z\d-]*[a-z\d])?$/.test(label))) return undefined
  return `${KEY_VARIABLE}_${labels.map((label) => label.replaceAll('-', '__')).join('_')}`
}

function readVariable(variable: string, from: string, { env }: Host): string {
  const key = Object.hasOwn(env, variable) ? env[variable] : undefined
  if (key) return checkKey(key, variable)
  const hint = `set ${variable} to the API key`
  return refuse(`${from}: the environment variable ${variable} is not set`, hint)
}

function commandProblem(error: ExecFileException): string {
  const { code, signal, killed } = error
  if (code === TOO_MUCH) return 'printed more than 1 MiB'
  if (typeof code === 'string') return `cannot be run: ${fileReason(error)}`
  return killed ? `took longer than ${LIMIT_MS / 1000} s` : `ended with ${code ?? signal}`
}

/**
 * Runs a command and returns the first line of its output. It runs in the folder of the configuration
 * file, so a relative program is not looked up in the working directory. What it writes to stderr is shown
 * when it has ended, because only then can the key, which may be in it, be masked.
 * @param from where the command comes from, for errors
 * @throws a configuration error if the command cannot be run, fails, or does not end in time
 */
function runCommand(
  [program = '', ...args]: readonly string[],
  from: string,
  cwd: string,
  { host, redactor, messages }: Context,
): Promise<string> {
  const running = new Promise<string>((fulfil, reject) => {
    const options = { cwd, env: host.env, timeout: LIMIT_MS, killSignal: 'SIGKILL' } as const
    const child = execFile(program, args, options, (error, out, err) => {
      const [line = ''] = out.split(/\r?\n/, 1)
      redactor.add(line)
      // Half a key at the end of output that was cut would not be masked.
      const printed = error?.code === TOO_MUCH ? [] : err.split(/\r?\n/)
      for (const message of printed.filter((text) => text.trim() !== '')) {
        messages.note(`apiKeyCommand: ${message}`)
      }
      if (error) reject(error)
      else fulfil(line)
    })
    child.stdin?.end()
    // A background process of the command may keep its output open.
    const release = () => {
      for (const stream of [child.stdout, child.stderr]) stream?.destroy()
    }
    child.on('exit', () => setTimeout(release, LAST_OUTPUT_MS).unref())
  })
  return running.catch((cause: ExecFileException) => {
    const what = `${from}: the command ${commandProblem(cause)}`
    const hint = 'run the command by hand to see why'
    throw new FlagadmError('configuration', what, { hint, cause })
  })
}

/** The key of a profile; undefined if it has none. */
export function profileKey(profile: Profile): Key | undefined {
  const { name, path, fields } = profile
  const { apiKey = '', apiKeyEnv, apiKeyFile, apiKeyCommand } = fields
  const field = keyFields.find((keyField) => fields[keyField] !== undefined)
  if (field === undefined) return undefined
  const from = `${field} of profile '${name}'`
  return {
    ...sourceOf(profile, field),
    from: apiKeyEnv === undefined ? field : `apiKeyEnv ${apiKeyEnv}`,
    async read(run) {
      if (apiKeyEnv !== undefined) return readVariable(apiKeyEnv, from, run.host)
      if (apiKeyFile !== undefined) {
        return readKeyFile(pathBeside(path, apiKeyFile, run.host), from, run.inputs)
      }
      const key = apiKeyCommand && (await runCommand(apiKeyCommand, from, dirname(path), run))
      return checkKey(key ?? apiKey, from)
    },
  }
}
