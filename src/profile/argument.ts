import type { Context } from '../context.ts'
import { FlagadmError } from '../errors.ts'

/**
 * The context of a command that takes the profile as an argument, which counts as `--profile`.
 * @throws a usage error if both are given
 */
export function withProfile(context: Context, name: string | undefined): Context {
  if (name === undefined) return context
  if (context.options.profile !== undefined) {
    throw new FlagadmError('usage', '--profile cannot be combined with the name of a profile', {
      hint: 'leave out --profile',
    })
  }
  return { ...context, options: { ...context.options, profile: name } }
}
