// Where naming rules and names come from: options, files, the configuration, projects and source code.
import { Option, type Command, type OptionValues } from '@commander-js/extra-typings'
import type { Context } from '../command/context.ts'
import { refuseEmpty } from '../command/options.ts'
import { FlagadmError, refuseUsage } from '../errors.ts'
import { parsePlaced } from '../input/document.ts'
import { inputName, isSpecial } from '../input/files.ts'
import type { Position } from '../input/shape.ts'
import type { PlacedNames } from './placed-names.ts'
import { relativePath } from '../paths.ts'
import { configured, readConfiguration, rootOf } from '../profile/configuration.ts'
import type { ProjectResults } from '../project/projects.ts'
import { selectsProjects, type ProjectOptions, withoutFlagsText } from '../project/selection.ts'
import type { RuleField } from './finding-kinds.ts'
import type { NamingProject, ProjectRequest } from './project-rules.ts'
import type { NamingRule } from './rule.ts'

const fieldOptions: RuleField[] = ['pattern', 'example', 'description']

type RuleOption = 'rule' | RuleField
export type RuleOptions = { [Name in RuleOption]?: string | undefined }

export const ruleOptions: RuleOption[] = ['rule', ...fieldOptions]

export function addRuleOptions<A extends unknown[], O extends OptionValues, G extends OptionValues>(
  command: Command<A, O, G>,
) {
  const description = "YAML or JSON file with featureNaming ('-': standard input)"
  return command
    .addOption(new Option('--rule <file>', description).conflicts(fieldOptions))
    .option('--pattern <regex>', 'pattern of the rule, instead of a file')
    .option('--example <name>', 'example of the rule')
    .option('--description <text>', 'description of the rule')
}

function hasRule(options: RuleOptions): boolean {
  return ruleOptions.some((name) => options[name] !== undefined)
}

/** A rule and, when it comes from a file, its place there. */
export interface FoundRule {
  rule: NamingRule
  /** From the working directory, with `/`. */
  file?: string
  /** The place of a field's value, or of the whole rule when it has no such field. */
  position?(field: RuleField): Promise<Position | undefined>
  /** The project that has the rule, or whose flags are checked. */
  project?: NamingProject
}

function placeIn(path: string, cwd: string, text: string, parents: readonly string[]) {
  return {
    file: relativePath(path, cwd),
    position: async (field: RuleField) =>
      (await parsePlaced(text, { name: path, kind: 'usage' })).positionOf([...parents, field]),
  }
}

export function missingRule(file: string): FlagadmError {
  return new FlagadmError('usage', `${file}: featureNaming is missing`, {
    hint: 'put pattern, example and description under featureNaming',
  })
}

/**
 * The rule of a file: the `featureNaming` of a settings document.
 * @param option the option with the path, for errors
 */
export async function readRuleFile(
  { inputs, host }: Context,
  path: string,
  option: string,
): Promise<FoundRule> {
  const text = await inputs.read(path, option, 'usage')
  const name = inputName(path)
  const { data } = await parsePlaced(text, { name, kind: 'usage' })
  const { settingsIn } = await import('../service/settings-document.ts')
  const { featureNaming } = settingsIn(data, name)
  if (!featureNaming) throw missingRule(name)
  const isFile = path !== '-'
  return { rule: featureNaming, ...(isFile && placeIn(path, host.cwd, text, ['featureNaming'])) }
}

const RULES = '--rule <file> or --pattern <regex>, or add naming to the project configuration'

async function configuredRule(context: Context, hint: string): Promise<FoundRule> {
  const naming = configured(await readConfiguration(context), 'naming')
  if (!naming) refuseUsage('no naming rule given', hint)
  const { path: file } = naming
  // A pipe cannot be read again.
  if (isSpecial(file)) return { rule: naming.value }
  const text = await context.inputs.read(file, 'naming', 'configuration')
  const place = placeIn(file, context.host.cwd, text, [...rootOf(file), 'naming'])
  return { rule: naming.value, ...place }
}

/** The rule of the options or, without any, of the project configuration. @param hint what to do if there is none */
export async function givenRule(
  context: Context,
  options: RuleOptions,
  hint = `use ${RULES}`,
): Promise<FoundRule> {
  const { rule: file, pattern, example, description } = options
  if (file !== undefined) return readRuleFile(context, file, '--rule')
  if (!hasRule(options)) return configuredRule(context, hint)
  return { rule: { pattern, example, description } }
}

/** Ends a run: with what the check refuses, or with the projects that could not be read. */
export async function finish(
  context: Context,
  { failures, requested }: ProjectResults<unknown>,
  refuse = () => {},
): Promise<void> {
  try {
    refuse()
  } catch (error) {
    for (const failure of failures.values()) context.messages.fail(failure)
    throw error
  }
  if (failures.size === 0) return
  const { throwFailures } = await import('../requests/each.ts')
  throwFailures(context, { failures, requested })
}

/**
 * The rule of the options or the project configuration; with projects, one for each: the stored rule, unless the options
 * give another.
 * @param request the parts of projects to read
 */
export async function findRules(
  context: Context,
  options: RuleOptions & ProjectOptions,
  request: ProjectRequest = {},
): Promise<ProjectResults<FoundRule>> {
  if (!selectsProjects(options)) {
    const hint = `use --project <id> for the stored rule of a project, ${RULES}`
    const results = [await givenRule(context, options, hint)]
    return { results, failures: new Map(), requested: 0, incomplete: [] }
  }
  // Loaded only here, because a rule from options needs no connection.
  const { readNamingProjects } = await import('./project-rules.ts')
  const optionRule = hasRule(options) ? await givenRule(context, options) : undefined
  const needed = optionRule ? { ...request, rule: 'unused' as const } : request
  const projects = await readNamingProjects(context, options, needed)
  const results = projects.results.map((project) => ({
    project,
    rule: project.rule,
    ...optionRule,
  }))
  return { ...projects, results }
}

/**
 * Refuses projects without a naming rule.
 * @returns whether they are accepted, so that there is nothing to check
 */
export function refuseWithoutRules(
  { messages }: Context,
  { results, requested, failures }: ProjectResults<FoundRule>,
  options: ProjectOptions & { allowEmpty?: true | undefined },
): boolean {
  const hasRule = results.some(({ rule }) => rule.pattern)
  if (!selectsProjects(options) || hasRule || failures.size > 0) return false
  const [first] = results
  if (!first) {
    refuseEmpty(messages, options, { why: withoutFlagsText(options, { requested }) })
    return true
  }
  const only = `project ${first.project?.id} has no naming rule`
  refuseEmpty(messages, options, {
    why: requested > 1 ? `none of ${requested} projects has a naming rule` : only,
    remedy: 'use --rule <file> or --pattern <regex>, or set a rule for the project',
  })
  return true
}

/**
 * Names, and the checks that they are for.
 * @param batches names for all of the checks; undefined for the flags of each project, for its own check
 */
export async function* batchesFor<Check extends { project?: NamingProject | undefined }>(
  checks: readonly Check[],
  batches: AsyncIterable<PlacedNames> | undefined,
): AsyncGenerator<PlacedNames & { checks: readonly Check[] }> {
  if (batches) {
    for await (const batch of batches) yield { ...batch, checks }
    return
  }
  for (const check of checks) {
    yield { names: check.project?.flagNames ?? [], placeOf: () => ({}), checks: [check] }
  }
}
