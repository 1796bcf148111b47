import { describe, expect, it } from 'vitest'
import { calls, examples, uncalled } from '../support/operations.ts'

const called = Object.keys(calls)
const others = Object.keys(uncalled)

describe.each(examples)('the operation %s', (name, _request, operation) => {
  it('is called by a command in calls, or the reason why not is in uncalled', () => {
    const missing = `add ${name} to calls in test/support/operations.ts: a command line that sends the request of its example, the document, and the exact output; or to uncalled: why it cannot be there`
    expect(called.includes(name) !== others.includes(name), missing).toBe(true)
  })

  it('has a permission if doctor says what it grants', () => {
    const { grants, permission } = operation
    expect(grants !== undefined && permission === undefined).toBe(false)
  })
})
