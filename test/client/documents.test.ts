import { describe, expect, test } from 'vitest'
import { environment, flagadm } from '../support/flagadm.ts'
import { serve, someUsage } from '../support/server.ts'

const usage = ['feature', 'usage', 'some-flag', '-o', 'jsonl']

async function respondWith(type: string, text: string) {
  const server = await serve((response) => {
    if (type) response.setHeader('Content-Type', type)
    response.end(text)
  })
  const { code, stdout, stderr } = await flagadm(usage, { env: environment(server.url) })
  return { code, stdout, stderr: stderr.replaceAll(server.url, 'S').split('\n')[0] }
}

test.each([
  ['9007199254740991', '9007199254740991'],
  ['-3', '-3'],
  ['1.0000000000000000', '1'],
  ['20e-0000000000000001', '2'],
  // Only the raw document keeps the digits of larger ones.
  ['9007199254740993', '9007199254740992'],
  ['0000000000000001', undefined],
  ['1.5', undefined],
  ['1'.repeat(400), undefined],
])('the count %s is read as %s', async (count, read) => {
  const { stdout } = await respondWith('application/json', `{"lastHourUsage":[{"yes":${count}}]}`)
  expect(/"enabled":([^,]*)/.exec(stdout)?.[1]).toBe(read)
})

test('variants keep their names', async () => {
  const variants = '{"__proto__":2,"constructor":1}'
  const { code, stdout } = await respondWith(
    'application/json',
    `{"lastHourUsage":[{"yes":1,"variants":${variants}}]}`,
  )
  expect([code, /"variants":({[^}]*})/.exec(stdout)?.[1]]).toEqual([0, variants])
})

test('the raw document keeps the digits of big counts', async () => {
  const text = '{"lastHourUsage":[{"yes":12345678901234567890}]}'
  const server = await serve((response) => {
    response.setHeader('Content-Type', 'application/json')
    response.end(text)
  })
  const argv = ['feature', 'usage', 'some-flag', '--json']
  const { stdout } = await flagadm(argv, { env: environment(server.url) })
  expect(stdout).toBe(`${text}\n`)
})

describe('a response', () => {
  test.each([
    ['application/json', true],
    ['Application/JSON; charset=utf-8', true],
    ['application/vnd.a-b_c+json', true],
    ['application/+json', false],
    ['application/jsonl', false],
    ['application/x/json', false],
    ['text/application/json', false],
    ['text/json', false],
  ])('with the content type %s is read as JSON: %s', async (type, accepted) => {
    const { code, stderr } = await respondWith(type, JSON.stringify(someUsage))
    const problem = `error: some-flag: S/api/admin/client-metrics/features/some-flag returned ${type} instead of JSON`
    expect([code, stderr]).toEqual(accepted ? [0, ''] : [8, problem])
  })
})

test('every field except lastHourUsage may be null or missing', async () => {
  const nothing = {
    featureName: null,
    appName: null,
    environment: null,
    timestamp: null,
    yes: null,
    no: null,
    variants: null,
  }
  const usage = { version: null, maturity: null, featureName: null, seenApplications: null }
  const text = JSON.stringify({ ...usage, lastHourUsage: [nothing, {}], unknown: 1 })
  const { code, stdout } = await respondWith('application/json', text)
  const row = {
    flag: 'some-flag',
    application: null,
    environment: null,
    timestamp: null,
    enabled: 0,
    disabled: 0,
    variants: {},
  }
  expect([code, JSON.parse(stdout)]).toEqual([0, row])
})

describe('an error shows the field of the wrong type', () => {
  const record = (field: string) => `{"lastHourUsage":[{${field}}]}`
  test.each([
    ['{"version":"1","lastHourUsage":[]}', 'version: expected number'],
    ['{"maturity":1,"lastHourUsage":[]}', 'maturity: expected string'],
    ['{"featureName":1,"lastHourUsage":[]}', 'featureName: expected string'],
    ['{"seenApplications":"a","lastHourUsage":[]}', 'seenApplications: expected Array'],
    ['{"seenApplications":[1],"lastHourUsage":[]}', 'seenApplications[0]: expected string'],
    ['[]', 'document: expected an object'],
    ['{"version":1}', 'lastHourUsage: missing'],
    ['{"lastHourUsage":null}', 'lastHourUsage: expected Array'],
    ['{"lastHourUsage":[1]}', 'lastHourUsage[0]: expected an object'],
    [record('"featureName":1'), 'lastHourUsage[0].featureName: expected string'],
    [record('"appName":1'), 'lastHourUsage[0].appName: expected string'],
    [record('"environment":1'), 'lastHourUsage[0].environment: expected string'],
    [record('"timestamp":1'), 'lastHourUsage[0].timestamp: expected string'],
    [record('"no":"1"'), 'lastHourUsage[0].no: expected an integer'],
    [record('"no":"9007199254740993x"'), 'lastHourUsage[0].no: expected an integer'],
    [record('"no":"x9007199254740993"'), 'lastHourUsage[0].no: expected an integer'],
    [record('"no":[9007199254740993]'), 'lastHourUsage[0].no: expected an integer'],
    [record('"variants":1'), 'lastHourUsage[0].variants: expected an object'],
    ['{"lastHourUsage":[{},{"variants":[1]}]}', 'lastHourUsage[1].variants: expected an object'],
    [record('"variants":{"a":"b"}'), 'lastHourUsage[0].variants: expected integers'],
    [record('"variants":{"a":1,"b":1.5}'), 'lastHourUsage[0].variants: expected integers'],
  ])('in the document %s', async (text, problem) => {
    const { code, stdout, stderr } = await respondWith('application/json', text)
    expect([code, stdout, stderr]).toEqual([
      8,
      '',
      `error: some-flag: S/api/admin/client-metrics/features/some-flag returned JSON of the wrong shape (${problem})`,
    ])
  })
})

test.each([
  ['', '{}', 'no content type instead of JSON'],
  ['application/json', 'NaN', 'JSON that is malformed or cut off'],
  ['application/json', '{"lastHourUsage":[', 'JSON that is malformed or cut off'],
])('a response of type %j with the text %s is refused', async (type, text, problem) => {
  const { code, stderr } = await respondWith(type, text)
  expect([code, stderr]).toEqual([
    8,
    `error: some-flag: S/api/admin/client-metrics/features/some-flag returned ${problem}`,
  ])
})

test.each([
  [usage.with(2, '\ud800'), 'flag name'],
  [['project', 'settings', 'set', '\ud800', '--mode', 'open'], 'project id'],
])('a name with half of a surrogate pair is refused: %j', async (argv, what) => {
  const { code, stderr } = await flagadm(argv, { env: environment('https://x.test') })
  expect([code, stderr]).toEqual([
    2,
    `error: the ${what} is not valid Unicode\nhint: check how the text is encoded\n`,
  ])
})
