import { describe, expect, test } from 'vitest'
import { environment, flagadm, type World } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'

interface Stored {
  pattern?: string | null
  flags?: string[]
}

// Flags that no project lists, such as archived ones.
const archived = ['shop-archived']

/** A service with the project `shop`. */
function service({ pattern = 'shop-[a-z]+', flags = ['shop-a', 'Shop-b'] }: Stored = {}) {
  return serve((response, { method, url, body }) => {
    if (url.endsWith('/projects')) return json(response, 200, { projects: [{ id: 'shop' }] })
    if (url.endsWith('/shop/overview')) {
      const featureNaming = { pattern, example: 'shop-x', description: null }
      return json(response, 200, { environments: [], featureNaming })
    }
    if (url.endsWith('/shop/features')) {
      return json(response, 200, { features: flags.map((name) => ({ name, environments: [] })) })
    }
    if (method !== 'POST') return json(response, 404, { message: 'No project found' })
    const { name } = JSON.parse(body)
    if ([...flags, ...archived].includes(name)) {
      return json(response, 409, { name: 'NameExistsError', message: 'exists' })
    }
    if (/[^\w-]/.test(name)) {
      const details = [{ message: '"name" must be URL friendly' }]
      return json(response, 400, { name: 'BadDataError', message: 'failed', details })
    }
    return response.writeHead(200).end()
  })
}

async function naming(argv: readonly string[], stored?: Stored, world: World = {}) {
  const server = await service(stored)
  const { code, stdout, stderr } = await flagadm(['naming', ...argv], {
    ...world,
    env: environment(server.url),
  })
  const asked = server.received.map(({ method, url, body }) =>
    method === 'GET' ? url.replace('/api/admin/', '') : JSON.parse(body).name,
  )
  return { code, stdout, stderr, asked }
}

const shop = ['--project', 'shop']

describe('naming check --project', () => {
  test('checks the flags of the project against its stored rule', async () => {
    const { code, stdout, stderr, asked } = await naming(['check', ...shop])
    expect([code, stdout, stderr]).toEqual([
      9,
      '  error  does not match ^shop-[a-z]+$  Shop-b  did you mean shop-b\n✗ 2 names checked: 1 failed\n',
      'error: 1 of 2 names breaks the rule\n',
    ])
    expect(asked).toEqual(['projects/shop/overview', 'projects/shop/features'])
  })

  test('checks the flags of the project against another rule', async () => {
    const { code, stdout } = await naming(['check', ...shop, '--pattern', '[Ss]hop-.+'])
    expect([code, stdout]).toEqual([0, '✓ 2 names checked: all follow the rule\n'])
  })

  test('checks given names against the stored rule', async () => {
    const { code, stdout, asked } = await naming(['check', 'shop-new', ...shop])
    expect([code, stdout]).toEqual([0, '✓ 1 name checked: all follow the rule\n'])
    expect(asked).toEqual(['projects/shop/overview'])
  })

  test('checks names in a list and in source code against the stored rule', async () => {
    const files = { 'work/names': 'shop-x\n', 'work/src/a.js': "isEnabled('web')\n" }
    const argv = ['check', ...shop, '--names-from', 'names', '--scan', 'src']
    const { code, stdout } = await naming(argv, {}, { files })
    expect([code, stdout]).toEqual([
      9,
      'src/a.js\n  1:12  error  does not match ^shop-[a-z]+$  web  did you mean shop-web\n✗ 2 names checked: 1 failed\n',
    ])
  })

  test('prefers the stored rule to the one in the project configuration', async () => {
    const files = { 'work/.flagadmrc.yaml': 'naming:\n  pattern: x\n' }
    const { code } = await naming(['check', 'shop-new', ...shop], {}, { files })
    expect(code).toBe(0)
  })

  test('reports the stored rule in JSON', async () => {
    const { stdout } = await naming(['check', 'shop-new', ...shop, '--json'])
    expect(JSON.parse(stdout)).toEqual({
      rule: { pattern: 'shop-[a-z]+', example: 'shop-x' },
      checked: 1,
      violations: [],
      staleAllowed: [],
      unresolved: 0,
    })
  })

  test.each([null, ''])('requires a rule where the stored pattern is %j', async (pattern) => {
    const { code, stderr } = await naming(['check', ...shop], { pattern })
    expect([code, stderr]).toEqual([
      2,
      'error: project shop has no naming rule\nhint: use --rule <file> or --pattern <regex>, or set a rule for the project\n',
    ])
  })

  test('refuses a stored pattern that does not compile', async () => {
    const { code, stderr } = await naming(['check', ...shop], { pattern: '(' })
    expect([code, stderr.split('\n')[0]]).toEqual([
      2,
      'error: project shop: pattern: not a valid regular expression: Unterminated group',
    ])
  })

  test('fails for an unknown project', async () => {
    const { code, stderr } = await naming(['check', '--project', 'shp', '--pattern', 'a'])
    expect([code, stderr]).toEqual([
      6,
      "error: unknown project 'shp'\nhint: did you mean 'shop'?\n",
    ])
  })

  test('fails for a project without flags, unless that is allowed', async () => {
    expect((await naming(['check', ...shop], { flags: [] })).code).toBe(2)
    expect((await naming(['check', ...shop, '--allow-empty'], { flags: [] })).code).toBe(0)
  })
})

