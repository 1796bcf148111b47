import { describe, expect, it } from 'vitest'
import { failuresWith, growing } from './support/growing.ts'

const all = Object.entries(growing)
// `npm run test:slow` runs all of them with each input.
const SHARE = 3

describe.each(all)('%s', (what, input) => {
  it('are read by some of the commands, which are others for other inputs', async () => {
    const position = all.findIndex(([name]) => name === what)
    const commands = input.commands.filter((_, index) => index % all.length === position)
    const some = [...commands, ...input.commands.slice(-SHARE)].slice(0, SHARE)
    expect(await failuresWith(input, { size: 1, commands: some })).toEqual([])
  })
})
