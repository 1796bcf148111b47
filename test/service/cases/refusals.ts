import type { Expected } from './target.ts'

/** How a run ends; the wording of a refusal is not specified, and differs. */
export interface Outcome {
  code: number
  status?: number
  name?: string
  /** Whether the refusal has an identifier. */
  id?: boolean
}

interface Refusal {
  name: string
  argv: readonly string[]
  key: 'full' | 'limited' | 'wrong' | 'none'
  expected: Expected<Outcome>
  /** The outcome if the service has only the operations of the specification and it differs. */
  specOnly?: Outcome
}

const setMode = (project: string) => ['project', 'settings', 'set', project, '--mode', 'open']
const send = ['project', 'settings', 'set', 'default', '--no-verify']

const keys = {
  // Without a key flagadm sends nothing.
  none: { code: 3, id: false },
  wrong: {
    service: { code: 4, status: 401, name: 'UnauthorizedError', id: true },
    sandbox: { code: 4, status: 401, name: 'AuthenticationRequired', id: true },
    because: 'the specification has one name for a missing and for an invalid key',
  },
  limited: {
    service: { code: 5, status: 403, id: false },
    sandbox: { code: 5, status: 403, name: 'NoAccessError', id: true },
    because: 'the service returns only a message for a client key; the specification has all parts',
  },
} as const

const keyRefusals = (['none', 'wrong', 'limited'] as const).flatMap((key): Refusal[] => [
  { name: 'usage', argv: ['feature', 'usage', 'a'], key, expected: keys[key] },
  { name: 'settings', argv: setMode('default'), key, expected: keys[key] },
])

/** Command lines that a target refuses. */
export const refusals: readonly Refusal[] = [
  ...keyRefusals,
  {
    name: 'the usage of an unknown flag',
    argv: ['feature', 'usage', 'no-such-flag'],
    key: 'full',
    expected: {
      service: { code: 6, id: false },
      sandbox: { code: 6, status: 404, name: 'NotFoundError', id: true },
      because: 'the usage of an unknown flag is empty in the service; the specification has a 404',
    },
  },
  {
    name: 'the settings of an unknown project',
    argv: setMode('no-such-project'),
    key: 'full',
    // The list of projects lacks it, so nothing is sent.
    expected: { code: 6, id: false },
    specOnly: { code: 6, status: 404, name: 'NotFoundError', id: true },
  },
  {
    name: 'an unknown mode that is sent anyway',
    argv: [...send, '--mode', 'closed'],
    key: 'full',
    expected: {
      service: { code: 7, status: 400, name: 'BadDataError', id: true },
      sandbox: { code: 7, status: 400, name: 'ValidationError', id: true },
      because: 'the specification calls it ValidationError',
    },
  },
]
