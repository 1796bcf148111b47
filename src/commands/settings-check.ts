import type { Messages } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { type FeatureNaming, type ProjectSettings, projectModes } from '../service/schema.ts'

function verifyMode(mode: string | undefined): void {
  if (mode === undefined || projectModes.some((known) => known === mode)) return
  throw new FlagadmError('usage', `unknown project mode '${mode}'`, {
    hint: `choose one of ${projectModes.join(', ')}, or send it as it is with --no-verify`,
  })
}

// A NUL makes the service answer 200 and store nothing; half a surrogate pair is stored as another character.
const unstorable = /\0|\p{Cs}/u

function verifyTexts(rule: FeatureNaming): void {
  const [field] = Object.entries(rule).find(([, text]) => unstorable.test(text)) ?? []
  if (field === undefined) return
  throw new FlagadmError(
    'usage',
    `featureNaming.${field} holds a character that the service cannot store: NUL, or half a surrogate pair`,
    { hint: 'remove it, or send it as it is with --no-verify' },
  )
}

async function verifyNaming(rule: FeatureNaming, signal: AbortSignal): Promise<void> {
  if (!rule.pattern) return
  const { lintErrors } = await import('../naming/lint.ts')
  const findings = await lintErrors(rule, signal)
  if (findings.length === 0) return
  const reasons = findings.map(({ code, message }) => `${message} (${code})`)
  const suggestion = findings.find((finding) => finding.suggestion !== undefined)?.suggestion
  const correction = suggestion === undefined ? 'correct it' : `write ${suggestion}`
  throw new FlagadmError('usage', `the naming rule is refused: ${reasons.join('; ')}`, {
    hint: `${correction}, or send it as it is with --no-verify`,
  })
}

/**
 * Checks what can be checked before anything is sent: the mode and the naming rule with its texts.
 * @throws a usage error with the reason and the correction
 */
export async function verifySettings(
  { mode, featureNaming = {} }: ProjectSettings,
  signal: AbortSignal,
): Promise<void> {
  verifyMode(mode)
  verifyTexts(featureNaming)
  await verifyNaming(featureNaming, signal)
}

/** Warns of what some servers do that the specification does not say (unsent fields "are ignored"). */
export function warnAboutNaming({ featureNaming = {} }: ProjectSettings, messages: Messages): void {
  const { pattern, example, description } = featureNaming
  const missing = [
    example === undefined ? 'example' : '',
    description === undefined ? 'description' : '',
  ].filter(Boolean)
  if (pattern && missing.length > 0) {
    messages.warn(
      `some servers clear the stored ${missing.join(' and ')} when a pattern is sent without them; send all three`,
    )
  }
  if (!pattern && (example || description)) {
    messages.warn('some servers reject an example or a description without a pattern')
  }
}
