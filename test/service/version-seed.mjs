// Fills a service of any version for cases/versions.ts; the command line is one JSON document. Two projects have flags that
// were created 50 days ago, with usage of this hour. One is archived, one has been changed since, and a name that no flag has
// is in use.
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'

const { url, keys, database, now } = JSON.parse(process.argv[2])

async function send(method, path, body, key = keys.admin) {
  const response = await fetch(`${url}/api/${path}`, {
    method,
    headers: { Authorization: key, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`)
  return response
}

/** Waits until something is so. */
async function until(isSo) {
  for (let tries = 0; tries < 200; tries++) {
    if (await isSo()) return
    await setTimeout(300)
  }
  throw new Error('the service does not store what was reported')
}

async function createFlag(project, name, environments = []) {
  const features = `admin/projects/${project}/features`
  await send('POST', features, { name, type: 'release' })
  for (const environment of environments) {
    const path = `${features}/${name}/environments/${environment}`
    const parameters = { rollout: '100', stickiness: 'default', groupId: name }
    await send('POST', `${path}/strategies`, { name: 'flexibleRollout', parameters })
    await send('POST', `${path}/on`)
  }
}

async function report(appName, environment, toggles) {
  const bucket = { start: now, stop: now, toggles }
  await send('POST', 'client/metrics', { appName, instanceId: 'i', bucket }, keys[environment])
}

// Before 5.7, the keys of the configuration are known a moment after the start.
await until(() => send('GET', 'admin/projects').catch(() => false))

await send('POST', 'admin/projects', { id: 'second', name: 'Second' })
await createFlag('default', 'used-now', ['development', 'production'])
await createFlag('default', 'old-unused')
await createFlag('default', 'just-changed', ['development'])
await createFlag('default', 'archived-flag')
await createFlag('second', 'second-used', ['development'])
await send('DELETE', 'admin/projects/default/features/archived-flag')
await report('web', 'development', {
  'used-now': { yes: 7, no: 3, variants: {} },
  'used-nwo': { yes: 2, no: 0, variants: {} },
  'second-used': { yes: 5, no: 0, variants: {} },
})
await report('web', 'production', { 'used-now': { yes: 11, no: 2, variants: {} } })

const { version } = await (await send('GET', 'admin/ui-config')).json()
const [major, minor] = version.split('.').map(Number)

const client = new pg.Client(database)
await client.connect()

/** Waits until a query returns a count. */
function untilCount(count, sql) {
  return until(async () => {
    const { rows } = await client.query(sql)
    return Number(rows[0].count) >= count
  })
}

await untilCount(
  2,
  `SELECT count(*) FROM client_metrics_env WHERE feature_name = 'used-now' AND yes > 0`,
)
// Since 5.7, sightings have a table of their own.
if (major > 5 || (major === 5 && minor >= 7)) {
  await untilCount(2, `SELECT count(*) FROM last_seen_at_metrics WHERE feature_name = 'used-now'`)
  // They are stored apart, and on a busy machine seconds lie between them.
  const latest = `(SELECT max(last_seen_at) FROM last_seen_at_metrics WHERE feature_name = 'used-now')`
  await client.query(
    `UPDATE last_seen_at_metrics SET last_seen_at = ${latest} WHERE feature_name = 'used-now'`,
  )
} else {
  await untilCount(
    1,
    `SELECT count(*) FROM features WHERE name = 'used-now' AND last_seen_at IS NOT NULL`,
  )
}
const created = `created_at = $1::timestamptz - interval '50 days'`
await client.query(`UPDATE features SET ${created}`, [now])
const others = `feature_name IS DISTINCT FROM 'just-changed' OR type = 'feature-created'`
await client.query(`UPDATE events SET ${created} WHERE ${others}`, [now])
if (major >= 6) {
  // It is stored about a second after the flag.
  const initial = `feature_lifecycles WHERE stage = 'initial'`
  await untilCount(5, `SELECT count(DISTINCT feature) FROM ${initial}`)
  const sql = `UPDATE feature_lifecycles SET created_at = $1::timestamptz - interval '49 days' WHERE stage = 'initial'`
  await client.query(sql, [now])
}
await client.end()
