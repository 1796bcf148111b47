import { describe, expect, test } from 'vitest'
import type { Seed } from '../../src/sandbox/seed.ts'
import { environment, flagadm } from '../support/flagadm.ts'
import { anonymous, sandboxOf } from '../support/sandbox.ts'
import { json, serve } from '../support/server.ts'

const get = ['project', 'settings', 'get']

const projects: Seed['projects'] = [
  { id: 'plain', mode: 'open' },
  {
    id: 'checkout',
    mode: 'protected',
    featureNaming: { pattern: 'checkout-[a-z]+', example: 'checkout-a', description: 'One\ntwo' },
    linkTemplates: [{ title: 'Issue', urlTemplate: 'https://t.test/{{feature}}' }],
  },
  { id: 'loose', mode: 'private', featureNaming: { pattern: 'a.*|b.*' } },
]

describe('settings get', () => {
  test('shows a block per project without what is not set', async () => {
    const sandbox = await sandboxOf(projects)
    const outcome = await flagadm([...get, 'checkout', 'plain', 'checkout'], sandbox)
    expect(outcome).toMatchObject({
      code: 0,
      stderr: '',
      stdout: `checkout
  mode         protected
  pattern      checkout-[a-z]+
  example      checkout-a
  description  One
               two
  links        Issue: https://t.test/{{feature}}

plain
  mode         open
`,
    })
  })

  test.each([
    [['--all-projects', '--sort', 'mode'], 'plain,loose,checkout'],
    [['--all-projects', '--sort', 'pattern', '--reverse'], 'checkout,loose,plain'],
    [['--all-projects', '--reverse', '--limit', '2'], 'plain,loose'],
    [['plain', 'check*'], 'checkout,plain'],
  ])('selects and sorts with %j', async (argv, expected) => {
    const sandbox = await sandboxOf(projects)
    const { stdout } = await flagadm([...get, '-o', 'csv', ...argv], sandbox)
    const ids = stdout.trimEnd().split('\r\n').slice(1)
    expect(ids.map((line) => line.split(',')[0]).join()).toBe(expected)
  })

  test('shows CSV', async () => {
    const sandbox = await sandboxOf(projects)
    const argv = [...get, 'checkout', 'plain', '-o', 'csv']
    const { stdout } = await flagadm(argv, sandbox)
    expect(stdout).toBe(
      'project,mode,pattern,example,description,linkTemplates\r\n' +
        'checkout,protected,checkout-[a-z]+,checkout-a,One\\x0atwo,"[{""title"":""Issue"",""urlTemplate"":""https://t.test/{{feature}}""}]"\r\n' +
        'plain,open,,,,\r\n',
    )
  })

  const flat = {
    mode: 'protected',
    featureNaming: { pattern: 'checkout-[a-z]+', example: 'checkout-a', description: 'One\ntwo' },
    linkTemplates: [{ title: 'Issue', urlTemplate: 'https://t.test/{{feature}}' }],
  }

  test('shows one project as the document for set', async () => {
    const sandbox = await sandboxOf(projects)
    const { stdout } = await flagadm([...get, 'checkout', '-o', 'yaml'], sandbox)
    expect(stdout).toBe(`mode: protected
featureNaming:
  pattern: checkout-[a-z]+
  example: checkout-a
  description: |-
    One
    two
linkTemplates:
  - title: Issue
    urlTemplate: https://t.test/{{feature}}
`)
    const { stdout: document } = await flagadm([...get, 'checkout', 'checkout', '--json'], sandbox)
    expect(JSON.parse(document)).toEqual(flat)
  })

  test('shows several projects as the document for plan and apply', async () => {
    const sandbox = await sandboxOf(projects)
    const { stdout } = await flagadm([...get, 'plain', 'checkout', '--json'], sandbox)
    expect(JSON.parse(stdout)).toEqual({ projects: { plain: { mode: 'open' }, checkout: flat } })
    const { stdout: yaml } = await flagadm([...get, '--all-projects', '-o', 'yaml'], sandbox)
    expect(yaml).toMatch(/^projects:\n {2}checkout:\n {4}mode: protected\n/)
  })

  test('shows an empty list of projects in every format', async () => {
    const sandbox = await sandboxOf([])
    const shown = []
    for (const format of ['text', 'table', 'csv', 'yaml', 'json']) {
      shown.push((await flagadm([...get, '--all-projects', '-o', format], sandbox)).stdout)
    }
    expect(shown).toEqual([
      'No projects.\n',
      'No projects.\n',
      'project,mode,pattern,example,description,linkTemplates\r\n',
      'projects: {}\n',
      '{\n  "projects": {}\n}\n',
    ])
  })

  test.each([
    [[], 'no project given', 'pass project ids, or use --all-projects'],
    [
      ['a', '--all-projects'],
      '--all-projects cannot be combined with ids',
      'pass project ids, or use --all-projects',
    ],
  ])('refuses %j', async (argv, problem, hint) => {
    const { code, stderr } = await flagadm([...get, ...argv])
    expect([code, stderr]).toEqual([2, `error: ${problem}\nhint: ${hint}\n`])
  })
})

test('shows a table', async () => {
  const sandbox = await sandboxOf(projects)
  const { stdout } = await flagadm([...get, '--all-projects', '-o', 'table'], sandbox)
  expect(stdout).toBe(`Project   Mode       Pattern
────────────────────────────────────
checkout  protected  checkout-[a-z]+
loose     private    a.*|b.*
plain     open       —
`)
})

describe('a project that cannot be read', () => {
  test('does not hide the others', async () => {
    const { url } = await serve((response, { url: path }) =>
      path.includes('/b/')
        ? json(response, 403, { message: 'no' })
        : json(response, 200, { mode: 'open', environments: [] }),
    )
    const argv = [...get, 'a', 'b', '-o', 'yaml']
    const { code, stdout, stderr } = await flagadm(argv, { env: environment(url) })
    expect([code, stdout]).toEqual([10, 'projects:\n  a:\n    mode: open\n'])
    expect(stderr).toMatch(/^error: project b: 403: no\nhint: .*\nerror: 1 of 2 projects could /)
  })

  test('is any project of a service with only the operations of the specification', async () => {
    const sandbox = await sandboxOf(projects, { specOnly: true })
    const { code, stderr } = await flagadm([...get, 'plain', 'checkout'], sandbox)
    expect([code, stderr]).toEqual([6, expect.stringContaining('404 NotFoundError')])
    const all = anonymous(sandbox, await flagadm([...get, '--all-projects'], sandbox))
    expect(all).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('404 NotFoundError: The path you were looking for'),
    })
  })
})
