import { connect } from '../profile/connection.ts'
import type { Connection } from '../service/connection.ts'
import type { Context } from '../old/context.ts'
import { FlagadmError } from '../errors.ts'
import { shownNames } from '../old/failures.ts'
import { type Flag, flagsIn } from '../projects/flags.ts'
import { unknownNamesIn } from './unknown.ts'
import {
  flagOrder,
  refuseUnknownFilters,
  selectFlags,
  selectUnknownNames,
  unknownOrder,
} from './selection.ts'
import { type FormatOf, formats, refuseWithJson } from '../old/output/formats.ts'
import { writeReport } from '../old/output/file.ts'
import { firstRows } from '../old/output/rows.ts'
import { counted } from '../old/output/phrases.ts'
import { serviceDocument } from '../old/output/json.ts'
import { type RowFormat, renderFlags, renderUnknownNames } from './report/formats.ts'
import type { Service, ServiceDocument } from '../service/client.ts'
import { operations } from '../service/operations.ts'
import { createNameMatcher, enforcedPattern, lengthProblem } from '../naming/rule.ts'
import { findProject } from '../projects/known.ts'
import type { ProjectFeatures } from '../service/schema.ts'
import { type ProjectResults, refuseUnknown, refuseUnread } from '../projects/missing.ts'
import type { FlagListOptions } from './options.ts'
import { readProjects } from '../projects/reading.ts'
import { refuseWithoutProjects, singleProject } from '../projects/selection.ts'

/** A project's list of flags and, with `--breaks-rule`, the pattern of its naming rule. */
interface Listing {
  projectId: string
  document: ServiceDocument<ProjectFeatures>
  flags: Flag[]
  pattern: string
}

/**
 * Lists the flags of a project or of all projects, or the names that SDKs ask for but no flag has.
 * @throws `notFound` for an unknown project; for several projects, an error with the number of failures
 */
export async function listFeatures(context: Context, options: FlagListOptions): Promise<void> {
  if (!options.unknown) refuseWithoutProjects(options)
  const format = context.format(formats.list)
  const { project, allProjects, all, unknown, outputFile, ...view } = options
  if (format === 'json') refuseWithJson(view)
  if (unknown) return listUnknownNames(context, format, options)
  const connection = await connect(context)
  const projects = await readProjects(context, connection, options, (id, isListed) =>
    readListing(connection.service, id, isListed, options),
  )
  refuseUnknown(options, projects)
  if (format === 'json') {
    const several = singleProject(options) === undefined
    await writeReport(context, outputFile, (printer) =>
      projects.results.map(({ document }) => serviceDocument(document.json, several, printer)),
    )
  } else if (projects.results.length > 0 || projects.failures.length === 0) {
    await showFlags(context, format, projects, options, connection)
  }
  refuseUnread(projects)
}

async function showFlags(
  context: Context,
  format: RowFormat,
  { results: listings, missing }: ProjectResults<Listing>,
  options: FlagListOptions,
  { target, now }: Connection,
): Promise<void> {
  const all = listings.flatMap(({ flags }) => flags)
  refuseUnknownFilters(all, options)
  refuseWithoutSeen(listings, options)
  const listed = options.breaksRule ? await flagsBreakingRules(context, listings) : all
  const flags = selectFlags(listed, options, now())
  const { rows, cut } = firstRows(flags, flagOrder(options), options)
  const about = { options, target, projects: listings.length, cut, missing }
  await writeReport(context, options.outputFile, (printer) =>
    renderFlags(format, rows, about, printer),
  )
}

/** Lists the names that SDKs ask for but no flag has, with applications and environments. */
async function listUnknownNames(
  context: Context,
  format: FormatOf<'list'>,
  options: FlagListOptions,
): Promise<void> {
  const order = unknownOrder(options)
  const { service, target } = await connect(context)
  const { data, json } = await service.read(operations.unknownFlags, {})
  await writeReport(context, options.outputFile, (printer) => {
    if (format === 'json') return [serviceDocument(json, false, printer)]
    const selected = selectUnknownNames(unknownNamesIn(data), options)
    const { rows, cut } = firstRows(selected, order, options)
    return renderUnknownNames(format, rows, { options, target, cut }, printer)
  })
}

async function readListing(
  service: Service,
  projectId: string,
  isListed: boolean,
  { breaksRule }: FlagListOptions,
): Promise<Listing> {
  const overview = isListed && !breaksRule ? {} : await findProject(service, projectId)
  const document = await service.read(operations.projectFeatures, { projectId })
  const pattern = overview.featureNaming?.pattern ?? ''
  const problem = breaksRule && lengthProblem({ pattern })
  if (problem) throw new FlagadmError('checkFailed', problem, { projectId })
  return { projectId, document, flags: flagsIn(document.data, projectId), pattern }
}

/** @throws an error for a filter by when flags were seen if the service does not report that */
function refuseWithoutSeen(
  listings: readonly Listing[],
  { neverSeen, notSeenFor }: FlagListOptions,
): void {
  if (!neverSeen && notSeenFor === undefined) return
  const features = listings.flatMap(({ document }) => document.data.features)
  const isReported = features.every(({ environments }) =>
    environments?.every(({ lastSeenAt }) => lastSeenAt !== undefined),
  )
  if (isReported) return
  throw new FlagadmError('unavailable', 'the service does not report when flags were last seen', {
    hint: 'leave out --never-seen and --not-seen-for, or use flagadm feature usage',
  })
}

/** The flags whose names break their project's rule. */
async function flagsBreakingRules(context: Context, listings: readonly Listing[]): Promise<Flag[]> {
  reportUnenforced(context, listings)
  const breaking: Flag[][] = []
  for (const { projectId, flags, pattern } of listings) {
    if (enforcedPattern(pattern) === '') continue
    const names = flags.map(({ name }) => name)
    const verdicts = await createNameMatcher(pattern, context.signal)(names)
    breaking.push(flags.filter((_, index) => verdicts[index] === false))
    const undecided = verdicts.filter((verdict) => verdict === 'timeout').length
    if (undecided > 0) {
      const what = `${counted(undecided, 'flag')} could not be matched in time`
      context.messages.warn(`project ${projectId}: not listed: ${what}`)
    }
  }
  return breaking.flat()
}

/** Reports the projects that have no naming rule, or one that the service does not enforce. */
function reportUnenforced(context: Context, listings: readonly Listing[]): void {
  const named = (some: readonly Listing[]) => {
    const ids = some.map(({ projectId }) => projectId)
    return `${ids.length === 1 ? 'project' : 'projects'} ${shownNames(ids, context)}`
  }
  const without = listings.filter(({ pattern }) => pattern === '')
  const broken = listings.filter(({ pattern }) => pattern !== '' && enforcedPattern(pattern) === '')
  if (without.length > 0) {
    const verb = without.length === 1 ? 'has' : 'have'
    context.messages.note(`${named(without)} ${verb} no naming rule`)
  }
  if (broken.length > 0) {
    const what = 'the naming pattern does not compile, so it accepts every name'
    context.messages.warn(`${named(broken)}: ${what}`)
  }
}
