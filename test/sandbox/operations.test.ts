import { describe, expect, test } from 'vitest'
import type { Sandbox } from '../../src/sandbox/server.ts'
import { cases } from '../support/operations.ts'
import { call, withSandbox } from './support.ts'

const seed = {
  projects: [{ id: 'default', mode: 'open' as const }],
  flags: [{ name: 'some-flag', project: 'default', usage: [], seenApplications: [] }],
}

describe.each(cases)(
  'the sandbox route of the operation %s',
  (_name, { request }, { section, access, permission }) => {
    const { method, path, body } = request
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
          ).toEqual([200, access === undefined ? 403 : 200, access === 'none' ? 200 : 401])
          expect(refusal.body.message ?? '', `the permission of ${method} ${path}`).toContain(
            permission ?? '',
          )
        },
        { seed },
      ))

    test('exists with specOnly if the specification describes the operation', () =>
      withSandbox(
        async (sandbox) => {
          const expected = section === undefined ? 404 : 200
          expect((await send(sandbox, sandbox.keys.full)).status).toBe(expected)
        },
        { seed, specOnly: true },
      ))
  },
)
