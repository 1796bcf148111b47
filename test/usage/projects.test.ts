import { describe, expect, it } from 'vitest'
import { environment, flagadm, withoutCaption } from '../support/flagadm.ts'
import { patientClock } from '../support/clock.ts'
import { json, serve } from '../support/server.ts'

const projects: Record<string, string[]> = { shop: ['basket', 'api'], mail: ['letter'], empty: [] }
const hour = '2026-11-20T16:00:00.000Z'

/** A service with projects, in which only some flags are used, and `api` can be made to fail. */
async function usage(argv: readonly string[], failing: readonly string[] = []) {
  const { url } = await serve((response, { url: path }) => {
    const [, id = '', what] = /^\/api\/admin\/projects\/([^/]+)\/(\w+)$/.exec(path) ?? []
    if (path === '/api/admin/projects') {
      return json(response, 200, { projects: Object.keys(projects).map((id) => ({ id })) })
    }
    if (what === 'features') {
      return json(response, 200, { features: (projects[id] ?? []).map((name) => ({ name })) })
    }
    if (what) return json(response, projects[id] ? 200 : 404, { environments: [] })
    const [, name = ''] = /features\/([^/?]+)/.exec(path) ?? []
    if (failing.includes(name)) return json(response, 500, { message: 'no' })
    const yes = { basket: 3, letter: 5 }[name] ?? 0
    const records = yes > 0 ? [{ environment: 'production', timestamp: hour, yes, no: 1 }] : []
    const hours = { version: 1, maturity: 'stable', data: records }
    return json(response, 200, path.includes('/raw') ? hours : { lastHourUsage: records })
  })
  const outcome = await flagadm(['feature', 'usage', '--retries', '0', ...argv], {
    clock: patientClock(Date.UTC(2026, 10, 20, 16, 10)).clock,
    env: environment(url),
  })
  return withoutCaption(outcome)
}

const lines = async (...argv: string[]) => (await usage(argv)).stdout.trimEnd().split(/\r?\n/)

describe('the project of each flag', () => {
  it('is in the state of each flag of a gate', async () => {
    const reading = 'in one reading of the current clock hour (since 16:00 UTC, 10 min)'
    const gate = ['--all-projects', '--expect', 'used']
    expect(await lines(...gate)).toEqual([
      `✗ api is unused (expected used, project shop): no evaluations ${reading}`,
      `✓ basket is in use (project shop): 4 evaluations ${reading}`,
      `✓ letter is in use (project mail): 6 evaluations ${reading}`,
    ])
    const [annotation] = await lines(...gate, '-o', 'github')
    expect(annotation).toBe(
      `::error title=usage-failed::api: unused (expected used, project shop): no evaluations ${reading}`,
    )
  })

  it('is a column of a table if there can be several', async () => {
    const several = await usage(['--all-projects', '--layout', 'table'])
    expect(several.stdout).toBe(`Usage since 16:00 UTC

Flag    Project  Environment  Enabled  Disabled  Total              Share  Reported
────────────────────────────────────────────────────────────────────────────────────────────
api     shop     —                  0         0      0                  —  —
basket  shop     production         3         1      4  ████████░░  75.0%  2026-11-20 16:00Z
letter  mail     production         5         1      6  ████████░░  83.3%  2026-11-20 16:00Z
────────────────────────────────────────────────────────────────────────────────────────────
Total                               8         2     10  ████████░░  80.0%

3 flags: 2 in use, 1 unused
`)
    const one = await lines('--project', 'shop', '--layout', 'table')
    expect(one[2]).toMatch(/^Flag +Environment/)
  })

  it('is in the heading of a section', async () => {
    const { stdout } = await usage(['--project', 'mai*', '-q'])
    expect(stdout).toMatch(/^letter \(project mail, since 16:00 UTC\)\n/)
  })

  it('is a column of Markdown', async () => {
    const [, , head, , first] = await lines('--all-projects', '-o', 'markdown')
    expect([head, first]).toEqual([
      '| Flag | Project | Environment | Enabled | Disabled | Total | Share | Variants |',
      '| `api` | `shop` |  | 0 | 0 | 0 | — |  |',
    ])
  })

  it('is in CSV and JSON Lines whenever projects are read', async () => {
    expect(await lines('--project', 'mail', '-o', 'csv')).toEqual([
      'project,flag,application,environment,timestamp,enabled,disabled,variants',
      `mail,letter,,production,${hour},5,1,{}`,
    ])
    expect(JSON.parse((await usage(['--project', 'mail', '-o', 'jsonl'])).stdout)).toMatchObject({
      project: 'mail',
      flag: 'letter',
    })
    expect((await lines('letter', '-o', 'csv'))[0]).toMatch(/^flag,/)
    expect((await usage(['letter', '-o', 'jsonl'])).stdout).not.toContain('project')
  })

  it('is empty where flags of several projects are added up', async () => {
    const argv = ['--all-projects', '--group-by', 'environment', '-o', 'csv']
    expect(await lines(...argv)).toContain(`,,,production,${hour},8,2,{}`)
  })

  it('is in rows of --watch', async () => {
    const [row = ''] = await lines('--project', 'mail', '--watch', '--count', '1')
    expect(JSON.parse(row)).toMatchObject({ project: 'mail', flag: 'letter' })
  })

  it('is a label of OpenMetrics', async () => {
    expect(await lines('--project', 'mail', '-o', 'openmetrics')).toContain(
      'feature_flag_last_hour_evaluations{project="mail",flag="letter",environment="production",result="enabled"} 5',
    )
  })

  it('is in the reports of a gate', async () => {
    const gate = ['--all-projects', '--expect', 'used', '-q']
    const { flags } = JSON.parse((await usage([...gate, '--json'])).stdout)
    expect(flags.map((flag: { project: string }) => flag.project)).toEqual(['shop', 'shop', 'mail'])
    const [head, , first] = await lines(...gate, '-o', 'markdown')
    expect(head).toBe('| Flag | Project | Expected used | Reason | Enabled | Disabled |')
    expect(first).toMatch(/^\| `api` \| `shop` \| . /)
  })
})

