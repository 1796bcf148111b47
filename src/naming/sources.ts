// Where naming rules and names come from: options, files, the configuration, projects and source code.
import { type Command, Option, type OptionValues } from '@commander-js/extra-typings'
import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { locate, parsePlaced } from '../input/document.ts'
import { inputName } from '../input/files.ts'
import type { Position } from '../input/position.ts'
import type { PlacedNames } from '../names/sources.ts'
import { byCodeUnit } from '../output/order.ts'
import { relativePath } from '../paths.ts'
import { connect } from '../profile/connection.ts'
import { configured, readCheckedConfiguration, rootOf } from '../profile/configuration.ts'
import {
  readProjects,
  refuseUnknownProject,
  selectsProjects,
  throwFailures,
} from '../project/reading.ts'
import type { ProjectOptions, ProjectResults } from '../project/reading.ts'
import { type Service, unlessMissing } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import { operations } from '../service/operations.ts'
import { settingsIn } from '../service/settings-document.ts'
import type { RuleField } from './finding.ts'
import { compileFailure, lengthProblem, type NamingRule } from './rule.ts'

/** The options that specify a rule. */
type RuleOption = 'rule' | 'pattern' | 'example' | 'description'
export const ruleOptions: RuleOption[] = ['rule', 'pattern', 'example', 'description']
export type RuleOptions = { [Name in RuleOption]?: string | undefined }

/** Adds the options that specify a naming rule. */
export function addRuleOptions<A extends unknown[], O extends OptionValues, G extends OptionValues>(
  command: Command<A, O, G>,
) {
  return command
    .addOption(
      new Option(
        '--rule <file>',
        "YAML or JSON file with featureNaming ('-': standard input)",
      ).conflicts(ruleOptions.slice(1)),
    )
    .option('--pattern <regex>', 'pattern of the rule, instead of a file')
    .option('--example <name>', 'example of the rule')
    .option('--description <text>', 'description of the rule')
}

