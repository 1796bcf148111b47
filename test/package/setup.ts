import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import type { TestProject } from 'vitest/node'
import { npm } from './npm.ts'

const sandboxSchema = v.object({ baseUrl: v.string(), keys: v.object({ full: v.string() }) })

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder in which only flagadm is installed. */
    folder: string
    /** The packed flagadm. */
    tarball: string
    /** The address and the key of a sandbox that the installed flagadm serves. */
    sandbox: { baseUrl: string; key: string }
  }
}

/** Packs flagadm into a folder. */
async function pack(temporary: string): Promise<string> {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  await npm(['pack', '--pack-destination', temporary], root)
  const [tarball = ''] = readdirSync(temporary)
  return join(temporary, tarball)
}

/** Installs a tarball offline into an empty folder. */
async function install(tarball: string, temporary: string): Promise<string> {
  const folder = join(temporary, 'installed')
  mkdirSync(folder)
  // Without --prefix, npm would install into the folder in which it was started.
  const here = ['--prefix', folder]
  await npm(['install', '--offline', '--ignore-scripts', ...here, tarball], folder)
  return folder
}

async function addressOf({ stdout }: ChildProcess): Promise<{ baseUrl: string; key: string }> {
  if (stdout === null) throw new Error('the sandbox needs a stdout')
  for await (const line of createInterface({ input: stdout })) {
    const { baseUrl, keys } = v.parse(sandboxSchema, JSON.parse(line))
    return { baseUrl, key: keys.full }
  }
  throw new Error('the sandbox did not start')
}

/** Installs flagadm and starts its sandbox, for all tests. */
export async function setup(project: TestProject): Promise<() => void> {
  const temporary = realpathSync(mkdtempSync(join(tmpdir(), 'flagadm-package-')))
  let sandbox: ChildProcess | undefined
  const end = () => {
    sandbox?.kill()
    // An interrupted test may still write there.
    rmSync(temporary, { recursive: true, force: true, maxRetries: 5 })
  }
  // Vitest does not call the returned function if the setup fails or is interrupted.
  process.once('exit', end)
  const tarball = await pack(temporary)
  const folder = await install(tarball, temporary)
  // An interrupted test does not remove its folders, so they are created here, too.
  process.env.TMPDIR = temporary
  const argv = ['sandbox', '--port', '0', '--frozen', '--quiet', '--json']
  sandbox = spawn(join(folder, 'node_modules/.bin/flagadm'), argv, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { HOME: temporary, PATH: process.env.PATH },
  })
  project.provide('tarball', tarball)
  project.provide('folder', folder)
  project.provide('sandbox', await addressOf(sandbox))
  return end
}
