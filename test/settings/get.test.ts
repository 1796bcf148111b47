import { describe, expect, test } from 'vitest'
import type { Seed } from '../../src/sandbox/seed.ts'
import { environment, flagadm } from '../support/flagadm.ts'
import { sandboxOf } from '../support/sandbox.ts'
import { json, serve } from '../support/server.ts'
import { ending } from '../support/text.ts'
import { checkout, full, plain } from './seed.ts'

const get = ['project', 'settings', 'get']

const projects: Seed['projects'] = [
  plain(),
  checkout,
  { id: 'loose', mode: 'private', featureNaming: { pattern: 'a.*|b.*' } },
]

/** Runs the command on a sandbox with the projects. */
const shown = async (...argv: string[]) => flagadm([...get, ...argv], await sandboxOf(projects))

describe('settings get', () => {
  test('shows a block per project without what is not set', async () => {
    expect(await shown('checkout', 'plain', 'checkout')).toMatchObject({
      code: 0,
      stderr: '',
      stdout: `checkout
  mode         protected
  pattern      checkout-[a-z]+
  example      checkout-a
  description  One
               two
  links        Issue: https://t.test/

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
    const { stdout } = await shown('-o', 'csv', ...argv)
    const ids = stdout.trimEnd().split('\r\n').slice(1)
    expect(ids.map((line) => line.split(',')[0]).join()).toBe(expected)
  })

  test('shows CSV', async () => {
    expect((await shown('checkout', 'plain', '-o', 'csv')).stdout).toBe(
      'project,mode,pattern,example,description,linkTemplates\r\n' +
        'checkout,protected,checkout-[a-z]+,checkout-a,One\\x0atwo,"[{""title"":""Issue"",""urlTemplate"":""https://t.test/""}]"\r\n' +
        'plain,open,,,,\r\n',
    )
  })

  test('shows a table', async () => {
    expect((await shown('--all-projects', '-o', 'table')).stdout).toBe(`Project   Mode       Pattern
────────────────────────────────────
checkout  protected  checkout-[a-z]+
loose     private    a.*|b.*
plain     open       —
`)
  })

  test('shows one project as the document for set', async () => {
    const { stdout } = await shown('checkout', '-o', 'yaml')
    expect(stdout).toBe(`mode: protected
featureNaming:
  pattern: checkout-[a-z]+
  example: checkout-a
  description: |-
    One
    two
linkTemplates:
  - title: Issue
    urlTemplate: https://t.test/
`)
    const { stdout: document } = await shown('checkout', 'checkout', '--json')
    expect(JSON.parse(document)).toEqual(full)
  })

  test('shows several projects as the document for plan and apply', async () => {
    const { stdout } = await shown('plain', 'checkout', '--json')
    expect(JSON.parse(stdout)).toEqual({ projects: { plain: { mode: 'open' }, checkout: full } })
    const { stdout: yaml } = await shown('--all-projects', '-o', 'yaml')
    expect(yaml).toMatch(/^projects:\n {2}checkout:\n {4}mode: protected\n/)
  })

  test.each([
    ['text', 'No projects.\n'],
    ['table', 'No projects.\n'],
    ['csv', 'project,mode,pattern,example,description,linkTemplates\r\n'],
    ['yaml', 'projects: {}\n'],
    ['json', '{\n  "projects": {}\n}\n'],
  ])('shows an empty list of projects as %s', async (format, expected) => {
    const { stdout } = await flagadm([...get, '--all-projects', '-o', format], await sandboxOf([]))
    expect(stdout).toBe(expected)
  })

  test.each([
    [[], 'no project given'],
    [['a', '--all-projects'], '--all-projects cannot be combined with ids'],
  ])('refuses %j', async (argv, problem) => {
    expect(ending(await flagadm([...get, ...argv]))).toBe(
      `2 error: ${problem}\nhint: pass project ids, or use --all-projects\n`,
    )
  })
})

describe('a project that cannot be read', () => {
  test('does not hide the others', async () => {
    const { url } = await serve((response, { url: path }) =>
      path.includes('/b/')
        ? json(response, 403, { message: 'no' })
        : json(response, 200, { mode: 'open', featureNaming: {}, linkTemplates: [] }),
    )
    const argv = [...get, 'a', 'b', '-o', 'yaml']
    const { code, stdout, stderr } = await flagadm(argv, { env: environment(url) })
    expect([code, stdout]).toEqual([10, 'projects:\n  a:\n    mode: open\n'])
    expect(stderr).toMatch(/^error: project b: 403: no\nhint: .*\nerror: 1 of 2 projects could /)
  })

  test('is any project of a service with only the operations of the specification', async () => {
    const sandbox = await sandboxOf(projects, { specOnly: true })
    for (const argv of [['plain', 'checkout'], ['--all-projects']]) {
      const { code, stderr } = await flagadm([...get, ...argv], sandbox)
      expect([code, stderr]).toEqual([6, expect.stringContaining('404 NotFoundError')])
    }
  })
})

test('settings that the service does not report are an error', async () => {
  const { url } = await serve((response) => json(response, 200, {}))
  const outcome = await flagadm([...get, 'a', '-o', 'yaml'], { env: environment(url) })
  expect(ending(outcome)).toBe(
    '8 error: project a: the service does not report mode, featureNaming, linkTemplates\n',
  )
})

describe('settings get --common', () => {
  const common = async (own: Seed['projects'], ...argv: string[]) =>
    flagadm([...get, '--all-projects', '--common', ...argv], await sandboxOf(own))

  test('writes what most projects share once, with {project} for their ids', async () => {
    const rule = (id: string) => ({ pattern: `${id}-[a-z]+`, example: `${id}-a` })
    const shop: Seed['projects'] = [
      { id: 'app.web', mode: 'protected', featureNaming: { pattern: 'app\\.web-[a-z]+' } },
      { id: 'basket', mode: 'protected', featureNaming: rule('basket') },
      { id: 'checkout', mode: 'protected', featureNaming: rule('checkout') },
      plain(),
    ]
    expect(await common(shop, '-o', 'yaml')).toMatchObject({
      code: 0,
      stderr: '',
      stdout: `defaults:
  mode: protected
  featureNaming:
    pattern: "{project}-[a-z]+"
    example: "{project}-a"
projects:
  app.web:
    featureNaming:
      example: null
  basket: {}
  checkout: {}
  plain:
    mode: open
    featureNaming:
      pattern: null
      example: null
`,
    })
  })

  test('has empty defaults if nothing is shared', async () => {
    const { stdout } = await common([plain(), checkout], '-o', 'json')
    expect(JSON.parse(stdout).defaults).toEqual({})
  })

  test('is for documents', async () => {
    expect(await common([plain()])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'error: --common is for documents\nhint: add -o yaml\n',
    })
  })
})
