import type { Context } from '../command/context.ts'
import { serviceOptions } from '../profile/same-service.ts'
import type { EvidenceOptions } from './flags.ts'

/** The words of the command that archives flags of this service by the same evidence, without the project and the names. */
export function archiveCommand(
  context: Pick<Context, 'options'>,
  options: EvidenceOptions,
): string[] {
  const { since, notSeenFor, scan = [], call = [], match = [], referencesFrom = [] } = options
  const words = ['flagadm', 'feature', 'archive', ...serviceOptions(context)]
  if (since) words.push('--since', since.text)
  words.push('--not-seen-for', notSeenFor.text)
  for (const path of scan) words.push('--scan', path)
  for (const name of call) words.push('--call', name)
  for (const regex of match) words.push('--match', regex)
  for (const file of referencesFrom) words.push('--references-from', file)
  if (options.includePermanent) words.push('--include-permanent')
  return words
}
