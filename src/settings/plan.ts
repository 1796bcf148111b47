import type { Context, Define } from '../command/context.ts'
import { failureOf, FlagadmError } from '../errors.ts'
import { allowEmptyOption, collect, refuseEmpty, withExamples } from '../command/options.ts'
import { counted } from '../output/incomplete.ts'
import { printFenced } from '../output/formats/markdown.ts'
import { connect } from '../profile/connect.ts'
import { listedProjects, unlistedProjects } from '../project/projects.ts'
import { unlessMissing } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import {
  changesRule,
  changingOf,
  type ComparisonOptions,
  compareProjects,
  type PlannedProject,
} from './comparison.ts'
import { type Declaration, readDocuments, refuseProblems } from './documents.ts'
import { readPlan, savePlan } from './plan-file.ts'
import * as report from './plan-report.ts'
import { createRuleCheck, type RuleCheck, verifyKeptRule } from './verify.ts'

export const DOCUMENT_HELP =
  'A document is YAML or JSON: {projects: {<id>: {mode?, featureNaming?, linkTemplates?}}}. What it leaves out is not changed; null unsets a field. Everything is checked before anything is sent.'

async function ruleErrors(declared: readonly Declaration[], check: RuleCheck | undefined) {
  if (!check) return []
  const errors = declared.map(async ({ wanted, errorAt }) => {
    return (await check(wanted)).errors.map(errorAt)
  })
  return (await Promise.all(errors)).flat()
}

function changedRuleErrors(
  declared: readonly Declaration[],
  projects: readonly PlannedProject[],
  check: RuleCheck | undefined,
) {
  const changing = new Set(projects.filter(changesRule).map(({ projectId }) => projectId))
  const sent = declared.filter(({ projectId }) => changing.has(projectId))
  return ruleErrors(sent, check)
}

/** Reads a kept plan. @throws a usage error for one that documents could not have, or that is not for this service */
export async function loadPlan(
  context: Context,
  connection: Connection,
  path: string,
  options: { verify: boolean },
): Promise<report.Plan> {
  const { closing } = context
  const { plan, declared, problems } = await readPlan(context, path, connection, options)
  const check = options.verify ? createRuleCheck(closing) : undefined
  problems.push(...(await changedRuleErrors(declared, plan.projects, check)))
  const places = new Map(declared.map(({ projectId, place }) => [projectId, place]))
  for (const project of check ? plan.projects : []) {
    const failure = await verifyKeptRule(project, closing).then(() => undefined, failureOf)
    const checked = changesRule(project) ? await check?.(project.wanted) : undefined
    project.undecided = checked?.undecided ?? []
    if (!failure) continue
    const what = `${places.get(project.projectId)}: ${failure.message}`
    problems.push(new FlagadmError('usage', what, { hint: failure.hint }))
  }
  refuseProblems(context, problems)
  return plan
}

interface PlanOptions extends Omit<ComparisonOptions, 'checkRule'> {
  verify: boolean
}

/** Reads documents and compares them with the service. @throws a usage error for invalid documents */
export async function makePlan(
  context: Context,
  connection: Connection,
  files: readonly string[],
  options: PlanOptions,
): Promise<report.Plan> {
  const { closing } = context
  const { service, baseUrl, target } = connection
  const { verify, strict } = options
  const checkRule = verify ? createRuleCheck(closing) : undefined
  const { declared, problems } = await readDocuments(context, files, { verify, baseUrl })
  // All that is wrong with documents is reported at once; otherwise, only rules that would change are checked, below.
  if (problems.length > 0) problems.push(...(await ruleErrors(declared, checkRule)))
  refuseProblems(context, problems)
  const comparison = { ...options, checkRule }
  const projects = await compareProjects(connection, declared, comparison, closing)
  refuseProblems(context, await changedRuleErrors(declared, projects, checkRule))
  const plan = { projects, baseUrl, target }
  if (!strict) return plan
  const ids = await unlessMissing(listedProjects(service))
  const isDeclared = new Set(declared.map(({ projectId }) => projectId))
  const undeclaredProjects = ids?.filter((projectId) => !isDeclared.has(projectId)) ?? null
  const message = 'the service does not list projects, so others are not known'
  const incomplete = ids ? await unlistedProjects(service, ids) : [{ message, names: [] }]
  return { ...plan, undeclaredProjects, incomplete }
}

