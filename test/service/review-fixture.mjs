// Fills the database with 300 flags in 25 projects, or decides on them with SQL; the command line is one JSON document.
// Prints what SQL returns, or makes the flags `old` 40 days old. Times are relative to `now`, the time of the service.
import { setTimeout } from 'node:timers/promises'
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

// Types that make a flag ready for use, that go with its removal, and that say nothing. They are announced already: otherwise
// Unleash would begin the stages of revived flags anew, at some time.
const changes = `
  INSERT INTO events (type, created_by, created_at, feature_name, project, environment, data, announced)
  SELECT changes.type, 'ada', $1::timestamptz - ago::interval, name, project, 'production', '{}', true
  FROM features, (VALUES
    (1, 'feature-environment-enabled', '2 days'), (2, 'feature-revived', '6 days 23 hours'),
    (3, 'feature-strategy-update', '7 days 1 hour'), (4, 'feature-stale-on', '1 day'), (5, 'feature-tagged', '1 hour'),
    (6, 'feature-environment-disabled', '3 hours'), (7, 'feature-uncompleted', '29 days'),
    (8, 'feature-strategy-add', '1 minute'), (8, 'feature-tagged', '1 second'), (9, 'feature-strategy-remove', '1 day')
  ) AS changes (remainder, type, ago)
  WHERE project LIKE 'team-%' AND ${numberOf('features')} % 19 = remainder`

// Staging was taken out of these projects.
const removals = `
  INSERT INTO events (type, created_by, created_at, project, environment, data)
  SELECT 'project-environment-removed', 'ada', $1::timestamptz - ago::interval, project, 'staging', '{}'
  FROM (VALUES ('team-02', '60 hours'), ('team-09', '8 days'), ('team-20', '6 days')) AS removals (project, ago)`

// The third one has no token left for it, so that no SDK can have asked there.
const tokens = `
  INSERT INTO api_tokens (secret, username, token_name, type, environment, created_at)
  SELECT id || ':staging.0123456789abcdef', id, id, 'client', 'staging', $1::timestamptz
  FROM projects WHERE id IN ('team-02', 'team-09')`

const tokenProjects = `
  INSERT INTO api_token_project (secret, project)
  SELECT id || ':staging.0123456789abcdef', id FROM projects WHERE id IN ('team-02', 'team-09')`

const stages = `
  INSERT INTO feature_lifecycles (feature, stage, created_at)
  SELECT name, stage, $1::timestamptz - ago::interval
  FROM features, (VALUES
    (1, 'initial', '9 days'), (1, 'completed', '1 day'), (2, 'live', '1 day'), (3, 'initial', '10 days'),
    (4, 'initial', '9 days'), (4, 'pre-live', '6 days 23 hours')
  ) AS stages (remainder, stage, ago)
  WHERE project LIKE 'team-%' AND ${numberOf('features')} % 29 = remainder`

