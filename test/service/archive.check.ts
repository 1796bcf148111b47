// What archiving takes away and a revival brings back, in the tables of the real service; and who asks the day after.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { environment, flagadm } from '../support/flagadm.ts'
import { evaluations } from './cases/usage.ts'
import { admin, createFlag, createProject, query, sql } from './service.ts'
import { evaluate } from './usage.ts'

const project = 'farewell'
const path = `/api/admin/projects/${project}`

async function change(method: string, url: string, body?: unknown): Promise<void> {
  const { ok, status } = await admin(method, `${path}/${url}`, body)
  if (!ok) throw new Error(`${url} returned ${status}`)
}

/** The tables with what a flag has, and how its rows are found. Sightings, and marks that a job of the service sets, are not part of it. */
const tables = {
  features: "name LIKE 'bye-%'",
  feature_environments: "feature_name LIKE 'bye-%'",
  feature_strategies: "feature_name LIKE 'bye-%'",
  feature_strategy_segment:
    "feature_strategy_id IN (SELECT id FROM feature_strategies WHERE feature_name LIKE 'bye-%')",
  dependent_features: "child LIKE 'bye-%'",
  feature_tag: "feature_name LIKE 'bye-%'",
  feature_link: "feature_name LIKE 'bye-%'",
  favorite_features: "feature LIKE 'bye-%'",
  client_metrics_env: "feature_name LIKE 'bye-%'",
  project_environments: `project_id = '${project}'`,
}

