import { createHash } from 'node:crypto'
import { cp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, inject, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { temporaryFolder } from '../support/flagadm.ts'
import { type Run, useAction } from '../support/runner.ts'
import { json, serve } from '../support/server.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const lint = { command: 'lint', arguments: '--pattern\n[a-z]+\n--example\na\n--description\nd' }

/** How npm reaches its registry on this machine. */
function npmEnvironment(): Record<string, string> {
  const names = /^(?:HOME|npm_config_.*|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS)$/i
  const entries = Object.entries(process.env).flatMap(([name, value]) =>
    names.test(name) && value !== undefined ? [[name, value]] : [],
  )
  return Object.fromEntries(entries)
}

/** A checkout without anything that is built or installed. */
async function checkout(): Promise<string> {
  const folder = await temporaryFolder()
  const parts = ['.github/actions', 'bin', 'scripts', 'src', 'rolldown.config.mjs']
  for (const part of [...parts, 'package.json', 'package-lock.json']) {
    await cp(join(root, part), join(folder, part), { recursive: true })
  }
  return folder
}

test('by default, the action builds flagadm from its own checkout, once', async () => {
  const trigger = { checkout: await checkout(), env: npmEnvironment() }
  const built = await useAction(lint, trigger)
  expect([built.code, built.log]).toEqual([0, expect.stringMatching(/^added \d+ packages/m)])
  expect(await useAction(lint, trigger)).toMatchObject({ code: 0, log: '' })
})

test('the action fails if flagadm cannot be built', async () => {
  const folder = await checkout()
  await rm(join(folder, 'package-lock.json'))
  const { code, log } = await useAction(lint, { checkout: folder, env: npmEnvironment() })
  expect([code, log]).toEqual([1, expect.stringContaining('npm error')])
})

/** A registry with the packed flagadm. */
async function serveRegistry(): Promise<string> {
  const tarball = await readFile(inject('tarball'))
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
  const { url } = await serve((response, request) => {
    if (request.url !== '/flagadm') return response.end(tarball)
    const { name, version, bin } = manifest
    const dist = { tarball: `http://${request.headers.host}/flagadm.tgz`, integrity }
    const versions = { [version]: { name, version, bin, dist } }
    json(response, 200, { name, 'dist-tags': { latest: version }, versions })
  })
  return url
}

async function useVersion(version: string): Promise<Run> {
  return useAction({ ...lint, version }, { env: { npm_config_registry: await serveRegistry() } })
}

test('with a version, the action installs it from npm', async () => {
  const { code, log } = await useVersion(manifest.version)
  expect([code, log]).toEqual([0, expect.stringContaining('added 1 package')])
  const unknown = await useVersion('99.0.0')
  expect([unknown.code, unknown.log]).toEqual([
    1,
    expect.stringContaining('No matching version found for flagadm@99.0.0'),
  ])
})
