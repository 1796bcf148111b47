// Records what a service answers to the cases for versions.
import { appendFileSync, writeFileSync } from 'node:fs'
import { type Answer, type Entry, recordingFile, requestText } from '../support/recording.ts'
import type { Received } from '../support/server.ts'

function answerOf(status: number, text: string): Answer {
  if (text === '') return { status }
  return text.startsWith('<') ? { status, page: text } : { status, document: JSON.parse(text) }
}

/** Begins the file of a version anew. */
export function createRecorder(version: string) {
  const file = recordingFile(version)
  const last = new Map<string, string>()
  const add = (entry: Entry) => appendFileSync(file, `${JSON.stringify(entry)}\n`)
  writeFileSync(file, '')
  add({ time: new Date().toISOString() })
  return {
    /** Begins a case. */
    begin: (title: string) => add({ case: title }),
    /** Adds an answer, unless it is a document that was read before. */
    record(received: Received, status: number, text: string) {
      const request = requestText(received)
      if (received.method === 'GET' && last.get(request) === text) return
      last.set(request, text)
      add({ request, ...answerOf(status, text) })
    },
  }
}
