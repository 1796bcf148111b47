import type { Context } from '../old/context.ts'
import { connect } from '../profile/connection.ts'
import { createRuleCheck } from './check.ts'
import { readDocuments, refuseOtherService, refuseProblems } from './documents.ts'

/** Reads documents and connects to the service that they are for. */
export async function openDocuments(context: Context, paths: readonly string[], verify: boolean) {
  const { inputs, host, signal, messages } = context
  const checkRule = verify ? createRuleCheck(signal) : undefined
  const documents = await readDocuments(paths, { inputs, cwd: host.cwd }, checkRule)
  refuseProblems(documents.problems, messages.fail)
  const connection = await connect(context)
  refuseOtherService(documents, connection.baseUrl)
  return { declared: documents.declared, connection }
}
