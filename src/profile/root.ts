import { basename } from 'node:path'

/** The path of the configuration within a file: `package.json` has it in a field of its own. */
export function rootOf(file: string): readonly string[] {
  return basename(file) === 'package.json' ? ['flagadm'] : []
}
