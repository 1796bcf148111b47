// Watches one flag for 10,000 readings with a clock that never waits, and prints the size of the heap
// after the first thousand and at the end. Needs --expose-gc.
import { createServer } from 'node:http'
import { createRequire } from 'node:module'

const { run } = createRequire(import.meta.url)('../../dist/cli.js')
const READS = 10_000

const lastHourUsage = [{ appName: 'web', environment: 'production', yes: 3, no: 1 }]
const server = createServer((_request, response) => {
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ lastHourUsage }))
})
await new Promise((listening) => server.listen(0, '127.0.0.1', listening))

const heap = []
let reads = 0
const interruption = new AbortController()
const clock = {
  now: Date.now,
  monotonic: () => performance.now(),
  random: Math.random,
  async sleep() {
    if (++reads !== READS / 10 && reads !== READS) return
    globalThis.gc()
    heap.push(process.memoryUsage().heapUsed / 1024 / 1024)
    if (reads < READS) return
    interruption.abort()
    throw interruption.signal.reason
  },
}
const screen = { isTTY: true, columns: 80, write: (_text, done) => done() }
await run(['feature', 'usage', 'f', '--watch', '--interval', '1'], {
  stdin: process.stdin,
  stdout: screen,
  stderr: { write: (_text, done) => done() },
  env: {
    FLAGADM_BASE_URL: `http://127.0.0.1:${server.address().port}`,
    FLAGADM_API_KEY: '*:*.bench',
  },
  cwd: process.cwd(),
  home: undefined,
  clock,
  signal: interruption.signal,
  holdSignals: () => () => {},
})
const [early, late] = heap.map((megabytes) => megabytes.toFixed(1))
console.log(`  heap after ${READS / 10} readings ${early} MB, after ${READS} ${late} MB`)
server.close()
server.closeAllConnections()
