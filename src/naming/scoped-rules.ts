import type { Context } from '../old/context.ts'
import { FlagadmError } from '../errors.ts'
import type { PlacedNames } from '../names/sources.ts'
import { nothingMissing, type UnreadProjects } from '../projects/missing.ts'
import { type ProjectOptions, selectsProjects } from '../projects/selection.ts'
import type { NamingProject, ProjectRequest } from './project.ts'
import { type FoundRule, findRule, type RuleOptions, ruleOption } from './rule-source.ts'

/** A rule to lint or to check names against, and the project that it is for. */
export interface ScopedRule extends FoundRule {
  project?: NamingProject
}

/** Names, and the checks that they are for. */
interface Batch<Check> extends PlacedNames {
  checks: readonly Check[]
}

export interface ScopedRules extends UnreadProjects {
  rules: ScopedRule[]
}

/**
 * The rule from the options or the project configuration; with projects, one for each: the stored rule, unless the
 * options give another.
 * @param request the parts of projects to read
 */
export async function findRules(
  context: Context,
  options: RuleOptions & ProjectOptions,
  request: ProjectRequest = {},
): Promise<ScopedRules> {
  if (!selectsProjects(options)) {
    return { rules: [await findRule(context, options)], missing: nothingMissing, failures: [] }
  }
  const { readNamingProjects } = await import('./project.ts')
  const { results, ...unread } = await readNamingProjects(context, options, request)
  const given = ruleOption(options) && (await findRule(context, options))
  const rules = results.map((project) => ({ project, rule: project.rule, ...given }))
  return { rules, ...unread }
}

/**
 * Names for checks with the rules of projects.
 * @param given names for all of the checks; undefined for the flags of each project, for its own check
 */
export async function* batchesFor<Check extends { project: NamingProject | undefined }>(
  checks: readonly Check[],
  given: AsyncIterable<PlacedNames> | undefined,
): AsyncGenerator<Batch<Check>> {
  for await (const batch of given ?? []) yield { ...batch, checks }
  if (given) return
  for (const check of checks) {
    yield { names: check.project?.flagNames ?? [], placeOf: () => ({}), checks: [check] }
  }
}

/** @throws a usage error if none of the projects has a naming rule */
export function refuseWithoutRules(rules: readonly ScopedRule[]): void {
  const [first, ...others] = rules
  if (!first?.project || rules.some(({ rule }) => rule.pattern)) return
  const what =
    others.length > 0
      ? `none of ${rules.length} projects has a naming rule`
      : `project ${first.project.id} has no naming rule`
  throw new FlagadmError('usage', what, {
    hint: 'use --rule <file> or --pattern <regex>, or set a rule for the project',
  })
}
