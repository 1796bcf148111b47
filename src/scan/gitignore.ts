import { constants, existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { fileReason, FlagadmError, isAbsent, systemCode } from '../errors.ts'
import { join } from '../paths.ts'

/** The ignore rules that apply in a directory. */
export interface Rules {
  /** Those of all files from the root of the repository down, with patterns that begin at the root. */
  matcher: Ignore
  /** The path of the directory below the root: empty, or ending in `/`. */
  path: string
  budget: Budget
}

/** The time left for matching, to stop hostile rules. */
interface Budget {
  milliseconds: number
}

/** Receives the `.gitignore` files and lines that cannot be used, and why in a few words. */
export type OnUnusable = (path: string, reason: string) => void

// Larger files are generated.
const MAX_RULES_BYTES = 256 * 1024

// The package tries all ways to match them, which takes exponential time for more.
const MAX_ANY_DEPTH = 2

// Far more than the rules of real repositories need.
const MAX_MATCHING_MS = 30_000

const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** The text of a file of rules, or why it cannot be used; symbolic links are not followed, as in git. */
async function readRules(path: string): Promise<{ text: string } | { reason: string }> {
  const file = await open(path, flags)
  try {
    const stats = await file.stat()
    if (!stats.isFile()) return { reason: 'it is not a regular file' }
    if (stats.size > MAX_RULES_BYTES)
      return { reason: `it is larger than ${MAX_RULES_BYTES / 1024} KiB` }
    const buffer = Buffer.alloc(MAX_RULES_BYTES)
    const { bytesRead } = await file.read(buffer)
    return { text: buffer.toString('utf8', 0, bytesRead) }
  } finally {
    await file.close()
  }
}

/** Why a file of rules cannot be read; undefined when there is none. */
function failureReason(error: unknown): string | undefined {
  const code = systemCode(error)
  if (code === undefined) throw error
  if (isAbsent(error)) return undefined
  return code === 'ELOOP' ? 'it is a symbolic link' : fileReason(error)
}

/** A line of a `.gitignore` file in a directory as a line of one in the root of its repository. */
function rebased(line: string, directory: string): string {
  if (directory === '' || line.startsWith('#')) return line
  const [negation, body] = line.startsWith('!') ? ['!', line.slice(1)] : ['', line]
  const pattern = body.replace(/^\//, '')
  const text = pattern.replace(/(?<! ) +$/, '')
  if (text === '') return ''
  const isAnchored = body.startsWith('/') || text.slice(0, -1).includes('/')
  const place = directory.replace(/[\\*?[]/g, '\\$&')
  return `${negation}/${place}${isAnchored ? '' : '**/'}${pattern}`
}

/** The inherited rules with those of the directory's own file, if it has one. */
async function withOwn(rules: Rules, directory: string, onUnusable: OnUnusable): Promise<Rules> {
  const path = join(directory, '.gitignore')
  const read = await readRules(path).catch((error) => ({ reason: failureReason(error) }))
  if ('reason' in read) {
    if (read.reason !== undefined) onUnusable(path, read.reason)
    return rules
  }
  const lines = read.text.replace(/^\ufeff/, '').split(/\r?\n|\r$/)
  const usable = lines.filter((line, index) => {
    if ((line.match(/\*{2,}\//g) ?? []).length <= MAX_ANY_DEPTH) return true
    onUnusable(`${path}:${index + 1}`, `the pattern has more than ${MAX_ANY_DEPTH} '**/'`)
    return false
  })
  const matcher = ignore({ ignoreCase: false }).add(rules.matcher)
  return { ...rules, matcher: matcher.add(usable.map((line) => rebased(line, rules.path))) }
}

/** No rules yet, in the root of a repository. */
function rulesAtRoot(budget: Budget): Rules {
  return { matcher: ignore({ ignoreCase: false }), path: '', budget }
}

/** The rules for the entries of a directory: inherited ones and those of its own file. */
export async function rulesInside(
  above: Rules,
  directory: string,
  names: readonly string[],
  onUnusable: OnUnusable,
): Promise<Rules> {
  // As in git, a repository within a repository does not inherit rules.
  const rules = names.includes('.git') ? rulesAtRoot(above.budget) : above
  return names.includes('.gitignore') ? withOwn(rules, directory, onUnusable) : rules
}

/** The same rules for a subdirectory. */
export function rulesBelow(rules: Rules, name: string): Rules {
  return { ...rules, path: `${rules.path}${name}/` }
}

/** Whether an entry of a directory is ignored; the directory is not. */
export function isIgnored(rules: Rules, name: string, isDirectory: boolean): boolean {
  const { matcher, path, budget } = rules
  const began = performance.now()
  const ignored = matcher.ignores(`${path}${name}${isDirectory ? '/' : ''}`)
  budget.milliseconds -= performance.now() - began
  if (budget.milliseconds > 0) return ignored
  throw new FlagadmError('usage', '.gitignore: matching its rules takes too long', {
    hint: 'use fewer rules and wildcards',
  })
}

function isRepository(directory: string): boolean {
  return existsSync(join(directory, '.git'))
}

function isInRepository(directory: string): boolean {
  if (isRepository(directory)) return true
  return dirname(directory) !== directory && isInRepository(dirname(directory))
}

/** The rules that directories inherit, for the start of a walk. */
export type Inheritance = ReturnType<typeof createInheritance>

/** Inheritance that reads each `.gitignore` once; outside a repository it begins at the working directory. */
export function createInheritance(cwd: string, onUnusable: OnUnusable) {
  const none = rulesAtRoot({ milliseconds: MAX_MATCHING_MS })
  const known = new Map<string, Promise<Rules | undefined>>()
  const isOutermost = (directory: string) =>
    dirname(directory) === directory ||
    isRepository(directory) ||
    (directory === cwd && !isInRepository(cwd))

  /** The rules that a directory inherits; undefined when it is ignored. */
  async function above(directory: string): Promise<Rules | undefined> {
    if (isOutermost(directory)) return none
    const rules = await inside(dirname(directory))
    const name = basename(directory)
    return rules && !isIgnored(rules, name, true) ? rulesBelow(rules, name) : undefined
  }

  /** The rules for its entries: the inherited ones and those of its own file. */
  function inside(directory: string): Promise<Rules | undefined> {
    const rules =
      known.get(directory) ??
      above(directory).then((inherited) => inherited && withOwn(inherited, directory, onUnusable))
    known.set(directory, rules)
    return rules
  }

  return { above, inside }
}
