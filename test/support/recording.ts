// The answers of services of other versions, as files: test/service/versions.
import { readFileSync } from 'node:fs'

/** What a service answered to a request; without a document or a page, nothing. */
export interface Answer {
  status: number
  document?: unknown
  page?: string
}

/** A line of a recording: when it was made, the title of a case that begins, or an answer. */
export type Entry = { time: string } | { case: string } | ({ request: string } & Answer)

/** The file of a version. */
export function recordingFile(version: string): URL {
  return new URL(`../service/versions/${version}/answers.jsonl`, import.meta.url)
}

interface Request {
  method: string
  url: string
  body: string
}

/** A request with its body, as recordings have it. */
export function requestText({ method, url, body }: Request): string {
  return [method, url, body].filter(Boolean).join(' ')
}

/** The lines of the recording of a version. */
export function readEntries(version: string): Entry[] {
  const lines = readFileSync(recordingFile(version), 'utf8').trimEnd().split('\n')
  return lines.map((line): Entry => JSON.parse(line))
}
