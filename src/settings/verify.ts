import { FlagadmError } from '../errors.ts'
import type { ShapeProblem } from '../input/shape.ts'
import { type Finding, findingKinds } from '../naming/finding.ts'
import { compileFailure, createNameMatcher } from '../naming/rule.ts'
import { MASK } from '../output/redact.ts'
import { type PartialSettings, projectModes, type Settings } from '../service/settings-document.ts'

/** A problem, and what to do about it besides `--no-verify`. */
export type HintedProblem = ShapeProblem & { hint: string }

/** The problems of modes and texts. */
export function settingsProblems(settings: PartialSettings): HintedProblem[] {
  const { mode, featureNaming, linkTemplates = [] } = settings
  const problems: HintedProblem[] = []
  if (mode !== undefined && !projectModes.some((known) => known === mode)) {
    const hint = `choose one of ${projectModes.join(', ')}`
    problems.push({ path: ['mode'], message: `unknown project mode '${mode}'`, hint })
  }
  const links = linkTemplates.map((texts, index) => ({ part: ['linkTemplates', index], texts }))
  const rule = { part: ['featureNaming'], texts: featureNaming ?? {} }
  for (const { part, texts } of [rule, ...links]) {
    for (const [field, text] of Object.entries(texts)) {
      const path = [...part, field]
      // A NUL makes the service answer 200 and store nothing; half a surrogate pair is stored as another character.
      if (/\0|\p{Cs}/u.test(text)) {
        const message =
          'contains a character that the service cannot store: NUL, or half a surrogate pair'
        problems.push({ path, message, hint: 'remove it' })
      }
      if (text.includes(MASK)) {
        const message = `contains ${MASK}, which flagadm writes in place of the API key`
        problems.push({ path, message, hint: 'write the text that it replaced' })
      }
    }
  }
  return problems
}

/** A function that finds the errors in the rule of settings, each rule only once, because many projects may share it. */
export function createRuleCheck(signal: AbortSignal) {
  const known = new Map<string, Promise<Finding[]>>()
  return async ({ featureNaming: rule }: PartialSettings): Promise<HintedProblem[]> => {
    if (!rule?.pattern) return []
    const key = JSON.stringify([rule.pattern, rule.example])
    const { lintProblems } = await import('../naming/findings.ts')
    const findings = known.get(key) ?? lintProblems(rule, signal)
    known.set(key, findings)
    const errors = (await findings).filter(({ severity }) => severity === 'error')
    return errors.map(({ code, message, suggestion }) => ({
      path: ['featureNaming', findingKinds[code].field],
      message: `${message} (${code})`,
      hint: suggestion === undefined ? 'correct it' : `write ${suggestion}`,
    }))
  }
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
  const { pattern, example } = after
  const isNewPattern = pattern !== before.pattern
  const isPartial = isNewPattern !== (example !== before.example)
  if (!pattern || !example || !isPartial || compileFailure(pattern) !== undefined) return
  const [verdict] = await createNameMatcher(pattern, signal)([example])
  if (verdict !== false) return
  const [first, second] = isNewPattern ? ['stored', 'new'] : ['new', 'stored']
  const what = `the ${first} example '${example}' does not match the ${second} pattern '${pattern}'`
  throw new FlagadmError('usage', what, {
    hint: "use an example that matches, clear it with --naming-example '' (in a file: example: null), or use --no-verify",
  })
}
