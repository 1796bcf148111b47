import type { Context } from '../old/context.ts'
import { groupBy } from '../groups.ts'
import { FlagadmError } from '../errors.ts'
import { inRepository } from '../names/repository.ts'
import { noteUnread, refuseWithoutPaths, scanCode, scanRequest } from '../names/scanning.ts'
import { distinctNames } from '../names/sources.ts'
import { writeReport } from '../old/output/file.ts'
import { firstRows } from '../old/output/rows.ts'
import { formats } from '../old/output/formats.ts'
import { byCodeUnit } from '../output/order.ts'
import { connect } from '../profile/connection.ts'
import { type ExistingFlags, readExistingFlags } from '../projects/flags.ts'
import {
  type ProjectOptions,
  scopeText,
  selectsProjects,
  singleProject,
} from '../projects/selection.ts'
import { nothingMissing, refuseUnread } from '../projects/missing.ts'
import {
  type NamedReferences,
  referenceProblemText,
  type ReferenceReport,
  type ReferenceView,
  renderReferences,
} from './report/references.ts'
import type { ListOptions } from '../projects/options.ts'
import type { CodeReference, ScanOptions } from '../names/scanned.ts'
import { problemsIn, type ReferenceProblem, type referenceSortKeys } from './options.ts'

interface ReferencesOptions
  extends ScanOptions,
    ProjectOptions,
    ListOptions<(typeof referenceSortKeys)[number]> {
  namesFrom?: string | undefined
  unreferenced?: true | undefined
  unknown?: true | undefined
  failOn?: string[] | undefined
}

/**
 * Shows where flags are used in source code, which of them are not, and which names are not flags.
 * @throws a usage error without source code, `checkFailed` for what `--fail-on` specifies, and the
 * failures of projects
 */
export async function featureReferences(
  context: Context,
  given: readonly string[],
  options: ReferencesOptions,
): Promise<void> {
  const format = context.format(formats.references)
  const failOn = problemsIn(options.failOn)
  const request = await scanRequest(context, given, options)
  refuseWithoutPaths(request)
  const { namesFrom } = options
  const isListed = given.length > 0 || namesFrom !== undefined
  const listed = isListed ? await distinctNames(context, given, namesFrom, []) : undefined
  const flags = await readFlags(context, options, failOn, isListed)
  const known = listed ?? [...(flags?.flags.keys() ?? [])]
  const code = await scanCode(context, request, known)
  const place = inRepository(format, context.host.cwd)
  const report: ReferenceReport = {
    ...namesOf(code.references.map(place), listed, flags, options),
    scope: scopeText(options),
    isSingle: singleProject(options) !== undefined,
    failOn,
    unresolved: code.unresolved.map(place),
    skipped: code.skipped,
    files: code.files,
    missing: { ...nothingMissing, ...flags?.missing, lookups: code.unread },
  }
  await writeReport(context, options.outputFile, (printer) =>
    renderReferences(format, report, printer),
  )
  if (format === 'names') noteUnread(context, code.unread)
  if (flags) refuseUnread(flags)
  refuseProblems(context, report)
}

/** The flags of the projects, if they are needed. */
async function readFlags(
  context: Context,
  options: ReferencesOptions,
  failOn: readonly ReferenceProblem[],
  isListed: boolean,
): Promise<ExistingFlags | undefined> {
  const { unknown, unreferenced } = options
  const asksUnknown = unknown || failOn.includes('unknown')
  const asksUnreferenced = unreferenced || failOn.includes('unreferenced')
  const isNeeded = asksUnknown || (asksUnreferenced && !isListed)
  if (!selectsProjects(options) && !isNeeded) return undefined
  return readExistingFlags(context, await connect(context), options)
}

/**
 * The names to report, and those of them that may be problems.
 * @param listed names from arguments and a list; undefined without them
 * @param flags those of the projects; undefined if they were not read
 */
function namesOf(
  references: readonly CodeReference[],
  listed: readonly string[] | undefined,
  flags: ExistingFlags | undefined,
  options: ReferencesOptions,
) {
  const byName = groupBy(references, ({ name }) => name)
  const isWanted = new Set(listed)
  const existing = flags && [...flags.flags.keys()]
  const isFlag = new Set(existing)
  const found = [...byName.keys()].filter((name) => !listed || isWanted.has(name))
  const unknown = flags ? found.filter((name) => !isFlag.has(name)) : []
  const known = listed ?? existing
  const unreferenced = known ? known.filter((name) => !byName.has(name)) : []
  const view: ReferenceView = options.unknown
    ? 'unknown'
    : options.unreferenced
      ? 'unreferenced'
      : 'all'
  const ofProjects = selectsProjects(options) ? existing : undefined
  const names = { unknown, unreferenced, all: listed ?? ofProjects ?? found }[view]
  const named = names.map(
    (name): NamedReferences => ({
      name,
      project: flags?.flags.get(name)?.projectId,
      references: byName.get(name) ?? [],
    }),
  )
  const { rows, cut } = firstRows(named, orders[options.sort ?? 'name'], options)
  return {
    view,
    hasProjects: flags !== undefined && view !== 'unknown',
    names: rows,
    cut,
    unknown: unknown.toSorted(byCodeUnit),
    unreferenced: unreferenced.toSorted(byCodeUnit),
  }
}

const orders = {
  name: (a: NamedReferences, b: NamedReferences) => byCodeUnit(a.name, b.name),
  references: (a: NamedReferences, b: NamedReferences) =>
    b.references.length - a.references.length || byCodeUnit(a.name, b.name),
}

function refuseProblems({ printer }: Context, report: ReferenceReport): void {
  const found = report.failOn.filter((problem) => report[problem].length > 0)
  if (found.length === 0) return
  const texts = found.map((problem) => referenceProblemText(report, problem, printer))
  throw new FlagadmError('checkFailed', texts.join('; '))
}
