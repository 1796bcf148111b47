// Who owns the files of a repository, by its CODEOWNERS (GitHub, GitLab).
import { existsSync, statSync } from 'node:fs'
import picomatch from 'picomatch'
import { readWithin } from '../input/files.ts'
import { join, relativePath, resolve } from '../paths.ts'
import { isInRepository, repositoryRoot } from '../repository.ts'

// The first one counts.
const FILES = ['.github/CODEOWNERS', '.gitlab/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS']

// Compiling a longer one, or more with wildcards, takes long.
const MAX_PATTERN = 200
const MAX_WITH_WILDCARDS = 5_000
const NO_WILDCARDS = /^(?!\.\/)[\w./@-]+$/
// Matching takes long with more in one name, or with more `**`.
const MAX_STARS = 3
// GitHub ignores a larger one, too.
const MAX_CHARACTERS = 3_000_000

function isSlow(pattern: string): boolean {
  if (NO_WILDCARDS.test(pattern)) return false
  const parts = pattern.split('/')
  const isMany = (part: string) => part !== '**' && part.split('*').length - 1 > MAX_STARS
  const spans = parts.filter((part) => part === '**')
  return pattern.length > MAX_PATTERN || spans.length > MAX_STARS || parts.some(isMany)
}

interface Rule {
  pattern: string
  owners: string
}

/** A test of paths from the root of the repository, as for a line of an ignore file. */
function pathTest(pattern: string): (path: string) => boolean {
  const name = pattern.replace(/^\/|\/$/g, '')
  // Only a pattern of one name is of any folder.
  const isPlaced = pattern.startsWith('/') || name.includes('/')
  if (NO_WILDCARDS.test(pattern)) {
    return isPlaced
      ? (path) => path === name || path.startsWith(`${name}/`)
      : (path) => `/${path}/`.includes(`/${name}/`)
  }
  const base = isPlaced ? name : `**/${name}`
  const below = `${base}/**`
  const globs = pattern.endsWith('/') ? below : base.endsWith('/*') ? base : [base, below]
  return picomatch(globs, { dot: true, nobrace: true, noext: true, nonegate: true })
}

/** The rule of a line: a pattern and its owners, which may be none; undefined for comments and the sections of GitLab. */
function ruleOf(line: string): Rule | undefined {
  const [pattern = '', ...words] = line.trim().split(/(?<!\\)\s+/)
  if (pattern === '' || /^(#|\^?\[)/.test(pattern) || isSlow(pattern)) return undefined
  const comment = words.findIndex((word) => word.startsWith('#'))
  const owners = (comment < 0 ? words : words.slice(0, comment)).join(' ')
  return { pattern, owners }
}

/** Reads who owns the files of the repository that a folder is in: the last line that matches a path decides. */
export async function readCodeOwners(cwd: string) {
  const root = repositoryRoot(cwd)
  const paths = FILES.map((file) => join(root, file))
  const path = paths.find((file) => existsSync(file) && statSync(file).isFile())
  const isReadable = path !== undefined && isInRepository(path, root)
  const content = isReadable ? `${await readWithin(path, 'CODEOWNERS', 'usage')}` : ''
  const text = content.length > MAX_CHARACTERS ? '' : content
  const rules = text.split('\n').flatMap((line) => ruleOf(line) ?? [])
  const withWildcards = rules.filter(({ pattern }) => !NO_WILDCARDS.test(pattern))
  const used = withWildcards.length > MAX_WITH_WILDCARDS ? [] : rules
  const tests = used.map(({ pattern, owners }) => ({ owners, test: pathTest(pattern) }))
  /** @param file from the working directory */
  return (file: string): string | undefined => {
    const place = relativePath(resolve(cwd, file), root)
    return tests.findLast(({ test }) => test(place))?.owners || undefined
  }
}
