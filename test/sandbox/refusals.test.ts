import { expect, test } from 'vitest'
import { call, done, put, refusal, usage, withSandbox } from './support.ts'

const settingsPath = '/api/admin/projects/default/settings'
const usagePath = '/api/admin/client-metrics/features/unused'
const unauthenticated = refusal(
  401,
  'AuthenticationRequired',
  'You must send one of the API keys of this sandbox in Authorization',
)

test.each([
  ['no key', null],
  ['an empty key', ''],
  ['a wrong key', '*:*.0123'],
  ['a scheme before the key', 'Bearer *:*.5a9db0c500000000000000000000000000000000f011acce55'],
])('a request with %s is refused with 401, even for an unknown path', (_, key) =>
  withSandbox(async (sandbox) => {
    expect(await call(sandbox, 'GET', usagePath, { key })).toEqual(unauthenticated)
    expect(await call(sandbox, 'PUT', settingsPath, { key, body: '{' })).toEqual(unauthenticated)
    expect(await call(sandbox, 'GET', '/nowhere', { key })).toEqual(unauthenticated)
  }),
)

test('the key without permissions is refused with 403 and the missing permission and project', () =>
  withSandbox(async (sandbox) => {
    const key = sandbox.keys.none
    expect(await call(sandbox, 'PUT', settingsPath, { key, type: null, body: '{' })).toEqual(
      refusal(
        403,
        'NoAccessError',
        'You need the permission UPDATE_PROJECT in the project default',
      ),
    )
    expect(
      await call(sandbox, 'GET', '/api/admin/client-metrics/features/checkout-pay', { key }),
    ).toEqual(
      refusal(403, 'NoAccessError', 'You need the permission READ_FEATURE in the project checkout'),
    )
    expect(await call(sandbox, 'GET', '/api/admin/client-metrics/features/x', { key })).toEqual(
      refusal(403, 'NoAccessError', 'You need the permission READ_FEATURE'),
    )
    expect(await call(sandbox, 'GET', '/nowhere', { key })).toMatchObject({ status: 404 })
  }))

test.each([
  ['GET', '/'],
  ['GET', '/nowhere'],
  ['GET', settingsPath],
  ['POST', settingsPath],
  ['DELETE', usagePath],
  ['PUT', `${settingsPath}/`],
  ['PUT', '/api/admin/projects//settings'],
  ['GET', '/api/admin/client-metrics/features/a/b'],
])('%s %s gets 404 for an unknown path', (method, path) =>
  withSandbox(async (sandbox) => {
    expect(await call(sandbox, method, path)).toEqual(
      refusal(404, 'NotFoundError', `The path you were looking for (${path}) is not available`),
    )
  }),
)

test('a query string does not affect which route a path matches', () =>
  withSandbox(async (sandbox) => {
    expect(await usage(sandbox, 'unused?from=here')).toMatchObject({ status: 200 })
  }))

test.each(['nowhere', '__proto__', 'constructor'])(
  'the unknown project or flag %s gets 404',
  (name) =>
    withSandbox(async (sandbox) => {
      expect(await put(sandbox, name, { mode: 'open' })).toEqual(
        refusal(404, 'NotFoundError', `No project with the id ${name} exists`),
      )
      expect(await usage(sandbox, name)).toEqual(
        refusal(404, 'NotFoundError', `No feature flag with the name ${name} exists`),
      )
    }),
)

test.each([
  ['text/plain', 'text/plain is not accepted: only application/json is'],
  ['application/jsonp', 'application/jsonp is not accepted: only application/json is'],
  [
    'application/json-patch+json',
    'application/json-patch+json is not accepted: only application/json is',
  ],
])('the content type %s is refused with 415, even when the body is broken', (type, message) =>
  withSandbox(async (sandbox) => {
    expect(await call(sandbox, 'PUT', settingsPath, { type, body: '{' })).toEqual(
      refusal(415, 'ContentTypeerror', message),
    )
  }),
)

test('a body without a content type is refused with 415', () =>
  withSandbox(async (sandbox) => {
    const body = new TextEncoder().encode('{}')
    expect(await call(sandbox, 'PUT', settingsPath, { type: null, body })).toEqual(
      refusal(
        415,
        'ContentTypeerror',
        'A body without a content type is not accepted: only application/json is',
      ),
    )
  }))

test.each([
  'application/json; charset=utf-8',
  'APPLICATION/JSON',
  'application/json;charset=UTF-8',
])('the content type %s is accepted', (type) =>
  withSandbox(async (sandbox) => {
    expect(await call(sandbox, 'PUT', settingsPath, { type, body: '{}' })).toEqual(done)
  }),
)

test.each([
  ['nothing', ''],
  ['half an object', '{"mode":'],
  ['YAML', 'mode: open'],
])('a body that is %s is refused with 400', (_, body) =>
  withSandbox(async (sandbox) => {
    expect(await call(sandbox, 'PUT', settingsPath, { body })).toEqual(
      refusal(400, 'ValidationError', 'The body is not valid JSON'),
    )
  }),
)
