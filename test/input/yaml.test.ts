import { describe, expect, test } from 'vitest'
import { flagadm } from '../support/flagadm.ts'

/** The error of `plan` for a document. */
async function errorOf(text: string, file = 'a.yaml') {
  const argv = ['project', 'settings', 'plan', '-f', file, '-p', 'sandbox', '--json']
  const { code, stderr } = await flagadm(argv, { files: { [`work/${file}`]: text } })
  return { code, ...JSON.parse(stderr).error }
}

describe('a pattern or a placeholder without quotes', () => {
  test.each([
    '[a-z]+-x',
    '[a-z0-9-]',
    '[a-z0-9-]+',
    '[a-z]{2}',
    '[[:alnum:]]+',
    '[^a]+(b|c)*',
    '[a-z',
    '{project}-x',
    '{project}',
    '{project}-[a-z0-9-]+',
    '*-x',
    '@x',
    '!x',
    '`x',
    '%x',
    '|x',
    '123',
    'true',
  ])('%s: the error says to put single quotes around it', async (pattern) => {
    const block = `projects:\n  default:\n    featureNaming:\n      pattern: ${pattern}\n`
    const shared = `defaults: {mode: open, featureNaming: {pattern: ${pattern}}}\nprojects: {default: {}}\n`
    for (const text of [block, shared]) {
      const { code, hint } = await errorOf(text)
      expect([code, hint]).toEqual([2, expect.stringContaining('single quotes')])
    }
  })
})

describe('JSON', () => {
  const documentOf = (pattern: string) =>
    `{"projects": {"default": {"featureNaming": {"pattern": ${pattern}}}}}`

  test('with an unknown escape gets advice for JSON', async () => {
    for (const file of ['a.json', 'a.yaml']) {
      expect(await errorOf(documentOf('"a\\.b"'), file)).toMatchObject({
        message: `${file}:1:58: not valid YAML or JSON: unknown escape`,
        hint: 'write \\\\ for a backslash',
      })
    }
  })

  test.each(['["a-z"]', '12', 'true', 'null {}'])(
    'with %s as the pattern gets no advice for YAML',
    async (pattern) => {
      const { code, hint } = await errorOf(documentOf(pattern), 'a.json')
      expect([code, hint]).toEqual([2, expect.not.stringContaining('single quotes')])
    },
  )
})

describe("the merge key '<<'", () => {
  const base = 'defaults: &base {mode: protected}\n'

  test('merges a map', async () => {
    const text = `${base}projects:\n  default:\n    <<: *base\n    linkTemplates: []\n`
    const argv = ['project', 'settings', 'plan', '-f', 'a.yaml', '-p', 'sandbox']
    const { code, stdout } = await flagadm(argv, { files: { 'work/a.yaml': text } })
    expect([code, stdout]).toEqual([0, expect.stringContaining('open → protected')])
  })

  test('of something else is refused', async () => {
    expect(await errorOf('projects:\n  default: {<<: 3}\n')).toMatchObject({
      message: 'a.yaml: not valid YAML or JSON',
    })
  })
})

test('a pattern with a colon and a space is one that needs quotes', async () => {
  expect(await errorOf('projects:\n  a:\n    featureNaming:\n      pattern: a: b\n')).toMatchObject(
    {
      message: "a.yaml:4:16: not valid YAML or JSON: ': ' in a value without quotes",
      hint: 'put single quotes around the value',
    },
  )
})
