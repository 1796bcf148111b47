import { dirname, isAbsolute } from 'node:path'
import type { Provenance } from './files/provenance.ts'
import type { SelectedFiles, UnreadFile } from './files/source-files.ts'
import type { FoundLookups, LookupOptions } from './lookups/find.ts'
import { parseCall } from './lookups/configured-calls.ts'
import type { Unresolved } from './lookups/results.ts'
import type { AddedNames, ChangeRequest, CodeChanges, RemovedNames } from './changes.ts'
import { checkMatch } from './lookups/match.ts'
import type { CodePlace, FoundName, FoundNames } from './text/search.ts'
import type { Context } from '../command/context.ts'
import { failureOf, FlagadmError, refuse } from '../errors.ts'
import { groupBy } from '../groups.ts'
import { isLegalName } from '../input/flag-names.ts'
import { isTest } from './lexer/file-names.ts'
import { counted, listed } from '../output/incomplete.ts'
import { positionText, type Gap } from '../output/problems.ts'
import { relative, resolve } from '../paths.ts'
import { checkConfiguredPath, configured, readConfiguration } from '../profile/configuration.ts'

// The door of this room: what the options and the configuration select, searches, and what could not be read. What
// searches need is loaded when they run.
export type { AddedNames, CodeChanges } from './changes.ts'
export type { GivenRevision } from './files/git.ts'
export { type FilePosition, firstInOrder, namedKeyOf } from './files/positions.ts'
export type { Provenance } from './files/provenance.ts'
export type { UnreadFile } from './files/source-files.ts'
export type { Reference, Unresolved } from './lookups/results.ts'
export type { CodePlace, FoundNames } from './text/search.ts'

/** The options of commands that read source code. */
export interface CodeOptions {
  /** Paths and globs. */
  scan?: readonly string[] | undefined
  /** Functions that take a flag name. */
  call?: readonly string[] | undefined
  /** Custom patterns in addition to the calls of the SDKs. */
  match?: readonly string[] | undefined
}

/** What was read of source code. */
export interface CodeReading {
  unresolved: readonly Unresolved[]
  /** How many lookups there are. */
  lookups: number
  unread: readonly UnreadFile[]
  /** How many files were read. */
  files: number
  /** Functions that may be lookups, as for `--call`. */
  suggestedCalls?: readonly string[]
  /** Whether only those lookups are unresolved, and those files unread, that were not at an old revision. */
  isNew?: boolean
}

/** What to read, and how. */
export interface CodeRequest extends LookupOptions {
  globs: readonly string[]
}

/** The part of the configuration, with globs from the working directory. */
async function configuredCode({ host, options }: Context) {
  const section = configured(await readConfiguration({ host, options }), 'scan')
  const { value = {}, path = '' } = section ?? {}
  const { paths = [], exclude = [], calls = [], match = [] } = value
  try {
    for (const call of calls) parseCall(call, 'scan.calls')
    for (const pattern of match) checkMatch(pattern, 'scan.match:')
  } catch (error) {
    const { message, hint = '' } = failureOf(error)
    refuse(`${path}: ${message}`, hint)
  }
  const folder = relative(host.cwd, dirname(path))
  const placed = (glob: string) => (folder === '' || isAbsolute(glob) ? glob : `${folder}/${glob}`)
  return {
    paths: paths.map(placed),
    /** Checks that the paths are those of the repository whose file has them. */
    async checkPaths() {
      if (!section || paths.length === 0) return
      const { wantedGlobs } = await import('./files/globs.ts')
      const source = { ...section, field: ['scan', 'paths'] }
      for (const { base } of wantedGlobs(paths.map(placed), host.cwd)) {
        checkConfiguredPath(source, base)
      }
    },
    exclude: exclude.map((glob) => `!${placed(glob)}`),
    calls,
    match,
  }
}

/** Refuses files among the names: a shell replaces a glob without quotation marks, and only its first file is scanned. */
async function refuseFiles(names: readonly string[], cwd: string): Promise<void> {
  for (const name of names.filter((text) => /[./]/.test(text))) {
    const { statsAt } = await import('./files/tracked-links.ts')
    if (!statsAt(resolve(cwd, name))?.isFile()) continue
    throw new FlagadmError('usage', `${name} is a file, not the name of a flag`, {
      hint: 'write the glob of --scan in quotation marks, or --scan before each file',
    })
  }
}

/**
 * Combines the options with the configuration: its `paths` if there is no `--scan`, and the rest in any case.
 * @param given the names on the command line
 * @returns undefined if there is nothing to scan
 * @throws a usage error for an invalid option, a configuration error for such a field and for a path outside the repository
 */