/** The rows of the ten tables, by table. */
async function stored(): Promise<Record<string, string[]>> {
  const entries = Object.entries(tables).map(async ([table, where]) => {
    const rows: { row: object }[] = await query(
      `SELECT to_jsonb(t) - 'last_seen_at' - 'potentially_stale' AS row FROM ${table} t WHERE ${where}`,
    )
    return [table, rows.map(({ row }) => JSON.stringify(row)).sort()] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** Where flags are on, and on which flags they depend, by the tables. */
async function losses(names: readonly string[]) {
  const on: { name: string; environment: string }[] = await query(
    'SELECT feature_name AS name, environment FROM feature_environments WHERE enabled AND feature_name = ANY($1) ORDER BY 1, 2',
    [names],
  )
  const parents: { child: string; parent: string }[] = await query(
    'SELECT child, parent FROM dependent_features WHERE child = ANY($1)',
    [names],
  )
  return names.map((flag) => ({
    flag,
    on: on.filter(({ name }) => name === flag).map((one) => one.environment),
    dependsOn: parents.filter(({ child }) => child === flag).map(({ parent }) => parent),
  }))
}

const [off, lit, child, parent, bare] = ['off', 'lit', 'child', 'parent', 'bare'].map(
  (name) => `bye-${name}`,
) as [string, string, string, string, string]
const names = [bare, child, lit, off, parent]

beforeAll(async () => {
  await createProject(project, 'Farewell')
  await createFlag(off, {}, project)
  await createFlag(lit, { production: 100 }, project)
  await createFlag(parent, { development: 50, production: 100 }, project)
  await createFlag(child, { development: 30, production: 70 }, project)
  await createFlag(bare, { development: 100 }, project)
  await change('POST', `features/${child}/dependencies`, { feature: parent })
  await query("UPDATE feature_strategies SET disabled = true WHERE feature_name = 'bye-bare'")
  await sql({ old: names })
}, 120_000)

function run(argv: readonly string[], files: Record<string, string> = {}) {
  const { url, keys } = inject('service')
  return flagadm(['feature', ...argv], { env: environment(url, keys.admin), files })
}

const scope = ['--project', project]
const archiving = (...argv: string[]) =>
  run(['archive', ...argv, ...scope, '--accept-silence', project, '--yes', '--json'])

/** Makes what was done so far old, so that flags may go again, and a file of now has the last state. */
async function forget(): Promise<void> {
  // The service adds the stages of revived flags a moment later.
  await pause(2_000)
  await query("UPDATE events SET created_at = created_at - interval '90 days' WHERE project = $1", [
    project,
  ])
  await query("UPDATE feature_lifecycles SET created_at = now() - interval '90 days'")
}

describe('archive → revive, by ten tables', { timeout: 120_000 }, () => {
  test('a flag that is off loses nothing', async () => {
    const before = await stored()
    const { code, stdout } = await archiving(off)
    const { flags, notRestored } = JSON.parse(stdout)
    expect([code, notRestored]).toEqual([0, []])
    expect(flags).toMatchObject([{ status: 'archived', on: [], dependsOn: [] }])
    expect(await stored()).not.toEqual(before)
    expect((await run(['revive', off, ...scope, '--yes'])).code).toBe(0)
    expect(await stored()).toEqual(before)
  })

  test('flags that are on are refused without --include-on, and that without a file', async () => {
    await forget()
    const before = await stored()
    const refused = await archiving(lit, parent, child)
    expect(refused.code).toBe(9)
    expect(JSON.parse(refused.stdout).flags).toMatchObject([
      { flag: lit, status: 'refused', verdict: 'still-on' },
      { flag: parent, status: 'refused', verdict: 'still-on' },
      { flag: child, status: 'refused', verdict: 'still-on' },
    ])
    expect(JSON.parse(refused.stderr).error.hint).toContain('--include-on --save-before ')
    expect((await archiving(lit, '--include-on')).code).toBe(2)
    const dry = await archiving(lit, '--include-on', '--save-before', 'a.yaml', '--dry-run')
    expect(dry.code).toBe(0)
    expect(await stored()).toEqual(before)
  })

  test('what was said is what the tables have, and the file restores all but what it says', async () => {
    await forget()
    const before = await stored()
    const had = await losses(names)
    const { code, stdout, folder } = await archiving(
      ...names,
      '--include-on',
      '--save-before',
      'archived.yaml',
    )
    expect(code).toBe(0)
    const { flags, notRestored } = JSON.parse(stdout)
    expect(flags).toMatchObject(had)
    expect(notRestored).toEqual([
      `a revival does not switch these on again, because no strategy is enabled: ${bare} (development)`,
    ])
    const file = readFileSync(join(folder, 'work/archived.yaml'), 'utf8')
    const revived = await run(['revive', '-f', 'archived.yaml', '--yes', '--json'], {
      'work/archived.yaml': file,
    })
    expect(revived.code).toBe(10)
    const after = await stored()
    expect({ ...after, feature_environments: [] }).toEqual({ ...before, feature_environments: [] })
    const others = (rows: string[] = []) => rows.filter((row) => !row.includes(bare))
    expect(others(after.feature_environments)).toEqual(others(before.feature_environments))
    const kept = had.filter(({ flag }) => flag !== bare)
    expect(await losses(names)).toEqual([{ flag: bare, on: [], dependsOn: [] }, ...kept])
  })

  test('without a file, by --force, everything is lost that was said', async () => {
    await forget()
    const had = (await losses([child])).map(({ on, dependsOn }) => ({ on, dependsOn }))
    const { code, stdout, stderr } = await archiving(child, '--force')
    expect([code, JSON.parse(stdout).flags]).toMatchObject([0, had])
    const said = [
      `a revival does not switch these on again: ${child} (development, production)`,
      `a revival does not add their dependencies again: ${child} (on ${parent})`,
    ]
    expect(JSON.parse(stdout).notRestored).toEqual(said)
    for (const text of said) expect(stderr).toContain(text)
    expect((await run(['revive', child, ...scope, '--yes'])).code).toBe(0)
    expect(await losses([child])).toEqual([{ flag: child, on: [], dependsOn: [] }])
  })
})

test('the day after, real SDKs still ask for an archived flag', { timeout: 300_000 }, async () => {
  await archiving(lit, '--force')
  const sightings = () => query('SELECT 1 FROM last_seen_at_metrics WHERE feature_name = $1', [lit])
  const applications = async () => {
    const text = 'SELECT DISTINCT app_name FROM client_metrics_env WHERE feature_name = $1'
    const rows: { app_name: string }[] = await query(text, [lit])
    return rows.map((row) => row.app_name).sort()
  }
  const askedFor = ({ stdout }: { stdout: string }) =>
    JSON.parse(stdout).archivedFlags.filter((flag: { project: string }) => flag.project === project)
  expect(askedFor(await run(['unknown', '--json']))).toEqual([])
  await evaluate(lit)
  // The service writes them every three minutes.
  const waiting = { timeout: 240_000, interval: 5_000 }
  await expect.poll(sightings, waiting).not.toEqual([])
  const reporting = [...new Set(evaluations.map(({ appName }) => appName))].sort()
  await expect.poll(applications, waiting).toEqual(reporting)
  await query("UPDATE features SET archived_at = now() - interval '1 day' WHERE name = $1", [lit])
  const unknown = await run(['unknown', '--json', '--fail-on', 'archived'])
  expect(unknown.code).toBe(9)
  const [asked, ...others] = askedFor(unknown)
  expect(others).toEqual([])
  expect(asked).toMatchObject({ name: lit, project, revive: expect.stringContaining(lit) })
  const asking: string[] = asked.uses.map((use: { application: string }) => use.application)
  expect([...new Set(asking)].sort()).toEqual(reporting)
  for (const more of [[], scope]) {
    const review = await run(['review', lit, '--json', ...more])
    const [row] = JSON.parse(review.stdout).flags
    expect([row.verdict, row.yes + row.no > 0]).toEqual(['archived', true])
    const usage = await run(['usage', lit, '--since', '24h', '-o', 'csv', ...more])
    expect([usage.code, usage.stderr]).toEqual([
      0,
      expect.stringContaining(`warning: ${lit}: archived in project ${project}\n`),
    ])
  }
})
