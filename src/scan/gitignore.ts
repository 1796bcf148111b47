import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { systemCode } from '../system.ts'

/** The ignore rules that reach into a directory. */
export interface Rules {
  /** Of every `.gitignore` from the root of the repository down, deepest last: the last match decides. */
  list: Ignore
  /** Matches the name of every file that the list could ignore: few files need the list, which is slow. */
  suspects: RegExp
  /** The directory, seen from that root: empty, or ending in `/`. */
  path: string
}

/** The rules that directories get from above, which the walk into them starts with. */
export interface Inheritance {
  /** For a directory, without its own file; undefined when it is ignored. */
  above(directory: string): Promise<Rules | undefined>
  /** The same with its own file: what holds for its entries. */
  inside(directory: string): Promise<Rules | undefined>
}

function noRules(): Rules {
  return { list: ignore(), suspects: /(?!)/, path: '' }
}

// A line of a nested file, rewritten to mean the same in a file at the root.
function fromRoot(line: string, path: string): string {
  const [, negation = '', body = ''] = /^(!?)(.*)$/.exec(line) ?? []
  if (line.startsWith('#') || body.replace(/^\//, '').trim() === '') return ''
  const place = `${negation}/${path.replace(/[\\*?[\]]/g, '\\$&')}`
  if (body.startsWith('/')) return place + body.slice(1)
  const anchored = body.trimEnd().slice(0, -1).includes('/')
  return place + (anchored ? body : `**/${body}`)
}

// What the rule demands of a file's name, or less: a rule for directories matches no file.
function suspect(line: string): string[] {
  const name = line.replace(/ +$/, '').split('/').at(-1)
  if (!name || /^[#!]/.test(line)) return []
  const [, star, literal = '', rest] = /^(\*?)([^\\*?[\s]*)(.*)$/.exec(name) ?? []
  const text = literal.replace(/[.+(){}|^$\]]/g, '\\$&')
  if (star) return [rest ? '' : `${text}$`]
  return [rest ? `^${text}` : `^${text}$`]
}

function extend({ list, suspects, path }: Rules, text: string): Rules {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n|\r$/)
  const own = path ? lines.map((line) => fromRoot(line, path)) : lines
  return {
    list: ignore({ ignoreCase: false }).add(list).add(own),
    suspects: new RegExp([suspects.source, ...lines.flatMap(suspect)].join('|')),
    path,
  }
}

/** With the rules of the directory's own file, if there is one that can be read. */
async function withOwn(rules: Rules, directory: string): Promise<Rules> {
  try {
    return extend(rules, await readFile(join(directory, '.gitignore'), 'utf8'))
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return rules
  }
}

/** The rules for the entries of a directory, by what comes from above and what is in it. */
export async function rulesInside(
  above: Rules,
  directory: string,
  names: readonly string[],
): Promise<Rules> {
  // A repository in a repository, as git sees it, starts anew.
  const rules = names.includes('.git') ? noRules() : above
  return names.includes('.gitignore') ? withOwn(rules, directory) : rules
}

/** The same rules for a directory in the directory. */
export function rulesBelow(rules: Rules, name: string): Rules {
  return { ...rules, path: `${rules.path}${name}/` }
}

/** Whether a directory in a directory is ignored; the outer one is not. */
export function isDirectoryIgnored({ list, path }: Rules, name: string): boolean {
  return list.ignores(`${path}${name}/`)
}

/** Whether a file in a directory is ignored; the directory is not. */
export function isFileIgnored({ list, suspects, path }: Rules, name: string): boolean {
  return suspects.test(name) && list.ignores(path + name)
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
export function createInheritance(cwd: string): Inheritance {
  const known = new Map<string, Promise<Rules | undefined>>()
  const isOutermost = async (directory: string) =>
    dirname(directory) === directory ||
    (await isRepository(directory)) ||
    (directory === cwd && !(await isInRepository(cwd)))

  async function above(directory: string): Promise<Rules | undefined> {
    if (await isOutermost(directory)) return noRules()
    const rules = await inside(dirname(directory))
    const name = basename(directory)
    return rules && !isDirectoryIgnored(rules, name) ? rulesBelow(rules, name) : undefined
  }

  function inside(directory: string): Promise<Rules | undefined> {
    const rules =
      known.get(directory) ??
      above(directory).then((inherited) => inherited && withOwn(inherited, directory))
    known.set(directory, rules)
    return rules
  }

  return { above, inside }
}
