import { anyJson, type Received, serve, type TestServer } from './server.ts'

/** The status and the document of a response in place of the service's own; undefined for its own. */
export type Instead = [status: number, document: object] | undefined

/**
 * A server that sends each request on to a service, and its response back.
 * @param respond sees each request first
 * @param change changes the text of a response, which it sees with its status
 */
export function relay(
  service: string,
  respond: (request: Received) => Instead = () => undefined,
  change: (request: Received, text: string, status: number) => string = (_, text) => text,
): Promise<TestServer> {
  return serve(async (response, request) => {
    const instead = respond(request)
    if (instead) return anyJson(response, ...instead)
    const { method, url, headers, body } = request
    const { authorization = '' } = headers
    const answer = await fetch(service + url, {
      method,
      headers: { Authorization: authorization, 'Content-Type': 'application/json' },
      ...(body && { body }),
    })
    response.statusCode = answer.status
    for (const name of ['Date', 'Content-Type', 'Retry-After']) {
      const value = answer.headers.get(name)
      if (value !== null) response.setHeader(name, value)
    }
    return response.end(change(request, await answer.text(), answer.status))
  })
}
