import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { formats } from '../formats.ts'
import { type Checker, createChecker } from '../naming/check.ts'
import type { NamingRule } from '../naming/rule.ts'
import {
  type CheckOutcome,
  type NamingViolation,
  renderCheck,
  unresolvedText,
} from '../output/naming-check.ts'
import { placedNames, scanNames } from './names.ts'
import { findRule, patternOf, type RuleOptions } from './naming-rule.ts'

// How many names get suggestions at a time, to keep memory low.
const SUGGESTIONS = 4000

interface CheckOptions extends RuleOptions {
  namesFrom?: string | undefined
  scan?: string[] | undefined
  match?: string[] | undefined
  allow?: string | undefined
  allowEmpty?: true | undefined
  failOnUnresolved?: true | undefined
}

/**
 * Checks names from arguments, lists and source code against a rule and reports those that fail.
 * @throws `checkFailed` when a name fails, or with `--fail-on-unresolved` when a call could not be
 * checked; a usage error when there are no names
 */
export async function checkNaming(
  context: Context,
  names: readonly string[],
  options: CheckOptions,
): Promise<void> {
  const format = context.format(formats.check)
  if (options.failOnUnresolved && options.scan === undefined) {
    throw new FlagadmError('usage', '--fail-on-unresolved requires --scan', {
      hint: 'add --scan or leave out --fail-on-unresolved',
    })
  }
  const found = await findRule(context, options)
  const checker = createChecker(await patternOf(found), context.signal)
  const allowed = await readAllowed(context, options.allow)
  const outcome = await check(context, checker, found.rule, names, options, allowed)
  if (outcome.checked === 0 && !options.allowEmpty) {
    throw new FlagadmError('usage', 'no names to check', {
      hint: 'give names, --names-from <file> or --scan <glob>; --allow-empty accepts an empty list',
    })
  }
  for (const name of outcome.staleAllowed) {
    context.messages.warn(`${options.allow}: '${name}' no longer occurs`)
  }
  const shown = context.redactor.redactAll({ outcome, fallbackPath: found.file ?? 'naming' })
  await context.write(await renderCheck(format, shown.outcome, shown.fallbackPath, context.style))
  refuseFailure(outcome, options)
}

function refuseFailure(
  { checked, violations, unresolved }: CheckOutcome,
  { failOnUnresolved }: CheckOptions,
): void {
  if (violations.length > 0) {
    const what = `${violations.length} of ${checked} names break the rule`
    throw new FlagadmError('checkFailed', what)
  }
  if (failOnUnresolved && unresolved.length > 0) {
    throw new FlagadmError('checkFailed', unresolvedText(unresolved.length), {
      hint: 'use literals or constants of the same file as flag names; --verbose lists the calls',
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

async function check(
  context: Context,
  checker: Checker,
  rule: NamingRule,
  given: readonly string[],
  options: CheckOptions,
  allowed: ReadonlySet<string>,
): Promise<CheckOutcome> {
  const stale = new Set(allowed)
  const violations: NamingViolation[] = []
  let checked = 0
  const { uses, unresolved } = await scanNames(context, options)
  for await (const { names, placeOf } of placedNames(context, given, options.namesFrom, uses)) {
    checked += names.length
    if (stale.size > 0) for (const name of names) stale.delete(name)
    for (const { index, ...violation } of await checker.check(names)) {
      if (allowed.has(violation.name)) continue
      violations.push({ ...violation, ...placeOf(index) })
    }
  }
  for (let start = 0; start < violations.length; start += SUGGESTIONS) {
    await checker.suggest(violations.slice(start, start + SUGGESTIONS))
  }
  return { rule, checked, violations, staleAllowed: [...stale], unresolved }
}
