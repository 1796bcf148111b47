// Runs Unleash with its own database in the temporary folder until standard input ends, then removes the folder. Prints the
// address and the keys on standard output. The arguments are the folder in which Unleash is installed, by default this one,
// and a project that does not have the settings of the enterprise edition.
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startDatabase } from './database.mjs'
import { mountDays } from './days-routes.mjs'
import { mountEnterprise } from './enterprise-routes.mjs'
import { freePort } from './port.mjs'

const [home = import.meta.dirname, openProject] = process.argv.slice(2)
const entry = createRequire(join(home, 'package.json')).resolve('unleash-server')
const unleashServer = await import(pathToFileURL(entry))

const keys = {
  admin: '*:*.flagadm-service-tests-admin-key',
  development: '*:development.flagadm-service-tests-client-key',
  production: '*:production.flagadm-service-tests-client-key',
}

function token(type, environment, secret) {
  const tokenName = `service-tests-${type}`
  // Before 5.0, the name is that of a user.
  const names = { tokenName, username: tokenName }
  return { ...names, type, environment, projects: ['*'], project: '*', secret }
}

// PostgreSQL's user must be able to read these files.
process.umask(0o022)
const folder = tmpdir()
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const database = await startDatabase(folder)
try {
  const unleash = await unleashServer.start({
    db: database.options,
    server: {
      host: '127.0.0.1',
      port: await freePort(),
      gracefulShutdownEnable: false,
      // Connections that are kept open would delay the end.
      gracefulShutdownTimeout: 100,
    },
    versionCheck: { enable: false },
    // The tests of several files make more searches in a minute than the default of 15.
    rateLimiting: { searchFeaturesMaxPerMinute: 1_000 },
    telemetry: false,
    logLevel: unleashServer.LogLevel.fatal,
    preRouterHook: (app, config, services) => {
      mountEnterprise(unleashServer, app, config, services, openProject)
      mountDays(app, config, services)
      // Unleash remembers for 10 s which flags there are, and drops what is reported about newer ones; before 7, it does not.
      app.use('/api/client/metrics', (_request, _response, next) => {
        services.clientMetricsServiceV2.cachedFeatureNames?.clear()
        next()
      })
    },
    authentication: {
      initApiTokens: [
        token('admin', '*', keys.admin),
        token('client', 'development', keys.development),
        token('client', 'production', keys.production),
      ],
    },
  })
  // The migrations leave a listener that ends the process if a flag is removed before Unleash has
  // recorded its creation.
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', () => {})
  // Unleash itself does this every 5 s, 30 s and 2 min.
  const { clientMetricsServiceV2, lastSeenService, unknownFlagsService } = unleash.services
  setInterval(async () => {
    await clientMetricsServiceV2.bulkAdd()
    await lastSeenService.store()
    // Before 7, there is no list of unknown names.
    await unknownFlagsService?.flush()
  }, 1_000).unref()
  const { port } = unleash.server.address()
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}`, keys, database: database.options }))
  await once(process.stdin.resume(), 'end')
  await unleash.stop()
} finally {
  await database.stop()
}
// Some releases leave timers behind.
process.exit()
