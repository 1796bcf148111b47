// Fills the database with 500 flags in 40 projects, or decides on them with SQL; the command line is one
// JSON document. Prints what SQL returns.
import pg from 'pg'

const projects = `
  INSERT INTO projects (id, name)
  SELECT 'team-' || lpad(i::text, 2, '0'), 'Team ' || i FROM generate_series(0, 39) i`

const projectEnvironments = `
  INSERT INTO project_environments (project_id, environment_name)
  SELECT p.id, e.name FROM projects p, environments e WHERE p.id LIKE 'team-%'`

// The remainders by different primes make every combination of these facts about a flag.
const flags = `
  INSERT INTO features (name, project, type, stale, created_at)
  SELECT 'flag-' || lpad(i::text, 3, '0'), 'team-' || lpad((i % 40)::text, 2, '0'),
    (ARRAY['kill-switch', 'permission', 'experiment', 'operational', 'release'])[least(i % 9, 4) + 1],
    i % 17 = 0,
    now() - (ARRAY['3 days', '6 days 23 hours', '7 days 1 hour', '62 days', '40 days', '300 days', '8 days'])[i % 7 + 1]::interval
  FROM generate_series(0, 499) i`

const switches = `
  INSERT INTO feature_environments (feature_name, environment, enabled)
  SELECT f.name, e.name, right(f.name, 3)::int % CASE e.name WHEN 'production' THEN 3 ELSE 2 END = 0
  FROM features f, environments e WHERE f.project LIKE 'team-%'`

const seen = `
  INSERT INTO last_seen_at_metrics (feature_name, environment, last_seen_at)
  SELECT name, CASE right(name, 3)::int % 2 WHEN 0 THEN 'production' ELSE 'development' END, now() - ago::interval
  FROM (
    SELECT name, (ARRAY[NULL, NULL, NULL, NULL, '1 hour', '46 hours', '49 hours', '5 days', '6 days 23 hours',
      '7 days 1 hour', '30 days'])[right(name, 3)::int % 11 + 1] AS ago
    FROM features WHERE project LIKE 'team-%'
  ) AS times WHERE ago IS NOT NULL`

const usage = `
  INSERT INTO client_metrics_env (feature_name, app_name, environment, timestamp, yes, no)
  SELECT name, app, environment, date_trunc('hour', now()) - hours * interval '1 hour', yes, no
  FROM features, (VALUES
    (7, 'web', 'production', 0, 5, 2), (8, 'web', 'production', 47, 1, 0), (9, 'web', 'production', 49, 9, 9),
    (10, 'web', 'development', 3, 100, 20), (10, 'ios', 'production', 30, 3, 0), (10, 'web', 'production', 60, 1, 1),
    (11, 'ios', 'development', 12, 0, 4), (12, 'web', 'production', 23, 6, 0)
  ) AS reports (remainder, app, environment, hours, yes, no)
  WHERE project LIKE 'team-%' AND right(name, 3)::int % 13 = remainder`

// $1: hours covered, $2: days since a removable flag was last seen, $3: whether to decide on permanent types.
const verdicts = `
  WITH facts AS (
    SELECT f.project, f.name, f.type, f.created_at,
      date_trunc('hour', now()) - $1::int * interval '1 hour' AS since,
      now() - $2::int * interval '1 day' AS recent,
      (SELECT max(last_seen_at) FROM last_seen_at_metrics s WHERE s.feature_name = f.name) AS seen,
      (SELECT coalesce(sum(yes + no), 0) FROM client_metrics_env m WHERE m.feature_name = f.name
        AND m.timestamp >= date_trunc('hour', now()) - $1::int * interval '1 hour') AS used
    FROM features f WHERE f.project LIKE 'team-%'
  )
  SELECT project, name AS flag, used::int, CASE
    WHEN type IN ('kill-switch', 'permission') AND NOT $3 THEN 'permanent'
    WHEN used > 0 OR seen >= since THEN 'in use'
    WHEN created_at <= recent AND (seen IS NULL OR seen <= recent) THEN 'removable'
    ELSE 'unclear'
  END AS verdict
  FROM facts ORDER BY project COLLATE "C", name COLLATE "C"`

const { database, hours, days, includesPermanent } = JSON.parse(process.argv[2])
const client = new pg.Client(database)
await client.connect()
if (hours === undefined) {
  for (const sql of [projects, projectEnvironments, flags, switches, seen, usage])
    await client.query(sql)
} else {
  const { rows } = await client.query(verdicts, [hours, days, includesPermanent])
  console.log(JSON.stringify(rows))
}
await client.end()
