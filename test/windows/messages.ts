import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { deserialize, serialize } from 'node:v8'

/** Sends a message as one line, so that the other side finds its end. */
export function send(socket: Socket, message: unknown): void {
  socket.write(`${serialize(message).toString('base64')}\n`)
}

/** Calls a function with each message that arrives. */
export function onMessage(socket: Socket, listener: (message: unknown) => void): void {
  createInterface(socket).on('line', (line) => listener(deserialize(Buffer.from(line, 'base64'))))
}
