import { describe, expect, it } from 'vitest'
import { calls, examples, uncalled } from '../support/operations.ts'

const called = Object.keys(calls)
const others = Object.keys(uncalled)

describe.each(examples)('the operation %s', (name, request, operation) => {
  it('is called by a command in calls, or the reason why not is in uncalled', () => {
    const missing = `add ${name} to calls in test/support/operations.ts: a command line that sends the request of its example, the document, and the exact output; or to uncalled: why it cannot be there`
    expect(called.includes(name) !== others.includes(name), missing).toBe(true)
  })

  it('has an example with the parameters of its path', () => {
    const { path, example = {} } = operation
    const names = Array.from(path.matchAll(/(?<=[/=]):(\w+)/g), ([, parameter]) => parameter)
    expect(Object.keys(example.parameters ?? {})).toEqual(names)
    expect(request.path).not.toMatch(/[/=]:/)
  })

  it('changes something only with a permission', () => {
    const { grants, permission, method, response } = operation
    expect(grants === undefined).toBe(permission === undefined)
    if (grants !== undefined) expect([method, response]).not.toContain('GET')
  })
})
