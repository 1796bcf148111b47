import { describe, expect, test } from 'vitest'
import { flagadm } from '../support/flagadm.ts'
import { anonymous, sandboxOf, type TestSandbox } from '../support/sandbox.ts'

const settings = ['project', 'settings']

async function planOf(sandbox: TestSandbox, text: string, ...argv: string[]) {
  const world = { env: sandbox.env, files: { 'work/a.yaml': text } }
  return anonymous(sandbox, await flagadm([...settings, 'plan', '-f', 'a.yaml', ...argv], world))
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
    const sandbox = await sandboxOf(['app.web', 'mobile'].map((id) => ({ id, mode: 'open' })))
    const { code, stdout, stderr } = await planOf(sandbox, document)
    expect([code, stderr, stdout]).toEqual([
      0,
      '',
      `Plan for S

app.web: would change
  mode         open → protected (from defaults)
  pattern      (unset) → app\\.web-[a-z0-9-]+ (from defaults; new rule)
  example      (unset) → app.web-new-page (from defaults)
  description  (unset) → app.web: the team, then the subject (from defaults)
mobile: would change
  pattern      (unset) → mobile-[a-z0-9-]+ (from defaults; new rule)
  example      (unset) → mobile-new-page (from defaults)

2 projects: 2 would change, 0 unchanged
`,
    ])
    const { stdout: report } = await planOf(sandbox, document, '--json')
    expect(JSON.parse(report).projects[1].changes[1]).toEqual({
      field: 'featureNaming.example',
      from: null,
      to: 'mobile-new-page',
      inherited: true,
    })
    const world = { env: sandbox.env, files: { 'work/a.yaml': document } }
    await flagadm([...settings, 'apply', '-f', 'a.yaml', '--yes'], world)
    expect(sandbox.project('app.web')?.featureNaming?.pattern).toBe('app\\.web-[a-z0-9-]+')
  })

  test('are the only values in which {project} is replaced', async () => {
    const sandbox = await sandboxOf([{ id: 'a', mode: 'open' }])
    const text = `projects: { a: { featureNaming: { pattern: 'a', description: '{project}' } } }`
    expect((await planOf(sandbox, text, '--json')).stdout).toContain('"to":"{project}"')
  })

  test('with a problem are reported once, with their line', async () => {
    const sandbox = await sandboxOf(['a', 'b', 'c'].map((id) => ({ id, mode: 'open' })))
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

test('the service of a document is compared with the address before anything is read', async () => {
  const sandbox = await sandboxOf([{ id: 'a', mode: 'open' }])
  const text = (address: string) => `service: ${address}\nprojects: { a: { mode: private } }\n`
  expect((await planOf(sandbox, text(`${sandbox.url}/`))).code).toBe(0)
  const requests = sandbox.requests().length
  const problems = {
    'https://flags.example.com/':
      'the document is for https://flags.example.com, not for S\nhint: use a profile for that service, or correct the field service\n',
    '7': 'service: expected string\nhint: put single quotes around the value\n',
    flags: 'service: not an http or https address\n',
  }
  for (const [address, problem] of Object.entries(problems)) {
    const { stderr } = await planOf(sandbox, text(address))
    expect(stderr).toContain(`error: a.yaml:1: ${problem}`)
  }
  const files = { 'work/a.yaml': text('https://flags.example.com') }
  const apply = [...settings, 'apply', '-f', 'a.yaml', '--yes']
  expect((await flagadm(apply, { env: sandbox.env, files })).code).toBe(2)
  expect(sandbox.requests().length).toBe(requests)
})
