import type { Expected } from './target.ts'

/** How a run ends; what a refusal says in words is not specified, and differs. */
export interface Ending {
  code: number
  status?: number
  name?: string
  /** Whether the refusal has an identifier. */
  id?: boolean
}

interface Refusal {
  name: string
  argv: readonly string[]
  /** The full one, if it is not said. */
  key?: 'limited' | 'wrong' | 'none'
  ending: Expected<Ending>
}

const setMode = (project: string) => ['project', 'settings', 'set', project, '--mode', 'open']
const usage = (flag: string) => ['feature', 'usage', flag]

// Without a key flagadm sends nothing.
const unsent: Ending = { code: 3, id: false }
const wrongKey: Expected<Ending> = {
  service: { code: 4, status: 401, name: 'UnauthorizedError', id: true },
  sandbox: { code: 4, status: 401, name: 'AuthenticationRequired', id: true },
  because: 'the specification has one name for a missing and for an invalid key',
}
const limitedKey: Expected<Ending> = {
  service: { code: 5, status: 403, id: false },
  sandbox: { code: 5, status: 403, name: 'NoAccessError', id: true },
  because: 'the service answers a client key with a message only; the specification has all parts',
}

/** Command lines that a target refuses. */
export const refusals: readonly Refusal[] = [
  {
    name: 'the usage of an unknown flag',
    argv: usage('no-such-flag'),
    ending: {
      service: { code: 0 },
      sandbox: { code: 6, status: 404, name: 'NotFoundError', id: true },
      because: 'the service knows no unknown flags: they look unused; the specification has a 404',
    },
  },
  {
    name: 'the settings of an unknown project',
    argv: setMode('no-such-project'),
    ending: {
      service: { code: 6, status: 404, name: 'NotFoundError', id: false },
      sandbox: { code: 6, status: 404, name: 'NotFoundError', id: true },
      because: 'the service leaves the identifier out of errors of its handlers',
    },
  },
  { name: 'usage without a key', argv: usage('a'), key: 'none', ending: unsent },
  { name: 'settings without a key', argv: setMode('default'), key: 'none', ending: unsent },
  { name: 'usage with a wrong key', argv: usage('a'), key: 'wrong', ending: wrongKey },
  { name: 'settings with a wrong key', argv: setMode('default'), key: 'wrong', ending: wrongKey },
  { name: 'usage with a limited key', argv: usage('a'), key: 'limited', ending: limitedKey },
  {
    name: 'settings with a limited key',
    argv: setMode('default'),
    key: 'limited',
    ending: limitedKey,
  },
  {
    name: 'an unknown mode that is sent all the same',
    argv: ['project', 'settings', 'set', 'default', '--mode', 'closed', '--no-verify'],
    ending: {
      service: { code: 7, status: 400, name: 'BadDataError', id: true },
      sandbox: { code: 7, status: 400, name: 'ValidationError', id: true },
      because: 'the specification calls it ValidationError',
    },
  },
  {
    name: 'a description without a pattern',
    argv: ['project', 'settings', 'set', 'default', '--naming-description', 'Team first'],
    ending: {
      service: { code: 7, status: 400, name: 'BadDataError', id: false },
      sandbox: { code: 7, status: 400, name: 'ValidationError', id: true },
      because: 'the specification calls it ValidationError and gives every error an identifier',
    },
  },
]
