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
  (_name, { request }, { section, access }) => {
    const { method, path, body } = request
    const send = async (sandbox: Sandbox, key: string | null) =>
      (await call(sandbox, method, path, { key, ...(body && { body }) })).status

    test('accepts only the keys that the operation does', () =>
      withSandbox(
        async (sandbox) => {
          const { full, none } = sandbox.keys
          const statuses = [await send(sandbox, full), await send(sandbox, none)]
          const missing = `src/sandbox/routes.ts needs a route for ${method} ${path}`
          expect([...statuses, await send(sandbox, null)], missing).toEqual([
            200,
            access === undefined ? 403 : 200,
            access === 'none' ? 200 : 401,
          ])
        },
        { seed },
      ))

    test('exists with specOnly if the specification describes the operation', () =>
      withSandbox(
        async (sandbox) => {
          const expected = section === undefined ? 404 : 200
          expect(await send(sandbox, sandbox.keys.full)).toBe(expected)
        },
        { seed, specOnly: true },
      ))
  },
)
