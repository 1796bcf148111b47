import type { SeedFlag } from './seed.ts'
import type { RouteCall, SandboxEvent, SandboxState } from './state.ts'

export function record(
  state: SandboxState,
  { name, project }: SeedFlag,
  type: string,
  { environment = null, data = null }: Partial<Pick<SandboxEvent, 'environment' | 'data'>> = {},
): void {
  const { events, now } = state
  const createdAt = new Date(now()).toISOString()
  const subject = { featureName: name, project, environment, data, preData: null }
  events.push({ id: events.length + 1, type, createdAt, createdBy: 'sandbox', ...subject })
}

/** Whether a value is one of those of a filter: `IS:a`, `IS_ANY_OF:a,b`. Without a filter, every value is. */
export function isAnyOf(filter: string | null, value: string | null): boolean {
  if (filter === null) return true
  const values = filter.replace(/^\w+:/, '').split(',')
  return values.some((wanted) => wanted.trim() === value)
}

/** The part of a list that `limit` and `offset` select; a limit that is not allowed is 50, as in the service. */
export function pageOf<Entry>(
  entries: readonly Entry[],
  query: URLSearchParams,
  largest: number,
): Entry[] {
  const asked = Number(query.get('limit'))
  const limit = asked >= 1 && asked <= largest ? asked : 50
  const offset = Math.max(0, Number(query.get('offset')))
  return entries.slice(offset, offset + limit)
}

/** `GET /api/admin/search/events`, with the filters `feature`, `project`, `type` and `from` (a day): newest first. */
export function searchEvents({ query, state }: RouteCall) {
  const from = query.get('from')?.replace(/^IS:/, '') ?? ''
  const events = state.events
    .filter(
      ({ featureName, project, type, createdAt }) =>
        isAnyOf(query.get('feature'), featureName) &&
        isAnyOf(query.get('project'), project) &&
        isAnyOf(query.get('type'), type) &&
        createdAt.slice(0, 10) >= from,
    )
    .reverse()
  return { events: pageOf(events, query, 1000), total: events.length }
}

/** `GET /api/admin/events/:name`: all events of a flag, newest first. */
export function flagEvents({ flag, state }: RouteCall) {
  const events = state.events.filter(({ featureName }) => featureName === flag).reverse()
  return { version: 1, toggleName: flag, events, totalEvents: events.length }
}
