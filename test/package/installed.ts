import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { inject } from 'vitest'
import { type Ended, ended } from '../support/binary.ts'
import { environment, temporaryFolder } from '../support/flagadm.ts'

interface World {
  /** The path of the Node.js to run on, by default the current one. */
  node?: string
  /** By default, the address and key of the sandbox. */
  env?: Record<string, string>
  /** Files to write, relative to the working directory, which is also the home directory. */
  files?: Record<string, string>
}

/** Runs a program in a temporary folder, which is also its home directory. */
export async function run(program: string, argv: string[], world: World = {}): Promise<Ended> {
  const home = await temporaryFolder(world.files)
  const env = { HOME: home, PATH: process.env.PATH, ...world.env }
  return ended(spawn(program, argv, { cwd: home, env }))
}

/** Runs the installed flagadm. */
export function flagadm(argv: readonly string[], world: World = {}): Promise<Ended> {
  const { baseUrl, key } = inject('sandbox')
  const { node = process.execPath, env = environment(baseUrl, key) } = world
  const bin = join(inject('folder'), 'node_modules/.bin/flagadm')
  return run(node, [bin, ...argv], { ...world, env })
}
