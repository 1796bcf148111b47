import { tmpdir } from 'node:os'
import { npm } from './npm.ts'

/** The path of the newest Node with a major version, downloaded unless npm has it already. */
export async function fetchNode(major: number): Promise<string> {
  // From npm 12 on, a package's scripts run only when allowed; this one's fetches the program.
  const install = ['--yes', '--allow-scripts=node', `--package=node@${major}`]
  const printed = await npm(['exec', ...install, '--', 'node', '-p', 'process.execPath'], tmpdir())
  return printed.trim()
}
