import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
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

  test('fills paragraphs, and keeps the lines of a table', () => {
    expect(rendered('flagadm-feature-usage.1')).toContain(
      [
        '       --group-by. --layout forces either.',
        '',
        '       With --expect, the exit code is 0 if all flags are as expected, 9 if',
        '       one is not',
      ].join('\n'),
    )
    expect(rendered('flagadm-completion.1')).toMatch(
      /\n {9}fish, in .*\n {11}flagadm .*\n {9}powershell, in /,
    )
  })

  test('shows the options in groups, as the help does', () => {
    const plain = rendered('flagadm-feature-usage.1')
    expect(plain).toContain('\n   Time\n       --since <duration>\n')
    expect(plain.match(/(?<=\n {3})\S.*/g)).toEqual([
      ...[
        'Names',
        'Time',
        'Filters',
        'View',
        'Watch',
        'Gate',
        'Source code',
        'Connection',
        'Other',
      ],
    ])
    expect(rendered('flagadm-naming-lint.1')).not.toMatch(/\n {3}\S/)
  })

  test('refers to the group, the other commands in it and the commands below', () => {
    const related = (page: string) =>
      / ALSO\n([^]*?)\n\n/.exec(rendered(page))?.[1]?.trim().split(/,\s+/)
    expect(related('flagadm-naming-lint.1')).toEqual([
      'flagadm(1)',
      'flagadm-naming(1)',
      'flagadm-naming-check(1)',
      'flagadm-naming-diff(1)',
    ])
    expect(related('flagadm-doctor.1')).toEqual(['flagadm(1)', 'flagadm-profile-check(1)'])
    expect(related('flagadm.1')).toContain('flagadm-feature(1)')
  })

  test('continues long examples after a backslash', () => {
    expect(rendered('flagadm-profile-add.1')).toContain(
      [
        '       flagadm profile add production --base-url https://flags.example.com \\',
        "         --api-key-command 'pass show flags'",
        '',
      ].join('\n'),
    )
    for (const page of pages) {
      const wide = rendered(page)
        .split('\n')
        .filter((line) => line.length > 80)
      expect([page, wide]).toEqual([page, []])
    }
  })

  test('renders a page', () => {
    const plain = rendered('flagadm-naming-lint.1')
    expect(plain).toContain(
      [
        'SYNOPSIS',
        '       flagadm naming lint [options]',
        '',
        'DESCRIPTION',
        '       Find problems in a naming rule, and show what it accepts and rejects.',
        '',
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
        '              text (default), json, csv, github, gitlab, sarif',
        '',
      ].join('\n'),
    )
  })
})

// fish makes completions of man pages unless it has others, and shows the escapes in descriptions.
test.each(pages)('the descriptions of %s have only escapes that fish removes', (page) => {
  const source = readFileSync(join(folder, page), 'utf8')
  const [, options = ''] = /\.SH OPTIONS\n([^]*?)\.SH /.exec(source) ?? []
  const descriptions = options.split('\n').filter((line) => !/^(\.|\\f)/.test(line))
  expect(descriptions.join('\n').replaceAll(/\\[-&]/g, '')).not.toContain('\\')
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
