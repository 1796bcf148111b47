import type { ServerResponse } from 'node:http'
import { json, type Received, serve } from '../support/server.ts'

export interface Comment {
  id: number
  author: string
  body: string
}

/** The comments on pull request 3 of the repository shop/flags, as GitHub serves them. */
export interface GitHub {
  comments: Comment[]
  /** Has gh send its requests to this server. */
  env: Record<string, string>
  /** The requests so far: method and path. */
  requests(): string[]
}

/** The account that the token of a workflow belongs to. */
export const BOT = 'github-actions[bot]'

const ISSUES = '/repos/shop/flags/issues'
const MAX_BODY = 65_536

function urlOf({ id }: Comment): string {
  return `https://github.test/shop/flags/pull/3#issuecomment-${id}`
}

function documentOf(comment: Comment): object {
  const { id, author, body } = comment
  return { id, html_url: urlOf(comment), user: { login: author }, body }
}

function pageOf(response: ServerResponse, url: URL, comments: readonly Comment[]): void {
  const size = Number(url.searchParams.get('per_page') ?? 30)
  const page = Number(url.searchParams.get('page') ?? 1)
  if (page * size < comments.length) {
    const next = new URL(url)
    next.searchParams.set('page', String(page + 1))
    response.setHeader('Link', `<${next.href}>; rel="next"`)
  }
  json(response, 200, comments.slice((page - 1) * size, page * size).map(documentOf))
}

function write(response: ServerResponse, request: Received, url: URL, comments: Comment[]): void {
  const { body }: { body: string } = JSON.parse(request.body)
  if (body.length > MAX_BODY) {
    json(response, 422, { message: 'Validation Failed', errors: ['body is too long'] })
    return
  }
  if (request.method === 'POST') {
    const comment = { id: comments.length + 1, author: BOT, body }
    comments.push(comment)
    json(response, 201, documentOf(comment))
    return
  }
  const comment = comments.find(({ id }) => url.pathname === `${ISSUES}/comments/${id}`)
  if (!comment) throw new Error(`unexpected request: ${request.method} ${url.pathname}`)
  comment.body = body
  json(response, 200, documentOf(comment))
}

/**
 * The part of GitHub's API that concerns comments: pages, creating and editing.
 * @param mayWrite whether the token may write, unlike that of a fork
 */
export async function serveGitHub(comments: Comment[] = [], mayWrite = true): Promise<GitHub> {
  const server = await serve((response, request) => {
    const url = new URL(request.url)
    if (request.headers.authorization !== 'token writing-token') {
      return json(response, 401, { message: 'Bad credentials' })
    }
    if (url.pathname === '/graphql') {
      return json(response, 200, { data: { viewer: { login: BOT } } })
    }
    if (request.method === 'GET' && url.pathname === `${ISSUES}/3/comments`) {
      return pageOf(response, url, comments)
    }
    if (!mayWrite) return json(response, 403, { message: 'Resource not accessible by integration' })
    write(response, request, url, comments)
  })
  return {
    comments,
    // Without TLS, a proxy sees all of a request.
    env: { HTTP_PROXY: server.url },
    requests: () => server.received.map(({ method, url }) => `${method} ${new URL(url).pathname}`),
  }
}
