// Runs tests with node.exe: a worker of vitest, which runs on Linux and sends the code of the tests.
import { connect, Socket } from 'node:net'
import { init, runBaseTests, setupEnvironment } from 'vitest/worker'
import { onMessage, send } from './messages.ts'

// Wine 8 refuses an option of sockets that fetch() sets first.
Socket.prototype.setKeepAlive = function () {
  return this
}

const [, , port] = process.argv
const socket = connect(Number(port), '127.0.0.1')
// vitest has ended, perhaps without stopping its workers.
socket.on('close', () => process.exit())

const listeners = new Set<(message: unknown) => void>()
onMessage(socket, (message) => {
  for (const listener of listeners) listener(message)
})

init({
  post: (message) => send(socket, message),
  on: (listener) => listeners.add(listener),
  off: (listener) => listeners.delete(listener),
  runTests: (state, traces) => runBaseTests('run', state, traces),
  collectTests: (state, traces) => runBaseTests('collect', state, traces),
  setup: setupEnvironment,
})
