import { expect } from 'vitest'
import { project } from './history.ts'
import type { Expected } from './target.ts'

const text = expect.any(String)
const accepted = { status: 200 }
const taken = { status: 409, body: { name: 'NameExistsError', message: text } }
const here = { status: 400, body: { id: text, name: 'ValidationError', message: text } }
const invalid = {
  service: { status: 400, body: { name: 'BadDataError', message: text } },
  sandbox: here,
  because: 'the specification calls it ValidationError',
}
const mismatch = {
  service: { status: 400, body: { name: 'PatternError', message: text } },
  sandbox: here,
  because: 'the sandbox has one name for every 400, that of the specification',
}

/** Names for new flags; the project's rule is `reads-.+`. */
export const newNames: readonly [
  body: object,
  expected: Expected<{ status: number; body?: object }>,
][] = [
  [{ name: 'free' }, accepted],
  [{ name: 'free', projectId: 'no-such-project' }, accepted],
  [{ name: 'reads-new', projectId: project }, accepted],
  [{ name: 'free', projectId: project }, mismatch],
  [{ name: 'reads-used' }, taken],
  [{ name: 'a b' }, invalid],
  [{ name: '..' }, invalid],
  [{ name: 'x'.repeat(101) }, invalid],
]
