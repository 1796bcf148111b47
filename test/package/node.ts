import { tmpdir } from 'node:os'
import { npm } from './npm.ts'

/**
 * The path of Node.js; downloads it unless npm has it already.
 * @param version for example `22`, for the newest of that major version, or `20.0.0`
 */
export async function fetchNode(version: number | string): Promise<string> {
  // Without --allow-scripts: the script of this package runs npm again, which refuses that option.
  const install = ['--yes', `--package=node@${version}`]
  const printed = await npm(['exec', ...install, '--', 'node', '-p', 'process.execPath'], tmpdir())
  return printed.trim()
}
