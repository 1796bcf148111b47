import { tmpdir } from 'node:os'
import { npm } from './npm.ts'

/** The path of the newest Node.js with this major version; downloads it unless npm has it already. */
export async function fetchNode(major: number): Promise<string> {
  // Without --allow-scripts: the script of this package runs npm again, which refuses that option.
  const install = ['--yes', `--package=node@${major}`]
  const printed = await npm(['exec', ...install, '--', 'node', '-p', 'process.execPath'], tmpdir())
  return printed.trim()
}
