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
  'work/settings.json': JSON.stringify(settings),
  'work/rule.json': JSON.stringify({ featureNaming: { pattern: `${'a|'.repeat(10_000)}a` } }),
}

describe('a rule of a million characters', () => {
  test('is complete in the JSON of settings', async () => {
    const { stdout } = await run(['project', 'settings', 'get', 'shop', '--json'])
    expect(JSON.parse(stdout).featureNaming).toEqual({ pattern, example: 'a', description })
  })

  test('makes set ask, because its effect on existing flags is not known', async () => {
    const argv = ['project', 'settings', 'set', 'shop', '--file', 'rule.json', '--no-verify']
    const { code, stderr } = await run(argv, { files: documents }, { pattern: 'b' })
    expect(code).toBe(2)
    expect(stderr).toContain('the pattern is too long to check: 20001 characters, at most 10000')
  })

  test.each([
    ['error: project shop', 'check', '--project', 'shop'],
    ['error', 'diff', '--project', 'shop', '--to', 'pattern:a'],
  ])('makes naming inconclusive (%s: %s)', async (subject, ...argv) => {
    const { code, stdout, stderr } = await run(['naming', ...argv])
    expect([code, stdout]).toEqual([9, ''])
    expect(stderr).toBe(`${subject}: inconclusive: ${tooLong}\nhint: use a shorter rule\n`)
  })

  test('ends naming lint without a verdict', async () => {
    const { code, stdout, stderr } = await run(['naming', 'lint', '--rule', 'rule.json'], {
      files: documents,
    })
    const problem = 'the pattern is too long to check: 20001 characters, at most 10000'
    expect([code, stdout]).toEqual([9, expect.stringContaining(problem)])
    expect(stdout).not.toContain('no errors')
    expect(stderr).toBe(`error: inconclusive: ${problem}\nhint: use a shorter rule\n`)
  })
})

describe('an existing name that cannot be matched in time', () => {
  const slow = '(a+)+b'
  const name = 'a'.repeat(60)

  async function runSlow(...argv: string[]) {
    const server = await serve((response, { url }) => {
      if (url.endsWith('/projects')) return json(response, 200, { projects: [{ id: 'shop' }] })
      if (url.endsWith('/features')) {
        const features = [name, 'ab'].map((flag) => ({ name: flag, environments: [] }))
        return json(response, 200, { features })
      }
      json(response, 200, { mode: 'open', environments: [], featureNaming: { pattern: 'a+' } })
    })
    return flagadm(argv, { env: environment(server.url) })
  }

  test('is undecided in naming diff, which is inconclusive', async () => {
    const argv = ['diff', '--project', 'shop', '--to', `pattern:${slow}`, '--fail-on', 'rejected']
    const { code, stdout, stderr } = await runSlow('naming', ...argv)
    expect(stdout).toContain(`  warning  could not be matched in time  ${name}\n`)
    expect(stdout).toContain('undecided       1 existing name could not be matched in time\n')
    const message = 'error: inconclusive: 1 existing name could not be matched in time\n'
    expect([code, stderr]).toEqual([9, message])
  })

  test('does not count as breaking a rule that is set', async () => {
    const argv = ['set', 'shop', '--naming-pattern', slow, '--no-verify']
    const { code, stderr } = await runSlow('project', 'settings', ...argv)
    expect(code).toBe(2)
    expect(stderr).toContain(`1 of 2 existing flags could not be matched in time: ${name}`)
  })
})

test('the table of settings does not call a rule ok that could not be decided', async () => {
  const undecided = { pattern: '(a*)(?:\\1b)*c(?=.*\\1)' }
  const argv = ['project', 'settings', 'get', 'shop', '-o', 'table']
  const { stdout } = await run(argv, {}, undecided)
  expect(stdout).toContain('cannot-decide')
})
