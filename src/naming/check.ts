import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { formats } from '../output/formats.ts'
import { type Checker, createChecker, type Violation } from './checker.ts'
import type { NamingRule } from './engine/rule.ts'
import { type CheckOutcome, type NamingViolation, renderCheck } from './report/check.ts'
import { inRepository, type Placing } from '../names/repository.ts'
import {
  asksScan,
  refuseWithoutPaths,
  scanCode,
  scanIfAsked,
  type ScannedCode,
  type ScanOptions,
  scanRequest,
} from '../names/scanning.ts'
import { placedNames } from '../names/sources.ts'
import { unreadText } from '../projects/report/missing.ts'
import type { NamingProject } from './project.ts'
import {
  type FoundRule,
  findRule,
  givesRule,
  usablePattern,
  type RuleOptions,
} from './rule-source.ts'

// Suggest names in batches, to keep memory low.
const SUGGESTION_BATCH = 4000

interface CheckOptions extends RuleOptions, ScanOptions {
  namesFrom?: string | undefined
  allow?: string | undefined
  allowEmpty?: true | undefined
  failOnUnresolved?: true | undefined
  project?: string | undefined
  available?: true | undefined
}

/**
 * Checks names from arguments, lists, source code or a project against a rule and reports those that fail.
 * @throws `checkFailed` when a name fails, or with `--fail-on-unresolved` when a call could not be
 * checked; a usage error when there are no names
 */
export async function checkNaming(
  context: Context,
  names: readonly string[],
  options: CheckOptions,
): Promise<void> {
  const format = context.format(formats.check)
  refuseStrayOptions(names, options)
  const project = await projectOf(context, options)
  const found = await ruleOf(context, options, project)
  const checker = createChecker(await usablePattern(found), context.signal)
  const allowed = await readAllowed(context, options.allow)
  const given = project && !givesNames(names, options) ? await project.flagNames() : names
  const refusals = options.available ? project?.refusals : undefined
  const scanned = await scan(context, names, options)
  const checks = { checker, allowed, refusals }
  const outcome = await check(context, found.rule, given, options, scanned, checks)
  if (outcome.checked === 0 && !options.allowEmpty) {
    throw new FlagadmError('usage', 'no names to check', {
      hint: 'pass names, or use --names-from <file> or --scan <glob>; --allow-empty accepts an empty list',
    })
  }
  for (const name of outcome.staleAllowed) {
    context.messages.warn(`${options.allow}: '${name}' no longer occurs, so it can be removed`)
  }
  const placed = inRepository(format, context.host.cwd)
  const { file = 'naming' } = placed({ ...(found.file !== undefined && { file: found.file }) })
  await context.write(renderCheck(format, placedOutcome(outcome, placed), file, context.printer))
  refuseFailure(context, outcome, options)
}

async function scan(
  context: Context,
  names: readonly string[],
  options: CheckOptions,
): Promise<ScannedCode> {
  const { failOnUnresolved, namesFrom, project } = options
  const hasOthers = names.length > 0 || namesFrom !== undefined || project !== undefined
  if (!failOnUnresolved) return scanIfAsked(context, options, hasOthers)
  const request = await scanRequest(context, options)
  refuseWithoutPaths(request, '--fail-on-unresolved')
  return scanCode(context, request)
}

function placedOutcome(outcome: CheckOutcome, placed: Placing): CheckOutcome {
  const { violations, unresolved } = outcome
  return { ...outcome, violations: violations.map(placed), unresolved: unresolved.map(placed) }
}

function givesNames(names: readonly string[], options: CheckOptions): boolean {
  return names.length > 0 || options.namesFrom !== undefined || asksScan(options)
}

/** @throws a usage error for options that require others */
function refuseStrayOptions(names: readonly string[], options: CheckOptions): void {
  const { available, project } = options
  if (available && (project === undefined || !givesNames(names, options))) {
    const missing = project === undefined ? '--project' : 'names'
    throw new FlagadmError('usage', `--available requires ${missing}`, {
      hint: 'pass the names of new flags, and use --project <id>',
    })
  }
}

async function projectOf(
  context: Context,
  { project }: CheckOptions,
): Promise<NamingProject | undefined> {
  if (project === undefined) return undefined
  const { openProject } = await import('./project.ts')
  return openProject(context, project)
}

async function ruleOf(
  context: Context,
  options: CheckOptions,
  project: NamingProject | undefined,
): Promise<FoundRule> {
  if (!project || givesRule(options)) return findRule(context, options)
  const { storedRule } = await import('./project.ts')
  return storedRule(project)
}

function refuseFailure(
  { printer }: Context,
  { checked, violations, unread }: CheckOutcome,
  { failOnUnresolved, available }: CheckOptions,
): void {
  if (violations.length > 0) {
    const fail = available ? 'cannot be used for new flags' : 'break the rule'
    const what = `${violations.length} of ${checked} names ${fail}`
    throw new FlagadmError('checkFailed', what)
  }
  const [lookups] = unread
  if (failOnUnresolved && lookups) {
    throw new FlagadmError('checkFailed', unreadText(lookups, printer.text), {
      hint: 'see docs/code.md for how to make them readable; flagadm feature references lists them',
    })
  }
}

async function readAllowed({ inputs }: Context, path: string | undefined): Promise<Set<string>> {
  const allowed = new Set<string>()
  if (path === undefined) return allowed
  for await (const { names } of inputs.names(path, '--allow')) {
    for (const name of names) allowed.add(name)
  }
  return allowed
}

interface Checks {
  checker: Checker
  /** Names to ignore. */
  allowed: ReadonlySet<string>
  /** Why the service would refuse names; undefined without `--available`. */
  refusals: NamingProject['refusals'] | undefined
}

interface Failure extends Violation {
  /** Set if the name follows the rule but the service refuses it. */
  isRefused?: true
}

/** The names that fail, in their order, apart from those to ignore. */
async function failuresAmong(
  names: readonly string[],
  { checker, allowed, refusals }: Checks,
): Promise<Failure[]> {
  const violations = (await checker.check(names)).filter(({ name }) => !allowed.has(name))
  if (!refusals) return violations
  const known = new Set([...allowed, ...violations.map(({ name }) => name)])
  const reasons = await refusals(names.filter((name) => !known.has(name)))
  const refused = names.flatMap((name, index): Failure[] => {
    const reason = reasons.get(name)
    return reason === undefined ? [] : [{ index, name, reasons: [reason], isRefused: true }]
  })
  return [...violations, ...refused].sort((a, b) => a.index - b.index)
}

async function check(
  context: Context,
  rule: NamingRule,
  given: readonly string[],
  options: CheckOptions,
  { uses, unresolved, unread }: ScannedCode,
  checks: Checks,
): Promise<CheckOutcome> {
  const stale = new Set(checks.allowed)
  const violations: NamingViolation[] = []
  const breaking: NamingViolation[] = []
  let checked = 0
  for await (const { names, placeOf } of placedNames(context, given, options.namesFrom, uses)) {
    checked += names.length
    if (stale.size > 0) for (const name of names) stale.delete(name)
    for (const { index, isRefused, ...failure } of await failuresAmong(names, checks)) {
      const violation = { ...failure, ...placeOf(index) }
      violations.push(violation)
      if (!isRefused) breaking.push(violation)
    }
  }
  for (let start = 0; start < breaking.length; start += SUGGESTION_BATCH) {
    await checks.checker.suggest(breaking.slice(start, start + SUGGESTION_BATCH))
  }
  return {
    rule,
    checked,
    violations,
    staleAllowed: [...stale],
    unresolved,
    unread,
    ...(options.available && { available: true }),
  }
}
