import { expect, test } from 'vitest'
import { loadCommands } from '../support/program.ts'
import { evidenceCommand, selectionOf, writtenOption } from '../../src/review/options.ts'

/** A value of each option that evidence rests on. */
const evidence = {
  since: { text: '24h', milliseconds: 1 },
  notSeenFor: { text: '60d', milliseconds: 1 },
  scan: ['src'],
  call: ['isOn'],
  match: ['on'],
  referencesFrom: ['web.json'],
  includePermanent: true,
  acceptSilence: ['retired'],
}

const commandOf = async (path: string) => {
  const { all } = await loadCommands()
  return all.find((one) => one.path === path)?.command.options ?? []
}

test('a review keeps, compares and copies each option that the evidence of an archive rests on', async () => {
  const options = await commandOf('feature archive')
  const grouped = options.filter(({ helpGroupHeading }) => helpGroupHeading === 'Evidence:')
  const names = Object.keys(selectionOf([], evidence))
  const written = names.map(writtenOption)
  const words = evidenceCommand('archive', { options: { color: 'auto' } }, evidence)
  for (const { long } of grouped) {
    expect(written).toContain(long)
    expect(words).toContain(long)
  }
})

test('a review keeps each of its own options that decide about its rows', async () => {
  const options = await commandOf('feature review')
  const groups = ['Flags:', 'Evidence:', 'Usage that counts:']
  const deciding = options.filter(({ helpGroupHeading = '' }) => groups.includes(helpGroupHeading))
  // The names of a list are in `names`.
  const flags = deciding.map(({ long }) => long).filter((long) => long !== '--names-from')
  const written = Object.keys(selectionOf([], evidence)).map(writtenOption)
  expect(flags.filter((long) => !written.includes(long ?? ''))).toEqual([])
})
