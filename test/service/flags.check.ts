import { beforeAll, describe, expect, test } from 'vitest'
import { run } from './cases/target.ts'
import { admin, createFlag, createProject, read, realTarget } from './service.ts'
import { report } from './usage.ts'

// The service stores every half minute which flags were seen.
const storedWithin = 240_000
const longEnough = { timeout: 400_000 }
const id = 'flags'

function list(...argv: string[]) {
  return run(realTarget(), ['feature', 'list', '--project', id, ...argv])
}

async function names(...argv: string[]): Promise<string[]> {
  const { stdout } = await list(...argv, '-o', 'names')
  return stdout === '' ? [] : stdout.trimEnd().split('\n')
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

interface Listed {
  name: string
  environments: { lastSeenAt: string | null }[]
}

/** Reports usage of a flag until the service has stored that it was seen. */
async function makeSeen(flag: string): Promise<void> {
  const end = Date.now() + storedWithin
  const isStored = async () => {
    const { features } = await read(`/api/admin/projects/${id}/features`)
    const { environments } = features.find(({ name }: Listed) => name === flag)
    return environments.some(
      ({ lastSeenAt }: Listed['environments'][number]) => lastSeenAt !== null,
    )
  }
  while (!(await isStored())) {
    // The service ignores a report of a flag that is too new for its cache of names.
    await report(flag, 'web-shop', { environment: 'production' })
    if (Date.now() > end) throw new Error(`the service does not store that ${flag} was seen`)
    await pause(5_000)
  }
}

const pattern = 'flags-[a-z]+'

beforeAll(async () => {
  await createProject(id, 'Flags')
  await createFlag('flags-seen', { development: 100 }, id)
  for (const name of ['flags-unseen', 'Flags-odd', 'flags-archived', 'flags-stale']) {
    await createFlag(name, {}, id)
  }
  const path = `/api/admin/projects/${id}`
  const stale = await admin('POST', `${path}/stale`, { features: ['flags-stale'], stale: true })
  expect(stale.status).toBe(202)
  const archived = await admin('POST', `${path}/archive`, { features: ['flags-archived'] })
  expect(archived.status).toBe(202)
  const settings = { mode: 'open', featureNaming: { pattern } }
  expect((await admin('PUT', `${path}/settings`, settings)).status).toBe(200)
  await makeSeen('flags-seen')
}, longEnough.timeout)

describe('feature list reads the flags of the real service', longEnough, () => {
  test.each([
    [[], ['Flags-odd', 'flags-seen', 'flags-stale', 'flags-unseen']],
    [['--never-seen'], ['Flags-odd', 'flags-stale', 'flags-unseen']],
    [['--not-seen-for=30d'], ['Flags-odd', 'flags-stale', 'flags-unseen']],
    [['--never-seen', '--environment', 'development', '--name', '*-seen'], ['flags-seen']],
    [['--never-seen', '--environment', 'production', '--name', '*-seen'], []],
    [['--stale'], ['flags-stale']],
    [['--type', 'experiment'], []],
  ])('with %j', async (argv, expected) => {
    expect(await names(...argv)).toEqual(expected)
  })

  test('with all fields of each', async () => {
    const { stdout } = await list('--name', 'flags-seen', '-o', 'jsonl')
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(JSON.parse(stdout)).toEqual({
      project: id,
      name: 'flags-seen',
      type: 'release',
      stale: false,
      createdAt: time,
      environments: [
        { name: 'development', enabled: true, lastSeenAt: null },
        { name: 'production', enabled: false, lastSeenAt: time },
      ],
    })
  })

  test('as the document of the service', async () => {
    const { stdout } = await list('--json')
    expect(JSON.parse(stdout)).toEqual(await read(`/api/admin/projects/${id}/features`))
  })

  test('but not of an unknown project', async () => {
    const { code, stderr } = await run(realTarget(), ['feature', 'list', '--project', 'flgs'])
    expect(code).toBe(6)
    expect(stderr).toMatch(/^error: unknown project 'flgs'\nhint: the service lists: default\n$/)
  })

  test('of the projects that the open-source build lists', async () => {
    const argv = ['feature', 'list', '--all-projects', '-o', 'csv']
    const { code, stdout, stderr } = await run(realTarget(), argv)
    expect([code, stderr]).toEqual([
      0,
      'warning: the open-source edition lists only the project default; pass the ids of others\n',
    ])
    const others = stdout
      .split('\r\n')
      .slice(1, -1)
      .filter((line) => !line.startsWith('default,'))
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
    const argv = ['flags-new', 'flags-seen', 'flags-archived', 'Flags-new', '--available', '--json']
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
      { name: 'flags-seen', project: 'flags', reasons: taken },
      { name: 'flags-archived', project: 'flags', reasons: taken },
    ])
    expect((await check('flags-new', '--available')).code).toBe(0)
  })

  test('which refuses names that break its own rule, even if another rule was given', async () => {
    const { code, stdout } = await check('zzz', '--available', '--pattern', '.*')
    expect(code).toBe(9)
    expect(stdout).toMatch(/^ {2}error {2}is refused by the service: .* {2}zzz\n/)
  })
})

test('naming diff compares the stored rule with a new one, for the flags of the project', async () => {
  const argv = ['naming', 'diff', '--project', id, '--to', 'pattern:[Ff]lags-[a-z]+', '--json']
  expect(JSON.parse((await run(realTarget(), argv)).stdout)).toMatchObject({
    relation: 'wider',
    compared: 4,
    newlyAccepted: { uses: [{ name: 'Flags-odd' }] },
  })
})
