import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { ended, start } from '../support/binary.ts'
import { temporaryFolder } from '../support/flagadm.ts'
import { sandboxOf, type TestSandbox } from '../support/sandbox.ts'

const count = 20
const ids = Array.from({ length: count }, (_, index) => `p${index}`)
const linkTemplates = [{ title: 'Issue', urlTemplate: 'https://t.test/' }]
const projects = ids.map((id) => ({ id, mode: 'open' as const, linkTemplates }))
const document = JSON.stringify({
  projects: Object.fromEntries(ids.map((id) => [id, { mode: 'protected' }])),
})
const apply = ['project', 'settings', 'apply', '-f', 'flags.json', '--yes']

function changed({ project }: TestSandbox): number {
  return ids.filter((id) => project(id)?.mode === 'protected').length
}

describe('apply over 20 projects', () => {
  test.each([
    ['SIGKILL', 137],
    ['SIGINT', 130],
  ] as const)('that %s ends half-way is completed by the second run', async (signal, exit) => {
    const folder = await temporaryFolder({ 'flags.json': document })
    let writes = 0
    const sandbox = await sandboxOf(projects, {
      log: (line) => line.startsWith('PUT') && ++writes === count / 2 && child.kill(signal),
    })
    const argv = [...apply, '--json', '--save-before', 'first.yaml']
    const child = await start(argv, sandbox.env, 'pipe', { cwd: folder })
    const { code, stdout } = await ended(child)
    expect(code).toBe(exit)
    const reported = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).status)
    const done = changed(sandbox)
    expect(done).toBeGreaterThanOrEqual(count / 2)
    expect(done).toBeLessThan(count)
    const reportedChanged = reported.filter((status) => status === 'changed').length
    if (exit === 137) expect(reportedChanged).toBeLessThanOrEqual(done)
    // After an interrupt, every project is reported, and what is reported as changed is stored.
    else expect([reported.length, reportedChanged]).toEqual([count, done])
    const saved = parse(await readFile(join(folder, 'first.yaml'), 'utf8'))
    const savedIds = saved.projects.map(({ projectId }: { projectId: string }) => projectId)
    expect(savedIds).toEqual(ids.slice(0, savedIds.length))
    // A kill may leave the project under way.
    expect(savedIds.length - done).toBeLessThanOrEqual(exit === 137 ? 1 : 0)
    const rest = [...apply, '--save-before', 'second.yaml']
    const second = await ended(await start(rest, sandbox.env, 'pipe', { cwd: folder }))
    expect(second).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(
        `20 projects: ${count - done} changed, ${done} unchanged, 0 failed\n`,
      ),
    })
    expect(changed(sandbox)).toBe(count)
    for (const [file, left] of [
      ['second.yaml', done],
      ['first.yaml', 0],
    ] as const) {
      const undo = ['project', 'settings', 'apply', '--plan', file, '--yes']
      await ended(await start(undo, sandbox.env, 'pipe', { cwd: folder }))
      expect(changed(sandbox)).toBe(left)
    }
    expect(ids.map((id) => sandbox.project(id)?.linkTemplates)).toEqual(
      ids.map(() => linkTemplates),
    )
  })
})
