import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { type Checker, createChecker } from '../naming/check.ts'
import type { NamingRule } from '../naming/rule.ts'
import {
  type CheckOutcome,
  checkFormats,
  type NamingViolation,
  renderCheck,
} from '../output/naming-check.ts'
import { placedNames } from './naming-names.ts'
import { findRule, patternOf, type RuleOptions } from './naming-rule.ts'

// At once: few enough to keep memory low.
const SUGGESTIONS = 4000

interface CheckOptions extends RuleOptions {
  namesFrom?: string | undefined
  scan?: string[] | undefined
  match?: string[] | undefined
  allow?: string | undefined
  allowEmpty?: true | undefined
}

/**
 * Checks names from arguments, lists and source code against a rule and reports those that fail.
 * @throws `checkFailed` when a name fails, a usage error when there are no names
 */
export async function checkNaming(
  context: Context,
  names: readonly string[],
  options: CheckOptions,
): Promise<void> {
  const format = context.format(checkFormats)
  const found = await findRule(context, options)
  const checker = createChecker(patternOf(found), context.signal)
  const allowed = await readAllowed(context, options.allow)
  const outcome = await check(context, checker, found.rule, names, options, allowed)
  if (outcome.checked === 0 && !options.allowEmpty) {
    throw new FlagadmError('usage', 'there are no names to check', {
      hint: 'give names, --names-from <file> or --scan <glob>; --allow-empty lets none pass',
    })
  }
  for (const name of outcome.staleAllowed) {
    context.messages.warn(`${options.allow}: '${name}' no longer occurs`)
  }
  await context.write(await renderCheck(format, outcome, found.file ?? 'naming', context.style))
  const { checked, violations } = outcome
  if (violations.length > 0) {
    const what = `${violations.length} of ${checked} names break the rule`
    throw new FlagadmError('checkFailed', what)
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
  for await (const { names, placeOf } of placedNames(context, given, options)) {
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
  return { rule, checked, violations, staleAllowed: [...stale] }
}
