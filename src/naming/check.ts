import type { Context } from '../old/context.ts'
import { FlagadmError } from '../errors.ts'
import { shownNames } from '../old/failures.ts'
import { writeReport } from '../old/output/file.ts'
import { formats } from '../old/output/formats.ts'
import { counted } from '../old/output/phrases.ts'
import { type CheckOutcome, renderCheck } from './report/check.ts'
import { inRepository } from '../names/repository.ts'
import {
  refuseWithoutPaths,
  scanCode,
  scanIfAsked,
  type ScannedCode,
  type ScanOptions,
  scanRequest,
} from '../names/scanning.ts'
import { emptySources, hasNames, placedNames } from '../names/sources.ts'
import { unreadText } from '../projects/report/missing.ts'
import { type ProjectOptions, selectsProjects, selectsSeveral } from '../projects/selection.ts'
import { refuseUnread } from '../projects/missing.ts'
import { ruleOption, type RuleOptions } from './rule-source.ts'
import { findRules, refuseWithoutRules, type ScopedRules } from './scoped-rules.ts'
import { findVerdicts } from './verdicts.ts'

interface CheckOptions extends RuleOptions, ScanOptions, ProjectOptions {
  namesFrom?: string | undefined
  allow?: string | undefined
  allowEmpty?: true | undefined
  failOnUnresolved?: true | undefined
  available?: true | undefined
  outputFile?: string | undefined
}

/**
 * Checks names from arguments, lists, source code or projects against a rule and reports those that fail.
 * @throws `checkFailed` when a name fails or could not be matched in time, or with `--fail-on-unresolved` when a call
 * could not be checked; a usage error when there are no names
 */
export async function checkNaming(
  context: Context,
  names: readonly string[],
  options: CheckOptions,
): Promise<void> {
  const format = context.format(formats.check)
  refuseStrayAvailable(names, options)
  const found = await findRules(context, options, {
    flags: !hasNames(names, options),
    usablePattern: ruleOption(options) === undefined,
  })
  const { failures } = found
  if (found.rules.length === 0) refuseUnread(found)
  if (!options.available && failures.length === 0) refuseWithoutRules(found.rules)
  const placed = inRepository(format, context.host.cwd)
  const outcome = { ...(await outcomeOf(context, names, options, found)), placed }
  warnOfStale(context, options.allow, outcome.staleAllowed)
  const [{ file = 'naming' } = {}] = found.rules
  await writeReport(context, options.outputFile, (printer) =>
    renderCheck(format, outcome, placed({ file }).file, printer),
  )
  refuseFailure(context, outcome, options)
  refuseUnread(found)
}

function warnOfStale(context: Context, file = '', names: readonly string[]): void {
  if (names.length === 0) return
  const shown = shownNames(
    names.map((name) => `'${name}'`),
    context,
  )
  const [verb, what] = names.length === 1 ? ['occurs', 'it'] : ['occur', 'they']
  context.messages.warn(`${file}: ${shown} no longer ${verb}, so ${what} can be removed`)
}

function withoutNames(namesFrom: string | undefined, code: ScannedCode): FlagadmError {
  const { message, hint } = emptySources(namesFrom, code) ?? {
    message: 'no names to check',
    hint: 'pass names, or use --names-from <file> or --scan <glob>',
  }
  return new FlagadmError('usage', message, {
    hint: `${hint}; --allow-empty accepts an empty list`,
  })
}

async function outcomeOf(
  context: Context,
  names: readonly string[],
  options: CheckOptions,
  { rules, missing, failures }: ScopedRules,
): Promise<Omit<CheckOutcome, 'placed'>> {
  const { available = false } = options
  const allowed = await readAllowed(context, options.allow)
  const code = await scan(context, names, options)
  const ownFlags = selectsProjects(options) && !hasNames(names, options)
  const named = placedNames(context, names, options.namesFrom, code.references)
  const given = ownFlags ? undefined : named
  const verdicts = await findVerdicts(rules, given, allowed, available, context.signal)
  const checked = verdicts.totals.reduce((sum, { checked }) => sum + checked, 0)
  if (checked === 0 && !options.allowEmpty && failures.length === 0) {
    throw withoutNames(options.namesFrom, code)
  }
  const { unresolved, unread } = code
  return {
    ...verdicts,
    checked,
    unresolved,
    unread,
    available,
    hasProjects: selectsSeveral(options),
    missing,
  }
}

async function scan(
  context: Context,
  names: readonly string[],
  options: CheckOptions,
): Promise<ScannedCode> {
  if (!options.failOnUnresolved) return scanIfAsked(context, names, options)
  const request = await scanRequest(context, names, options)
  refuseWithoutPaths(request, '--fail-on-unresolved')
  return scanCode(context, request)
}

/** @throws a usage error for `--available` without names or without a project */
function refuseStrayAvailable(names: readonly string[], options: CheckOptions): void {
  const hasProject = selectsProjects(options)
  if (options.available && (!hasProject || !hasNames(names, options))) {
    throw new FlagadmError('usage', `--available requires ${hasProject ? 'names' : '--project'}`, {
      hint: 'pass the names of new flags, and use --project <id>',
    })
  }
}

function refuseFailure(
  { printer }: Context,
  { checked, violations, undecided, unread }: CheckOutcome,
  { failOnUnresolved, available }: CheckOptions,
): void {
  if (violations.length > 0) {
    const verb = violations.length === 1 ? 'breaks' : 'break'
    const fail = available ? 'cannot be used for new flags' : `${verb} the rule`
    const what = `${violations.length} of ${counted(checked, 'name')} ${fail}`
    throw new FlagadmError('checkFailed', what)
  }
  if (undecided.length > 0) {
    const what = `inconclusive: ${undecided.length} of ${counted(checked, 'name')} could not be matched in time`
    throw new FlagadmError('checkFailed', what, { hint: 'run flagadm naming lint for the rule' })
  }
  const [lookups] = unread
  if (failOnUnresolved && lookups) {
    throw new FlagadmError('checkFailed', unreadText(lookups, printer.text), {
      hint: 'flagadm feature references lists them; --call or --match can make them readable',
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
