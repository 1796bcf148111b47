import type { Messages } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { type FeatureNaming, type ProjectSettings, projectModes } from '../service/schema.ts'

function verifyMode(mode: string | undefined): void {
  if (mode === undefined || projectModes.some((known) => known === mode)) return
  throw new FlagadmError('usage', `'${mode}' is no project mode`, {
    hint: `choose one of ${projectModes.join(', ')}, or send it as it is with --no-verify`,
  })
}

async function verifyNaming({ pattern, example }: FeatureNaming): Promise<void> {
  if (!pattern) return
  const { compileFailure, matchesRule, ruleSource } = await import('../naming/rule.ts')
  const failure = compileFailure(pattern)
  if (failure !== undefined) {
    throw new FlagadmError('usage', `the naming pattern does not compile: ${failure}`, {
      hint: 'the service would accept it and enforce nothing; --no-verify sends it all the same',
    })
  }
  if (!example) return
  const verdict = matchesRule(pattern, example)
  if (verdict === true) return
  const why = verdict === 'timeout' ? 'cannot be matched in time' : 'does not match'
  throw new FlagadmError(
    'usage',
    `the naming example '${example}' ${why}: ${ruleSource(pattern)}`,
    {
      hint: 'correct one of the two; --no-verify sends them all the same',
    },
  )
}

/**
 * Checks what can be checked before anything is sent: the mode and the naming rule.
 * @throws a usage error with the reason and the correction
 */
export async function verifySettings({ mode, featureNaming }: ProjectSettings): Promise<void> {
  verifyMode(mode)
  await verifyNaming(featureNaming ?? {})
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
      `some servers clear the stored ${missing.join(' and ')} when a pattern comes without; send all three to be sure`,
    )
  }
  if (!pattern && (example || description)) {
    messages.warn('some servers reject an example or a description without a pattern')
  }
}
