// The main flows against real services of several versions, one after the other. With RECORD=1, what they answer is written
// to test/service/versions/<version>/answers.jsonl, from which test/versions.test.ts answers.
import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { relay } from '../support/relay.ts'
import { expectedOf, incidentCases, outcomeOf, versionCases } from './cases/versions.ts'
import { createRecorder } from './recorder.ts'
import { path, type Started, startService } from './start.ts'

const HOUR = 3_600_000
// The flows of a version take at most this long, and no hour may begin in that time.
const takes = 3 * 60_000

/** Versions with a folder in which they are installed. */
const older = readdirSync(path('versions')).filter((version) => {
  return existsSync(path(`versions/${version}/package.json`))
})
const homes = Object.fromEntries(older.map((version) => [version, path(`versions/${version}`)]))

describe.each(Object.entries({ ...homes, '8.2.0': path('.') }))('Unleash %s', (version, home) => {
  let started: Started
  let recorder: ReturnType<typeof createRecorder> | undefined

  beforeAll(async () => {
    const left = HOUR - (Date.now() % HOUR)
    if (left < takes) await pause(left)
    started = await startService(home, [home, 'default'])
    const work = JSON.stringify({ ...started.service, now: new Date().toISOString() })
    const argv = [path('version-seed.mjs'), work]
    await promisify(execFile)(path('node_modules/.bin/node'), argv)
    if (process.env.RECORD) recorder = createRecorder(version)
  }, 2 * takes)

  afterAll(() => started.stop(), takes)

  /** The address of the service, or of a server that records what it answers. */
  async function addressFor(title: string): Promise<string> {
    const { url } = started.service
    if (!recorder) return url
    recorder.begin(title)
    const server = await relay(url, undefined, (request, text, status) => {
      recorder?.record(request, status, text)
      return text
    })
    return server.url
  }

  test.each(versionCases)('$title', async (one) => {
    const url = await addressFor(one.title)
    const target = { url, key: started.service.keys.admin, version }
    expect(await outcomeOf(one, target)).toEqual(expectedOf(one, version))
  })

  test.each(incidentCases)('$title, in an incident', async (one) => {
    const target = { url: started.service.url, key: started.service.keys.admin, version }
    expect(await outcomeOf(one, target)).toEqual(expectedOf(one, version))
  })
})
