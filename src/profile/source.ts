import type { Host } from '../host.ts'
import { displayPath } from '../paths.ts'

/** Where a value comes from. */
export interface Source {
  /** `flag` is an option of the command line; for the field of a file, who is responsible for the file. */
  kind: 'flag' | 'environment' | 'user' | 'project' | 'sandbox' | 'default'
  /** The option, the variable or the path of the file. */
  name: string
  /** The path of the field in the file. */
  field?: readonly string[]
}

/** A value and its source. */
export interface Sourced<Value> {
  value: Value
  source: Source
}

/** The value of an option, otherwise of a variable. An empty variable counts as unset. */
export function optionOrVariable(
  option: string,
  value: string | undefined,
  variable: string,
  env: Host['env'],
): Sourced<string> | undefined {
  if (value !== undefined) return { value, source: { kind: 'flag', name: option } }
  const fromEnv = env[variable]
  return fromEnv ? { value: fromEnv, source: { kind: 'environment', name: variable } } : undefined
}

/** Whether a value comes from a configuration file. */
export function isFile({ kind }: Source): boolean {
  return kind === 'user' || kind === 'project'
}

/** The source as shown to the user: a short path, or the option or variable as it is. */
export function sourceText(source: Source, host: Host): string {
  return isFile(source) ? displayPath(source.name, host) : source.name
}
