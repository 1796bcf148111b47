import { refuseUsage } from '../errors.ts'
import type { Path, ShapeProblem } from '../input/shape.ts'
import { type Finding, findingKinds } from '../naming/finding-kinds.ts'
import { compileFailure, createNameMatcher } from '../naming/rule.ts'
import { MASK } from '../output/redact.ts'
import { addressProblem } from '../service/operations.ts'
import { type PartialSettings, projectModes, type Settings } from '../service/settings-document.ts'

/** A problem, and what to do about it besides `--no-verify`. */
export interface HintedProblem extends ShapeProblem {
  hint: string
  /** Whether `--no-verify` sends it nevertheless. */
  isOptional: boolean
}

/** The problems of one text that is not to be sent: the service would store another one, or none. */
function problemsOf(path: Path, text: string): HintedProblem[] {
  const problems: HintedProblem[] = []
  // A NUL makes the service answer 200 and store nothing; half a surrogate pair is stored as another character.
  if (/\0|\p{Cs}/u.test(text)) {
    const message =
      'contains a character that the service cannot store: NUL, or half a surrogate pair'
    problems.push({ path, message, hint: 'remove it', isOptional: false })
  }
  if (text.includes(MASK)) {
    const message = `contains ${MASK}, which flagadm writes in place of the API key`
    problems.push({ path, message, hint: 'write the text that it replaced', isOptional: false })
  }
  return problems
}

/** The problems of the rule and the link templates that are not to be sent, also with `--no-verify`. */
export function textProblems({
  featureNaming,
  linkTemplates = [],
}: PartialSettings): HintedProblem[] {
  const links = linkTemplates.map((texts, index) => ({ part: ['linkTemplates', index], texts }))
  const rule = { part: ['featureNaming'], texts: featureNaming ?? {} }
  return [rule, ...links].flatMap(({ part, texts }) =>
    Object.entries(texts).flatMap(([field, text]) => problemsOf([...part, field], text)),
  )
}

/** The problem of an id that no request can have; undefined if it has none. */
export function idProblem(projectId: string): Omit<HintedProblem, 'path'> | undefined {
  const problem = addressProblem('projectId', projectId)
  if (problem) return { ...problem, isOptional: false }
  const [unstorable] = problemsOf([], projectId)
  return unstorable && { ...unstorable, message: `the project id ${unstorable.message}` }
}

/** The problems of modes and texts. @param verify whether to check modes */
export function settingsProblems(settings: PartialSettings, verify: boolean): HintedProblem[] {
  const { mode } = settings
  const problems = textProblems(settings)
  if (mode === undefined) return problems
  if (verify && !projectModes.some((legal) => legal === mode)) {
    const hint = `choose one of ${projectModes.join(', ')}`
    const message = `unknown project mode '${mode}'`
    return [{ path: ['mode'], message, hint, isOptional: true }, ...problems]
  }
  return [...problemsOf(['mode'], mode), ...problems]
}

interface CheckedRule {
  errors: HintedProblem[]
  /** What could not be decided about it, as sentences. */
  undecided: string[]
}

export type RuleCheck = (settings: PartialSettings) => Promise<CheckedRule>

/** A function that checks each rule only once, because many projects may share it. */
export function createRuleCheck(signal: AbortSignal): RuleCheck {
  const findingsByRule = new Map<string, Promise<Finding[]>>()
  return async ({ featureNaming: rule }) => {
    if (!rule?.pattern) return { errors: [], undecided: [] }
    const key = JSON.stringify([rule.pattern, rule.example])
    const { lintProblems } = await import('../naming/findings.ts')
    const findings = findingsByRule.get(key) ?? lintProblems(rule, signal)
    findingsByRule.set(key, findings)
    const problems = await findings
    const errors = problems.filter(({ severity }) => severity === 'error')
    const open = problems.filter(({ code }) => code === 'cannot-decide')
    return {
      errors: errors.map(({ code, message, suggestion }) => ({
        path: ['featureNaming', findingKinds[code].field],
        message: `${message} (${code})`,
        hint: suggestion === undefined ? 'correct it' : `write ${suggestion}`,
        isOptional: true,
      })),
      undecided: open.map(({ message }) => message),
    }
  }
}

/**
 * Checks that the stored part of a rule agrees with the wanted one: the example must match the pattern.
 * @throws a usage error that shows both
 */
export async function verifyKeptRule(
  {
    before: { featureNaming: before },
    after: { featureNaming: after },
    wanted: { featureNaming: wanted },
  }: { before: Settings; after: Settings; wanted: PartialSettings },
  signal: AbortSignal,
): Promise<void> {
  // A rule that is wanted as a whole has been checked.
  if (wanted?.pattern !== undefined && wanted.example !== undefined) return
  const { pattern, example } = after
  const isNewPattern = pattern !== before.pattern
  const isPartial = isNewPattern !== (example !== before.example)
  if (!pattern || !example || !isPartial || compileFailure(pattern) !== undefined) return
  const [verdict] = await createNameMatcher(pattern, signal)([example])
  if (verdict !== false) return
  const [first, second] = isNewPattern ? ['stored', 'new'] : ['new', 'stored']
  const what = `the ${first} example '${example}' does not match the ${second} pattern '${pattern}'`
  refuseUsage(
    what,
    'use an example that matches, clear it with --clear-example (in a file: example: null), or use --no-verify',
  )
}