describe('naming check --available', () => {
  const available = ['--available', ...shop]

  test('accepts names that a new flag could have', async () => {
    const { code, stdout, asked } = await naming(['check', 'shop-new', 'shop-more', ...available])
    expect([code, stdout]).toEqual([0, '✓ 2 names checked: all can be used for new flags\n'])
    expect(asked.slice(1).sort()).toEqual(['shop-more', 'shop-new'])
  })

  test('reports names that are taken, and sends only those that follow the rule', async () => {
    const argv = ['check', 'shop-archived', 'Shop-new', 'shop-a', 'shop-c', ...available]
    const { code, stdout, stderr, asked } = await naming(argv)
    expect(code).toBe(9)
    expect(stdout).toBe(
      '  error  does not match ^shop-[a-z]+$            Shop-new       did you mean shop-new\n' +
        '  error  is taken by a flag or an archived flag  shop-archived\n' +
        '  error  is taken by a flag or an archived flag  shop-a\n' +
        '✗ 4 names checked: 3 failed\n',
    )
    expect(stderr).toBe('error: 3 of 4 names cannot be used for new flags\n')
    expect(asked.slice(1).sort()).toEqual(['shop-a', 'shop-archived', 'shop-c'])
  })

  test("shows the service's reason if it refuses a name that is not taken", async () => {
    const { code, stdout } = await naming(['check', "it's", ...available, '--pattern', '.*'])
    expect([code, stdout]).toEqual([
      9,
      '  error  is refused by the service: "name" must be URL friendly  it\'s\n✗ 1 name checked: 1 failed\n',
    ])
  })

  test('sends a name in several places once, and reports each place', async () => {
    const files = { 'work/a.js': "isEnabled('shop-a')\nisEnabled('shop-a')\n" }
    const argv = ['check', '--scan', 'a.js', ...available, '-o', 'github']
    const { stdout, asked } = await naming(argv, {}, { files })
    expect(stdout.match(/is taken/g)).toHaveLength(2)
    expect(asked.slice(1)).toEqual(['shop-a'])
  })

  test('does not send ignored names', async () => {
    const files = { 'work/legacy': 'shop-a\n' }
    const argv = ['check', 'shop-a', ...available, '--allow', 'legacy']
    const { code, asked } = await naming(argv, {}, { files })
    expect([code, asked]).toEqual([0, ['projects/shop/overview']])
  })

  test('refuses names that break the list of flags, without asking', async () => {
    const names = ['constructor', '__proto__', 'shop-new']
    const argv = ['check', ...names, ...available, '--pattern', '.*', '-o', 'names']
    const { code, stdout, asked } = await naming(argv)
    expect([code, stdout]).toEqual([9, 'constructor\n__proto__\n'])
    expect(asked.slice(1)).toEqual(['shop-new'])
  })

  test('marks the JSON report', async () => {
    const { stdout } = await naming(['check', 'shop-a', ...available, '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      available: true,
      violations: [{ name: 'shop-a', reasons: ['is taken by a flag or an archived flag'] }],
    })
  })

  test.each([
    [['a', '--available'], '--available requires --project'],
    [available, '--available requires names'],
  ])('refuses %j', async (argv, message) => {
    const { code, stderr, asked } = await naming(['check', ...argv])
    expect([code, stderr.split('\n')[0], asked]).toEqual([2, `error: ${message}`, []])
  })

  test('asks for one name at a time with a profile that has concurrency 1', async () => {
    let open = 0
    let most = 0
    const { url } = await serve(async (response, { method, url }) => {
      if (method === 'GET') return json(response, 200, url.endsWith('/shop/overview') ? {} : [])
      most = Math.max(most, ++open)
      // Other requests have arrived after some turns of the event loop.
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
      open--
      response.writeHead(200).end()
    })
    const profile = `defaultProfile: a\nprofiles:\n  a:\n    baseUrl: ${url}\n    apiKey: k\n    concurrency: 1\n`
    const files = { 'home/.config/flagadm/config.yaml': profile }
    const argv = ['naming', 'check', 'a', 'b', 'c', 'd', '--pattern', '.*', ...available]
    const { code } = await flagadm(argv, { files })
    expect([code, most]).toEqual([0, 1])
  })

  test('works with a profile that only a project file chose, because it changes nothing', async () => {
    const server = await service()
    const profile = `baseUrl: ${server.url}\napiKey: literal-key-of-the-project\n`
    const { code, stdout } = await flagadm(['naming', 'check', 'shop-new', ...available], {
      files: { 'work/.flagadmrc.yaml': profile },
    })
    expect([code, stdout]).toEqual([0, '✓ 1 name checked: all can be used for new flags\n'])
  })
})

