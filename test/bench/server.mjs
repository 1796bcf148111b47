import { createServer } from 'node:http'

/** A usage document with `records` records. */
function usage(flag, records) {
  const lastHourUsage = Array.from({ length: records }, (_, index) => ({
    featureName: flag,
    appName: `application-${index % 1000}`,
    environment: `environment-${Math.floor(index / 1000)}`,
    timestamp: '2026-11-20T16:00:00.000Z',
    yes: index * 7,
    no: index * 3,
    variants: { blue: index * 4, red: index * 3 },
  }))
  const document = { version: 1, maturity: 'stable', featureName: flag, lastHourUsage }
  return JSON.stringify({ ...document, seenApplications: ['application-0'] })
}

const documents = new Map()

// A flag called `records-N` has N records, every other one ten.
const server = createServer(({ url }, response) => {
  const flag = decodeURIComponent(url.split('/').at(-1))
  if (!documents.has(flag))
    documents.set(flag, usage(flag, Number(/^records-(\d+)$/.exec(flag)?.[1] ?? 10)))
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(documents.get(flag))
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
process.stdin.resume().on('end', () => process.exit())
