import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { temporaryFolder } from '../support/flagadm.ts'
import { flagadm } from './installed.ts'
import { npm } from './npm.ts'
import { requireProgram } from './terminal.ts'

const folder = join(inject('folder'), 'node_modules/flagadm/man')
const pages = readdirSync(folder).sort()

test('every command has a man page, and package.json lists it', async () => {
  const { stdout } = await flagadm(['help', '--json'])
  const { commands } = JSON.parse(stdout)
  const paths = ['flagadm', ...commands.map(({ path }: { path: string }) => path)]
  const names = paths.map((path) => `${path.replaceAll(' ', '-')}.1`).sort()
  expect(pages).toEqual(names)
  expect(manifest.man).toEqual(names.map((name) => `man/${name}`))
})

describe('mandoc', () => {
  beforeAll(() => requireProgram('mandoc'))

  test.each(pages)('finds nothing wrong with %s', async (page) => {
    const { stdout } = await promisify(execFile)('mandoc', ['-T', 'lint', join(folder, page)])
    expect(stdout).toBe('')
  })

  function rendered(page: string): string {
    const argv = ['-T', 'utf8', join(folder, page)]
    // Bold and underlined characters are printed twice.
    return execFileSync('mandoc', argv, { encoding: 'utf8' }).replaceAll(/.\u0008/g, '')
  }

  test('fills notes, and keeps the lines of a table', () => {
    expect(rendered('flagadm-profile-add.1')).toContain(
      '\n       Use --base-url for the address, and --api-key-file for a file that\n       contains',
    )
    expect(rendered('flagadm-completion.1')).toMatch(
      /\n {9}fish, in .*\n {11}flagadm .*\n {9}powershell, in /,
    )
  })

  test('renders a page', () => {
    const plain = rendered('flagadm-naming-lint.1')
    expect(plain).toContain(
      [
        'SYNOPSIS',
        '       flagadm naming lint [options]',
        '',
        'DESCRIPTION',
        '       Without --rule, --pattern or --project, checks the rule in the project',
        '       configuration.',
        '',
        'OPTIONS',
        '       --rule <file>',
        "              YAML or JSON file with featureNaming ('-': standard input)",
        '',
      ].join('\n'),
    )
    expect(plain).toContain(
      [
        '       --fail-on <severity>',
        '              exit with 9 for findings of this severity or worse (choices:',
        '              error, warning; default: error)',
        '',
      ].join('\n'),
    )
    expect(plain).toContain(
      [
        'OUTPUT FORMATS',
        '       -o <format>',
        '              text (default), json, github, gitlab, sarif',
        '',
      ].join('\n'),
    )
    expect(plain).toContain(
      "\n       flagadm naming lint --pattern 'checkout-[a-z-]+' --example checkout-pay --fail-on warning\n",
    )
  })
})

test('man finds the pages after a global installation', async () => {
  const prefix = await temporaryFolder()
  mkdirSync(join(prefix, 'lib'), { recursive: true })
  const tarball = join(inject('folder'), '..', `flagadm-${manifest.version}.tgz`)
  await npm(
    ['install', '--global', '--offline', '--ignore-scripts', '--prefix', prefix, tarball],
    prefix,
  )
  expect(readdirSync(join(prefix, 'share/man/man1')).sort()).toEqual(pages)
}, 60_000)
