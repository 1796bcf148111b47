import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { UnreadFile } from '../code/files.ts'
import type { FoundLookups } from '../code/lookups/find.ts'
import { byPlace, namedKeyOf, positionText } from '../code/positions.ts'
import { checkMatch, parseCall } from '../code/settings.ts'
import type { Context } from '../context.ts'
import type { Context as OldContext } from '../old/context.ts'
import { failureOf, FlagadmError, refuseFile } from '../errors.ts'
import { counted } from '../output/incomplete.ts'
import { relative, resolve } from '../paths.ts'
import { configured, readConfiguration } from '../profile/configuration.ts'
import type { UnreadLookups } from '../projects/missing.ts'
import { unreadText } from '../projects/report/missing.ts'
import { type ProjectOptions, selectsProjects } from '../projects/selection.ts'
import { asksScan, type CodeReference, nothingScanned } from './scanned.ts'
import type { ScannedCode, ScanOptions } from './scanned.ts'

/** The files to scan and how, from the options and the configuration together. */
export interface ScanRequest {
  globs: string[]
  calls: string[]
  patterns: string[]
}

/** Whether there is anything to scan. */
function hasPaths({ globs }: ScanRequest): boolean {
  return globs.some((glob) => !glob.startsWith('!'))
}

/** The part of the configuration, with globs from the working directory. */
async function configuredScan(context: Context) {
  const found = configured(await readConfiguration(context), 'scan')
  if (!found) return { globs: [], calls: [], patterns: [] }
  const { value, source } = found
  const { name: file } = source
  const { paths = [], exclude = [], calls = [], match = [] } = value
  // The messages begin with an option, but the fault is in a field.
  const check = (field: string, values: readonly string[], test: (value: string) => unknown) => {
    try {
      for (const one of values) test(one)
    } catch (error) {
      const { message, hint = '' } = failureOf(error)
      refuseFile(file, `scan.${field}: ${message.replace(/^--\w+:? /, '')}`, hint)
    }
  }
  check('calls', calls, parseCall)
  check('match', match, checkMatch)
  const folder = relative(context.host.cwd, dirname(file))
  const placed = (glob: string) => (folder === '' ? glob : `${folder}/${glob}`)
  return {
    globs: [...paths.map(placed), ...exclude.map((glob) => `!${placed(glob)}`)],
    calls,
    patterns: match,
  }
}

/** Refuses files among the names: a shell replaces a glob without quotation marks, and only its first file is scanned. */
async function refuseFiles(names: readonly string[], cwd: string): Promise<void> {
  for (const name of names.filter((name) => /[./]/.test(name))) {
    const stats = await stat(resolve(cwd, name)).catch(() => undefined)
    if (!stats?.isFile()) continue
    throw new FlagadmError('usage', `${name} is a file, not the name of a flag`, {
      hint: 'write the glob of --scan in quotation marks, or --scan before each file',
    })
  }
}

/**
 * Combines the options with the configuration.
 * @param given the names on the command line
 * @throws a usage error for an option that is not valid, a configuration error for such a field
 */
export async function scanRequest(
  context: Context,
  given: readonly string[],
  options: ScanOptions,
): Promise<ScanRequest> {
  const { scan = [], call = [], match = [] } = options
  if (scan.length > 0) await refuseFiles(given, context.host.cwd)
  const known = await configuredScan(context)
  for (const one of call) parseCall(one)
  for (const one of match) checkMatch(one)
  return {
    globs: [...known.globs, ...scan],
    calls: [...known.calls, ...call],
    patterns: [...known.patterns, ...match],
  }
}

/**
 * Refuses to scan nothing.
 * @param option the option that requires a scan; undefined for a command that does
 */
export function refuseWithoutPaths(request: ScanRequest, option?: string): void {
  if (hasPaths(request)) return
  const what = option === undefined ? 'nothing to scan' : `${option} requires --scan`
  const hint = 'use --scan <glob>, or add scan.paths to the project configuration'
  throw new FlagadmError('usage', what, { hint })
}

/** Refuses globs that match no file. */
export function refuseUnmatched(globs: readonly string[], hint: string): void {
  if (globs.length === 0) return
  throw new FlagadmError('usage', `--scan: no file matches ${globs.join(', ')}`, { hint })
}

// More paths do not help.
const MAX_SHOWN = 3

