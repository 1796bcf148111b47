import { relativePath } from '../paths.ts'
import { locate, parsePlaced } from '../input/document.ts'
import { inputName } from '../input/files.ts'
import { rootOf } from '../profile/files/places.ts'
import { configured, readCheckedConfiguration } from '../profile/profiles.ts'
import { settingsIn } from '../service/settings-document.ts'
import type { Context } from '../old/context.ts'
import { FlagadmError } from '../errors.ts'
import type { Position } from '../input/position.ts'
import type { RuleField } from './finding.ts'
import { compileFailure, lengthProblem, type NamingRule } from './rule.ts'

/** The options that specify a rule. */
export interface RuleOptions {
  rule?: string | undefined
  pattern?: string | undefined
  example?: string | undefined
  description?: string | undefined
}

/** A rule and, when it comes from a file, its place there. */
export interface FoundRule {
  rule: NamingRule
  /** From the working directory, with `/`. */
  file?: string
  /** The place of a field's value, or of the whole rule when it has no such field. */
  position?(field: RuleField): Promise<Position | undefined>
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

/** The first of the options that specify a rule; undefined if none does. */
export function ruleOption(options: RuleOptions): keyof RuleOptions | undefined {
  const names = ['rule', 'pattern', 'example', 'description'] as const
  return names.find((name) => options[name] !== undefined)
}

/**
 * The rule from the options or, without any, from the project configuration.
 * @throws a usage error when there is none or its file is invalid
 */
export async function findRule(context: Context, options: RuleOptions): Promise<FoundRule> {
  const { rule: file, pattern, example, description } = options
  if (file !== undefined) return readRuleFile(context, file, '--rule')
  if (ruleOption(options) === undefined) return configuredRule(context)
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
