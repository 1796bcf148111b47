import { describe, expect, it, test } from 'vitest'
import { CANARY, environment, flagadm } from '../support/flagadm.ts'
import { anyJson, serve } from '../support/server.ts'

/** Runs `flagadm api` on a service that returns a text as JSON. */
async function api(argv: readonly string[], body = '{}', status = 200) {
  const { url, received } = await serve((response) => anyJson(response, status, body))
  const outcome = await flagadm(['api', ...argv], { env: environment(url) })
  const asked = received.map(({ method, url: path }) => `${method} ${path}`)
  return { ...outcome, stderr: outcome.stderr.replaceAll(url, 'S'), asked }
}

describe('flagadm api', () => {
  it.each([
    ['projects', '/api/admin/projects'],
    ['/projects', '/api/admin/projects'],
    ['/api/admin/projects', '/api/admin/projects'],
    ['api/admin/projects/', '/api/admin/projects/'],
    [
      'search/events?limit=2&type=IS:feature-created',
      '/api/admin/search/events?limit=2&type=IS:feature-created',
    ],
    ['projects/a b', '/api/admin/projects/a%20b'],
    ['projects/:id?a=b?c', '/api/admin/projects/%3Aid?a=b?c'],
    ['projects/a%2Fb', '/api/admin/projects/a%2Fb'],
    ['administration', '/api/admin/administration'],
  ])('reads %s at %s', async (path, asked) => {
    expect(await api([path])).toMatchObject({ code: 0, stdout: '{}\n', asked: [`GET ${asked}`] })
  })

  it.each([
    ['https://u.test/api/admin/user', 'is an address'],
    ['//u.test/user', 'is an address'],
    ['/%2Fu.test/user', 'is an address'],
    ['../client/features', 'leads out'],
    ['projects/%2e%2e/%2E./client', 'leads out'],
    ['projects/%252e%252e/x', 'leads out'],
    ['projects/..%2f..', 'leads out'],
    ['./projects', 'leads out'],
    ['projects\\..\\x', 'contains a backslash or a control character'],
    ['projects%5cx', 'contains a backslash or a control character'],
    ['projects%0d%0aX', 'contains a backslash or a control character'],
    ['projects#x', 'contains a #'],
    ['projects//x', 'has an empty part'],
    ['', 'has an empty part'],
    ['/api/client/features', 'is outside of the admin API'],
    ['api%2Fclient/features', 'is outside of the admin API'],
    ['api', 'is outside of the admin API'],
  ])('refuses %j', async (path, problem) => {
    expect(await api([path])).toMatchObject({
      code: 2,
      stderr: `error: '${path.replaceAll('\\', '\\')}' ${problem}\nhint: use a path of the admin API, such as projects or search/events?limit=10\n`,
      asked: [],
    })
  })

  it('does not show the password of an address that it refuses', async () => {
    expect((await api(['https://ada:pw@u.test/api/admin/user'])).stderr).toContain(
      "error: 'https://[redacted]@u.test/api/admin/user' is an address\n",
    )
  })

  it('refuses an invalid % escape', async () => {
    const { code, stderr } = await api(['projects/%zz'])
    expect([code, stderr]).toEqual([
      2,
      "error: 'projects/%zz' has an invalid % escape\nhint: write it as %25\n",
    ])
  })

  it('prints the document as it is', async () => {
    const body =
      '{"b": 12345678901234567890.10,\n "a":[true,null,""],"__proto__":{"x":1e5}, "b":"\\u001b"}'
    expect((await api(['x'], body)).stdout).toBe(`${body}\n`)
  })

  it('prints long texts that look like the beginnings of secrets', async () => {
    const texts = ['a', '-', '://a:', 'a:', 'eyJaaaaaaaa-', 'Bearer ', '*:a.', '[']
    const document = JSON.stringify(texts.map((text) => `://${text.repeat(500_000 / text.length)}`))
    expect(await api(['x'], document)).toMatchObject({ code: 0, stdout: `${document}\n` })
  })

  it('says which path may be wrong', async () => {
    expect(await api(['nothing'], '{"message":"not here"}', 404)).toMatchObject({
      code: 6,
      stderr: 'error: 404: not here\nhint: check the path; the service may lack this operation\n',
    })
  })

  it('has no other methods', async () => {
    expect((await api(['projects', '-X', 'POST'])).code).toBe(2)
  })
})

