import { expect, test } from 'vitest'
import { checkNewName } from '../../src/profile/add.ts'
import { ownProfile } from '../../src/profile/edit.ts'
import type { Profile } from '../../src/profile/configuration.ts'

const staging: Profile = {
  name: 'staging',
  file: '/home/me/config.yaml',
  trust: 'user',
  path: ['profiles', 'staging'],
  fields: { baseUrl: 'https://x.test' },
}
const configurations = { files: [], profiles: new Map([['staging', staging]]) }

test.each(['a', '1', 'ab', 'a1', 'ключ', 'a.b_c-d', 'a'.repeat(100)])(
  'a profile may be called %s',
  (name) => {
    expect(checkNewName(name, configurations)).toBe(name)
  },
)

test.each<[string, Profile[], string, string]>([
  ['a', [], "unknown profile 'a'", 'no profile is configured; add one with flagadm profile add'],
  ['a', [staging], "unknown profile 'a'", 'choose one of staging'],
  [
    'a',
    [{ ...staging, trust: 'project' }],
    "unknown profile 'a'",
    'no profile is configured; add one with flagadm profile add',
  ],
  [
    'staging',
    [{ ...staging, trust: 'project' }],
    "profile 'staging' is defined in /home/me/config.yaml, which belongs to the project",
    'edit that file, or use the profile with -p staging',
  ],
])('the profile %s of %j cannot be changed', (name, profiles, message, hint) => {
  const own = { files: [], profiles: new Map(profiles.map((one) => [one.name, one])) }
  expect(() => ownProfile(name, own)).toThrow(
    expect.objectContaining({ kind: 'configuration', message, hint }),
  )
})

const form = 'use letters, digits, dots, hyphens and underscores; begin with a letter or digit'

test.each([
  ...['', '-a', '.a', ' a', 'a b', 'a/b', 'a'.repeat(101)].map((name) => [
    name,
    'usage',
    `invalid profile name '${name}'`,
    form,
  ]),
  ...['constructor', 'prototype', 'sandbox'].map((name) => [
    name,
    'usage',
    `the profile name '${name}' is reserved`,
    'choose another name',
  ]),
  [
    'staging',
    'configuration',
    "profile 'staging' already exists in /home/me/config.yaml",
    'choose another name, or remove that profile first',
  ],
])('a profile cannot be called %j', (name, kind, message, hint) => {
  expect(() => checkNewName(name ?? '', configurations)).toThrow(
    expect.objectContaining({ kind, message, hint }),
  )
})
