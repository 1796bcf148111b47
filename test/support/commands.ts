const rule = ['--pattern', '[a-z]+', '--example', 'a', '--description', 'd']
const sandbox = ['-p', 'sandbox']

/** A command line for each command, and the exit code of a run that succeeds. */
export const runs: Record<string, { argv: string[]; code?: number }> = {
  'flagadm completion': { argv: ['bash'] },
  'flagadm feature list': { argv: ['--project', 'default', ...sandbox] },
  'flagadm feature references': { argv: ['--scan', '.'] },
  'flagadm feature review': { argv: ['--project', 'default', ...sandbox] },
  'flagadm feature usage': { argv: ['dark-mode', ...sandbox] },
  'flagadm naming lint': { argv: rule },
  'flagadm naming check': { argv: ['a', ...rule] },
  'flagadm naming diff': { argv: ['--from', 'pattern:a', '--to', 'pattern:b'] },
  'flagadm doctor': { argv: sandbox },
  'flagadm profile add': { argv: ['a', '--base-url', 'https://a.test', '--api-key-env', 'A'] },
  'flagadm profile check': { argv: sandbox },
  'flagadm profile list': { argv: [] },
  'flagadm profile remove': { argv: ['staging', '--yes'] },
  'flagadm profile rename': { argv: ['staging', 'test'] },
  'flagadm profile show': { argv: sandbox },
  'flagadm profile use': { argv: ['staging'] },
  'flagadm project list': { argv: sandbox },
  'flagadm project settings get': { argv: ['default', ...sandbox] },
  'flagadm project settings plan': { argv: ['-f', 'flags.yaml', ...sandbox] },
  'flagadm project settings apply': { argv: ['-f', 'flags.yaml', '--yes', ...sandbox] },
  'flagadm project settings export': { argv: ['--all', '--dir', 'flags', ...sandbox] },
  'flagadm project settings set': { argv: ['default', '--mode', 'open', ...sandbox] },
  'flagadm sandbox': { argv: ['--port', '0'], code: 130 },
}
