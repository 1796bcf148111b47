import * as v from 'valibot'
import type { Define } from '../command/context.ts'
import { withExamples } from '../command/options.ts'
import { failureOf, refuseUsage, withParts } from '../errors.ts'
import { maskForms, maskSecrets } from '../output/secrets.ts'
import { connect } from '../profile/connect.ts'

const document = { summary: 'Read a document', method: 'GET', response: v.unknown() } as const

const PREFIX = 'api/admin'
const HINT = 'use a path of the admin API, such as projects or search/events?limit=10'

/** A text without percent-encoding, also where that is encoded again. */
function decoded(text: string): string {
  let before = text
  for (;;) {
    let after: string
    try {
      after = decodeURIComponent(before)
    } catch {
      return refuseUsage(`'${text}' has an invalid % escape`, 'write it as %25')
    }
    if (after === before) return after
    before = after
  }
}

/** Why a path does not stay in the admin API; undefined if it does. @param plain without its query and percent-encoding */
function problemOf(given: string, plain: string): string | undefined {
  if (/^[a-z][a-z\d+.-]*:/i.test(plain) || plain.startsWith('//')) return 'is an address'
  if (/[\\\p{Cc}]/u.test(plain)) return 'contains a backslash or a control character'
  if (given.includes('#')) return 'contains a #'
  const segments = plain.replace(/^\/|\/$/g, '').split('/')
  if (segments.some((segment) => segment === '.' || segment === '..')) return 'leads out'
  if (segments.includes('')) return 'has an empty part'
  const [api, admin] = segments
  return api === 'api' && admin !== 'admin' ? 'is outside of the admin API' : undefined
}

/**
 * The path of a request in the admin API, and its query: `projects`, `/projects` and `/api/admin/projects` are the same.
 * @throws a usage error for an address, and for a path that leads out of the admin API
 */
function adminPath(given: string): `/${string}` {
  const [path = '', ...queries] = given.split('?')
  const problem = problemOf(given, decoded(path))
  if (problem !== undefined) refuseUsage(`'${maskForms(given)}' ${problem}`, HINT)
  const rest = path.replace(/^\//, '').replace(new RegExp(`^${PREFIX}(?=/|$)/?`), '')
  const query = queries.length > 0 ? `?${queries.join('?')}` : ''
  const { pathname, search } = new URL(`http://service/${PREFIX}/${rest}${query}`)
  // A colon at the start of a part is that of a parameter in the paths of operations.
  const escaped = `${pathname}${search}`.replaceAll(/(?<=[/=:]):/g, '%3A')
  return `/${escaped.slice(1)}`
}

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
