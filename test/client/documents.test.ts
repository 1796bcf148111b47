import { describe, expect, it } from 'vitest'
import { environment, flagadm } from '../support/flagadm.ts'
import { serve, someUsage } from '../support/server.ts'
import { ending } from '../support/text.ts'

const usage = ['feature', 'usage', 'some-flag', '-o', 'jsonl']
const path = 'S/api/admin/client-metrics/features/some-flag'

async function respondWith(type: string, text: string, argv: readonly string[] = usage) {
  const server = await serve((response) => {
    if (type) response.setHeader('Content-Type', type)
    response.end(text)
  })
  const { code, stdout, stderr } = await flagadm(argv, { env: environment(server.url) })
  return { code, stdout, stderr: stderr.replaceAll(server.url, 'S').split('\n')[0] }
}

const record = (fields: string) => `{"lastHourUsage":[{${fields}}]}`

it.each([
  ['9007199254740991', '9007199254740991'],
  ['1.0000000000000000', '1'],
  ['20e-0000000000000001', '2'],
  // Only the raw document keeps the digits of larger ones.
  ['9007199254740993', '9007199254740992'],
  ['1.5', undefined],
  ['1'.repeat(400), undefined],
])('the count %s is read as %s', async (count, read) => {
  const { stdout } = await respondWith('application/json', record(`"yes":${count}`))
  expect(/"enabled":([^,]*)/.exec(stdout)?.[1]).toBe(read)
})

it('variants keep their names, and the raw document the digits of big counts', async () => {
  const variants = '{"__proto__":2,"constructor":1}'
  const text = record(`"yes":12345678901234567890,"variants":${variants}`)
  const { stdout } = await respondWith('application/json', text)
  expect(/"variants":({[^}]*})/.exec(stdout)?.[1]).toBe(variants)
  const raw = await respondWith('application/json', text, [...usage.slice(0, 3), '--json'])
  expect(raw.stdout).toBe(`${text}\n`)
})

it('every field except lastHourUsage may be null or missing', async () => {
  const fields = ['featureName', 'appName', 'environment', 'timestamp', 'yes', 'no', 'variants']
  const nothing = Object.fromEntries(fields.map((field) => [field, null]))
  const usage = { version: null, maturity: null, featureName: null, seenApplications: null }
  const text = JSON.stringify({ ...usage, lastHourUsage: [nothing, {}], unknown: 1 })
  const { code, stdout } = await respondWith('application/json', text)
  const counts = { enabled: 0, disabled: 0, variants: {} }
  const row = { flag: 'some-flag', application: null, environment: null, timestamp: null }
  const [first = ''] = stdout.split('\n')
  expect([code, JSON.parse(first)]).toEqual([0, { ...row, ...counts }])
})

it('is a warning, once for each operation, if it says that it is deprecated', async () => {
  const text = JSON.stringify({ ...someUsage, maturity: 'deprecated' })
  for (const format of ['table', 'json', 'csv']) {
    const argv = ['feature', 'usage', 'some-flag', 'other-flag', '-o', format]
    const { code, stderr } = await respondWith(
      'application/json',
      text.replace('"featureName":"some-flag",', ''),
      argv,
    )
    const warning = `the service says that GET /api/admin/client-metrics/features/:featureName is deprecated: a later version may not have it`
    expect(code).toBe(0)
    expect(stderr).toBe(
      format === 'json' ? `{"warning":{"message":"${warning}"}}` : `warning: ${warning}`,
    )
  }
})

describe('a response is', () => {
  it.each(['application/json', 'Application/JSON; charset=utf-8', 'application/vnd.a-b_c+json'])(
    'read as JSON with the content type %s',
    async (type) => {
      expect(ending(await respondWith(type, JSON.stringify(someUsage)))).toBe('0 ')
    },
  )

  it.each<readonly [string, string, string]>([
    ['application/jsonl', '{}', 'application/jsonl instead of JSON'],
    ['text/application/json', '{}', 'text/application/json instead of JSON'],
    ['', '{}', 'no content type instead of JSON'],
    ['application/json', 'NaN', 'JSON that is malformed or cut off'],
    ['application/json', '{"lastHourUsage":[', 'JSON that is malformed or cut off'],
  ])('refused with the content type %j (%#)', async (type, text, problem) => {
    const { code, stderr } = await respondWith(type, text)
    expect([code, stderr]).toEqual([8, `error: some-flag: ${path} returned ${problem}`])
  })

  const integer = 'lastHourUsage[0].no: expected an integer'
  it.each([
    ['{"maturity":1,"lastHourUsage":[]}', 'maturity: expected string'],
    ['{"seenApplications":[1],"lastHourUsage":[]}', 'seenApplications[0]: expected string'],
    ['[]', 'document: expected an object'],
    ['{"version":1}', 'lastHourUsage: missing'],
    ['{"lastHourUsage":[1]}', 'lastHourUsage[0]: expected an object'],
    [record('"environment":1'), 'lastHourUsage[0].environment: expected string'],
    [record('"no":"1"'), integer],
    [record('"no":"9007199254740993x"'), integer],
    [record('"no":1e308'), 'lastHourUsage[0].no: an integer of more than 64 bits'],
    [record('"no":-1e308'), 'lastHourUsage[0].no: an integer of more than 64 bits'],
    [record('"variants":1'), 'lastHourUsage[0].variants: expected an object'],
    [record('"variants":{"a":1,"b":1.5}'), 'lastHourUsage[0].variants: expected integers'],
    [record('"variants":{"a":1e308}'), 'lastHourUsage[0].variants: integers of more than 64 bits'],
  ])('refused with the document %s', async (text, problem) => {
    const { code, stdout, stderr } = await respondWith('application/json', text)
    const error = `error: some-flag: ${path} returned JSON of the wrong shape (${problem})`
    expect({ code, stdout, stderr }).toEqual({
      code: 8,
      stdout: '',
      stderr: error,
    })
  })
})

const page = '<!doctype html><h1>Not found</h1>'

it.each([
  'feature usage some-flag',
  'feature usage some-flag --since 48h',
  'feature list --project default',
  'feature review --project default',
  'project list',
  'project settings get default',
  'project settings set default --mode open --yes',
  'naming lint --project default',
  'naming check a --project default',
])('%s says of a page with 404 what it says of any 404', async (line) => {
  const { url } = await serve((response) => {
    response.writeHead(404, { 'Content-Type': 'text/html; charset=utf-8' }).end(page)
  })
  const { code, stdout, stderr } = await flagadm(line.split(' '), { env: environment(url) })
  expect(code).toBe(6)
  expect(stdout + stderr).toMatch(/404: no error message from http:\/\/\S+ \(text\/html/)
  expect(stdout + stderr).toMatch(/hint: check the (name and the )?address/)
})

it.each([401, 403])('after %i, a client or frontend token is called that', async (status) => {
  const { url } = await serve((response) => {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end('{"message":"no"}')
  })
  const env = environment(url, 'default:development.0123456789abcdef')
  const { stderr } = await flagadm(['feature', 'list', '--project', 'default'], { env })
  expect(stderr).toContain(
    '\nhint: the API key is a client or frontend token: use an admin token, a service account token',
  )
})
