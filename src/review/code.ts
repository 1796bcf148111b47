import type { Context } from '../context.ts'
import { groupBy } from '../groups.ts'
import { inRepository } from '../names/repository.ts'
import { scanCode, type ScannedCode, type ScanRequest } from '../names/scanning.ts'
import type { CodeEvidence } from './evidence.ts'

/** The evidence about flags in source code. */
export interface ReviewedCode extends Pick<ScannedCode, 'unread'> {
  evidenceOf(name: string): CodeEvidence
}

/**
 * Scans source code for flags.
 * @param format of the report, because some need paths from the root of the repository
 */
export async function reviewCode(
  context: Context,
  request: ScanRequest,
  names: readonly string[],
  format: string,
): Promise<ReviewedCode> {
  const { references, unresolved, unread } = await scanCode(context, request, names)
  const placed = inRepository(format, context.host.cwd)
  const byName = groupBy(references.map(placed), ({ name }) => name)
  // The candidates of a lookup are literals in the code, so the flags among them have mentions.
  const open = unresolved.filter(({ candidates }) => candidates.length === 0).map(placed)
  return {
    unread,
    evidenceOf: (name) => ({ references: byName.get(name) ?? [], unread: open }),
  }
}
