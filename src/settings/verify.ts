import { FlagadmError } from '../errors.ts'
import type { Path } from '../input/shape.ts'
import { type Finding, fieldOf } from '../naming/finding.ts'
import { compileFailure, createNameMatcher } from '../naming/rule.ts'
import { MASK } from '../redact.ts'
import { projectModes } from '../service/modes.ts'
import type { FeatureNaming, PartialSettings, Settings } from '../service/settings-document.ts'

/** A problem with settings, and the field that has it. */
interface SettingsProblem {
  path: Path
  message: string
  /** Besides `--no-verify`. */
  hint: string
}

const textFaults = [
  {
    // A NUL makes the service answer 200 and store nothing; half a surrogate pair is stored as another character.
    isIn: (text: string) => /\0|\p{Cs}/u.test(text),
    message: 'contains a character that the service cannot store: NUL, or half a surrogate pair',
    hint: 'remove it',
  },
  {
    isIn: (text: string) => text.includes(MASK),
    message: `contains ${MASK}, which flagadm writes in place of the API key`,
    hint: 'write the text that it replaced',
  },
]

function textProblems({ featureNaming = {}, linkTemplates = [] }: PartialSettings) {
  const problemsIn = (texts: object, path: Path): SettingsProblem[] =>
    Object.entries(texts).flatMap(([field, text]) =>
      textFaults
        .filter(({ isIn }) => isIn(text))
        .map(({ message, hint }) => ({ path: [...path, field], message, hint })),
    )
  return [
    ...problemsIn(featureNaming, ['featureNaming']),
    ...linkTemplates.flatMap((template, index) => problemsIn(template, ['linkTemplates', index])),
  ]
}

/** Returns the errors in a rule and what could not be decided; nothing for a rule without a pattern. */
export type RuleCheck = (rule: Partial<FeatureNaming> | undefined) => Promise<Finding[]>

/** A check that lints each rule only once, because many projects may share it. */
export function createRuleCheck(signal: AbortSignal): RuleCheck {
  const known = new Map<string, Promise<Finding[]>>()
  const lint = async (rule: Partial<FeatureNaming>) => {
    const { lintProblems } = await import('../naming/findings.ts')
    return lintProblems(rule, signal)
  }
  return async (rule) => {
    if (!rule?.pattern) return []
    const key = JSON.stringify([rule.pattern, rule.example])
    const findings = known.get(key) ?? lint(rule)
    known.set(key, findings)
    return findings
  }
}

/** The problems of settings that can be found without the service: in mode, texts and naming rule. */
export async function settingsProblems(
  settings: PartialSettings,
  checkRule: RuleCheck,
): Promise<SettingsProblem[]> {
  const { mode, featureNaming } = settings
  const problems = textProblems(settings)
  if (mode !== undefined && !projectModes.some((known) => known === mode)) {
    const hint = `choose one of ${projectModes.join(', ')}`
    problems.unshift({ path: ['mode'], message: `unknown project mode '${mode}'`, hint })
  }
  for (const { severity, code, message, suggestion } of await checkRule(featureNaming)) {
    if (severity !== 'error') continue
    const hint = suggestion === undefined ? 'correct it' : `write ${suggestion}`
    problems.push({ path: ['featureNaming', fieldOf(code)], message: `${message} (${code})`, hint })
  }
  return problems
}

/**
 * Checks that the stored part of a rule agrees with the new one: the example must match the pattern.
 * @throws a usage error that shows both
 */
export async function verifyKeptRule(
  { featureNaming: before }: Settings,
  { featureNaming: after }: Settings,
  signal: AbortSignal,
): Promise<void> {
  const isNew = {
    pattern: after.pattern !== before.pattern,
    example: after.example !== before.example,
  }
  const { pattern, example } = after
  if (!pattern || !example || isNew.pattern === isNew.example) return
  if (compileFailure(pattern) !== undefined) return
  const [verdict] = await createNameMatcher(pattern, signal)([example])
  if (verdict !== false) return
  const message = isNew.pattern
    ? `the stored example '${example}' does not match the new pattern '${pattern}'`
    : `the new example '${example}' does not match the stored pattern '${pattern}'`
  throw new FlagadmError('usage', message, {
    hint: "use an example that matches, clear it with --naming-example '' (in a file: example: null), or use --no-verify",
  })
}

/** Whether settings have an example or a description without a pattern. */
export function lacksPattern({ featureNaming = {} }: PartialSettings): boolean {
  const { pattern, example, description } = featureNaming
  return !pattern && Boolean(example || description)
}

/** Whether a change makes a project private. */
export function becomesPrivate(before: Settings, after: Settings): boolean {
  return after.mode === 'private' && before.mode !== 'private'
}
