import { describe, expect, test } from 'vitest'
import { flagadm } from '../support/flagadm.ts'
import { anonymous, sandboxOf, type TestSandbox } from '../support/sandbox.ts'

const plan = ['project', 'settings', 'plan', '-f', 'a.yaml']

async function planOf(sandbox: TestSandbox, text: string, ...argv: string[]) {
  const world = { env: sandbox.env, files: { 'work/a.yaml': text } }
  return anonymous(sandbox, await flagadm([...plan, ...argv], world))
}

const document = `defaults:
  mode: protected
  featureNaming:
    pattern: '{project}-[a-z0-9-]+'
    example: '{project}-new-page'
    description: '{project}: the team, then the subject'
projects:
  app.web:
  mobile:
    mode: open
    featureNaming: { description: null }
`

describe('defaults of a document', () => {
  test('are inherited and overridden, with the id in place of {project}', async () => {
    const sandbox = await sandboxOf([
      { id: 'app.web', mode: 'open' },
      { id: 'mobile', mode: 'open' },
    ])
    const { code, stdout, stderr } = await planOf(sandbox, document, '--json')
    const change = (field: string, to: string) => ({ field, from: null, to, inherited: true })
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout).projects).toMatchObject([
      {
        projectId: 'app.web',
        changes: [
          { field: 'mode', from: 'open', to: 'protected', inherited: true },
          change('featureNaming.pattern', 'app\\.web-[a-z0-9-]+'),
          change('featureNaming.example', 'app.web-new-page'),
          change('featureNaming.description', 'app.web: the team, then the subject'),
        ],
      },
      {
        projectId: 'mobile',
        changes: [
          change('featureNaming.pattern', 'mobile-[a-z0-9-]+'),
          change('featureNaming.example', 'mobile-new-page'),
        ],
      },
    ])
  })

  test('are shown as the source of a value', async () => {
    const sandbox = await sandboxOf([{ id: 'a', mode: 'open' }])
    const text = 'defaults: { mode: protected }\nprojects:\n  a: {}\n'
    const { stdout } = await planOf(sandbox, text)
    expect(stdout).toBe(`Plan for S

a: would change
  mode         open → protected (from defaults)

1 project: 1 would change, 0 unchanged
`)
  })

  test('are applied', async () => {
    const sandbox = await sandboxOf([{ id: 'app.web', mode: 'open' }])
    const files = { 'work/a.yaml': document.replace(/ {2}mobile:[^]*/, '') }
    const argv = ['project', 'settings', 'apply', '-f', 'a.yaml', '--yes']
    expect((await flagadm(argv, { env: sandbox.env, files })).code).toBe(0)
    const get = ['project', 'settings', 'get', 'app.web', '--json']
    const { stdout, stderr } = await flagadm(get, { env: sandbox.env })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual({
      mode: 'protected',
      featureNaming: {
        pattern: 'app\\.web-[a-z0-9-]+',
        example: 'app.web-new-page',
        description: 'app.web: the team, then the subject',
      },
    })
  })

  test('are only replaced in defaults', async () => {
    const sandbox = await sandboxOf([{ id: 'a', mode: 'open' }])
    const text = `projects: { a: { featureNaming: { pattern: 'a', description: '{project}' } } }`
    const { stdout } = await planOf(sandbox, text, '--json')
    expect(stdout).toContain('"to":"{project}"')
  })

  test('with a problem are reported once, with their line', async () => {
    const sandbox = await sandboxOf([])
    const text = 'defaults:\n  featureNaming:\n    pattern: a(\nprojects: { a: {}, b: {}, c: {} }\n'
    const { code, stderr } = await planOf(sandbox, text)
    expect([code, stderr]).toEqual([
      2,
      'error: a.yaml:3: defaults.featureNaming.pattern: the pattern is not a valid regular expression (unterminated group near character 2): the service would accept it and enforce nothing (no-compile)\n' +
        'hint: correct it, or use --no-verify\n',
    ])
    const { stderr: unknown } = await planOf(sandbox, 'defaults: { mod: open }\nprojects: {}\n')
    expect(unknown).toBe(
      'error: a.yaml:1: defaults.mod: unknown field\n' +
        'hint: the fields are mode, featureNaming with pattern, example, description, and linkTemplates with title, urlTemplate\n',
    )
  })
})

describe('the service of a document', () => {
  test('is compared with the address before anything is read', async () => {
    const sandbox = await sandboxOf([{ id: 'a', mode: 'open' }])
    const text = (address: string) => `service: ${address}\nprojects: { a: { mode: private } }\n`
    expect((await planOf(sandbox, text(`${sandbox.url}/`))).code).toBe(0)
    const requests = sandbox.requests().length
    const other = await planOf(sandbox, text('https://flags.example.com/'))
    expect([other.code, other.stderr]).toEqual([
      2,
      'error: a.yaml:1: the document is for https://flags.example.com, not for S\n' +
        'hint: use a profile for that service, or correct the field service\n',
    ])
    const files = { 'work/a.yaml': text('https://flags.example.com') }
    const apply = ['project', 'settings', 'apply', '-f', 'a.yaml', '--yes']
    expect((await flagadm(apply, { env: sandbox.env, files })).code).toBe(2)
    expect(sandbox.requests().length).toBe(requests)
  })

  test('is an address', async () => {
    const sandbox = await sandboxOf([])
    const { code, stderr } = await planOf(sandbox, 'service: 7\nprojects: {}\n')
    expect([code, stderr.split('\n')[0]]).toEqual([2, 'error: a.yaml:1: service: expected string'])
    const { stderr: wrong } = await planOf(sandbox, 'service: flags\nprojects: {}\n')
    expect(wrong).toContain('error: a.yaml:1: service: not an http or https address\n')
  })
})
