import type { Messages } from '../old/messages.ts'
import { FlagadmError } from '../errors.ts'
import { type Path, pathText } from '../input/shape.ts'
import { type Finding, fieldOf } from '../naming/finding.ts'
import { compileFailure, createNameMatcher } from '../naming/rule.ts'
import { MASK } from '../redact.ts'
import { projectModes } from '../service/modes.ts'
import type { FeatureNaming, ProjectSettings } from '../service/schema.ts'
import { noPatternText } from './report/sentences.ts'
import type { StoredSettings } from './stored.ts'

/** A problem with settings, and the field that has it. */
interface SettingsProblem {
  path: Path
  message: string
  /** Besides `--no-verify`. */
  hint: string
}

function modeProblems({ mode }: ProjectSettings): SettingsProblem[] {
  if (mode === undefined || projectModes.some((known) => known === mode)) return []
  const hint = `choose one of ${projectModes.join(', ')}`
  return [{ path: ['mode'], message: `unknown project mode '${mode}'`, hint }]
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

function textProblems({ featureNaming = {}, linkTemplates = [] }: ProjectSettings) {
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
export type RuleCheck = (rule: FeatureNaming | undefined) => Promise<Finding[]>

/** A check that lints each rule only once, because many projects may share it. */
export function createRuleCheck(signal: AbortSignal): RuleCheck {
  const known = new Map<string, Promise<Finding[]>>()
  const lint = async (rule: FeatureNaming) => {
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

async function errorsOf(rule: FeatureNaming | undefined, checkRule: RuleCheck): Promise<Finding[]> {
  return (await checkRule(rule)).filter(({ severity }) => severity === 'error')
}

function hintOf(findings: readonly Finding[]): string {
  const suggestion = findings.find((finding) => finding.suggestion !== undefined)?.suggestion
  return suggestion === undefined ? 'correct it' : `write ${suggestion}`
}

function reasonOf({ code, message }: Finding): string {
  return `${message} (${code})`
}

/** The problems of settings that can be found without the service: in mode, texts and naming rule. */
export async function settingsProblems(
  settings: ProjectSettings,
  checkRule: RuleCheck,
): Promise<SettingsProblem[]> {
  const findings = await errorsOf(settings.featureNaming, checkRule)
  return [
    ...modeProblems(settings),
    ...textProblems(settings),
    ...findings.map((finding) => {
      const path = ['featureNaming', fieldOf(finding.code)]
      return { path, message: reasonOf(finding), hint: hintOf([finding]) }
    }),
  ]
}

function refuse(message: string, hint: string): never {
  throw new FlagadmError('usage', message, {
    hint: `${hint}, or send it as it is with --no-verify`,
  })
}

/**
 * Checks what can be checked before anything is sent: the mode, the texts and the naming rule.
 * @throws a usage error with the reason and a hint
 */
export async function verifySettings(
  settings: ProjectSettings,
  signal: AbortSignal,
): Promise<void> {
  const [mode] = modeProblems(settings)
  if (mode) refuse(mode.message, mode.hint)
  const [text] = textProblems(settings)
  if (text) refuse(`${pathText(text.path)} ${text.message}`, text.hint)
  const findings = await errorsOf(settings.featureNaming, createRuleCheck(signal))
  if (findings.length === 0) return
  const reasons = findings.map(reasonOf).join('; ')
  refuse(`the naming rule has errors: ${reasons}`, hintOf(findings))
}

/**
 * Checks that the stored part of a rule agrees with the new one: the example must match the pattern.
 * @throws a usage error that shows both
 */
export async function verifyKeptRule(
  { featureNaming: before }: StoredSettings,
  { featureNaming: after }: StoredSettings,
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
  refuse(
    message,
    "use an example that matches, or clear it with --naming-example '' (in a file: example: null)",
  )
}

/**
 * Warns of fields that the service may clear because the stored settings are not known.
 * @param why completes the sentence `the stored settings are not known, because …`
 */
export function warnOfLoss(settings: ProjectSettings, why: string, messages: Messages): void {
  const { featureNaming = {}, linkTemplates } = settings
  const { pattern, example, description } = featureNaming
  const fields = [
    ...(pattern && example === undefined ? ['the example'] : []),
    ...(pattern && description === undefined ? ['the description'] : []),
    ...(linkTemplates === undefined ? ['the link templates'] : []),
  ]
  if (fields.length === 0) return
  const listed = new Intl.ListFormat('en-GB').format(fields)
  messages.warn(
    `the stored settings are not known, because ${why}: the service may clear ${listed}`,
  )
}

/** Whether settings have an example or a description without a pattern. */
export function lacksPattern({ featureNaming = {} }: ProjectSettings): boolean {
  const { pattern, example, description } = featureNaming
  return !pattern && Boolean(example || description)
}

/** Whether a change makes a project private. */
export function becomesPrivate(before: StoredSettings, after: StoredSettings): boolean {
  return after.mode === 'private' && before.mode !== 'private'
}

/** Warns of an example or a description without a pattern. */
export function warnOfMissingPattern(settings: ProjectSettings, messages: Messages): void {
  if (lacksPattern(settings)) messages.warn(noPatternText)
}

/**
 * Refuses an example or a description for a project without a pattern, which Unleash rejects.
 * @throws a usage error, unless there is neither
 */
export function refuseWithoutPattern(settings: ProjectSettings): void {
  if (!lacksPattern(settings)) return
  const { example = '' } = settings.featureNaming ?? {}
  const option = example ? '--naming-example' : '--naming-description'
  const pattern = /^[a-z0-9-]*$/.test(example) ? '[a-z0-9-]+' : '.+'
  refuse(
    `${option} requires a pattern, and the project has none`,
    `add one, such as --naming-pattern '${pattern}'`,
  )
}
