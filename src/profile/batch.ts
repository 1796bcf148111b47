import { statSync } from 'node:fs'
import { delimiter, extname } from 'node:path'
import { FlagadmError } from '../errors.ts'
import type { Host } from '../host.ts'
import { join, resolve } from '../paths.ts'

/** A program to start with `spawn` of Node.js. */
export interface ProgramToStart {
  file: string
  args: readonly string[]
  /** Whether the arguments are already in quotation marks where they need them. */
  windowsVerbatimArguments: boolean
}

const programs = ['.com', '.exe']
const batches = ['.bat', '.cmd']

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

/** The file that Windows starts for a program; undefined if there is none. */
function findProgram(program: string, cwd: string, { PATH = '' }: Host['env']): string | undefined {
  const known = [...programs, ...batches]
  const extensions = known.includes(extname(program).toLowerCase()) ? [''] : known
  const isPath = /[/\\]/.test(program)
  const folders = isPath ? [cwd] : PATH.split(delimiter).filter((folder) => folder !== '')
  return folders
    .flatMap((folder) => extensions.map((extension) => resolve(folder, program + extension)))
    .find(isFile)
}

// cmd.exe treats other characters as syntax, and a batch file parses its arguments again.
const PLAIN = /[\p{L}\p{N} _\-.,:;/\\=@+#~{}[\]$']/u
// In the quotation marks around the path of a batch file, only these have a meaning.
const EXPANDED = /[%!]/

/** A character that a batch file would not receive unchanged; undefined if there is none. */
function changedIn(argument: string): string | undefined {
  // Programs treat a backslash before the closing quotation mark as an escape.
  return [...argument].find((character) => !PLAIN.test(character)) ?? /\\$/.exec(argument)?.[0]
}

/**
 * The program to start for a command. On Windows, cmd.exe runs batch files, whose names may lack .bat or .cmd.
 * @param from where the command comes from, for errors
 * @throws a configuration error for a batch file that does not exist, or that would receive other arguments
 */
export function programOf(
  [program = '', ...args]: readonly string[],
  from: string,
  cwd: string,
  { env, platform }: Pick<Host, 'env' | 'platform'>,
): ProgramToStart {
  const refuse = (what: string, hint: string): never => {
    throw new FlagadmError('configuration', `${from}: the command ${what}`, { hint })
  }
  const asGiven = { file: program, args, windowsVerbatimArguments: false }
  if (platform !== 'win32') return asGiven
  const found = findProgram(program, cwd, env)
  if (!batches.includes(extname(found ?? program).toLowerCase())) return asGiven
  if (found === undefined) return refuse('cannot be run: no such file', 'check its path')
  const special = [EXPANDED.exec(found)?.[0], ...args.map(changedIn)].find(
    (character) => character !== undefined,
  )
  if (special !== undefined) {
    return refuse(
      `is a batch file, to which cmd.exe would not pass ${JSON.stringify(special)} as it is`,
      'use the program that the batch file starts, or a PowerShell script: [powershell, -File, script.ps1]',
    )
  }
  const line = [found.replaceAll('/', '\\'), ...args].map((argument) => `"${argument}"`).join(' ')
  const shell = env.ComSpec ?? join(env.SystemRoot ?? 'C:/Windows', 'System32/cmd.exe')
  // Nothing runs before it, `!` is not expanded, and only the outer quotation marks are removed.
  const options = ['/d', '/v:off', '/s', '/c']
  return { file: shell, args: [...options, `"${line}"`], windowsVerbatimArguments: true }
}