function unreadFilesText(unread: readonly UnreadFile[]): string {
  const shown = unread.slice(0, MAX_SHOWN).map(({ file, reason }) => `${file} (${reason})`)
  const more = unread.length > MAX_SHOWN ? ` and ${unread.length - MAX_SHOWN} more` : ''
  return `not read: ${shown.join(', ')}${more}`
}

function report({ messages }: Context, found: FoundLookups): void {
  const { unread, excluded, plainFolders, otherSystems, unresolved, wrappers, flagTypes } = found
  if (unread.length > 0) messages.warn(unreadFilesText(unread))
  if (excluded > 0) messages.note(`${counted(excluded, 'file')} excluded`)
  for (const folder of plainFolders) {
    messages.debug(`${folder} is not in a git repository, so no file is ignored`)
  }
  if (otherSystems.length > 0) {
    const files = counted(otherSystems.length, 'file')
    messages.note(
      `lookups of other flag systems are left out in ${files}, such as ${otherSystems[0]}`,
    )
  }
  for (const { file, reason } of unread) messages.debug(`${file}: not read: ${reason}`)
  for (const { name, argument } of wrappers) {
    const which = typeof argument === 'number' ? `argument ${argument}` : argument
    messages.debug(`${name} is a lookup: it passes on ${which}`)
  }
  for (const type of flagTypes) {
    messages.debug(`${type} has flags as members or objects: its methods pass on a field`)
  }
  for (const lookup of unresolved) {
    messages.debug(`${positionText(lookup)}: could not be read: ${lookup.text}`)
  }
}

/** Lookups that could not be read, if there are any. */
export function unreadLookups(
  { unresolved, lookups }: Pick<FoundLookups, 'unresolved' | 'lookups'>,
  revision?: string,
): UnreadLookups[] {
  if (unresolved.length === 0) return []
  return [{ unread: unresolved.length, of: lookups, ...(revision !== undefined && { revision }) }]
}

/** Scans the working tree, and allows globs that match no file. */
export async function scanLeniently(
  context: Context,
  { globs, ...request }: ScanRequest,
  names: readonly string[],
): Promise<ScannedCode> {
  const { findLookupsInFiles } = await import('../code/lookups/find.ts')
  const { cwd, env, signal } = context.host
  const found = await findLookupsInFiles(globs, { ...request, cwd, env, signal })
  report(context, found)
  const skipped = new Map(found.unread.map((one) => [one.file, one]))
  const references: CodeReference[] = [...found.references]
  if (names.length > 0) {
    const { searchFiles } = await import('../code/search.ts')
    const origins = new Set(references.map(({ name, origin }) => namedKeyOf({ name, ...origin })))
    const known = await searchFiles(names, globs, { cwd, env, signal })
    for (const [name, { places }] of known.names) {
      for (const place of places) {
        if (origins.has(namedKeyOf({ name, ...place }))) continue
        references.push({ name, ...place, kind: 'mention', origin: place })
      }
    }
    for (const one of known.unread) skipped.set(one.file, one)
  }
  return {
    ...found,
    references: references.sort(byPlace),
    skipped: [...skipped.values()],
    unread: unreadLookups(found),
    unreadFiles: [...skipped.keys()],
  }
}

/**
 * Scans source code. Notes what is skipped, and warns about files that cannot be read.
 * @param names known names, whose mentions are wanted
 * @throws a usage error without globs, and for one that matches no file
 */
export async function scanCode(
  context: Context,
  request: ScanRequest,
  names: readonly string[] = [],
): Promise<ScannedCode> {
  const found = await scanLeniently(context, request, names)
  refuseUnmatched(found.unmatched, 'check the path, and whether .gitignore hides it')
  return found
}

/** Scans what the options ask for or, if neither names nor projects are given, the paths of the configuration. */
export async function scanIfAsked(
  context: Context,
  given: readonly string[],
  options: ScanOptions & ProjectOptions & { namesFrom?: string | undefined },
): Promise<ScannedCode> {
  const hasOthers = given.length > 0 || options.namesFrom !== undefined || selectsProjects(options)
  if (hasOthers && !asksScan(options)) return nothingScanned
  const request = await scanRequest(context, given, options)
  if (!hasPaths(request) && !asksScan(options)) return nothingScanned
  const { call, match } = options
  const option = call ? '--call' : match && '--match'
  refuseWithoutPaths(request, option)
  return scanCode(context, request)
}

/** Notes on stderr how many lookups could not be read, for formats that have no room for it. */
export function noteUnread(
  { messages, printer }: OldContext,
  unread: readonly UnreadLookups[],
): void {
  for (const one of unread) messages.note(unreadText(one, printer.text))
}
