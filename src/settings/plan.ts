import type { Context } from '../old/context.ts'
import { commonKind, FlagadmError } from '../errors.ts'
import { formats } from '../old/output/formats.ts'
import { counted } from '../old/output/phrases.ts'
import { type PlanReport, renderPlan } from './report/plan.ts'
import { nonZero } from './report/sentences.ts'
import { type Service, unlessMissing } from '../service/client.ts'
import {
  compareProjects,
  countStatuses,
  hasBreaking,
  isCompared,
  isInconclusive,
  type PlannedProject,
} from './comparison.ts'
import type { Declaration } from './documents.ts'
import { openDocuments } from './open.ts'
import { listedProjects } from '../projects/reading.ts'

interface PlanOptions {
  file: string[]
  verify: boolean
  strict?: true | undefined
  checkNames?: true | undefined
  failOnChange?: true | undefined
  all?: true | undefined
}

/**
 * Shows what documents would change.
 * @throws `partial` if some projects are missing or could not be read, their own kind if all are; `checkFailed` with
 * `--fail-on-change` if something would change, with `--check-names` if flags break their rule, and with `--strict` if
 * the service does not list projects
 */
export async function planSettings(context: Context, options: PlanOptions): Promise<void> {
  const format = context.format(formats.plan)
  const { checkNames = false, all = false, strict } = options
  const { declared, connection } = await openDocuments(context, options.file, options.verify)
  const { service, concurrency, baseUrl, target } = connection
  const projects = await compareProjects(context, service, declared, { ...options, concurrency })
  const undeclared = strict && (await undeclaredProjects(service, declared))
  const plan = { projects, undeclared, baseUrl, target, checkNames, all }
  await context.write(renderPlan(format, plan, context.printer))
  refuseFailures(projects)
  const problems = [
    ...(options.failOnChange ? changesIn(plan) : []),
    ...(checkNames ? namesIn(projects) : []),
  ]
  if (problems.length > 0) throw new FlagadmError('checkFailed', problems.join('; '))
  if (undeclared === null) {
    const what =
      'cannot find projects that no document declares: the service returned 404 for the list of projects'
    throw new FlagadmError('checkFailed', what, { hint: 'leave out --strict' })
  }
}

/** The projects that no document declares; null if the service does not list projects. */
async function undeclaredProjects(
  service: Service,
  declared: readonly Declaration[],
): Promise<string[] | null> {
  const listed = await unlessMissing(listedProjects(service))
  const known = new Set(declared.map(({ projectId }) => projectId))
  return listed?.filter((projectId) => !known.has(projectId)) ?? null
}

/** @throws an error if a project is missing or failed: that project's own if it is the only one */
function refuseFailures(projects: readonly PlannedProject[]): void {
  const failures = projects.flatMap((project) => (isCompared(project) ? [] : [project.failure]))
  const [first] = failures
  if (!first) return
  if (projects.length === 1) throw first
  const { missing, failed } = countStatuses(projects)
  const counts = nonZero({ missing, failed }).join(', ')
  const what = `${counted(projects.length, 'project')}: ${counts}`
  throw new FlagadmError(commonKind(failures, projects.length), what)
}

/** The changes as sentences. */
function changesIn({ projects, undeclared }: PlanReport): string[] {
  const { changed } = countStatuses(projects)
  const open = projects.filter(isCompared).filter((project) => project.undeclared?.length)
  const parts = nonZero({
    'would change': changed,
    'not fully declared': undeclared ? open.length : 0,
  })
  const others = undeclared?.length ?? 0
  return [
    ...(parts.length > 0 ? [`${counted(projects.length, 'project')}: ${parts.join(', ')}`] : []),
    ...(others > 0 ? [`${counted(others, 'other project')} not declared`] : []),
  ]
}

/** Which projects have flags that break their rule, as sentences. */
function namesIn(projects: readonly PlannedProject[]): string[] {
  const of = counted(projects.length, 'project')
  const breaking = projects.filter(isCompared).filter(hasBreaking).length
  const unknown = projects.filter(isCompared).filter(isInconclusive).length
  return [
    ...(breaking > 0 ? [`flags break the rule in ${breaking} of ${of}`] : []),
    ...(unknown > 0 ? [`could not check the flags of ${unknown} of ${of}`] : []),
  ]
}
