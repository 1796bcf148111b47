import type { Context, Define } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { collect, withExamples } from '../options.ts'
import { counted, type Incomplete } from '../output/incomplete.ts'
import { printFenced } from '../output/markdown.ts'
import { connect } from '../profile/connection.ts'
import { listedProjects } from '../project/reading.ts'
import { unlistedProjects } from '../project/selection.ts'
import { type Service, unlessMissing } from '../service/client.ts'
import { compareProjects, isCompared } from './comparison.ts'
import { type Declaration, readDocuments, refuseOtherService, refuseProblems } from './documents.ts'
import { savePlan } from './plan-file.ts'
import * as report from './report.ts'
import { createRuleCheck } from './verify.ts'

export const documentHelp =
  'A document is YAML or JSON: {projects: {<id>: {mode?, featureNaming?, linkTemplates?}}}. What it leaves out is not changed; null unsets a field. Everything is checked before the first request.'

/** What to compare. */
interface PlanOptions {
  file: readonly string[]
  verify: boolean
  strict?: true | undefined
  checkNames?: true | undefined
}

/** The projects that no document declares, as far as the service lists them. */
async function undeclaredProjects(
  service: Service,
  declared: readonly Declaration[],
): Promise<{ undeclared: string[] | null; incomplete: Incomplete[] }> {
  const ids = await unlessMissing(listedProjects(service))
  if (!ids) {
    const message = 'the service does not list projects, so others are not known'
    return { undeclared: null, incomplete: [{ message, names: [] }] }
  }
  const known = new Set(declared.map(({ projectId }) => projectId))
  const undeclared = ids.filter((projectId) => !known.has(projectId))
  return { undeclared, incomplete: await unlistedProjects(service, ids) }
}

/**
 * Reads documents and compares them with the service.
 * @param writes whether the changes are made afterwards
 * @throws a usage error for invalid documents
 */
export async function makePlan(context: Context, options: PlanOptions, writes = false) {
  const { inputs, host, signal, messages } = context
  const checkRule = options.verify ? createRuleCheck(signal) : undefined
  const documents = await readDocuments(options.file, { inputs, cwd: host.cwd }, checkRule)
  refuseProblems(documents.problems, messages.fail)
  const connection = await connect(context)
  const { service, concurrency, baseUrl, target, refusal } = connection
  // Refuse before the reads, which would be wasted.
  if (writes && refusal) throw refusal
  refuseOtherService(documents, baseUrl)
  const { declared } = documents
  const projects = await compareProjects(service, declared, options, { concurrency, signal })
  const others = options.strict ? await undeclaredProjects(service, declared) : {}
  const plan: report.Plan = { projects, baseUrl, target, ...others }
  return { plan, connection }
}

/** Why a plan fails a check, as sentences. */
function failedChecks(
  { projects, undeclared }: report.Plan,
  { failOnChange, checkNames }: { failOnChange?: true; checkNames?: true },
): string[] {
  const problems: string[] = []
  const compared = projects.filter(isCompared)
  const of = counted(projects.length, 'project')
  if (failOnChange) {
    const statuses = compared.flatMap(({ status, undeclared: fields }) => [
      { status },
      ...(fields?.length ? [{ status: 'open' }] : []),
    ])
    const [changed, open] = ['changed', 'open'].map((status) => report.countOf(statuses, status))
    const counts = [
      ...(changed ? [`${changed} would change`] : []),
      ...(open ? [`${open} not fully declared`] : []),
    ]
    if (counts.length > 0) problems.push(`${of}: ${counts.join(', ')}`)
    const others = undeclared?.length ?? 0
    if (others > 0) problems.push(`${counted(others, 'other project')} not declared`)
  }
  if (checkNames) {
    const breaking = compared.filter(report.hasBreaking).length
    const unknown = compared.filter(report.isInconclusive).length
    if (breaking > 0) problems.push(`flags break the rule in ${breaking} of ${of}`)
    if (unknown > 0) problems.push(`could not check the flags of ${unknown} of ${of}`)
  }
  return problems
}

export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'json', 'markdown'])
  const examples = withExamples(
    command.summary(),
    'flagadm project settings plan -f flags.yaml -p sandbox',
    'flagadm project settings plan -f flags.yaml --check-names -p sandbox',
    'flagadm project settings plan -f flags.yaml --strict -o markdown -p sandbox',
  )
  return command
    .description(
      `${examples}\n\n${documentHelp}\n\nThe exit code is 10 if a project is missing or could not be read (6, for example, if none exists), and 9 with --strict if the service does not list all projects.`,
    )
    .requiredOption('-f, --file <path>', "file or folder of files, '-': stdin", collect)
    .option('--save <file>', 'write the changes to a file, for apply --plan')
    .option('--strict', 'also report what the documents leave out')
    .option('--check-names', 'check the names of existing flags; exit with 9 if any break the rule')
    .option('--fail-on-change', 'exit with 9 if anything would change')
    .option('--no-verify', 'do not check modes and naming rules')
    .action(async ({ save, ...options }) => {
      const { out } = context
      const { plan } = await makePlan(context, options)
      const { projects, baseUrl, target, incomplete = [] } = plan
      const [, , ...lines] = report.planLines(plan)
      if (format() === 'json') out.json(report.planJson(plan, options.checkNames))
      else if (format() === 'text') out.lines(report.planLines(plan))
      else printFenced({ marker: `plan ${baseUrl}`, heading: `Plan for ${target}`, lines }, out)
      report.refuseUnread(projects)
      if (save !== undefined) await savePlan(context, save, plan)
      const problems = failedChecks(plan, options)
      if (problems.length > 0) throw new FlagadmError('checkFailed', problems.join('; '))
      if (incomplete.length === 0) return
      const what = `inconclusive: ${incomplete.map(({ message }) => message).join('; ')}`
      throw new FlagadmError('checkFailed', what, { hint: 'leave out --strict' })
    })
}
