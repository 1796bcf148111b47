import { relativePath } from '../paths.ts'
import { locate, parseDocument } from '../input/document.ts'
import { readCheckedConfiguration } from '../profile/connection.ts'
import { configured } from '../profile/profiles.ts'
import { settingsIn } from '../service/settings-document.ts'
import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import type { Position } from '../input/position.ts'
import type { RuleField } from './finding.ts'
import { compileFailure, lengthProblem, type NamingRule } from './engine/rule.ts'

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
  position(field: RuleField): Promise<Position | undefined>
}

function positionIn(text: string, parents: readonly string[]): FoundRule['position'] {
  return async (field) => {
    return (await locate(text, [...parents, field])) ?? (await locate(text, parents))
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
  const name = path === '-' ? 'standard input' : path
  const { featureNaming } = settingsIn(await parseDocument(text, name, 'usage'), name)
  if (!featureNaming) {
    throw new FlagadmError('usage', `${name}: featureNaming is missing`, {
      hint: 'put pattern, example and description under featureNaming',
    })
  }
  const position = positionIn(text, ['featureNaming'])
  return {
    rule: featureNaming,
    ...(path !== '-' && { file: relativePath(path, host.cwd) }),
    position,
  }
}

async function configuredRule(context: Context): Promise<FoundRule> {
  const found = configured(await readCheckedConfiguration(context), 'naming')
  if (!found) {
    throw new FlagadmError('usage', 'no naming rule given', {
      hint: 'use --rule <file> or --pattern <regex>, or add naming to the project configuration',
    })
  }
  const text = await context.inputs.read(found.file, 'naming', 'configuration')
  const parents = /package\.json$/.test(found.file) ? ['flagadm', 'naming'] : ['naming']
  return {
    rule: found.value,
    file: relativePath(found.file, context.host.cwd),
    position: positionIn(text, parents),
  }
}

/** Whether options specify a rule. */
export function givesRule({ rule, pattern, example, description }: RuleOptions): boolean {
  return [rule, pattern, example, description].some((part) => part !== undefined)
}

/**
 * The rule from the options or, without any, from the project configuration.
 * @throws a usage error when there is none or its file is invalid
 */
export async function findRule(context: Context, options: RuleOptions): Promise<FoundRule> {
  const { rule: file, pattern, example, description } = options
  if (file !== undefined) return readRuleFile(context, file, '--rule')
  if (!givesRule(options)) return configuredRule(context)
  const rule = {
    ...(pattern !== undefined && { pattern }),
    ...(example !== undefined && { example }),
    ...(description !== undefined && { description }),
  }
  return { rule, position: async () => undefined }
}

/**
 * Refuses to judge a rule that is too long, or names with it.
 * @param problem why it is not examined
 * @throws `checkFailed` if there is a problem
 */
export function refuseLongRule(problem: string | undefined): void {
  if (problem === undefined) return
  throw new FlagadmError('checkFailed', `inconclusive: ${problem}`, {
    hint: 'use a shorter rule',
  })
}

/**
 * The pattern of a rule, to check names against.
 * @throws a usage error when it has none or one that does not compile, `checkFailed` when it is too long
 */
export function usablePattern({ rule, file }: Pick<FoundRule, 'rule' | 'file'>): string {
  const { pattern } = rule
  if (pattern) {
    refuseLongRule(lengthProblem({ pattern }))
    const failure = compileFailure(pattern)
    if (failure === undefined) return pattern
    throw new FlagadmError('usage', `pattern: not a valid regular expression: ${failure}`, {
      hint: 'run flagadm naming lint to see where',
    })
  }
  throw new FlagadmError('usage', `${file ?? 'the rule'}: the pattern is missing`, {
    hint: 'add a pattern to the rule',
  })
}
