import { type Connected, connect } from '../profile/connection.ts'
import type { Context } from '../context.ts'
import { FlagadmError, failureOfAll } from '../errors.ts'
import { type Flag, flagsIn, reportsSeen } from './flag.ts'
import { selectFlags, sortFlags } from './selection.ts'
import type { FlagFilter } from './view.ts'
import { formats } from '../output/formats.ts'
import { writeBlocks } from '../output/blocks.ts'
import { serviceDocument } from '../output/json.ts'
import { type RowFormat, renderFlags } from './report/formats.ts'
import type { Service, ServiceDocument } from '../service/client.ts'
import { readProjectFlags } from '../projects/known.ts'
import type { ProjectFeatures } from '../service/schema.ts'
import { unknownFilters } from '../usage/filter.ts'
import { isComplete, type Missing, nothingMissing } from '../projects/missing.ts'
import { counted } from '../output/phrases.ts'
import { captionOf, filterText, flagFilterOf, givenViewOption, type ListOptions } from './filter.ts'
import { readAllProjects } from '../projects/flags.ts'

/** A project's list of flags and, with `--breaks-rule`, the pattern of its naming rule. */
interface Listing {
  projectId: string
  document: ServiceDocument<ProjectFeatures>
  pattern?: string
}

/** The lists that could be read. */
interface Listings {
  listings: Listing[]
  missing: Missing
  failures: FlagadmError[]
}

/**
 * Lists the flags of a project or of all projects, or the names that SDKs ask for but no flag has.
 * @throws `notFound` for an unknown project; for several projects, an error with the number of failures
 */
export async function listFeatures(context: Context, options: ListOptions): Promise<void> {
  refuseStrayOptions(options)
  const format = context.format(formats.list)
  if (format === 'json') refuseViewOptions(options)
  if (options.unknown) {
    const { listUnknownNames } = await import('./unknown.ts')
    return listUnknownNames(context, options, format)
  }
  const connected = await connect(context)
  const read = await readListings(context, connected, options)
  const { listings, failures, missing } = read
  if (format === 'json') await showDocuments(context, listings, options)
  else if (listings.length > 0 || failures.length === 0) {
    await showFlags(context, format, read, options, connected)
  }
  if (failures.length > 0) throw failureOfAll(failures, missing.projects.of, 'projects')
}

async function showDocuments(
  { printer, write }: Context,
  listings: readonly Listing[],
  { allProjects }: ListOptions,
): Promise<void> {
  for (const { document } of listings) {
    await write(serviceDocument(document.json, allProjects === true, printer))
  }
}

async function showFlags(
  context: Context,
  format: RowFormat,
  { listings, missing }: Listings,
  options: ListOptions,
  { target, now }: Connected,
): Promise<void> {
  const { printer, write, signal } = context
  const { project, allProjects, sort = 'name', reverse = false } = options
  const filter = flagFilterOf(options)
  checkFilter(listings, filter)
  const flags = await flagsOf(context, listings, options)
  const shown = sortFlags(selectFlags(flags, filter, now()), sort, reverse)
  const scope = project === undefined ? counted(listings.length, 'project') : `project ${project}`
  const filters = filterText(options)
  const about = {
    caption: captionOf(`Flags of ${scope} on ${target}`, filters),
    nothing: nothingText(filters !== '', isComplete(missing)),
    missing,
    withProjects: allProjects === true,
  }
  await writeBlocks(renderFlags(format, shown, about, printer), write, signal)
}

function nothingText(isFiltered: boolean, complete: boolean): string {
  const flag = complete ? 'No flag' : 'No flag that could be read'
  return isFiltered ? `${flag} matches the filters.` : `${complete ? 'No flags' : flag}.`
}

/** @throws a usage error unless it is clear which flags to list */
function refuseStrayOptions({ project, allProjects, unknown }: ListOptions): void {
  if (project !== undefined || allProjects || unknown) return
  throw new FlagadmError('usage', 'no project given', {
    hint: 'use --project <id> or --all-projects',
  })
}

