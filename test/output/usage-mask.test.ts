import { describe, expect, test } from 'vitest'
import { createRedactor } from '../../src/redact.ts'
import { maskAnswer, maskRows, maskUsage } from '../../src/output/usage-mask.ts'
import type { UsageRow } from '../../src/usage/rows.ts'

const key = 'some|secret-key'
const redactor = createRedactor()
redactor.add(key)

const plain: UsageRow = {
  flag: 'f',
  application: 'web',
  environment: undefined,
  variant: undefined,
  timestamp: undefined,
  enabled: 1n,
  disabled: 2n,
  variants: [{ name: 'blue', count: 1n }],
}

test('every name in a row is masked, and nothing else is changed', () => {
  const row = {
    ...plain,
    flag: key,
    application: key,
    environment: key,
    variant: key,
    timestamp: key,
    variants: [{ name: key, count: 1n }],
  }
  const mask = '[redacted]'
  expect(maskRows([plain, row], redactor.redact)).toEqual([
    plain,
    {
      ...plain,
      flag: mask,
      application: mask,
      environment: mask,
      variant: mask,
      timestamp: mask,
      variants: [{ name: mask, count: 1n }],
    },
  ])
})

describe('the rows of an answer', () => {
  test('are the same without a key', () => {
    const rows = [plain]
    expect(maskAnswer('f', '{"a":1}', rows, redactor)).toBe(rows)
  })

  test('are masked with a key in the document', () => {
    const rows = [{ ...plain, application: key }]
    const [row] = maskAnswer('f', `{"appName":"${key}"}`, rows, redactor)
    expect(row?.application).toBe('[redacted]')
  })

  test('are masked with a key as the name that was asked for', () => {
    const [row] = maskAnswer(key, '{"a":1}', [{ ...plain, flag: key }], redactor)
    expect(row?.flag).toBe('[redacted]')
  })
})

test('the fields of a document that describe the flag are masked', () => {
  const usage = { version: 1, lastHourUsage: [] }
  const { redact } = redactor
  const named = { ...usage, featureName: key, maturity: key, seenApplications: [key, 'web'] }
  expect(maskUsage(named, redact)).toEqual({
    ...usage,
    featureName: '[redacted]',
    maturity: '[redacted]',
    seenApplications: ['[redacted]', 'web'],
  })
  const empty = { ...usage, featureName: null, maturity: undefined, seenApplications: undefined }
  expect(maskUsage(empty, redact)).toEqual(empty)
})
