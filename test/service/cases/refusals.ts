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
  /** By default the full one. */
  key?: 'limited' | 'wrong' | 'none'
  expected: Expected<Outcome>
  /** The outcome if the service has only the operations of the specification and it differs. */
  specOnly?: Outcome
}

const setMode = (project: string) => ['project', 'settings', 'set', project, '--mode', 'open']
const usage = (flag: string) => ['feature', 'usage', flag]

// Without a key flagadm sends nothing.
const unsent: Outcome = { code: 3, id: false }
const wrongKey: Expected<Outcome> = {
  service: { code: 4, status: 401, name: 'UnauthorizedError', id: true },
  sandbox: { code: 4, status: 401, name: 'AuthenticationRequired', id: true },
  because: 'the specification has one name for a missing and for an invalid key',
}
const limitedKey: Expected<Outcome> = {
  service: { code: 5, status: 403, id: false },
  sandbox: { code: 5, status: 403, name: 'NoAccessError', id: true },
  because: 'the service returns only a message for a client key; the specification has all parts',
}

/** Command lines that a target refuses. */
export const refusals: readonly Refusal[] = [
  {
    name: 'the usage of an unknown flag',
    argv: usage('no-such-flag'),
    expected: {
      service: { code: 0 },
      sandbox: { code: 6, status: 404, name: 'NotFoundError', id: true },
      because: 'to the service, an unknown flag is an unused one; the specification has a 404',
    },
  },
  {
    name: 'the settings of an unknown project',
    argv: setMode('no-such-project'),
    // The list of projects lacks it, so nothing is sent.
    expected: { code: 6, id: false },
    specOnly: { code: 6, status: 404, name: 'NotFoundError', id: true },
  },
  { name: 'usage without a key', argv: usage('a'), key: 'none', expected: unsent },
  { name: 'settings without a key', argv: setMode('default'), key: 'none', expected: unsent },
  { name: 'usage with a wrong key', argv: usage('a'), key: 'wrong', expected: wrongKey },
  { name: 'settings with a wrong key', argv: setMode('default'), key: 'wrong', expected: wrongKey },
  { name: 'usage with a limited key', argv: usage('a'), key: 'limited', expected: limitedKey },
  {
    name: 'settings with a limited key',
    argv: setMode('default'),
    key: 'limited',
    expected: limitedKey,
  },
  {
    name: 'an unknown mode that is sent anyway',
    argv: ['project', 'settings', 'set', 'default', '--mode', 'closed', '--no-verify'],
    expected: {
      service: { code: 7, status: 400, name: 'BadDataError', id: true },
      sandbox: { code: 7, status: 400, name: 'ValidationError', id: true },
      because: 'the specification calls it ValidationError',
    },
  },
  {
    name: 'a description without a pattern',
    argv: [
      ...['project', 'settings', 'set', 'default', '--no-verify'],
      ...['--naming-description', 'Team first'],
    ],
    expected: {
      service: { code: 7, status: 400, name: 'BadDataError', id: false },
      sandbox: { code: 7, status: 400, name: 'ValidationError', id: true },
      because: 'the specification calls it ValidationError and gives every error an identifier',
    },
  },
]
