import type { Printer } from './output/printer.ts'
import { linesOf, type Safe, safe } from './output/text.ts'
import type { HttpRequest } from '../service/transport.ts'

/** The request that a dry run does not send, as fields of its JSON report. */
export function requestFields({ method, path, body = 'null' }: HttpRequest, baseUrl: string) {
  return { method, url: baseUrl + path, body: JSON.parse(body) as unknown }
}

/** The request that a dry run does not send, as text. */
export function requestText(
  request: HttpRequest,
  baseUrl: string,
  { text, style, jsonText }: Printer,
): Safe {
  const { method, url, body } = requestFields(request, baseUrl)
  return linesOf([
    safe`${style.bold(text(method))} ${text(url)}`,
    ...(body === null ? [] : [jsonText(JSON.stringify(body, null, 2))]),
  ])
}