const hex = '0123456789abcdef0123456789abcdef'

describe('secrets in documents', () => {
  test.each<[string, unknown, unknown]>([
    [
      'a secret and an alias of a token',
      { tokens: [{ secret: 'abc', alias: 'x', tokenName: 'ci', hasToken: true }] },
      { tokens: [{ secret: '[redacted]', alias: '[redacted]', tokenName: 'ci', hasToken: true }] },
    ],
    [
      'the fields of other secrets',
      {
        a: {
          password: 'p',
          apiKey: 1,
          accessToken: 'a',
          client_secret: 'b',
          'license-key': 'c',
          customHeaders: '{"x":"y"}',
          Authorization: 'd',
          certificate: 'e',
        },
      },
      {
        a: Object.fromEntries(
          [
            'password',
            'apiKey',
            'accessToken',
            'client_secret',
            'license-key',
            'customHeaders',
            'Authorization',
            'certificate',
          ].map((name) => [name, '[redacted]']),
        ),
      },
    ],
    [
      'everything below such a field',
      { secret: { a: ['b', 1, true, null, ''] } },
      { secret: { a: ['[redacted]', '[redacted]', true, null, ''] } },
    ],
    [
      'addresses of webhooks',
      { events: [{ details: { url: 'https://hooks.test/T1/B2' } }], url: 'https://a.test' },
      { events: [{ details: { url: '[redacted]' } }], url: 'https://a.test' },
    ],
    [
      'links that let people in',
      { a: `https://u.test/new-user?invite=${hex}&x=1` },
      { a: 'https://u.test/new-user?invite=[redacted]&x=1' },
    ],
    [
      'tokens in texts',
      { a: `the key shop:production.${hex} of *:*.${hex}` },
      { a: 'the key [redacted] of [redacted]' },
    ],
    ['personal tokens', [`user:${hex}`], ['[redacted]']],
    [
      'keys that an administrator chose',
      ['*:*.unleash-insecure-admin-api-token', 'default:development.unleash-insecure-api-token'],
      ['[redacted]', '[redacted]'],
    ],
    ['names of fields', { [`*:*.${hex}`]: 1 }, { '[redacted]': 1 }],
    ['credentials in addresses', ['https://me:pass@a.test/x'], ['https://[redacted]@a.test/x']],
    ['headers', ['Bearer abcdefghijkl'], ['[redacted]']],
    [
      'nothing else',
      {
        id: hex,
        time: '2026-01-05T10:00:00.000Z',
        type: 'feature-created',
        name: 'shop:pay.v2',
        at: 'IS:2026-01-01',
      },
      {
        id: hex,
        time: '2026-01-05T10:00:00.000Z',
        type: 'feature-created',
        name: 'shop:pay.v2',
        at: 'IS:2026-01-01',
      },
    ],
  ])('masks %s', async (_, document, expected) => {
    const { stdout } = await api(['x'], JSON.stringify(document))
    expect(JSON.parse(stdout)).toEqual(expected)
  })

  it('masks escaped texts, and the key itself', async () => {
    const escaped = `*:*.${hex}`.replaceAll('*', '\\u002a')
    const { stdout } = await api(['x'], `{"s\\u0065cret":"abc","a":"${escaped}","b":"${CANARY}"}`)
    expect(JSON.parse(stdout)).toEqual({ secret: '[redacted]', a: '[redacted]', b: '[redacted]' })
  })
})
