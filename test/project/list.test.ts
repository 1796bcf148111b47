import { describe, expect, it, test } from 'vitest'
import type { Seed } from '../../src/sandbox/seed.ts'
import { environment, flagadm } from '../support/flagadm.ts'
import { sandboxOf } from '../support/sandbox.ts'
import { anyJson, json, serve } from '../support/server.ts'
import { ending, words } from '../support/text.ts'

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

describe('project list', () => {
  it.each([
    ['', ['a', 'b', 'c']],
    ['--reverse', ['c', 'b', 'a']],
    ['--sort name', ['b', 'c', 'a']],
    ['--sort mode', ['a', 'c', 'b']],
    ['--sort flags', ['c', 'b', 'a']],
    ['--sort flags --limit 1', ['c']],
    ['--sort last-usage', ['a', 'c', 'b']],
    ['--project c --project a', ['a', 'c']],
    ['--project * --sort name --limit 1', ['b']],
  ])('with %j has the projects %j', async (argv, ids) => {
    expect(await names('project', 'list', ...words(argv))).toEqual(ids)
  })

  it.each([
    [
      '--project market*',
      6,
      'error: no project matches market*\nhint: the service lists: a, b, c\n',
    ],
    ['--project market', 6, "error: unknown project 'market'\nhint: the service lists: a, b, c\n"],
  ])('%j is refused', async (argv, code, stderr) => {
    expect(await run(['project', 'list', ...words(argv)])).toMatchObject({
      code,
      stdout: '',
      stderr,
    })
  })

  it('shows how many rows are not shown', async () => {
    const { stdout } = await run(['project', 'list', '--limit', '1', '-o', 'markdown'])
    expect(stdout).toBe(`<!-- flagadm project list -->
| Project | Name | Mode | Flags | Last used |
| --- | --- | --- | ---: | --- |
| \`a\` | \`Zoo\` | open | 0 |  |

3 projects, 1 shown
`)
  })

  it.each(['--project=a', '--reverse', '--limit=1', '--sort=name'])(
    'refuses %s with json',
    async (option) => {
      const { code, stdout, stderr } = await run(['project', 'list', option, '--json'])
      const { message, hint } = JSON.parse(stderr).error
      expect({ code, stdout, message, hint }).toEqual({
        code: 2,
        stdout: '',
        message: "json is the service's own document",
        hint: 'use -o jsonl to select, sort or limit rows',
      })
    },
  )
})

describe('project list in its formats', () => {
  const list = ['project', 'list']
  const seed: Seed = {
    projects: [
      { id: 'shop', name: '=Shop "A"', mode: 'open' },
      { id: 'checkout', name: 'Checkout\u001b[31m', mode: 'private' },
    ],
    flags: [
      {
        name: 'shop-a',
        project: 'shop',
        usage: [{ appName: 'web', environment: 'production', yes: 1, no: 0 }],
        seenApplications: [],
      },
    ],
  }
  const shown = async (...argv: string[]) => {
    const sandbox = await sandboxOf([], { seed })
    const { code, stdout, stderr } = await flagadm([...list, ...argv], sandbox)
    expect([code, stderr]).toEqual([0, ''])
    return stdout
  }

  test('shows a table', async () => {
    expect(await shown()).toBe(`Project   Name              Mode     Flags  Last used
─────────────────────────────────────────────────────
checkout  Checkout\\x1b[31m  private      0  —
shop      =Shop "A"         open         1  just now
`)
    const { stdout } = await flagadm([...list, '--verbose'], await sandboxOf([], { seed }))
    expect(stdout).toContain('  2026-01-05 10:00 UTC\n')
  })

  test('has the same fields as JSON Lines and as CSV', async () => {
    expect(await shown('-o', 'jsonl')).toBe(
      '{"id":"checkout","name":"Checkout\\u001b[31m","mode":"private","featureCount":0,"lastReportedFlagUsage":null}\n' +
        '{"id":"shop","name":"=Shop \\"A\\"","mode":"open","featureCount":1,"lastReportedFlagUsage":"2026-01-05T10:00:00.000Z"}\n',
    )
    expect(await shown('-o', 'csv')).toBe(
      'id,name,mode,featureCount,lastReportedFlagUsage\r\n' +
        'checkout,Checkout\\x1b[31m,private,0,\r\n' +
        'shop,"\'=Shop ""A""",open,1,2026-01-05T10:00:00.000Z\r\n',
    )
  })

  test("prints the service's document with --json", async () => {
    const text =
      '{ "version": 1,\n  "projects": [{"id":"a","other":{"__proto__":12345678901234567890}}] }\n'
    const { url } = await serve((response) => anyJson(response, 200, text))
    expect((await flagadm([...list, '--json'], { env: environment(url) })).stdout).toBe(text)
  })

  test('shows a dash for fields that the service leaves out', async () => {
    const { url } = await serve((response) => json(response, 200, { projects: [{ id: 'a' }] }))
    const { stdout } = await flagadm(list, { env: environment(url) })
    expect(stdout.split('\n')[2]).toBe('a        —     —         —  —')
  })

  test('prints a sentence if there are no projects', async () => {
    const sandbox = await sandboxOf([])
    expect((await flagadm(list, sandbox)).stdout).toBe('No projects.\n')
    expect((await flagadm([...list, '-o', 'names'], sandbox)).stdout).toBe('')
  })

  test('fails on a service without a list', async () => {
    const sandbox = await sandboxOf([], { specOnly: true })
    const { code, stderr } = await flagadm(list, sandbox)
    expect([code, stderr]).toEqual([6, expect.stringContaining('404 NotFoundError')])
  })
})

describe('a project that the service does not list', () => {
  // As the open-source edition does, the service lists only the project default.
  const serving = async () => {
    const { url } = await serve((response, { url: path }) => {
      if (path === '/api/admin/projects') {
        return json(response, 200, { projects: [{ id: 'default', name: 'Default', mode: 'open' }] })
      }
      if (path === '/api/admin/ui-config') {
        return json(response, 200, { version: '8.2.0', environment: 'Open Source' })
      }
      return json(response, 404, { name: 'NotFoundError', message: 'No project found' })
    })
    return { env: environment(url) }
  }

  it('is an error', async () => {
    const outcome = await flagadm(
      ['project', 'list', '--project', 'checkout', '-q'],
      await serving(),
    )
    expect(ending(outcome)).toBe(
      "6 error: unknown project 'checkout'\nhint: the service lists: default\n",
    )
  })

  it('is missing from a list, which says so in JSON Lines, and on stderr with the raw document', async () => {
    const world = await serving()
    const lines = await flagadm(['project', 'list', '-o', 'jsonl', '-q'], world)
    expect(lines.stdout).toBe(
      '{"id":"default","name":"Default","mode":"open","featureCount":null,"lastReportedFlagUsage":null}\n' +
        '{"incomplete":[{"message":"the open-source edition lists only the project default","names":[]}]}\n',
    )
    const raw = await flagadm(['project', 'list', '--json'], world)
    expect(raw.stdout).toBe('{"projects":[{"id":"default","name":"Default","mode":"open"}]}\n')
    expect(JSON.parse(raw.stderr).warning.message).toContain('the open-source edition lists only')
    const names = await flagadm(['project', 'list', '-o', 'names'], world)
    expect(names.stderr).toBe(
      'warning: the open-source edition lists only the project default; pass the ids of others\n',
    )
  })
})