export async function codeRequest(
  context: Context,
  names: readonly string[],
  options: CodeOptions,
): Promise<CodeRequest | undefined> {
  const { scan, call = [], match = [] } = options
  const { host, progress, closing } = context
  if (scan) await refuseFiles(names, host.cwd)
  const configuration = await configuredCode(context)
  for (const specification of call) parseCall(specification)
  for (const pattern of match) checkMatch(pattern)
  if (!scan) await configuration.checkPaths()
  const paths = scan ?? configuration.paths
  if (paths.every((glob) => glob.startsWith('!'))) return undefined
  return {
    globs: [...paths, ...configuration.exclude],
    calls: [...configuration.calls, ...call],
    patterns: [...configuration.match, ...match],
    cwd: host.cwd,
    env: host.env,
    signal: closing,
    progress,
  }
}

/** The error for a command line that has nothing to scan. */
export function nothingToScan(): FlagadmError {
  const hint = 'use --scan <path>, or add scan.paths to the project configuration'
  return new FlagadmError('usage', 'nothing to scan', { hint })
}

/** `src and 2 other folders` */
function firstAndMore([first, ...others]: readonly string[], noun: string): string {
  return others.length > 0 ? `${first} and ${counted(others.length, `other ${noun}`)}` : `${first}`
}

// More functions than a line has.
const MAX_CALLS = 5

/** What is known of the files that were selected. */
interface Selected extends Omit<SelectedFiles, 'files' | 'unread'> {
  /** How many were read. */
  files: number
  /** Those that git has, but not the work tree. */
  deleted: readonly string[]
}

/**
 * Notes which files were selected in an unusual way.
 * @throws a usage error for paths and globs that match nothing, or only files that are excluded
 */
function checkSelection(
  { messages }: Context,
  selected: Selected,
  hint = 'check the path, and whether .gitignore hides it',
): void {
  const { files, unmatched, excluded, plainFolders, otherRepositories, deleted } = selected
  if (unmatched.length > 0) {
    throw new FlagadmError('usage', `--scan: no file matches ${unmatched.join(', ')}`, { hint })
  }
  if (files === 0 && deleted.length > 0) {
    const what = `${firstAndMore(deleted, 'tracked file')}: deleted from the work tree, no other left`
    throw new FlagadmError('usage', `--scan: ${what}`, { hint: 'check the path' })
  }
  if (files === 0 && excluded > 0) {
    throw new FlagadmError(
      'usage',
      `--scan: ${counted(excluded, 'file')} excluded, no other left`,
      {
        hint: "check --scan '!…', and scan.exclude of the project configuration",
      },
    )
  }
  if (excluded > 0) messages.note(`${counted(excluded, 'file')} excluded`)
  if (deleted.length > 0) {
    messages.note(`${firstAndMore(deleted, 'tracked file')}: deleted from the work tree`)
  }
  for (const folder of plainFolders) {
    messages.note(`${folder} is not in a git repository, so no file is ignored`)
  }
  if (otherRepositories.length > 0) {
    const folders = firstAndMore(otherRepositories, 'folder')
    messages.note(`${folders}: another repository or work tree, which is not read`)
  }
}

/** Writes the lookups that could not be read with --verbose. */
function debugUnresolved({ messages }: Context, unresolved: readonly Unresolved[]): void {
  for (const lookup of unresolved) {
    messages.debug(`${positionText(lookup)}: could not be read: ${lookup.text}`)
  }
}

/**
 * Finds known names in source code.
 * @throws a usage error for paths and globs that match nothing
 */
export async function searchNames(
  context: Context,
  names: readonly string[],
  { globs, ...request }: CodeRequest,
): Promise<FoundNames> {
  const { searchFiles } = await import('./text/search.ts')
  const places = await searchFiles(names, globs, request)
  checkSelection(context, places)
  debugUnresolved(context, places.unresolved)
  return places
}

/**
 * Finds names that the source code has and did not have at a revision, and those that it had and no longer has.
 * @throws a usage error for paths and globs that match nothing, now and then
 */
export async function searchChanges(
  context: Context,
  request: ChangeRequest,
  { globs, ...options }: CodeRequest,
): Promise<CodeChanges> {
  const { findChanges } = await import('./changes.ts')
  const { revision } = request
  const changes = await findChanges(request, globs, options)
  const { selection, unmatchedBefore } = changes
  const unmatched = selection.unmatched.filter((glob) => unmatchedBefore.includes(glob))
  const hint = `check the path; it matches no file at ${revision.name} either`
  checkSelection(
    context,
    { ...selection, files: selection.files.length, deleted: [], unmatched },
    hint,
  )
  for (const glob of unmatchedBefore.filter((glob) => !selection.unmatched.includes(glob))) {
    context.messages.warn(`${glob} matches no file at ${revision.name}: was it renamed?`)
  }
  return changes
}

