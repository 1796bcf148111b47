import { describe, expect, it } from 'vitest'
import { failuresWith, growing } from './support/growing.ts'

describe.each(Object.entries(growing))('%s', (_, input) => {
  it('are read by every command, in every format', async () => {
    expect(await failuresWith(input, { size: 2, commands: input.commands })).toEqual([])
  })
})