/** Why a plan fails a check, as sentences. */
function failedChecks(
  { projects, undeclaredProjects }: report.Plan,
  { failOnChange, checkNames }: { failOnChange?: true; checkNames?: true },
): string[] {
  const say = ({ length }: readonly unknown[], sentence: (some: string) => string) => {
    return length > 0 ? [sentence(`${length} of ${counted(projects.length, 'project')}`)] : []
  }
  const others = undeclaredProjects?.length ?? 0
  const partial = projects.filter((project) => project.undeclared?.length)
  const changes = [
    ...say(changingOf(projects), (some) => `${some} would change`),
    ...say(partial, (some) => `${some} not fully declared`),
    ...(others > 0 ? [`${counted(others, 'other project')} not declared`] : []),
  ]
  const breaking = projects.filter(report.hasBreaking)
  const unchecked = projects.filter(report.isInconclusive)
  const names = [
    ...say(breaking, (some) => `flags break the rule in ${some}`),
    ...say(unchecked, (some) => `flags could not be checked in ${some}`),
  ]
  return [...(failOnChange ? changes : []), ...(checkNames ? names : [])]
}

/** Why a plan has nothing to check; undefined if it has something, or is not checked. */
function emptinessOf(
  { projects }: report.Plan,
  { failOnChange, strict, checkNames }: PlanOptions & { failOnChange?: true },
): string | undefined {
  if (!failOnChange && !strict && !checkNames) return undefined
  if (projects.length === 0) return 'the documents declare no projects'
  const hasFlags = projects.some(({ rule }) => rule?.flags?.total)
  return checkNames && !hasFlags
    ? 'no declared project has both a naming rule and flags'
    : undefined
}

export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'json', 'markdown'])
  return withExamples(
    command,
    [
      'flagadm project settings plan -f flags -p sandbox',
      'flagadm project settings plan -f flags --check-names -p sandbox',
      'flagadm project settings plan -f flags --strict -o markdown -p sandbox',
    ],
    `${DOCUMENT_HELP}\n\nThe exit code is 10 if a project is missing or could not be read (6, for example, if none exists), and 9 with --strict if the service does not list all projects.`,
  )
    .requiredOption('-f, --file <path>', "file or folder of files, '-': stdin", collect)
    .option('--save <file>', 'write the changes to a file, for apply --plan')
    .option('--strict', 'also report what the documents leave out')
    .option('--check-names', 'check the names of existing flags; exit with 9 if any break the rule')
    .option('--fail-on-change', 'exit with 9 if anything would change')
    .addOption(allowEmptyOption())
    .option('--no-verify', 'do not check modes and naming rules')
    .action(async ({ file, save, ...options }) => {
      const plan = await makePlan(context, await connect(context), file, options)
      const { projects, baseUrl, incomplete = [] } = plan
      const { out } = context
      if (format() === 'json') out.json(report.planJson(plan, options.checkNames))
      else if (format() === 'text') out.lines(report.planLines(plan))
      else {
        const [heading, lines] = [report.planHeading(plan), report.planContent(plan)]
        printFenced({ marker: `plan ${baseUrl}`, heading, lines }, out)
      }
      const failure = report.failureOfAll(projects)
      if (failure) throw failure
      if (save !== undefined) await savePlan(context, save, plan)
      const problems = failedChecks(plan, options)
      if (problems.length > 0) throw new FlagadmError('checkFailed', problems.join('; '))
      if (incomplete.length > 0) {
        const what = `inconclusive: ${incomplete.map(({ message }) => message).join('; ')}`
        throw new FlagadmError('checkFailed', what, { hint: 'leave out --strict' })
      }
      const why = emptinessOf(plan, options)
      if (why !== undefined) refuseEmpty(context.messages, options, { why })
    })
}
