import { expect, it } from 'vitest'
import { examples } from '../support/operations.ts'

it.each(examples)(
  '%s has a permission if doctor says what it grants',
  (_name, _request, operation) => {
    const { grants, permission } = operation
    expect(grants !== undefined && permission === undefined).toBe(false)
  },
)