// Remainders by 31 of flags: $6: whose own document contradicts the list, $7: with a sighting that cannot be read, $8: whose own
// document cannot be read.
// $1: now, $2: hours covered, $3: hours asked for, $4: days since a removable flag was last seen, $5: permanent types too.
const verdicts = `
  WITH facts AS (
    SELECT f.project, f.name, f.type, f.created_at,
      $1::timestamptz - $3::int * interval '1 hour' AS start,
      date_trunc('hour', $1::timestamptz) - $2::int * interval '1 hour' AS covered,
      $1::timestamptz - $4::int * interval '1 day' AS recent,
      (SELECT max(last_seen_at) FROM last_seen_at_metrics s JOIN project_environments e
        ON e.project_id = f.project AND e.environment_name = s.environment WHERE s.feature_name = f.name
        AND s.last_seen_at > f.created_at - interval '5 minutes') AS seen,
      (SELECT coalesce(sum(yes + no), 0) FROM client_metrics_env m WHERE m.feature_name = f.name
        AND m.timestamp + interval '1 hour' > f.created_at AND m.timestamp >= date_trunc('hour', $1::timestamptz) - $2::int * interval '1 hour') AS used,
      (SELECT array_agg(child) FROM dependent_features d WHERE d.parent = f.name) AS children,
      EXISTS (SELECT 1 FROM events e WHERE e.feature_name = f.name AND e.created_at > $1::timestamptz - $4::int * interval '1 day'
        AND e.type IN ('feature-environment-enabled', 'feature-revived', 'feature-strategy-add', 'feature-strategy-update',
          'feature-uncompleted')) AS changed,
      EXISTS (SELECT 1 FROM feature_environments o JOIN project_environments e
        ON e.project_id = f.project AND e.environment_name = o.environment WHERE o.feature_name = f.name AND o.enabled) AS is_on,
      EXISTS (SELECT 1 FROM dependent_features d JOIN feature_environments c ON c.feature_name = d.child
        JOIN feature_environments p ON p.feature_name = d.parent AND p.environment = c.environment
        WHERE d.child = f.name AND d.enabled AND c.enabled AND NOT p.enabled) AS hidden,
      coalesce((SELECT stage <> 'completed' AND created_at > $1::timestamptz - $4::int * interval '1 day'
        FROM feature_lifecycles l WHERE l.feature = f.name ORDER BY created_at DESC LIMIT 1), false) AS entered,
      ${numberOf('f')} % 31 = ANY($6) AS contradicted, ${numberOf('f')} % 31 = ANY($7) AS unreadable,
      ${numberOf('f')} % 31 = ANY($8) AS unread
    FROM features f WHERE f.project LIKE 'team-%' AND f.archived_at IS NULL
  ), states AS (
    SELECT *, EXISTS (SELECT 1 FROM events e JOIN api_token_project t ON t.project = e.project
        JOIN api_tokens USING (secret)
        WHERE e.type = 'project-environment-removed' AND e.project = facts.project AND e.environment = api_tokens.environment
        AND e.created_at > facts.created_at AND (seen IS NULL OR e.created_at > seen)) AS lost, CASE
      WHEN used > 0 OR seen >= least(start, covered) THEN 'used'
      WHEN created_at > start OR (unreadable AND start < covered) THEN 'unclear'
      ELSE 'unused' END AS usage
    FROM facts
  )
  SELECT project, name AS flag, used::int,
    CASE WHEN usage = 'unused' AND (hidden OR lost OR unread) THEN 'unclear' ELSE usage END AS usage, coalesce(children, '{}') AS children, CASE
    WHEN type IN ('kill-switch', 'permission') AND NOT $5 THEN 'permanent'
    WHEN usage = 'used' THEN 'in-use'
    WHEN usage = 'unused' AND created_at <= recent AND (seen IS NULL OR seen <= recent) AND NOT changed AND NOT entered
      AND NOT contradicted AND NOT unreadable AND NOT hidden AND NOT lost THEN CASE WHEN is_on THEN 'still-on' ELSE 'removable' END
    ELSE 'unclear'
  END AS verdict
  FROM states ORDER BY name COLLATE "C"`

const goes = (verdict) => verdict === 'removable' || verdict === 'still-on'

// Unleash adds the first stage of flags that have none, at any time.
const firstStages = `
  INSERT INTO feature_lifecycles (feature, stage, created_at)
  SELECT name, 'initial', created_at + interval '1 second' FROM features
  WHERE project LIKE 'team-%' AND name NOT IN (SELECT feature FROM feature_lifecycles)`

/** A flag that others depend on goes only together with all of them. */
function withDependents(rows) {
  const verdictOf = new Map(rows.map(({ flag, verdict }) => [flag, verdict]))
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false
    for (const { flag, children } of rows) {
      const isBlocked = children.some((child) => !goes(verdictOf.get(child)))
      if (!goes(verdictOf.get(flag)) || !isBlocked) continue
      verdictOf.set(flag, 'unclear')
      hasChanged = true
    }
  }
  return rows.map(({ children: _, ...row }) => ({ ...row, verdict: verdictOf.get(row.flag) }))
}

/** Waits until the service has stored the lifecycles of new flags, which takes a second after their creation. */
async function lifecyclesOf(names) {
  const sql = 'SELECT count(*)::int AS count FROM feature_lifecycles WHERE feature = ANY($1)'
  for (let tries = 0; tries < 60; tries++) {
    const { rows } = await client.query(sql, [names])
    if (rows[0].count >= names.length) return
    await setTimeout(500)
  }
  throw new Error(`no lifecycle of ${names}`)
}

const options = JSON.parse(process.argv[2])
const { database, now, old, hours, asked, days, includesPermanent } = options
const client = new pg.Client(database)
await client.connect()
if (old) {
  await lifecyclesOf(old)
  const times = { features: 'name', events: 'feature_name', feature_lifecycles: 'feature' }
  for (const [table, column] of Object.entries(times)) {
    // The first stage of a flag begins a moment after the flag, unless an upgrade has added it.
    const ago = table === 'feature_lifecycles' ? '39 days 23 hours' : '40 days'
    const sql = `UPDATE ${table} SET created_at = $1::timestamptz - '${ago}'::interval WHERE ${column} = ANY($2)`
    await client.query(sql, [now, old])
  }
} else if (hours === undefined) {
  const filled = [projects, projectEnvironments, flags, switches, seen, usage, dependencies]
  for (const sql of [...filled, changes, removals, tokens, tokenProjects, stages, firstStages]) {
    await client.query(sql, sql.includes('$1') ? [now] : [])
  }
} else {
  const { rows } = await client.query(verdicts, [
    now,
    hours,
    asked,
    days,
    includesPermanent,
    options.contradicted,
    options.unreadable,
    options.unread,
  ])
  console.log(JSON.stringify(withDependents(rows)))
}
await client.end()