/** @throws a usage error for options that have no effect on the service's own document */
function refuseViewOptions(options: ListOptions): void {
  const given = givenViewOption(options)
  if (given === undefined) return
  throw new FlagadmError('usage', `json output cannot be combined with --${given}`, {
    hint: `json is the service's own document; use -o jsonl`,
  })
}

async function readListing(
  service: Service,
  projectId: string,
  { project, breaksRule }: ListOptions,
): Promise<Listing> {
  // A project in the service's list exists.
  if (project === undefined && !breaksRule) {
    return { projectId, document: await service.projectFeatures(projectId) }
  }
  const { overview, document } = await readProjectFlags(service, projectId)
  const pattern = overview.featureNaming?.pattern ?? ''
  if (breaksRule) await refuseLongPattern(projectId, pattern)
  return { projectId, document, pattern }
}

/** @throws `checkFailed` for a pattern that is too long to check */
async function refuseLongPattern(projectId: string, pattern: string): Promise<void> {
  const { lengthProblem } = await import('../naming/engine/rule.ts')
  const problem = lengthProblem({ pattern })
  if (problem !== undefined) throw new FlagadmError('checkFailed', problem, { projectId })
}

/** The flags of the given project, or of all projects that can be read, by project id. */
async function readListings(
  context: Context,
  connected: Connected,
  options: ListOptions,
): Promise<Listings> {
  const { service } = connected
  const { project } = options
  if (project !== undefined) {
    const listings = [await readListing(service, project, options)]
    return { listings, missing: nothingMissing, failures: [] }
  }
  const { results, missing, failures } = await readAllProjects(context, connected, (projectId) =>
    readListing(service, projectId, options),
  )
  return { listings: results, missing: { ...nothingMissing, ...missing }, failures }
}

/** @throws an error if the filter would not select what it appears to */
function checkFilter(
  listings: readonly Listing[],
  { environments, neverSeen, notSeenForMs }: FlagFilter,
): void {
  const documents = listings.map(({ document }) => document.data)
  const features = documents.flatMap(({ features }) => features)
  const known = features.flatMap((it) => (it.environments ?? []).map(({ name }) => name))
  const unknown = unknownFilters(
    { applications: [], environments },
    { applications: new Set(), environments: new Set(known) },
  )
  if (unknown !== undefined && features.length > 0) {
    throw new FlagadmError('usage', unknown, { hint: 'check --environment' })
  }
  const asksSeen = neverSeen || notSeenForMs !== undefined
  if (!asksSeen || documents.every(reportsSeen)) return
  throw new FlagadmError('unavailable', 'the service does not report when flags were last seen', {
    hint: 'leave out --never-seen and --not-seen-for, or use flagadm feature usage',
  })
}

/** The flags of the listings; with `--breaks-rule`, those whose names break their project's rule. */
async function flagsOf(
  context: Context,
  listings: readonly Listing[],
  { breaksRule }: ListOptions,
): Promise<Flag[]> {
  const lists = listings.map(({ projectId, document }) => flagsIn(document.data, projectId))
  if (!breaksRule) return lists.flat()
  const { createChecker } = await import('../naming/check.ts')
  const breaking: Flag[] = []
  for (const [index, { projectId, pattern = '' }] of listings.entries()) {
    if (!(await isEnforced(context, projectId, pattern))) continue
    const flags = lists[index] ?? []
    const names = flags.map(({ name }) => name)
    const violations = await createChecker(pattern, context.signal).check(names)
    breaking.push(...violations.flatMap((violation) => flags[violation.index] ?? []))
  }
  return breaking
}

/** Whether the service enforces a pattern; prints a note or a warning if it does not. */
async function isEnforced(
  { messages }: Context,
  projectId: string,
  pattern: string,
): Promise<boolean> {
  const { compileFailure } = await import('../naming/engine/rule.ts')
  if (pattern === '') messages.note(`project ${projectId} has no naming rule`)
  else if (compileFailure(pattern) !== undefined) {
    messages.warn(
      `project ${projectId}: its naming pattern does not compile, so it accepts every name`,
    )
  } else return true
  return false
}
