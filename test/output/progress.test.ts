import { describe, expect, it } from 'vitest'
import { patientClock } from '../support/clock.ts'
import { flagadm, type World } from '../support/flagadm.ts'
import { sandboxOf } from '../support/sandbox.ts'

const names = ['a', 'b', 'c', 'd', 'e']
const reading = [...names, '--concurrency', '1']
const terminal = { columns: 80, talksToTerminal: true }

/** Reads the usage of five flags from a service that takes 700 ms for each request; looking at the clock takes 150 ms. */
async function readSlowly(argv: readonly string[] = [], world: World = terminal) {
  const { clock: still, pass } = patientClock()
  const clock = {
    ...still,
    // So each step is drawn, whenever the timer has drawn the one before.
    monotonic() {
      pass(150)
      return still.monotonic()
    },
  }
  const seed = {
    projects: [{ id: 'default', mode: 'open' as const }],
    flags: names.map((name) => ({ name, project: 'default' })),
  }
  const { env } = await sandboxOf([], { seed, log: () => pass(700) })
  const all = { ...world, env: { ...env, NO_COLOR: '1', ...world.env }, clock }
  return flagadm(['feature', 'usage', ...reading, ...argv], all)
}

/** What a terminal shows at last: a line that is written again replaces the one before. */
function screenOf(written: string): string {
  return written.replaceAll(/^.*\r(?!\n)/gm, '').replaceAll('\u001b[K', '')
}

/** The states of the line that were drawn. */
function drawnIn(written: string): string[] {
  return Array.from(written.matchAll(/\r([^\r\u001b]+)\u001b\[K/g), ([, text = '']) => text)
}

describe('progress', () => {
  it('is shown on stderr after a second, and gone before the result', async () => {
    const { code, stdout, stderr } = await readSlowly()
    expect(code).toBe(0)
    expect(stdout).not.toContain('\r')
    const drawn = drawnIn(stderr)
    expect(drawn).toContain('Reading 4 of 5 flags')
    expect(
      drawn.filter((text) => !/^Reading ([01] of 1 project|[0-5] of 5 flags)$/.test(text)),
    ).toEqual([])
    expect(screenOf(stderr)).toBe('')
    expect(stderr.endsWith('\r\u001b[K')).toBe(true)
  })

  it('is removed before each message', async () => {
    const { stderr } = await readSlowly(['--verbose'], { ...terminal, columns: 200 })
    expect(drawnIn(stderr)).toContain('Reading 4 of 5 flags')
    const lines = screenOf(stderr).trimEnd().split('\n')
    expect(lines.filter((line) => !line.startsWith('debug: '))).toEqual([])
  })

  it.each<[string, readonly string[], World]>([
    ['with --quiet', ['--quiet'], terminal],
    ['on a terminal that cannot', [], { ...terminal, env: { TERM: 'dumb' } }],
    ['in CI', [], { ...terminal, env: { CI: 'true' } }],
    ['if stdout is a pipe', [], { talksToTerminal: true }],
    ['if stderr is not a terminal', [], { columns: 80 }],
  ])('is not shown %s', async (_when, argv, world) => {
    const { code, stderr } = await readSlowly(argv, world)
    expect([code, stderr]).toEqual([0, ''])
  })

  it('is shown if stdout is a file', async () => {
    const { stdout, stderr } = await readSlowly([], { talksToTerminal: true, writesToFile: true })
    expect(stdout).not.toContain('\r')
    expect(drawnIn(stderr)).toContain('Reading 4 of 5 flags')
  })

  it('counts its delay from the start of the run', async () => {
    const { stderr } = await readSlowly()
    expect(drawnIn(stderr)[0]).toMatch(/^Reading [01] of 1 project$/)
  })

  it('is cut to the width of the terminal', async () => {
    const { stderr } = await readSlowly([], { ...terminal, columns: 16 })
    expect(drawnIn(stderr)).toContain('Reading 4 of 5…')
  })
})