describe('json of several flags with --since', () => {
  const argv = ['--since', '1h', '--json', '-q']
  const document = (yes: number) =>
    `{"version":1,"maturity":"stable","data":[{"environment":"production","timestamp":"${hour}","yes":${yes},"no":1}]}`

  it('names the flag of each document, and its project if projects are read', async () => {
    expect(await lines('basket', 'letter', ...argv)).toEqual([
      `{"flag":"basket","usage":${document(3)}}`,
      `{"flag":"letter","usage":${document(5)}}`,
    ])
    expect(await lines('--project', 'mail', ...argv)).toEqual([
      `{"project":"mail","flag":"letter","usage":${document(5)}}`,
    ])
  })

  it('is the own document of the service for a single flag', async () => {
    expect(await lines('letter', ...argv)).toEqual([document(5)])
  })
})

describe('--group-by project', () => {
  const byProject = ['--all-projects', '--group-by', 'project']

  it('shows totals of each project', async () => {
    expect((await usage(byProject)).stdout).toBe(`Usage since 16:00 UTC

Project  Flags  Used  Unused  Failed  Evaluations
─────────────────────────────────────────────────
empty        0     0       0       0            0
mail         1     1       0       0            6
shop         2     1       1       0            4
─────────────────────────────────────────────────
Total        3     2       1       0           10
`)
  })

  it('counts flags that could not be read, and then has no total', async () => {
    const { code, stdout } = await usage([...byProject, '--limit', '2', '--reverse'], ['api'])
    expect([code, stdout]).toEqual([
      10,
      `Usage since 16:00 UTC

Project  Flags  Used  Unused  Failed  Evaluations
─────────────────────────────────────────────────
shop         2     1       0       1            4
mail         1     1       0       0            6

1 more row not shown (--limit)

Incomplete: 1 of 3 flags could not be read (api)
`,
    ])
  })

  it('is Markdown, CSV and JSON Lines, too', async () => {
    const argv = [...byProject, '--sort', 'total', '--limit', '1', '-o']
    expect((await lines(...argv, 'markdown')).slice(2, 6)).toEqual([
      '| Project | Flags | Used | Unused | Failed | Evaluations |',
      '| --- | ---: | ---: | ---: | ---: | ---: |',
      '| `mail` | 1 | 1 | 0 | 0 | 6 |',
      '| **Total** | 3 | 2 | 1 | 0 | 10 |',
    ])
    expect(await lines(...argv, 'csv')).toEqual([
      'project,flags,used,unused,failed,enabled,disabled,evaluations',
      'mail,1,1,0,0,5,1,6',
    ])
    expect(await lines(...argv, 'jsonl')).toEqual([
      '{"project":"mail","flags":1,"used":1,"unused":0,"failed":0,"enabled":5,"disabled":1,"evaluations":6}',
    ])
  })

  it('counts only the flags that filters select', async () => {
    const rows = await lines(...byProject, '--unused', '-o', 'csv')
    expect(rows.slice(1)).toEqual([
      'empty,0,0,0,0,0,0,0',
      'mail,0,0,0,0,0,0,0',
      'shop,1,0,1,0,0,0,0',
    ])
  })

  it.each([
    [
      ['basket', '--group-by', 'project'],
      '--group-by project requires --project or --all-projects',
    ],
    [[...byProject, '--watch'], '--group-by project cannot be combined with --watch'],
    [
      [...byProject, '--since', '2h', '--by', 'hour'],
      '--group-by project cannot be combined with --by',
    ],
    [
      [...byProject, '-o', 'openmetrics'],
      '--group-by project cannot be combined with -o openmetrics',
    ],
  ])('is refused: %j', async (argv, message) => {
    const { code, stderr } = await usage(argv)
    expect([code, stderr.split('\n')[0]]).toEqual([2, `error: ${message}`])
  })
})