/**
 * Finds the names that lookups use now and did not use at a revision.
 * @throws as `searchChanges`
 */
export async function lookUpAdded(
  context: Context,
  revision: string,
  request: CodeRequest,
): Promise<AddedNames & { files: number }> {
  const since = { name: revision, option: '--added-since' }
  const changes = await searchChanges(context, { revision: since, added: 'of lookups' }, request)
  reportUnresolved(context, changes.added.unresolved)
  return { ...changes.added, files: changes.selection.files.length }
}

/**
 * Finds the names that lookups in git's index use, and those of the checked-out commit do not.
 * @throws a usage error for paths and globs that match nothing, in the index and in the commit
 */
export async function lookUpStaged(
  context: Context,
  { globs, ...request }: CodeRequest,
): Promise<AddedNames & { files: number }> {
  const { findStaged } = await import('./changes.ts')
  const { added, selection, unmatchedBefore } = await findStaged('--staged', globs, request)
  const unmatched = selection.unmatched.filter((glob) => unmatchedBefore.includes(glob))
  const files = selection.files.length
  const hint = 'check the path, and whether git add was run'
  checkSelection(context, { ...selection, files, deleted: [], unmatched }, hint)
  reportUnresolved(context, added.unresolved)
  return { ...added, files }
}

/**
 * Finds known names that were in the source code at a revision and no longer are.
 * @throws as `searchChanges`
 */
export async function searchRemoved(
  context: Context,
  names: readonly string[],
  revision: string,
  request: CodeRequest,
): Promise<RemovedNames> {
  const removed = { revision: { name: revision, option: '--removed-since' }, removed: names }
  return (await searchChanges(context, removed, request)).removed
}

/**
 * Finds the names that calls of the SDKs look up, and those of `--call` and `--match`.
 * @throws a usage error for paths and globs that match nothing
 */
export async function lookUpNames(
  context: Context,
  { globs, ...request }: CodeRequest,
): Promise<FoundLookups> {
  const { findLookupsInFiles } = await import('./lookups/find.ts')
  const lookups = await findLookupsInFiles(globs, request)
  checkSelection(context, lookups)
  const [other] = lookups.otherSystems
  if (other !== undefined) {
    const files = counted(lookups.otherSystems.length, 'file')
    context.messages.note(
      `lookups of other flag systems are left out in ${files}, such as ${other}`,
    )
  }
  reportUnresolved(context, lookups.unresolved, lookups.lookups > 0 ? lookups.suggestedCalls : [])
  return lookups
}

/** Where the code that is read comes from: the repository of the first path. */
export async function readProvenance({ globs, ...options }: CodeRequest): Promise<Provenance> {
  const provenance = await import('./files/provenance.ts')
  return provenance.readProvenance(globs, options)
}

/** Files that could not be read at a revision. */
export function unreadAt(unread: readonly UnreadFile[], revision: string): UnreadFile[] {
  return unread.map(({ file, reason }) => ({ file, reason: `${reason}, at ${revision}` }))
}

/** What a report lacks because files could not be read. */
function fileGaps(unread: readonly UnreadFile[]): Gap[] {
  if (unread.length === 0) return []
  const names = unread.map(({ file, reason }) => `${file}: ${reason}`)
  return [{ message: `${counted(unread.length, 'file')} could not be read`, names }]
}

/**
 * What a report lacks because lookups, which have places, and files could not be read.
 * @param reading its `revision` is that of the lookups
 */
export function codeGaps({
  unresolved,
  lookups,
  unread,
  isNew = false,
  revision,
}: Omit<CodeReading, 'files'> & { revision?: string }): Gap[] {
  const count = unresolved.length
  const which = isNew ? counted(count, 'new lookup') : `${count} of ${counted(lookups, 'lookup')}`
  const where = revision === undefined ? '' : ` at ${revision}`
  const inTests = unresolved.filter(({ file }) => isTest(file)).length
  const ofTests = inTests > 0 ? `, ${inTests} in tests` : ''
  const message = `${which} could not be read${where}${ofTests}`
  const names = unresolvedTexts(unresolved)
  const ofLookups = count > 0 ? [{ message, names, places: unresolved }] : []
  return [...ofLookups, ...fileGaps(unread)]
}

