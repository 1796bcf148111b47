import { expect } from 'vitest'
import { project } from './history.ts'
import type { Read } from './reads.ts'

const text = expect.any(String)
const refused = { name: 'BadDataError', message: text }
const refusedHere = { id: text, name: 'ValidationError', message: text }

function illegal(name: string, body: object): NewName {
  return {
    name,
    body,
    expected: {
      service: { status: 400, body: refused },
      sandbox: { status: 400, body: refusedHere },
      because: 'the specification calls it ValidationError',
    },
  }
}

interface NewName extends Pick<Read, 'name' | 'expected'> {
  body: object
}

/** Names for new flags; the project's rule is `reads-.+`. */
export const newNames: readonly NewName[] = [
  { name: 'a free name', body: { name: 'free' }, expected: { status: 200 } },
  {
    name: 'a free name that follows the rule',
    body: { name: 'reads-new', projectId: project },
    expected: { status: 200 },
  },
  {
    name: 'a free name in an unknown project',
    body: { name: 'free', projectId: 'no-such-project' },
    expected: { status: 200 },
  },
  {
    name: 'a free name without a project',
    body: { name: 'free', projectId: null },
    expected: { status: 200 },
  },
  {
    name: 'a name that is taken',
    body: { name: 'reads-used' },
    expected: { status: 409, body: { name: 'NameExistsError', message: text } },
  },
  {
    name: 'a name that is taken, in another project',
    body: { name: 'reads-used', projectId: 'default' },
    expected: { status: 409, body: { name: 'NameExistsError', message: text } },
  },
  {
    name: 'a name against the rule',
    body: { name: 'free', projectId: project },
    expected: {
      service: { status: 400, body: { name: 'PatternError', message: text } },
      sandbox: { status: 400, body: refusedHere },
      because: 'the sandbox has one name for every 400, that of the specification',
    },
  },
  illegal('a name with a space', { name: 'a b' }),
  illegal('an empty name', { name: '' }),
  illegal('two dots', { name: '..' }),
  illegal('a name of 101 characters', { name: 'x'.repeat(101) }),
  illegal('no name', {}),
]
