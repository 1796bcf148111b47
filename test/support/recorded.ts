// Services that answer as other versions did.
import { type Answer, type Entry, readEntries, requestText } from './recording.ts'
import { anyJson, serve, type TestServer } from './server.ts'

/** The answers until the next change of the service, by request; those of earlier steps hold as well. */
interface Step {
  /** The titles of the cases that begin in it. */
  cases: string[]
  answers: Map<string, Answer>
}

// flagadm asks for these only since the recordings were made, and does without them.
const isOptional = (request: string) =>
  /\/(?:instance-admin\/statistics|api-tokens)$|archived=IS:true&limit=100&query=used-now&|features\?limit=100&query=used-nwo&|default\/features\/(?:old-unused|just-changed)$|events\?feature=[^&]+&from=IS:2026-10-08&|events\?type=IS_ANY_OF:segment-updated,features-imported&.+|events\/(?:old-unused|just-changed|archived-flag)$/.test(
    request,
  )

/** A request, whatever the day since which it asks for environments that were taken out: none was, on any of those days. */
function keyOf(request: string): string {
  return request.replace(/(environment-deleted&from=IS:)[\d-]+/, '$1any')
}

// Nor for the usage of this flag, which has none.
const unusedArchived = '/client-metrics/features/archived-flag/raw?'

// flagadm asks for these only since the recordings were made, where events cannot be searched: there were none.
const oldSearch = 'POST /api/admin/events/search'

// flagadm asks for it only since the recordings were made. One page of one project has the same flags.
const archivedBySighting =
  'GET /api/admin/search/features?archived=IS:true&sortBy=lastSeenAt&sortOrder=desc&limit=100&offset=0'
const archivedOfProject =
  'GET /api/admin/search/features?project=IS:default&archived=IS:true&limit=100&offset=0'

/** Whether a request has changed the service. */
function isChange(request: string, { status }: Answer): boolean {
  return !request.startsWith('GET ') && !request.includes('/validate ') && status < 300
}

function stepsOf(entries: readonly Entry[]): Step[] {
  let step: Step = { cases: [], answers: new Map() }
  const steps = [step]
  for (const entry of entries) {
    if ('case' in entry) step.cases.push(entry.case)
    if (!('request' in entry)) continue
    const { request, ...answer } = entry
    step.answers.set(keyOf(request), answer)
    if (!isChange(request, answer)) continue
    step = { cases: [], answers: new Map() }
    steps.push(step)
  }
  return steps
}

/** What a service answered to the cases for versions. */
interface Recording {
  /** When. */
  time: number
  steps: readonly Step[]
}

export function readRecording(version: string): Recording {
  const entries = readEntries(version)
  const [first] = entries
  const time = first && 'time' in first ? first.time : ''
  return { time: Date.parse(time), steps: stepsOf(entries) }
}

/** A server that answers as a service did, beginning with a case. */
export function serveRecorded({ time, steps }: Recording, title: string): Promise<TestServer> {
  let current = steps.findIndex(({ cases }) => cases.includes(title))
  return serve((response, received) => {
    const request = keyOf(requestText(received))
    const isLater = request === archivedBySighting
    const recorded = isLater ? archivedOfProject : request
    const known = isLater ? steps : steps.slice(0, current + 1)
    const answer = known.findLast(({ answers }) => answers.has(recorded))?.answers.get(recorded)
    if (!answer && request.includes(unusedArchived)) return anyJson(response, 200, { data: [] })
    if (!answer && request.startsWith(oldSearch)) {
      return anyJson(response, 200, { version: 1, events: [], totalEvents: 0 })
    }
    if (!answer && isOptional(request)) return anyJson(response, 404, { message: 'not found' })
    if (!answer) throw new Error(`not recorded: ${request}`)
    const { status, document, page } = answer
    if (isChange(request, answer)) current += 1
    response.setHeader('Date', new Date(time).toUTCString())
    if (document !== undefined) return anyJson(response, status, document)
    const type = page === undefined ? {} : { 'Content-Type': 'text/html; charset=utf-8' }
    return response.writeHead(status, type).end(page)
  })
}
