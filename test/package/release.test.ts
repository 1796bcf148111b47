import { readFileSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ended } from '../support/binary.ts'
import { temporaryFolder } from '../support/flagadm.ts'

const script = readFileSync(new URL('../../scripts/release.mjs', import.meta.url))
const changelog = `# Changelog

## [Unreleased]

## [9.8.7] - 2030-01-02

- Something new, see [Usage](docs/usage.md).

## [9.8.6] - 2030-01-01
`

/** Runs the script in a checkout of version 9.8.7. */
async function release(tag: string, text: string) {
  const folder = await temporaryFolder({
    'package.json': '{"version":"9.8.7"}',
    'CHANGELOG.md': text,
    'scripts/release.mjs': script,
  })
  return ended(spawn(process.execPath, [join(folder, 'scripts/release.mjs'), tag]))
}

it('prints the notes of the release, with links to the repository', async () => {
  expect(await release('v9.8.7', changelog)).toEqual({
    code: 0,
    stdout:
      '- Something new, see [Usage](https://github.com/flagadm/flagadm/blob/v9.8.7/docs/usage.md).\n',
    stderr: '',
  })
})

it.each([
  ['v9.8.6', changelog, "the tag 'v9.8.6' is not v9.8.7, the version in package.json"],
  ['v9.8.7', '# Changelog\n\n## [Unreleased]\n', 'CHANGELOG.md has no version 9.8.7'],
  ['v9.8.7', changelog.replace(' - 2030-01-02', ''), "'## [9.8.7]' in CHANGELOG.md has no date"],
])('refuses the tag %s of a release that is not ready', async (tag, text, problem) => {
  expect(await release(tag, text)).toEqual({
    code: 1,
    stdout: '',
    stderr: `error: ${problem}\n`,
  })
})
