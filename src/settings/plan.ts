import type { Context, Define } from '../context.ts'
import { commonKind, FlagadmError } from '../errors.ts'
import { collect, withExamples } from '../options.ts'
import { counted, type Incomplete } from '../output/incomplete.ts'
import { printFenced } from '../output/markdown.ts'
import { connect } from '../profile/connection.ts'
import { listedProjects } from '../project/reading.ts'
import { unlistedProjects } from '../project/selection.ts'
import { type Service, unlessMissing } from '../service/client.ts'
import { compareProjects, isCompared, type PlannedProject } from './comparison.ts'
import { type Declaration, readDocuments, refuseOtherService, refuseProblems } from './documents.ts'
import { savePlan } from './plan-file.ts'
import {
  countOf,
  failedCounts,
  hasBreaking,
  isInconclusive,
  nonZero,
  type Plan,
  planJson,
  planLines,
} from './report.ts'
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
  const listed = await unlessMissing(listedProjects(service))
  if (!listed) {
    const message = 'the service does not list projects, so others are not known'
    return { undeclared: null, incomplete: [{ message, names: [] }] }
  }
  const known = new Set(declared.map(({ projectId }) => projectId))
  const undeclared = listed.filter((projectId) => !known.has(projectId))
  return { undeclared, incomplete: await unlistedProjects(service, listed) }
}

/** Reads documents and compares them with the service. @throws a usage error for invalid documents */
export async function makePlan(context: Context, options: PlanOptions & { writes?: boolean }) {
  const { inputs, host, signal, messages } = context
  const checkRule = options.verify ? createRuleCheck(signal) : undefined
  const documents = await readDocuments(options.file, { inputs, cwd: host.cwd }, checkRule)
  refuseProblems(documents.problems, messages.fail)
  const connection = await connect(context)
  const { service, concurrency, baseUrl, target, refusal } = connection
  // Refuse before the reads, which would be wasted.
  if (options.writes && refusal) throw refusal
  refuseOtherService(documents, baseUrl)
  const { declared } = documents
  const projects = await compareProjects(service, declared, options, { concurrency, signal })
  const others = options.strict ? await undeclaredProjects(service, declared) : {}
  const plan: Plan = { projects, baseUrl, target, ...others }
  return { plan, connection }
}

/** @throws an error if a project is missing or failed: that project's own if it is the only one */
export function refuseFailures(projects: readonly PlannedProject[]): void {
  const failures = projects.flatMap((project) => (isCompared(project) ? [] : [project.failure]))
  const [first] = failures
  if (!first) return
  if (projects.length === 1) throw first
  const what = `${counted(projects.length, 'project')}: ${failedCounts(projects).join(', ')}`
  throw new FlagadmError(commonKind(failures, projects.length), what)
}

/** What would change, as sentences. */
function changesIn({ projects, undeclared }: Plan): string[] {
  const open = projects.filter(isCompared).filter((project) => project.undeclared?.length)
  const parts = nonZero({
    'would change': countOf(projects, 'changed'),
    'not fully declared': open.length,
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
      `${examples}

${documentHelp}

The exit code is 10 if a project is missing or could not be read (6, for example, if none exists), and 9 with --strict if the service does not list all projects.`,
    )
    .requiredOption('-f, --file <path>', "file or folder of files, '-': stdin", collect)
    .option('--save <file>', 'write the changes to a new file, for apply --plan')
    .option('--strict', 'also report what the documents leave out')
    .option(
      '--check-names',
      'also check the names of existing flags; exit with 9 if any break the rule',
    )
    .option('--fail-on-change', 'exit with 9 if anything would change')
    .option('--no-verify', 'do not check modes and naming rules')
    .action(async ({ save, failOnChange, ...options }) => {
      const { out } = context
      const { plan } = await makePlan(context, options)
      const { projects, baseUrl, incomplete = [] } = plan
      if (format() === 'json') out.json(planJson(plan, options.checkNames === true))
      else if (format() === 'text') out.lines(planLines(plan))
      else {
        const [, , ...lines] = planLines(plan)
        const heading = `Plan for ${plan.target}`
        printFenced({ marker: `plan ${baseUrl}`, heading, lines }, out)
      }
      refuseFailures(projects)
      if (save !== undefined) {
        const changed = projects.filter(isCompared).filter(({ status }) => status === 'changed')
        await savePlan(context, save, baseUrl, changed)
      }
      const problems = [
        ...(failOnChange ? changesIn(plan) : []),
        ...(options.checkNames ? namesIn(projects) : []),
      ]
      if (problems.length > 0) throw new FlagadmError('checkFailed', problems.join('; '))
      if (incomplete.length === 0) return
      const what = `inconclusive: ${incomplete.map(({ message }) => message).join('; ')}`
      throw new FlagadmError('checkFailed', what, { hint: 'leave out --strict' })
    })
}
