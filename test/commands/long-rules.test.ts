import { describe, expect, test } from 'vitest'
import { environment, flagadm, type World } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'

const pattern = `${'a|'.repeat(500_000)}a`
const description = 'why\n'.repeat(250_000)
const tooLong = 'the pattern is too long to check: 1000001 characters, at most 10000'

/** A service with the project `shop`, whose rule is very long. */
function service(naming: object = { pattern, example: 'a', description }) {
  return serve((response, { url }) => {
    if (url.endsWith('/projects')) return json(response, 200, { projects: [{ id: 'shop' }] })
    if (url.endsWith('/features')) {
      return json(response, 200, { features: [{ name: 'b', environments: [] }] })
    }
    const project = { mode: 'open', environments: [], linkTemplates: [] }
    return json(response, 200, { ...project, featureNaming: naming })
  })
}

async function run(argv: readonly string[], world: World = {}, naming?: object) {
  const { url } = await service(naming)
  return flagadm(argv, { ...world, env: environment(url) })
}

const settings = { featureNaming: { pattern: 'b+', example: 'b', description: 'y'.repeat(20_000) } }
const documents = {
  'work/flags.json': JSON.stringify({ projects: { shop: settings } }),
  'work/settings.json': JSON.stringify(settings),
  'work/rule.json': JSON.stringify({ featureNaming: { pattern: `${'a|'.repeat(10_000)}a` } }),
}

describe('a rule of a million characters', () => {
  test('is not checked for the table of settings', async () => {
    const { code, stdout } = await run(['project', 'settings', 'get', 'shop', '-o', 'table'])
    expect(code).toBe(0)
    expect(stdout).toContain('… (1000001 characters)')
    expect(stdout).toContain('too long to check')
    expect(stdout.length).toBeLessThan(40_000)
  })

  test('is complete in the JSON of settings', async () => {
    const { stdout } = await run(['project', 'settings', 'get', 'shop', '--json'])
    expect(JSON.parse(stdout).featureNaming).toEqual({ pattern, example: 'a', description })
  })

  test('is cut in a plan, which does not know its effect', async () => {
    const argv = ['project', 'settings', 'plan', '-f', 'flags.json']
    const { code, stdout } = await run(argv, { files: documents })
    expect(code).toBe(0)
    expect(stdout).toContain(`${pattern.slice(0, 10_000)}… (1000001 characters) → b+\n`)
    expect(stdout).toContain(`${'y'.repeat(10_000)}… (20000 characters)\n`)
    expect(stdout).toContain('undecided: how the rules relate could not be decided')
  })

  test('is cut in the Markdown of a plan', async () => {
    const argv = ['project', 'settings', 'plan', '-f', 'flags.json', '-o', 'markdown']
    const { stdout } = await run(argv, { files: documents })
    expect(stdout).toContain('… (1000001 characters)')
    expect(stdout.length).toBeLessThan(70_000)
  })

  test('makes set ask, because its effect on existing flags is not known', async () => {
    const argv = ['project', 'settings', 'set', 'shop', '--from-file', 'rule.json', '--no-verify']
    const { code, stderr } = await run(argv, { files: documents }, { pattern: 'b' })
    expect(code).toBe(2)
    expect(stderr).toContain('the pattern is too long to check: 20001 characters, at most 10000')
  })

  test.each([
    ['check', '--project', 'shop'],
    ['diff', '--project', 'shop', '--to', 'pattern:a'],
  ])('makes naming %s inconclusive', async (...argv) => {
    const { code, stdout, stderr } = await run(['naming', ...argv])
    expect([code, stdout]).toEqual([9, ''])
    expect(stderr).toBe(`error: inconclusive: ${tooLong}\nhint: use a shorter rule\n`)
  })

  test('makes feature list --breaks-rule inconclusive', async () => {
    const { code, stderr } = await run(['feature', 'list', '--project', 'shop', '--breaks-rule'])
    expect([code, stderr]).toEqual([9, `error: project shop: ${tooLong}\n`])
  })

  test('cannot be decided by naming lint', async () => {
    const { code, stdout } = await run(['naming', 'lint', '--rule', 'rule.json'], {
      files: documents,
    })
    expect(code).toBe(0)
    expect(stdout).toContain('the pattern is too long to check: 20001 characters, at most 10000')
    expect(stdout).toContain('? no errors found, but some checks could not be decided\n')
  })
})

test('texts that differ only after 10,000 characters are reported as different', async () => {
  const long = { pattern: 'b+', example: 'b', description: `${'y'.repeat(19_999)}z` }
  const argv = ['project', 'settings', 'plan', '-f', 'flags.json']
  const { stdout } = await run(argv, { files: documents }, long)
  expect(stdout).toContain('→ another text with the same first 10000 characters\n')
})
