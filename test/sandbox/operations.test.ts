import { describe, expect, test } from 'vitest'
import type { Sandbox } from '../../src/sandbox/server.ts'
import { examples } from '../support/operations.ts'
import { call, withSandbox } from './support.ts'

const seed = {
  projects: [{ id: 'default', mode: 'open' as const }],
  flags: ['some-flag', 'old-flag'].map((name) => {
    return { name, project: 'default', usage: [], seenApplications: [] }
  }),
}

describe.each(examples)(
  'the sandbox route of the operation %s',
  (_name, { method, path, body }, { section, access, permission, success = 200 }) => {
    const send = async (sandbox: Sandbox, key: string | null) =>
      call(sandbox, method, path, { key, ...(body && { body }) })

    test('accepts only the keys that the operation does', () =>
      withSandbox(
        async (sandbox) => {
          const { full, none } = sandbox.keys
          const refusal = await send(sandbox, none)
          const responses = [await send(sandbox, full), refusal, await send(sandbox, null)]
          const missing = `src/sandbox/routes.ts needs a route for ${method} ${path}`
          expect(
            responses.map(({ status }) => status),
            missing,
          ).toEqual([
            success,
            access === undefined ? 403 : success,
            access === 'none' ? success : 401,
          ])
          expect(refusal.body.message ?? '', `the permission of ${method} ${path}`).toContain(
            permission ?? '',
          )
        },
        { seed },
      ))

    test('exists with specOnly if the specification describes the operation', () =>
      withSandbox(
        async (sandbox) => {
          const expected = section === undefined ? 404 : success
          expect((await send(sandbox, sandbox.keys.full)).status).toBe(expected)
        },
        { seed, specOnly: true },
      ))
  },
)

const writes = examples.filter(([, , { grants }]) => grants !== undefined)

describe.each(writes)('the sandbox route of the write %s', (_name, request, operation) => {
  const { method, path, body } = request
  const { success = 200 } = operation

  test('changes something, and refuses a body of the wrong type', async () => {
    let changes = 0
    await withSandbox(
      async (sandbox) => {
        expect((await call(sandbox, method, path, { body })).status).toBe(success)
        expect((await call(sandbox, method, path, { body: '"x"' })).status).toBe(400)
      },
      { seed, onChange: () => changes++ },
    )
    expect(changes).toBe(1)
  })
})
