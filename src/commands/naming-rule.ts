import { isAbsolute, relative, sep } from 'node:path'
import { loadAll } from '../connection.ts'
import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { locate, type Position, parseDocument } from '../input/document.ts'
import type { RuleField } from '../naming/finding.ts'
import type { NamingRule } from '../naming/rule.ts'
import { configured } from '../profile/profiles.ts'
import { settingsIn } from './settings-input.ts'

/** The options that give a rule. */
export interface RuleOptions {
  rule?: string | undefined
  pattern?: string | undefined
  example?: string | undefined
  description?: string | undefined
}

/** A rule and, when it comes from a file, where it stands. */
export interface FoundRule {
  rule: NamingRule
  /** From the working directory, with `/`. */
  file?: string
  /** Where the value of a field stands; where the rule stands when it has no such field. */
  position(field: RuleField): Promise<Position | undefined>
}

/** A path as reports show it: from the working directory, with `/`. */
export function shownPath(path: string, cwd: string): string {
  const shown = isAbsolute(path) ? relative(cwd, path) : path
  return shown.split(sep).join('/').replace(/^\.\//, '')
}

function positionIn(text: string, parents: readonly string[]): FoundRule['position'] {
  return async (field) => (await locate(text, [...parents, field])) ?? (await locate(text, parents))
}

/**
 * The rule of a file: the `featureNaming` of a settings document.
 * @param option the option that names the file, for errors
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
    throw new FlagadmError('usage', `${name}: there is no featureNaming`, {
      hint: 'put pattern, example and description below featureNaming',
    })
  }
  const position = positionIn(text, ['featureNaming'])
  return { rule: featureNaming, ...(path !== '-' && { file: shownPath(path, host.cwd) }), position }
}

async function configuredRule(context: Context): Promise<FoundRule> {
  const found = configured(await loadAll(context), 'naming')
  if (!found) {
    throw new FlagadmError('usage', 'no naming rule is given', {
      hint: 'give --rule <file> or --pattern <regex>, or put naming into the project configuration',
    })
  }
  const text = await context.inputs.read(found.file, 'naming', 'configuration')
  const parents = /package\.json$/.test(found.file) ? ['flagadm', 'naming'] : ['naming']
  return {
    rule: found.value,
    file: shownPath(found.file, context.host.cwd),
    position: positionIn(text, parents),
  }
}

/**
 * The rule that options, else the project configuration, give.
 * @throws a usage error when there is none or its file is wrong
 */
export async function findRule(context: Context, options: RuleOptions): Promise<FoundRule> {
  const { rule: file, pattern, example, description } = options
  if (file !== undefined) return readRuleFile(context, file, '--rule')
  const given = [pattern, example, description].some((part) => part !== undefined)
  if (!given) return configuredRule(context)
  const rule = {
    ...(pattern !== undefined && { pattern }),
    ...(example !== undefined && { example }),
    ...(description !== undefined && { description }),
  }
  return { rule, position: async () => undefined }
}

/**
 * The pattern of a rule that names are to be checked against.
 * @throws a usage error when it has none
 */
export function patternOf({ rule, file }: FoundRule): string {
  if (rule.pattern) return rule.pattern
  throw new FlagadmError('usage', `${file ?? 'the rule'}: there is no pattern to check against`, {
    hint: 'give the rule a pattern',
  })
}
