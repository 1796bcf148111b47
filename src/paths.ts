import { readdirSync, statSync } from 'node:fs'
import * as native from 'node:path'

/** A path with `/`, which Windows accepts as well: all paths in output have it. */
export function withSlashes(path: string): string {
  return native.sep === '/' ? path : path.replaceAll(native.sep, '/')
}

/** As in Node.js, with `/`. */
export function join(...parts: string[]): string {
  return withSlashes(native.join(...parts))
}

/** As in Node.js, with `/`. */
export function resolve(...parts: string[]): string {
  return withSlashes(native.resolve(...parts))
}

/** As in Node.js, with `/`; on Windows, a path on another drive stays absolute. */
export function relative(from: string, to: string): string {
  return withSlashes(native.relative(from, to))
}

/** A path relative to a folder; it may already be relative to that folder. */
export function relativePath(path: string, folder: string): string {
  return relative(folder, resolve(folder, path))
}

/** A path relative to a folder that contains it; undefined if the folder does not. */
export function pathInside(path: string, folder: string): string | undefined {
  const inside = relative(folder, path)
  const isOutside = inside === '..' || inside.startsWith('../') || native.isAbsolute(inside)
  return isOutside ? undefined : inside
}

/** Shortens a path for display: `./…` in the working directory, `~/…` in the home directory. */
export function displayPath(
  path: string,
  { cwd, home }: { cwd: string; home: string | undefined },
): string {
  const inCwd = pathInside(path, cwd)
  if (inCwd !== undefined) return `./${inCwd}`
  const inHome = home === undefined ? undefined : pathInside(path, home)
  return inHome === undefined ? path : `~/${inHome}`
}

const HOME_SIGN = native.sep === '/' ? /^~\// : /^~[/\\]/

/** The part of a path after `~/`, on Windows also after `~\`; undefined for other paths. */
export function pathInHome(path: string): string | undefined {
  return HOME_SIGN.test(path) ? path.slice(2) : undefined
}

/** Whether two paths lead to the same file or folder: through links, or where the file system ignores case. */
export function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }))
  if (a === undefined || b === undefined) return false
  // Some network drives do not number their files.
  return a.ino === 0n ? one === other : a.dev === b.dev && a.ino === b.ino
}

/** A name in the other case; undefined for one without letters. */
function otherCase(name: string): string | undefined {
  const other = name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase()
  return other === name ? undefined : other
}

/**
 * Whether a folder ignores the case of names, as folders usually do on macOS and Windows. An empty folder is
 * assumed to behave like the folder that contains it.
 */
export function ignoresCase(folder: string): boolean {
  try {
    for (const name of readdirSync(folder)) {
      const other = otherCase(name)
      if (other !== undefined) return isSameFile(join(folder, name), join(folder, other))
    }
  } catch {
    // A folder that cannot be listed has no names to compare.
    return false
  }
  const parent = native.dirname(folder)
  return parent !== folder && ignoresCase(parent)
}

/** Whether a name, with any extension, is that of a device on Windows. */
export function isReservedName(name: string): boolean {
  return /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?=\.|$)/i.test(name)
}
