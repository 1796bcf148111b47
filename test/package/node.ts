import { tmpdir } from 'node:os'
import { npm } from './npm.ts'

/** The path of the newest Node.js with this major version; downloads it unless npm has it already. */
export async function fetchNode(major: number): Promise<string> {
  // npm 12 runs the scripts of a package only if allowed, and this package's script downloads Node.js.
  const install = ['--yes', '--allow-scripts=node', `--package=node@${major}`]
  const printed = await npm(['exec', ...install, '--', 'node', '-p', 'process.execPath'], tmpdir())
  return printed.trim()
}
