import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileReason, isAbsent, systemCode } from '../errors.ts'
import {
  type Budget,
  createBudget,
  type IgnoreRule,
  matchesRule,
  parseRule,
} from './ignore-rule.ts'

/** The rules of a `.gitignore` file, the last one first, since the last match decides. */
interface RuleFile {
  rules: IgnoreRule[]
  /** How many directories it is below the root of the repository. */
  depth: number
}

/** The ignore rules that apply in a directory. */
export interface Rules {
  /** The deepest file first, since it decides. */
  files: readonly RuleFile[]
  /** The directories from the root of the repository to this one. */
  path: readonly string[]
  budget: Budget
}

/** Receives the `.gitignore` files that cannot be used, and why in a few words. */
export type OnUnusable = (path: string, reason: string) => void

/** The rules that directories inherit, for the start of a walk. */
export interface Inheritance {
  /** The rules that a directory inherits; undefined when it is ignored. */
  above(directory: string): Promise<Rules | undefined>
  /** The rules for its entries: the inherited ones and those of its own file. */
  inside(directory: string): Promise<Rules | undefined>
}

// Larger files are generated.
const MAX_RULES_BYTES = 256 * 1024

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

function rulesOf(text: string): IgnoreRule[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n|\r$/)
  return lines.flatMap((line) => parseRule(line) ?? []).reverse()
}

/** The inherited rules with those of the directory's own file, if it has one. */
async function withOwn(rules: Rules, directory: string, onUnusable: OnUnusable): Promise<Rules> {
  const path = join(directory, '.gitignore')
  const read = await readRules(path).catch((error) => ({ reason: failureReason(error) }))
  if ('reason' in read) {
    if (read.reason !== undefined) onUnusable(path, read.reason)
    return rules
  }
  const own = { rules: rulesOf(read.text), depth: rules.path.length }
  return { ...rules, files: [own, ...rules.files] }
}

/** The rules for the entries of a directory: inherited ones and those of its own file. */
export async function rulesInside(
  above: Rules,
  directory: string,
  names: readonly string[],
  onUnusable: OnUnusable,
): Promise<Rules> {
  // As in git, a repository within a repository does not inherit rules.
  const rules = names.includes('.git') ? { ...above, files: [], path: [] } : above
  return names.includes('.gitignore') ? withOwn(rules, directory, onUnusable) : rules
}

/** The same rules for a subdirectory. */
export function rulesBelow(rules: Rules, name: string): Rules {
  return { ...rules, path: [...rules.path, name] }
}

/** Whether an entry of a directory is ignored; the directory is not. */
export function isIgnored(rules: Rules, name: string, isDirectory: boolean): boolean {
  const { files, budget } = rules
  if (files.length === 0) return false
  const path = [...rules.path, name]
  for (const file of files) {
    const decisive = file.rules.find(
      (rule) =>
        (isDirectory || !rule.forDirectories) && matchesRule(rule, path, file.depth, budget),
    )
    if (decisive) return !decisive.isNegated
  }
  return false
}

function isRepository(directory: string): Promise<boolean> {
  return stat(join(directory, '.git')).then(
    () => true,
    () => false,
  )
}

async function isInRepository(directory: string): Promise<boolean> {
  if (await isRepository(directory)) return true
  return dirname(directory) !== directory && isInRepository(dirname(directory))
}

/** Inheritance that reads each `.gitignore` once; outside a repository it begins at the working directory. */
export function createInheritance(cwd: string, onUnusable: OnUnusable): Inheritance {
  const none: Rules = { files: [], path: [], budget: createBudget() }
  const known = new Map<string, Promise<Rules | undefined>>()
  const isOutermost = async (directory: string) =>
    dirname(directory) === directory ||
    (await isRepository(directory)) ||
    (directory === cwd && !(await isInRepository(cwd)))

  async function above(directory: string): Promise<Rules | undefined> {
    if (await isOutermost(directory)) return none
    const rules = await inside(dirname(directory))
    const name = basename(directory)
    return rules && !isIgnored(rules, name, true) ? rulesBelow(rules, name) : undefined
  }

  function inside(directory: string): Promise<Rules | undefined> {
    const rules =
      known.get(directory) ??
      above(directory).then((inherited) => inherited && withOwn(inherited, directory, onUnusable))
    known.set(directory, rules)
    return rules
  }

  return { above, inside }
}
