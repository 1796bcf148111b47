import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { type Missing, nothingMissing } from '../projects/missing.ts'
import { type ProjectOptions, selectsProjects } from '../projects/selection.ts'
import type { NamingProject } from './project.ts'
import { type FoundRule, findRule, givesRule, type RuleOptions } from './rule-source.ts'

/** A rule to lint or to check names against, and the project that it is for. */
export interface Target extends FoundRule {
  project?: NamingProject
}

export interface Targets {
  targets: Target[]
  missing: Missing
  failures: FlagadmError[]
}

/**
 * The rule from the options or the project configuration; with projects, one target for each, with the
 * stored rule unless the options give another.
 * @param withFlags whether the names of the flags are needed
 */
export async function findTargets(
  context: Context,
  options: RuleOptions & ProjectOptions,
  withFlags: boolean,
): Promise<Targets> {
  if (!selectsProjects(options)) {
    return { targets: [await findRule(context, options)], missing: nothingMissing, failures: [] }
  }
  const { readNamingProjects } = await import('./project.ts')
  const { results, ...unread } = await readNamingProjects(context, options, withFlags)
  const given = givesRule(options) ? await findRule(context, options) : undefined
  const targets = results.map((project) => {
    return { project, rule: project.rule, position: async () => undefined, ...given }
  })
  return { targets, ...unread }
}

/** @throws a usage error if none of the projects has a naming rule */
export function refuseWithoutRules(targets: readonly Target[]): void {
  const [first, ...others] = targets
  if (!first?.project || targets.some(({ rule }) => rule.pattern)) return
  const what =
    others.length > 0
      ? `none of ${targets.length} projects has a naming rule`
      : `project ${first.project.id} has no naming rule`
  throw new FlagadmError('usage', what, {
    hint: 'use --rule <file> or --pattern <regex>, or set a rule for the project',
  })
}
