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

/** Whether a name, with any extension, is that of a device on Windows. */
export function isReservedName(name: string): boolean {
  return /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?=\.|$)/i.test(name)
}
