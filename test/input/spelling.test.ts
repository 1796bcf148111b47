import { expect, test, vi } from 'vitest'
import { parseDocument } from '../../src/input/document.ts'
import { closest } from '../../src/input/spelling.ts'
import { timeOf } from '../../src/input/time.ts'

test.each([
  ['usgae', ['usage', 'list'], 'usage'],
  ['lst', ['list', 'lint'], 'list'],
  ['usage', ['list', 'lint'], undefined],
  // As likely one as the other.
  ['lidt', ['list', 'lint'], undefined],
  // Another first letter is less likely.
  ['vist', ['list', 'visit'], 'visit'],
  ['DARK-MODE', ['dark-mode', 'dark-page'], 'dark-mode'],
  ['prod', ['production', 'staging'], 'production'],
  ['prod', ['production-east', 'production-west'], undefined],
  // Too short to be a mistake.
  ['ab', ['ac'], undefined],
])('the closest to %s among %j is %s', (word, candidates, expected) => {
  expect(closest(word, candidates)).toBe(expected)
})

test.each([
  ['2026-01-05T10:00:00.000Z', '2026-01-05T10:00:00.000Z'],
  ['2026-01-05T10:00:30+02:00', '2026-01-05T08:00:30.000Z'],
  ['2026-01-05', undefined],
  [null, undefined],
])('the time of %j is %s in any zone', (timestamp, expected) => {
  vi.stubEnv('TZ', 'Asia/Tokyo')
  const time = timeOf(timestamp)
  vi.unstubAllEnvs()
  expect(time === undefined ? time : new Date(time).toISOString()).toBe(expected)
})

test('a document is read without the reference to its schema', async () => {
  const source = { name: 'a', kind: 'usage' } as const
  expect(await parseDocument('{"$schema":"x","a":1}', source)).toEqual({ a: 1 })
  expect(await parseDocument('$schema: 3\na: 1', source)).toEqual({ $schema: 3, a: 1 })
})
