import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Seed } from '../../src/sandbox/seed.ts'
import { flagadm } from '../support/flagadm.ts'
import { sandboxOf } from '../support/sandbox.ts'

const seed: Seed = {
  projects: [
    { id: 'a', name: 'Zoo', mode: 'open' },
    { id: 'b', name: 'Bar', mode: 'private' },
    { id: 'c', name: 'Bar', mode: 'open' },
  ],
  flags: ['c1', 'c2', 'b1'].map((name) => ({
    name,
    project: name.charAt(0),
    usage: [{ appName: 'web', environment: 'production', yes: name === 'b1' ? 1 : 0, no: 0 }],
    seenApplications: [],
  })),
}

async function run(argv: readonly string[], files: Record<string, string> = {}) {
  const sandbox = await sandboxOf([], { seed })
  return flagadm(argv, { ...sandbox, files })
}

const names = async (...argv: string[]) => {
  const { code, stdout, stderr } = await run([...argv, '-o', 'names'])
  expect([code, stderr]).toEqual([0, ''])
  return stdout.trimEnd().split('\n')
}

describe('feature list', () => {
  it('shows at most the rows of --limit', async () => {
    expect(await names('feature', 'list', '--all', '--limit', '2')).toEqual(['b1', 'c1'])
    const { stdout } = await run(['feature', 'list', '--project', 'c', '--limit', '1'])
    expect(stdout.split('\n').slice(-5)).toEqual([
      expect.stringMatching(/^─+$/),
      expect.stringMatching(/^1 flag /),
      '',
      '1 more row not shown (--limit); the total covers only those shown',
      '',
    ])
  })
})

describe('feature references', () => {
  const files = { 'work/a.ts': "isEnabled('b1')\nisEnabled('c1')\nisEnabled('c1')\n" }
  const references = async (...argv: string[]) => {
    const { stdout } = await run(['feature', 'references', '--scan', '.', ...argv], files)
    return stdout
  }

  it.each([
    [[], ['b1', 'c1']],
    [['--reverse', '--limit', '1'], ['c1']],
    [
      ['--sort', 'references'],
      ['c1', 'b1'],
    ],
  ])('%j', async (argv, expected) => {
    expect(await references(...argv, '-o', 'names')).toBe(expected.map((it) => `${it}\n`).join(''))
  })

  it('shows how many names are not shown', async () => {
    const stdout = await references('--limit', '1')
    expect(stdout).toMatch(/\n\n1 name, 1 reference; 1 file scanned\n1 more name not shown/)
  })

  it('has the project of each flag', async () => {
    const argv = ['--project', 'b', '--project', 'c']
    expect((await references(...argv, '-o', 'csv')).split('\r\n')).toEqual([
      'project,name,file,line,column,kind,text',
      "b,b1,a.ts,1,12,call,isEnabled('b1')",
      "c,c1,a.ts,2,12,call,isEnabled('c1')",
      "c,c1,a.ts,3,12,call,isEnabled('c1')",
      'c,c2,,,,,',
      '',
    ])
    const lines = (await references(...argv, '-o', 'jsonl')).split('\n')
    expect(lines[3]).toMatch(/^\{"project":"c","name":"c2","file":null/)
    expect(JSON.parse(await references(...argv, '--json')).names[2]).toEqual({
      name: 'c2',
      project: 'c',
      references: [],
    })
    expect((await references(...argv)).split('\n')[0]).toMatch(/^Flag +Project +Place/)
    expect((await references('--project', 'b')).split('\n')[0]).toMatch(/^Flag +Place/)
  })
})

describe('--output-file', () => {
  it.each([
    ['feature', 'list', '--all'],
    ['feature', 'list', '--all', '--json'],
    ['feature', 'list', '--unknown'],
    ['feature', 'references', '--scan', '.'],
  ])('gets what would be on stdout: %s %s %s %s', async (...argv) => {
    const files = { 'work/a.ts': "isEnabled('b1')\n" }
    const sandbox = await sandboxOf([], { seed })
    const { stdout } = await flagadm(argv, { ...sandbox, files })
    const toFile = await flagadm([...argv, '--output-file', 'out.txt'], { ...sandbox, files })
    expect([toFile.code, toFile.stdout]).toEqual([0, ''])
    expect(await readFile(join(toFile.folder, 'work/out.txt'), 'utf8')).toBe(stdout)
  })
})
