// The example of a write in .github/CONTRIBUTING.md: what is between the two marks is a block there.
import type { Context } from '../../src/command/context.ts'
import type { Line } from '../../src/output/text.ts'
import { connectToWrite } from '../../src/profile/connect.ts'
import { makeChange } from '../../src/requests/change.ts'
import type { Service } from '../../src/service/client.ts'
import { operations as existing, type WriteOperation } from '../../src/service/operations.ts'

const markStale: WriteOperation = {
  summary: 'Mark flags as stale',
  method: 'POST',
  path: '/api/admin/projects/:projectId/stale',
  permission: 'UPDATE_FEATURE',
  success: 202,
}
const operations = { ...existing, markStale }

async function readStaleFlags(service: Service, projectId: string): Promise<string[]> {
  const { data } = await service.read(operations.projectFeatures, { projectId })
  return data.features.flatMap(({ name, stale }) => (stale ? name : []))
}

interface StaleOptions {
  projectId: string
  names: readonly string[]
  yes: boolean
  dryRun: boolean
}

/** Marks flags as stale. */
export async function markFlags(
  context: Context,
  { projectId, names, yes, dryRun }: StaleOptions,
): Promise<void> {
  const what = `mark ${names.join(', ')} as stale`
  const json = { projectId, names }
  const lines: Line[] = [[`${dryRun ? 'Would mark' : 'Marked'} ${names.join(', ')}`]]
  const format = () => 'text' as const
  // guide:start
  const connection = await connectToWrite(context, { projectId })
  const read = () => readStaleFlags(connection.service, projectId)
  const before = await read()
  const step = {
    operation: operations.markStale,
    parameters: { projectId },
    body: { features: names, stale: true },
    stored: {
      noun: 'flags',
      before,
      after: [...new Set([...before, ...names])],
      read,
      differences: (from: string[], to: string[]) =>
        names.filter((name) => from.includes(name) !== to.includes(name)),
    },
    findOut: {
      hint: 'to see which flags are marked:',
      command: ['flagadm', 'feature', 'list', '--stale', '--project', projectId],
    },
  }
  await makeChange(context, {
    target: connection,
    connection: dryRun ? undefined : connection,
    format: format(),
    // None if there is nothing to do.
    steps: names.every((name) => before.includes(name)) ? [] : [step],
    question: yes ? undefined : { what, reason: `this would ${what}` },
    // Someone may change something before the answer.
    rereadsFirst: !yes,
    report: ({ error }) => (error ? {} : { json, lines }),
  })
  // guide:end
}
