import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { join } from '../../src/paths.ts'
import { selectFiles } from '../../src/scan/globs.ts'
import { temporaryFolder } from '../support/flagadm.ts'

const { signal } = new AbortController()

async function selected(files: Record<string, string>, cwd: string, ...globs: string[]) {
  const folder = await temporaryFolder(files)
  return (await selectFiles(globs, join(folder, cwd), signal)).files
}

it('prefers the rules of a deeper file', async () => {
  const files = {
    '.git/HEAD': '',
    '.gitignore': '*.log\ngenerated/\n',
    'a/.gitignore': '!keep.log\n!generated/\n',
    'a/keep.log': '',
    'a/drop.log': '',
    'a/generated/x.ts': '',
    'b/keep.log': '',
    'b/generated/x.ts': '',
  }
  expect(await selected(files, '', '**/*.{log,ts}')).toEqual(['a/generated/x.ts', 'a/keep.log'])
})

it('applies the rules above the working directory, up to the root of the repository', async () => {
  const files = {
    '.gitignore': '*',
    'repository/.git/HEAD': '',
    'repository/.gitignore': '/work/out\n*.log\n',
    'repository/work/out/a.ts': '',
    'repository/work/b.ts': '',
    'repository/work/c.log': '',
    'repository/other/d.log': '',
    'repository/other/e.ts': '',
  }
  expect(await selected(files, 'repository/work', '.')).toEqual(['b.ts'])
  expect(await selected(files, 'repository/work', '../other/*')).toEqual(['../other/e.ts'])
  expect(await selected(files, 'repository/work/out', '.')).toEqual([])
})

it('starts at the working directory outside a repository', async () => {
  const files = {
    '.gitignore': 'a.ts\n',
    'work/.gitignore': 'b.ts\n',
    'work/a.ts': '',
    'work/b.ts': '',
  }
  expect(await selected(files, 'work', '*')).toEqual(['.gitignore', 'a.ts'])
})

it('ignores outer rules in a nested repository', async () => {
  const files = {
    '.git/HEAD': '',
    '.gitignore': 'a.ts\n',
    'vendor/.git': 'gitdir: elsewhere\n',
    'vendor/a.ts': '',
  }
  expect(await selected(files, '', '.')).toEqual(['.gitignore', 'vendor/a.ts'])
  expect(await selected(files, '', 'vendor/*.ts')).toEqual(['vendor/a.ts'])
})

it('does not read an ignored file that is given by its path', async () => {
  const files = { '.gitignore': 'a.ts\nb/\n', 'a.ts': '', 'b/c.ts': '', 'd.ts': '' }
  expect(await selected(files, '', 'a.ts', 'b/c.ts', 'd.ts')).toEqual(['d.ts'])
})

const segment = fc.constantFrom('a', 'b', '[c]', '#d')
const file = fc.constantFrom('x.ts', 'y.ts', '!z', 'w ')
const path = fc
  .tuple(fc.array(segment, { maxLength: 3 }), file)
  .map((parts) => parts.flat().join('/'))
const pattern = fc.constantFrom(
  ...[
    'a',
    'b/',
    '/a',
    'a/b',
    '*.ts',
    'x.ts',
    '/x.ts',
    'a/*',
    'a/**',
    '**/b',
    'a/**/x.ts',
    '*',
    '**',
  ],
  ...['!a', '!b/', '!x.ts', '!*/', '!*.ts', '!/a', '!a/x.ts', '!**', '\\!z', '!!z', '\\#d', '[ab]'],
  ...[
    '# a',
    '',
    ' ',
    '/',
    '!',
    '!/',
    'b ',
    'w\\ ',
    '\\[c]',
    '[c]/x.ts',
    '#d',
    '/*/',
    'A',
    'x.ts\r',
  ],
)
const rules = fc.tuple(
  fc.array(segment, { maxLength: 2 }).map((parts) => [...parts, '.gitignore'].join('/')),
  fc.array(pattern, { maxLength: 4 }).map((lines) => lines.join('\n')),
)

async function fill(folder: string, files: Map<string, string>): Promise<void> {
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

/** The least that git accepts as a repository. */
const emptyRepository = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/objects/pack/none': '',
  '.git/refs/heads/none': '',
}

function gitFiles(folder: string): string[] {
  const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' }
  const list = execFileSync('git', ['ls-files', '-z', '--others', '--exclude-standard'], {
    cwd: folder,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return list.split('\0').filter(Boolean).sort()
}

it('reads exactly the files that git does not ignore', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(path, { minLength: 1, maxLength: 12 }),
      fc.array(rules, { maxLength: 3 }),
      async (paths, ignores) => {
        const folder = await temporaryFolder(emptyRepository)
        await fill(folder, new Map([...paths.map((path) => [path, ''] as const), ...ignores]))
        const expected = gitFiles(folder)
        expect((await selectFiles(['.'], folder, signal)).files).toEqual(expected)
      },
    ),
  )
})
