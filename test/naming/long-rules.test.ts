import { describe, expect, test } from 'vitest'
import { environment, flagadm, type World } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'

const pattern = `${'a|'.repeat(50_000)}a`
const description = 'why\n'.repeat(25_000)
const name = 'a'.repeat(60)

/** Runs flagadm against a service with the project `shop`, its rule and the flags `name` and `ab`. */
async function run(argv: readonly string[], naming: object, world: World = {}) {
  const { url } = await serve((response, { url }) => {
    if (url.endsWith('/projects')) return json(response, 200, { projects: [{ id: 'shop' }] })
    if (url.endsWith('/features')) {
      const features = [name, 'ab'].map((flag) => ({ name: flag, environments: [] }))
      return json(response, 200, { features })
    }
    const project = { mode: 'open', environments: [], linkTemplates: [] }
    return json(response, 200, { ...project, featureNaming: naming })
  })
  return flagadm(argv, { ...world, env: environment(url) })
}

describe('a rule of a hundred thousand characters', () => {
  const long = { pattern, example: 'a', description }
  const rule = JSON.stringify({ featureNaming: { pattern: `${'a|'.repeat(10_000)}a` } })
  const files = { 'work/rule.json': rule }
  const problem = 'the pattern is too long to check: 20001 characters, at most 10000'

  test('makes set ask, because its effect on existing flags is not known', async () => {
    const argv = ['project', 'settings', 'set', 'shop', '--file', 'rule.json', '--no-verify']
    const { code, stderr } = await run(argv, { pattern: 'b' }, { files })
    expect([code, stderr]).toEqual([2, expect.stringContaining(problem)])
  })

  test.each([
    ['error: project shop', 'check', '--project', 'shop'],
    ['error', 'diff', '--project', 'shop', '--pattern', 'a'],
  ])('makes naming inconclusive (%s: %s)', async (subject, ...argv) => {
    expect(await run(['naming', ...argv], long)).toMatchObject({
      code: 9,
      stdout: '',
      stderr: `${subject}: inconclusive: ${problem.replace('20001', '100001')}\nhint: use a shorter rule\n`,
    })
  })

  test('ends naming lint without a verdict', async () => {
    const argv = ['naming', 'lint', '--rule', 'rule.json']
    const { code, stdout, stderr } = await flagadm(argv, { files })
    expect([code, stdout]).toEqual([9, expect.stringContaining(problem)])
    expect(stdout).not.toContain('no errors')
    expect(stderr).toBe(`error: inconclusive: ${problem}\nhint: use a shorter rule\n`)
  })
})

test('naming diff is inconclusive if existing names cannot be matched', async () => {
  const pattern = `${'()'.repeat(1001)}a+b`
  const argv = ['diff', '--project', 'shop', '--pattern', pattern, '--fail-on', 'rejected']
  const { code, stdout, stderr } = await run(['naming', ...argv], { pattern: 'a+' })
  expect(stdout).toContain(`  warning  ${name}  could not be matched in time\n`)
  expect(stdout).toContain('undecided       2 existing names could not be matched in time\n')
  const message = 'error: inconclusive: 2 existing names could not be matched in time\n'
  expect([code, stderr]).toEqual([9, message])
})

test('an existing name that cannot be matched in time does not count as breaking a rule that is set', async () => {
  const pattern = '(a+)+b'
  const argv = ['project', 'settings', 'set', 'shop', '--pattern', pattern, '--no-verify']
  const { code, stderr } = await run(argv, { pattern: 'a+' })
  const text = `1 of 2 existing flags could not be matched in time: ${name}`
  expect([code, stderr]).toEqual([2, expect.stringContaining(text)])
})
