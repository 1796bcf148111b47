// Evaluates a flag for users with the SDK, once in each application and environment; the rest of the
// command line is one JSON document. Prints the number of evaluations.
import { once } from 'node:events'
import { Unleash } from 'unleash-client'

async function evaluate({ url, flag, users }, { appName, environment, key }) {
  const client = new Unleash({
    url: `${url}/api`,
    appName,
    customHeaders: { Authorization: key },
    metricsInterval: 60_000,
    disableAutoStart: true,
    skipInstanceCountWarning: true,
    // Keep nothing on disk between runs.
    storageProvider: { get: async () => undefined, set: async () => {} },
  })
  // Rejects when the client reports an error: it would go on and evaluate everything to false.
  const synchronized = once(client, 'synchronized')
  await client.start()
  await synchronized
  const counts = { yes: 0, no: 0 }
  for (let user = 0; user < users; user++) {
    counts[client.isEnabled(flag, { userId: `user-${user}` }) ? 'yes' : 'no']++
  }
  await client.destroyWithFlush()
  return { appName, environment, ...counts }
}

const work = JSON.parse(process.argv[2])
const evaluations = []
for (const application of work.applications) evaluations.push(await evaluate(work, application))
console.log(JSON.stringify(evaluations))
