import { beforeAll, describe, expect, test } from 'vitest'
import { words } from '../support/text.ts'
import { run } from './cases/target.ts'
import { admin, createFlag, createProject, realTarget } from './service.ts'

const longEnough = { timeout: 180_000 }
const id = 'flags'

function list(...argv: string[]) {
  return run(realTarget(), ['feature', 'list', '--project', id, ...argv])
}

const pattern = 'flags-[a-z]+'

beforeAll(async () => {
  await createProject(id, 'Flags')
  await createFlag('flags-on', { development: 100 }, id)
  for (const name of ['flags-off', 'Flags-odd', 'flags-archived', 'flags-stale']) {
    await createFlag(name, {}, id)
  }
  const path = `/api/admin/projects/${id}`
  const stale = await admin('POST', `${path}/stale`, { features: ['flags-stale'], stale: true })
  expect(stale.status).toBe(202)
  const archived = await admin('POST', `${path}/archive`, { features: ['flags-archived'] })
  expect(archived.status).toBe(202)
  const settings = { mode: 'open', featureNaming: { pattern } }
  expect((await admin('PUT', `${path}/settings`, settings)).status).toBe(200)
}, longEnough.timeout)

describe('feature list reads the flags of the real service', longEnough, () => {
  test.each([
    ['', ['Flags-odd', 'flags-off', 'flags-on', 'flags-stale']],
    ['--never-seen --name flags-o*', ['flags-off', 'flags-on']],
    ['--stale', ['flags-stale']],
    ['--type experiment', []],
  ])('with %j', async (argv, expected) => {
    const { stdout } = await list(...words(argv), '-o', 'names')
    expect(stdout).toBe(expected.map((name) => `${name}\n`).join(''))
  })

  test('with all fields of each', async () => {
    const { stdout } = await list('--name', 'flags-on', '-o', 'jsonl')
    const createdAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const facts = { type: 'release', stale: false, createdAt, flagLastSeenAt: null }
    const flag = { project: id, name: 'flags-on', ...facts }
    const rows = stdout.trimEnd().split('\n')
    expect(rows.map((row) => JSON.parse(row))).toEqual([
      { ...flag, environment: 'development', enabled: true, lastSeenAt: null },
      { ...flag, environment: 'production', enabled: false, lastSeenAt: null },
    ])
  })

  test('but not of an unknown project', async () => {
    const { code, stderr } = await run(realTarget(), ['feature', 'list', '--project', 'flgs'])
    expect(code).toBe(6)
    expect(stderr).toMatch(/^error: unknown project 'flgs'\nhint: the service lists: default\n$/)
  })

  test('of the projects that the open-source build lists', async () => {
    const argv = ['feature', 'list', '--all-projects', '-o', 'csv']
    const { code, stdout, stderr } = await run(realTarget(), argv)
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        'warning: the open-source edition lists only the project default; pass the ids of others\n',
    })
    const others = stdout
      .split('\r\n')
      .slice(1, -1)
      .filter((line) => line.split(',')[1] !== 'default')
    expect(others).toEqual([])
  })
})

describe('naming check asks the real service', longEnough, () => {
  const check = (...argv: string[]) =>
    run(realTarget(), ['naming', 'check', ...argv, '--project', id])

  test('for the rule and the flags', async () => {
    const { code, stdout } = await check('--json')
    expect(code).toBe(9)
    expect(JSON.parse(stdout)).toMatchObject({
      rule: { pattern },
      checked: 4,
      violations: [{ name: 'Flags-odd', suggestion: 'flags-odd' }],
    })
  })

  test('whether names are available', async () => {
    const argv = ['flags-new', 'flags-on', 'flags-archived', 'Flags-new', '--available', '--json']
    const { code, stdout } = await check(...argv)
    expect(code).toBe(9)
    const taken = ['is taken by a flag or an archived flag']
    expect(JSON.parse(stdout).violations).toEqual([
      {
        name: 'Flags-new',
        project: 'flags',
        reasons: [`does not match ^${pattern}$`],
        suggestion: 'flags-new',
      },
      { name: 'flags-on', project: 'flags', reasons: taken },
      { name: 'flags-archived', project: 'flags', reasons: taken },
    ])
    expect((await check('flags-new', '--available')).code).toBe(0)
  })

  test('which refuses names that break its own rule, even if another rule was given', async () => {
    const { code, stdout } = await check('zzz', '--available', '--pattern', '.*')
    expect(code).toBe(9)
    expect(stdout).toMatch(/^ {2}error {2}zzz {2}is refused by the service: .*\n/)
  })
})

test('naming diff compares the stored rule with a new one, for the flags of the project', async () => {
  const argv = ['naming', 'diff', '--project', id, '--pattern', '[Ff]lags-[a-z]+', '--json']
  expect(JSON.parse((await run(realTarget(), argv)).stdout)).toMatchObject({
    relation: 'wider',
    compared: 4,
    newlyAccepted: { uses: [{ name: 'Flags-odd' }] },
  })
})