describe('naming diff --project', () => {
  const files = { 'work/naming.yaml': 'featureNaming:\n  pattern: "[Ss]hop-[a-z]+"\n' }

  test('compares the stored rule with a new one, for the flags of the project', async () => {
    const argv = ['diff', ...shop, '--to', 'naming.yaml', '--json']
    const { code, stdout } = await naming(argv, {}, { files })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      relation: 'wider',
      newlyAccepted: { uses: [{ name: 'Shop-b' }] },
      newlyRejected: { uses: [] },
      compared: 2,
    })
  })

  test('treats a project without a stored rule as accepting every name', async () => {
    const argv = ['diff', ...shop, '--to', 'naming.yaml', '--fail-on', 'rejected']
    const stored = { pattern: null, flags: ['web', 'shop-a'] }
    const { code, stdout, stderr } = await naming(argv, stored, { files })
    expect([code, stderr]).toEqual([9, 'error: existing names become rejected\n'])
    expect(stdout).toContain('web')
  })

  test('uses --from and given names instead of those of the project', async () => {
    const argv = ['diff', ...shop, '--to', 'naming.yaml', '--from', 'pattern:a', '--json']
    const { stdout } = await naming(argv, {}, { files })
    expect(JSON.parse(stdout)).toMatchObject({ relation: 'disjoint', compared: 2 })
    const listed = await naming(
      ['diff', ...shop, '--to', 'naming.yaml', '--names-from', '-', '--json'],
      {},
      { files, stdin: 'Shop-z\n' },
    )
    expect(JSON.parse(listed.stdout)).toMatchObject({
      newlyAccepted: { uses: [{ name: 'Shop-z' }] },
      compared: 1,
    })
  })

  test('requires an old rule', async () => {
    const { code, stderr } = await naming(['diff', '--to', 'pattern:a'])
    expect([code, stderr]).toEqual([
      2,
      'error: no old rule given\nhint: use --from <rule>, or --project <id> for the stored rule of a project\n',
    ])
  })
})
