// What flagadm makes of the answers of nine versions: each command, and what each version has or lacks.
import { describe, expect, test } from 'vitest'
import { expectedOf, outcomeOf, versionCases } from './service/cases/versions.ts'
import { patientClock } from './support/clock.ts'
import { CANARY } from './support/flagadm.ts'
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
