// What flagadm makes of the answers of nine versions: each command, and what each version has or lacks.
import { describe, expect, test } from 'vitest'
import { expectedOf, outcomeOf, versionCases } from './service/cases/versions.ts'
import { patientClock } from './support/clock.ts'
import { CANARY, environment, flagadm } from './support/flagadm.ts'
import { readRecording, serveRecorded } from './support/recorded.ts'

const versions = [
  '4.19.5',
  '5.6.0',
  '5.12.8',
  '6.3.0',
  '6.6.0',
  '6.10.1',
  '7.4.1',
  '7.6.5',
  '8.2.0',
]

describe.each(versions)('with Unleash %s', (version) => {
  const recording = readRecording(version)

  test.each(versionCases)('$title', async (one) => {
    const { url } = await serveRecorded(recording, one.title)
    const { clock } = patientClock(recording.time)
    const target = { url, key: CANARY, version, clock }
    expect(await outcomeOf(one, target)).toEqual(expectedOf(one, version))
  })
})

interface Reviewed {
  flag: string
  verdict: string
  reasons: string[]
}

test('flags whose sightings an upgrade from 5.6 to 8.2 has left behind are unclear', async () => {
  const recording = readRecording('8.2.0-upgraded-from-5.6.0')
  const { url } = await serveRecorded(recording, 'feature review')
  const { clock } = patientClock(recording.time)
  const argv = ['feature', 'review', '--project', 'default', '--json']
  const { stdout } = await flagadm(argv, { env: environment(url), clock })
  const { flags }: { flags: Reviewed[] } = JSON.parse(stdout)
  const lost = 'old sightings may be lost: the service was upgraded from Unleash 5.6 or older'
  expect(flags.map(({ flag, verdict, reasons }) => [flag, verdict, reasons[0]])).toEqual([
    ['just-changed', 'unclear', lost],
    // It was seen three days ago.
    ['old-unused', 'unclear', lost],
    ['used-now', 'in-use', '23 evaluations in 48 h'],
  ])
})
