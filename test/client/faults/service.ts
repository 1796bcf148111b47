import type { Socket } from 'node:net'
import { CANARY } from '../../support/flagadm.ts'
import { type RawServer, serveRaw } from '../../support/raw.ts'

// What a reason phrase can hold: no line of ours may ever show it.
const hostileReason = `\u001b[31mFine\u009b2J ${CANARY}`

// Long enough for the client to read what came before.
const PAUSE_MS = 10

/** The head of an answer after which the connection closes. */
export function head(status: number, headers: readonly string[] = []): Buffer {
  const lines = [`HTTP/1.1 ${status} ${hostileReason}`, 'Connection: close', ...headers, '', '']
  return Buffer.from(lines.join('\r\n'), 'latin1')
}

/** A whole answer. */
export function answer(status: number, headers: readonly string[], body: string): Buffer {
  const length = `Content-Length: ${Buffer.byteLength(body)}`
  return Buffer.concat([head(status, [...headers, length]), Buffer.from(body)])
}

function onRequest(act: (socket: Socket) => void): () => Promise<RawServer> {
  return () => serveRaw((socket) => socket.once('data', () => act(socket)))
}

/** Sends this and closes its half of the connection. */
export function sends(...parts: readonly (Buffer | string)[]) {
  const bytes = Buffer.concat(parts.map((part) => Buffer.from(part)))
  return onRequest((socket) => socket.end(bytes))
}

/** Sends this and resets the connection. */
export function resetsAfter(...parts: readonly (Buffer | string)[]) {
  return onRequest((socket) => {
    for (const part of parts) socket.write(part)
    setTimeout(() => socket.resetAndDestroy(), PAUSE_MS)
  })
}

/** Sends the beginning, then drips on for ever. */
export function drips(beginning: Buffer | string, drop: string) {
  return onRequest((socket) => {
    socket.write(beginning)
    const timer = setInterval(() => socket.write(drop), PAUSE_MS)
    socket.once('close', () => clearInterval(timer))
  })
}

/** Sends the beginning, then the same chunk for ever, as fast as it is read. */
export function floods(beginning: Buffer, chunk: Buffer) {
  return onRequest((socket) => {
    socket.write(beginning)
    const more = () => {
      while (!socket.destroyed && socket.write(chunk));
    }
    socket.on('drain', more)
    more()
  })
}
