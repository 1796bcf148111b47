// Fills the database with 300 flags in 25 projects, or decides on them with SQL; the command line is one JSON document.
// Prints what SQL returns, or makes the flags `old` 40 days old. Times are relative to `now`, the time of the service.
import pg from 'pg'

const words = ['basket', 'search', 'banner', 'checkout', 'invoice', 'profile', 'delivery', 'coupon']
const name = `(ARRAY['${words.join("','")}'])[i % ${words.length} + 1] || '-' || lpad(i::text, 3, '0')`

/** The number of a flag; null for names of other tests. */
const numberOf = (flag) => `substring(${flag}.name from '^(?:${words.join('|')})-([0-9]+)$')::int`

const projects = `
  INSERT INTO projects (id, name)
  SELECT 'team-' || lpad(i::text, 2, '0'), 'Team ' || i FROM generate_series(0, 24) i`

const projectEnvironments = `
  INSERT INTO project_environments (project_id, environment_name)
  SELECT p.id, e.name FROM projects p, environments e WHERE p.id LIKE 'team-%'`

// The remainders by different primes make every combination of these facts about a flag.
const flags = `
  INSERT INTO features (name, project, type, stale, created_at, archived_at)
  SELECT ${name}, 'team-' || lpad((i % 25)::text, 2, '0'),
    (ARRAY['kill-switch', 'permission', 'experiment', 'operational', 'release'])[least(i % 9, 4) + 1],
    i % 17 = 0,
    $1::timestamptz - (ARRAY['30 hours', '6 days 23 hours', '7 days 1 hour', '62 days', '40 days', '300 days', '8 days'])[i % 7 + 1]::interval,
    CASE WHEN i % 23 = 0 THEN $1::timestamptz END
  FROM generate_series(0, 299) i`

const switches = `
  INSERT INTO feature_environments (feature_name, environment, enabled)
  SELECT f.name, e.name, ${numberOf('f')} % CASE e.name WHEN 'production' THEN 3 ELSE 2 END = 0
  FROM features f, environments e WHERE f.project LIKE 'team-%'`

// Staging is an environment that no project has any more.
const seen = `
  INSERT INTO last_seen_at_metrics (feature_name, environment, last_seen_at)
  SELECT name, (ARRAY['production', 'development', 'staging'])[${numberOf('times')} % 3 + 1],
    $1::timestamptz - ago::interval
  FROM (
    SELECT name, (ARRAY[NULL, NULL, NULL, NULL, '1 hour', '46 hours', '47 hours 45 minutes', '49 hours', '5 days',
      '6 days 23 hours', '7 days 1 hour', '30 days'])[${numberOf('features')} % 13 + 1] AS ago
    FROM features WHERE project LIKE 'team-%'
  ) AS times WHERE ago IS NOT NULL`

const usage = `
  INSERT INTO client_metrics_env (feature_name, app_name, environment, timestamp, yes, no)
  SELECT name, app, environment, date_trunc('hour', $1::timestamptz) - hours * interval '1 hour', yes, no
  FROM features, (VALUES
    (7, 'web', 'production', 0, 5, 2), (8, 'web', 'production', 47, 1, 0), (9, 'web', 'production', 49, 9, 9),
    (10, 'web', 'development', 3, 100, 20), (10, 'ios', 'production', 30, 3, 0), (10, 'web', 'production', 60, 1, 1),
    (5, 'ios', 'staging', 12, 0, 4), (6, 'web', 'production', 23, 6, 0)
  ) AS reports (remainder, app, environment, hours, yes, no)
  WHERE project LIKE 'team-%' AND ${numberOf('features')} % 11 = remainder`

// Each flag depends on the one before it in its project, for some.
const dependencies = `
  INSERT INTO dependent_features (parent, child, enabled)
  SELECT p.name, c.name, true FROM features p, features c
  WHERE p.project = c.project AND p.project LIKE 'team-%' AND ${numberOf('c')} = ${numberOf('p')} + 25
    AND ${numberOf('p')} % 4 = 1 AND p.archived_at IS NULL AND c.archived_at IS NULL`

// $1: now, $2: hours covered, $3: hours asked for, $4: days since a removable flag was last seen, $5: permanent types too.
const verdicts = `
  WITH facts AS (
    SELECT f.project, f.name, f.type, f.created_at,
      $1::timestamptz - $3::int * interval '1 hour' AS start,
      date_trunc('hour', $1::timestamptz) - $2::int * interval '1 hour' AS covered,
      $1::timestamptz - $4::int * interval '1 day' AS recent,
      (SELECT max(last_seen_at) FROM last_seen_at_metrics s JOIN project_environments e
        ON e.project_id = f.project AND e.environment_name = s.environment WHERE s.feature_name = f.name) AS seen,
      (SELECT coalesce(sum(yes + no), 0) FROM client_metrics_env m WHERE m.feature_name = f.name
        AND m.timestamp >= date_trunc('hour', $1::timestamptz) - $2::int * interval '1 hour') AS used,
      (SELECT array_agg(child) FROM dependent_features d WHERE d.parent = f.name) AS children
    FROM features f WHERE f.project LIKE 'team-%' AND f.archived_at IS NULL
  ), states AS (
    SELECT *, CASE
      WHEN used > 0 OR seen >= least(start, covered) THEN 'used'
      WHEN created_at > start THEN 'unclear'
      ELSE 'unused' END AS usage
    FROM facts
  )
  SELECT project, name AS flag, used::int, usage, coalesce(children, '{}') AS children, CASE
    WHEN type IN ('kill-switch', 'permission') AND NOT $5 THEN 'permanent'
    WHEN usage = 'used' THEN 'in use'
    WHEN usage = 'unused' AND created_at <= recent AND (seen IS NULL OR seen <= recent) THEN 'removable'
    ELSE 'unclear'
  END AS verdict
  FROM states ORDER BY name COLLATE "C"`

/** A flag that others depend on goes only together with all of them. */
function withDependents(rows) {
  const verdictOf = new Map(rows.map(({ flag, verdict }) => [flag, verdict]))
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false
    for (const { flag, children } of rows) {
      const isBlocked = children.some((child) => verdictOf.get(child) !== 'removable')
      if (verdictOf.get(flag) !== 'removable' || !isBlocked) continue
      verdictOf.set(flag, 'unclear')
      hasChanged = true
    }
  }
  return rows.map(({ children: _, ...row }) => ({ ...row, verdict: verdictOf.get(row.flag) }))
}

const { database, now, old, hours, asked, days, includesPermanent } = JSON.parse(process.argv[2])
const client = new pg.Client(database)
await client.connect()
if (old) {
  const sql = `UPDATE features SET created_at = $1::timestamptz - '40 days'::interval WHERE name = ANY($2)`
  await client.query(sql, [now, old])
} else if (hours === undefined) {
  for (const sql of [projects, projectEnvironments, flags, switches, seen, usage, dependencies]) {
    await client.query(sql, sql.includes('$1') ? [now] : [])
  }
} else {
  const { rows } = await client.query(verdicts, [now, hours, asked, days, includesPermanent])
  console.log(JSON.stringify(withDependents(rows)))
}
await client.end()