/** Whether options specify a rule. */
export function hasRule(options: RuleOptions): boolean {
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

/** A project of the service, for checks of names. */
export interface NamingProject {
  id: string
  service: Service
  /** How many requests to send at once. */
  concurrency: number
  /** The stored rule, without parts that are not set. */
  rule: NamingRule
  /** The names of its flags; empty if they were not asked for. */
  flagNames: readonly string[]
}

/** The place of a rule in a file with this text. */
function placeIn(path: string, cwd: string, text: string, parents: readonly string[]) {
  return {
    file: relativePath(path, cwd),
    position: async (field: RuleField) =>
      (await locate(text, [...parents, field])) ?? (await locate(text, parents)),
  }
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
  const { data } = await parsePlaced(text, name, 'usage')
  const { featureNaming } = settingsIn(data, name)
  if (!featureNaming) {
    throw new FlagadmError('usage', `${name}: featureNaming is missing`, {
      hint: 'put pattern, example and description under featureNaming',
    })
  }
  const isFile = path !== '-'
  return { rule: featureNaming, ...(isFile && placeIn(path, host.cwd, text, ['featureNaming'])) }
}

async function configuredRule(context: Context): Promise<FoundRule> {
  const found = configured(await readCheckedConfiguration(context), 'naming')
  if (!found) {
    throw new FlagadmError('usage', 'no naming rule given', {
      hint: 'use --rule <file> or --pattern <regex>, or add naming to the project configuration',
    })
  }
  const { name: file } = found.source
  const text = await context.inputs.read(file, 'naming', 'configuration')
  const place = placeIn(file, context.host.cwd, text, [...rootOf(file), 'naming'])
  return { rule: found.value, ...place }
}

/** The rule of the options or, without any, of the project configuration. */
async function givenRule(context: Context, options: RuleOptions): Promise<FoundRule> {
  const { rule: file, pattern, example, description } = options
  if (file !== undefined) return readRuleFile(context, file, '--rule')
  if (!hasRule(options)) return configuredRule(context)
  const rule = {
    ...(pattern !== undefined && { pattern }),
    ...(example !== undefined && { example }),
    ...(description !== undefined && { description }),
  }
  return { rule }
}

/** @throws `checkFailed` for a rule that is too long to examine, or to check names with */
export function refuseLongRule(rule: NamingRule, projectId?: string): void {
  const problem = lengthProblem(rule)
  if (problem === undefined) return
  throw new FlagadmError('checkFailed', `inconclusive: ${problem}`, {
    projectId,
    hint: 'use a shorter rule',
  })
}

/**
 * The pattern of a rule, to check names against.
 * @param projectId the project that stores the rule
 * @throws a usage error when it has none or one that does not compile, `checkFailed` when it is too long
 */
export function usablePattern(
  { rule: { pattern }, file = 'the rule' }: FoundRule,
  projectId?: string,
): string {
  if (!pattern) {
    throw new FlagadmError('usage', `${file}: the pattern is missing`, {
      hint: 'add a pattern to the rule',
    })
  }
  refuseLongRule({ pattern }, projectId)
  const failure = compileFailure(pattern)
  if (failure === undefined) return pattern
  const where = projectId === undefined ? ' to see where' : ` --project ${projectId}`
  throw new FlagadmError('usage', `pattern: not a valid regular expression: ${failure}`, {
    projectId,
    hint: `run flagadm naming lint${where}`,
  })
}

/** The parts of projects to read besides their rules. */
export interface ProjectRequest {
  /** Whether to read the names of their flags. */
  flags?: boolean
  /** Whether to fail for a stored pattern that names cannot be checked against. */
  usablePattern?: boolean
}

async function readProject(
  { service, concurrency }: Connection,
  id: string,
  request: ProjectRequest,
): Promise<NamingProject> {
  const overview = service.read(operations.projectOverview, { projectId: id })
  if (!(await unlessMissing(overview))) await refuseUnknownProject(service, id)
  const { pattern, example, description } = (await overview).data.featureNaming ?? {}
  if (pattern && request.usablePattern) usablePattern({ rule: { pattern } }, id)
  const { features } = request.flags
    ? (await service.read(operations.projectFeatures, { projectId: id })).data
    : { features: [] }
  return {
    id,
    service,
    concurrency,
    rule: {
      ...(pattern && { pattern }),
      ...(example && { example }),
      ...(description && { description }),
    },
    flagNames: features.map(({ name }) => name).sort(byCodeUnit),
  }
}

/** Reads the stored rules of projects, and the parts that are requested. */
export async function readNamingProjects(
  context: Context,
  options: ProjectOptions,
  request: ProjectRequest,
): Promise<ProjectResults<NamingProject>> {
  const connection = await connect(context)
  const { concurrency = connection.concurrency } = context.options
  const read = (id: string) => readProject({ ...connection, concurrency }, id, request)
  return readProjects(context, connection, options, read)
}

/** Ends a run: with what the check refuses, or with the projects that could not be read. */
export function finish(
  context: Context,
  { failures, requested }: ProjectResults<unknown>,
  refuse: () => void,
): void {
  try {
    refuse()
  } catch (error) {
    for (const failure of failures.values()) context.messages.fail(failure)
    throw error
  }
  throwFailures(context, failures, requested, 'projects')
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
    const results = [await givenRule(context, options)]
    return { results, failures: new Map(), requested: 0, incomplete: [] }
  }
  const found = await readNamingProjects(context, options, request)
  const given = hasRule(options) ? await givenRule(context, options) : undefined
  const results = found.results.map((project) => ({ project, rule: project.rule, ...given }))
  return { ...found, results }
}

/** @throws a usage error if none of the projects has a naming rule */
export function refuseWithoutRules(rules: readonly FoundRule[]): void {
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

/**
 * Names, and the checks that they are for.
 * @param given names for all of the checks; undefined for the flags of each project, for its own check
 */
export async function* batchesFor<Check extends { project?: NamingProject | undefined }>(
  checks: readonly Check[],
  given: AsyncIterable<PlacedNames> | undefined,
): AsyncGenerator<PlacedNames & { checks: readonly Check[] }> {
  for await (const batch of given ?? []) yield { ...batch, checks }
  for (const check of given ? [] : checks) {
    yield { names: check.project?.flagNames ?? [], placeOf: () => ({}), checks: [check] }
  }
}
