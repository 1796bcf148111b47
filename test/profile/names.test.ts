import { expect, test } from 'vitest'
import { mine, profile } from '../support/profile.ts'

const add = (name: string) =>
  profile(
    ['add', name, '--base-url', 'https://a.test', '--api-key-env', 'A', '--no-check', '-q'],
    mine(),
  )

test.each(['a', '1', 'a.b_c-d', 'ключ', 'a'.repeat(100)])(
  'a profile may be called %s',
  async (name) => {
    expect(await add(name)).toMatchObject({ code: 0, stderr: '' })
  },
)

const form = 'use letters, digits, dots, hyphens and underscores; begin with a letter or digit'

test.each([
  ...['', '.a', ' a', 'a b', 'a/b', 'a'.repeat(101)].map(
    (name) => [name, 2, `invalid profile name: ${form}`, 'choose another name'] as const,
  ),
  ...['constructor', 'prototype', 'sandbox'].map(
    (name) => [name, 2, `the profile name '${name}' is reserved`, 'choose another name'] as const,
  ),
  ['staging', 3, "the profile name 'staging' already exists", 'choose another name'] as const,
])('a profile cannot be called %j', async (name, code, message, hint) => {
  expect(await add(name)).toMatchObject({ code, stderr: `error: ${message}\nhint: ${hint}\n` })
})
