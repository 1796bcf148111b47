import { readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { Host } from '../host.ts'
import { MAX_BYTES } from '../input/files.ts'
import { isObject } from '../input/json.ts'
import { isProfileName } from './files/profile-name.ts'
import { projectDirectories, projectPlaces, userDirectory, userPlaces } from './files/places.ts'

function namesIn(data: unknown): string[] | undefined {
  if (!isObject(data)) return undefined
  const named = isObject(data.profiles) ? Object.keys(data.profiles) : []
  return data.baseUrl === undefined ? named : ['default', ...named]
}

const BLANK = /^\s*(?:#.*)?$/
const KEY = /^( *)(?:(["'])([^"'\\]+)\2|([\p{L}\p{N}_$][\p{L}\p{N}._ -]*)):(?: |$)/u

/**
 * The names in YAML with one field per line; undefined for other YAML. Avoids the parser, since loading
 * it and parsing a first document takes as long as the rest of a completion.
 */
export function namesInLines(text: string): string[] | undefined {
  const names: string[] = []
  let inProfiles = false
  let indent: number | undefined
  for (const line of text.split(/\r?\n/)) {
    if (BLANK.test(line)) continue
    const depth = line.search(/[^ ]/)
    if (depth > 0 && (!inProfiles || depth > (indent ?? depth))) continue
    const [, , , quoted, plain] = KEY.exec(line) ?? []
    const key = quoted ?? plain
    if (key === undefined) return undefined
    if (depth > 0) {
      if (depth !== (indent ??= depth)) return undefined
      names.push(key)
      continue
    }
    inProfiles = key === 'profiles'
    if (inProfiles && !/:\s*(?:#.*)?$/.test(line)) return undefined
    if (key === 'baseUrl') names.push('default')
  }
  return names
}

async function namesInText(text: string, path: string): Promise<string[] | undefined> {
  if (/^\s*\{/.test(text)) {
    const data: unknown = JSON.parse(text)
    return namesIn(basename(path) === 'package.json' && isObject(data) ? data.flagadm : data)
  }
  const quick = namesInLines(text)
  if (quick) return quick
  const { parseDocument } = await import('../input/document.ts')
  return namesIn(await parseDocument(text, path, 'configuration'))
}

/** The names in the first of the files that exists. */
async function firstNames(paths: readonly string[]): Promise<string[]> {
  for (const path of paths) {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (!stats?.isFile() || stats.size > MAX_BYTES) continue
    const names = await namesInText(readFileSync(path, 'utf8'), path)
    if (names) return names
  }
  return []
}

/** The valid names in the first of the files that exists; none if it is unreadable or malformed. */
async function validNames(paths: readonly string[]): Promise<string[]> {
  const names = await firstNames(paths).catch(() => [])
  return names.filter(isProfileName)
}

/**
 * The names of the profiles in the user's configuration, for completion. Leaves out the checks of
 * `loadConfigurations` to be fast.
 * @param namedFile the file of --config
 */
export async function ownNames(host: Host, namedFile: string | undefined): Promise<string[]> {
  if (namedFile !== undefined) return validNames([resolve(host.cwd, namedFile)])
  const folder = userDirectory(host)
  return folder === undefined ? [] : validNames(userPlaces.map((place) => join(folder, place)))
}

/** The names of the profiles in the project's configuration, which is not read with --config. */
export async function projectNames(host: Host, namedFile: string | undefined): Promise<string[]> {
  if (namedFile !== undefined) return []
  const directories = projectDirectories(host.cwd)
  return validNames(
    directories.flatMap((directory) => projectPlaces.map((place) => join(directory, place))),
  )
}