/** Lookups of production code, each text once with its first place: `src/on.ts:3:10 isEnabled(flag) and 2 more`. */
function unresolvedTexts(unresolved: readonly Unresolved[]): string[] {
  const ofProduction = unresolved.filter(({ file }) => !isTest(file))
  return Array.from(groupBy(ofProduction, ({ text }) => text).values(), ([first, ...others]) => {
    const more = others.length > 0 ? ` and ${others.length} more` : ''
    return first ? `${positionText(first)} ${first.text}${more}` : ''
  })
}

// Words in the names of functions that look up flags.
const OF_FLAGS = /flag|feature|toggle|variant|enabl|unleash|^isOn$/i

/** Reports what could not be read, and the line of the configuration that makes it readable. */
function reportUnresolved(
  context: Context,
  unresolved: readonly Unresolved[],
  suggested: readonly string[] = [],
): void {
  debugUnresolved(context, unresolved)
  const functions = unresolved
    .filter(({ file }) => !isTest(file))
    .flatMap(({ around }) => (around !== undefined && OF_FLAGS.test(around) ? around : []))
  const calls = [...suggested, ...new Set(functions)]
  if (calls.length === 0) return
  if (suggested.length > 0) {
    const names = listed(suggested, MAX_CALLS).replaceAll(':2', '')
    context.messages.note(`calls of ${names} are not read as lookups`)
  }
  const line = `scan: { calls: [${calls.slice(0, MAX_CALLS).join(', ')}] }`
  context.messages.note(`if callers of these functions give the name, add to .flagadmrc: ${line}`)
}

/** What to do where no lookup is known: the line of the configuration that adds a function. */
export function callsRemedy([call]: readonly string[] = []): string {
  return call === undefined
    ? '--call, or scan: { calls: [isOn] } in .flagadmrc, adds functions that take a flag name'
    : `if ${call.replace(':2', '')} takes the name of a flag, add to .flagadmrc: scan: { calls: [${call}] }`
}

/** What a report on known names lacks: which of them may be in what could not be read. */
export function searchGaps({ unresolved, lookups, unread }: FoundNames): Gap[] {
  const [first] = unresolved
  if (!first) return fileGaps(unread)
  const count = `${unresolved.length} of ${counted(lookups, 'lookup')} could not be read`
  const where = `${unresolved.length > 1 ? 'the first ' : ''}in ${positionText(first)}`
  const message = `${count}, ${where}, so flags that the code does not contain are unclear`
  return [{ message, names: [] }, ...fileGaps(unread)]
}

/** What is said of a name that is nowhere in the code, but may be written in another way. */
export function absenceText(
  { excluded }: Pick<SelectedFiles, 'excluded'>,
  spelled?: FoundName['spelled'],
): string {
  const notes = [
    excluded > 0 && `${counted(excluded, 'file')} excluded`,
    spelled && `${spelled.spelling} at ${spelled.file}:${spelled.line}`,
  ].filter(Boolean)
  return `not in the code${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`
}

// More places are only counted.
const MAX_MENTIONS = 3

/** What is said of a name that lookups no longer use. */
export function mentionText(places: readonly CodePlace[]): string {
  const where = places.map(({ file, line }) => positionText({ file, line }))
  return `no longer looked up, still in the text at ${listed(where, MAX_MENTIONS)}`
}

/** Why a name may be in the code that was not found in it. */
interface CodeDoubt {
  message: string
  /** Where, in a few words. */
  where: readonly string[]
  /** The text that may be the name. */
  place?: CodePlace
}

/**
 * Whether a name that was searched for is in the code. It is absent only if all of the code was read and understood: a
 * text that is composed at run time, a lookup that could not be read, or a file that was not read, may have it.
 */
export function presenceOf({ names, unread, unresolved }: FoundNames, name: string) {
  const { places = [], composed, lookup, spelled, isMention = false } = names.get(name) ?? {}
  if (places.length > 0 && !isMention) return { kind: 'found', places } as const
  const doubts: CodeDoubt[] = []
  const add = (message: string, place: CodePlace | undefined) => {
    if (place) doubts.push({ message, where: [`${place.file}:${place.line}`], place })
  }
  add('a composed text may be its name', composed)
  add('a lookup may have its name', lookup)
  if (!isLegalName(name)) {
    doubts.push({ message: 'names that are not legal cannot be found in code', where: [] })
  }
  if (unread.length > 0) {
    const where = unread.map(({ file, reason }) => `${file} (${reason})`)
    doubts.push({ message: `${counted(unread.length, 'file')} could not be read`, where })
  }
  if (unresolved.length > 0) doubts.push({ message: 'some lookups could not be read', where: [] })
  const [first] = doubts
  if (first) return { kind: 'unclear', doubts, first, places } as const
  if (isMention) return { kind: 'mentioned', places } as const
  return { kind: 'absent', spelled } as const
}
