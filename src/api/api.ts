import * as v from 'valibot'
import type { Define } from '../command/context.ts'
import { withExamples } from '../command/options.ts'
import { failureOf, withParts } from '../errors.ts'
import { maskSecrets } from '../output/secrets.ts'
import { connect } from '../profile/connect.ts'
import { adminPath } from './path.ts'

const document = { summary: 'Read a document', method: 'GET', response: v.unknown() } as const

export const define: Define = (command, context) => {
  context.formats(command, ['json'])
  return withExamples(
    command,
    [
      'flagadm api projects -p sandbox',
      "flagadm api 'search/events?limit=2' -p sandbox",
      'flagadm api /api/admin/projects/checkout/overview -p sandbox',
    ],
    'Sends a GET, and prints the document as the service sent it, but for secrets, which are masked: keys, tokens, passwords, links that let people in.',
  )
    .argument('<path>', 'path below /api/admin, with its query')
    .action(async (given) => {
      const path = adminPath(given)
      const { service } = await connect(context)
      try {
        const { json } = await service.read({ ...document, path }, {})
        context.out.jsonText(maskSecrets(json))
      } catch (error) {
        const failure = failureOf(error)
        if (failure.kind !== 'notFound') throw failure
        throw withParts(failure, { hint: 'check the path; the service may lack this operation' })
      }
    })
}
