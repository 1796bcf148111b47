import { spawn } from 'node:child_process'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { defaultSeed } from '../../src/sandbox/default-seed.ts'
import { blocksOf, pages, root } from '../docs/pages.ts'
import { ended } from '../support/binary.ts'
import { temporaryFolder } from '../support/flagadm.ts'
import { sandboxOf, type TestSandbox } from '../support/sandbox.ts'

interface Step {
  run?: string
  if?: string
  uses?: string
  env?: Record<string, string>
  with?: Record<string, string>
}
interface Job {
  steps?: Step[]
  script?: string[]
  variables?: Record<string, string>
  artifacts?: { paths?: string[]; reports?: Record<string, string> }
}

const page = pages.filter(({ path }) => path === 'docs/ci.md')
const recipes = page
  .flatMap(blocksOf)
  .filter(({ language }) => language === 'yaml')
  .map(({ code }) => parse(code))

/** The jobs of docs/ci.md by name: those of GitHub have `steps`, those of GitLab a `script`. */
const jobs: Record<string, Job> = Object.assign(
  {},
  ...recipes.map(({ jobs, ...rest }) => jobs ?? rest),
)

interface Comment {
  id: number
  body: string
  user?: { type: string }
}

const MARKER = '<!-- flagadm plan '

/** Comments of which the plan is neither the first nor the last. */
const comments = (): Comment[] => [
  { id: 1, body: `> ${MARKER}quoted -->`, user: { type: 'User' } },
  { id: 7, body: `${MARKER}http://old -->\nold`, user: { type: 'Bot' } },
  { id: 9, body: 'Coverage: 80 %', user: { type: 'Bot' } },
]

/** The parts of GitHub, GitLab and a push gateway that the recipes call. */
async function platform(existing: Comment[]) {
  const state = {
    comments: existing,
    requests: [] as string[],
    plan: '',
    review: '',
    pushed: '',
  }
  const change = async (request: IncomingMessage, id?: number) => {
    const sent = await text(request)
    const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded'
    const body = isForm ? (new URLSearchParams(sent).get('body') ?? '') : JSON.parse(sent).body
    const known = state.comments.find((comment) => comment.id === id)
    if (known) known.body = body
    else state.comments.push({ id: 100, body })
    return {}
  }
  const routes: Record<string, (request: IncomingMessage) => unknown> = {
    'GET /repos/o/r/issues/5/comments': () => state.comments,
    'POST /repos/o/r/issues/5/comments': (request) => change(request),
    'PATCH /repos/o/r/issues/comments/7': (request) => change(request, 7),
    'GET /repos/o/r/commits/main-sha/pulls': () => [{ head: { sha: 'head-sha' } }],
    'GET /runs/settings-plan/head-sha': () => [{ databaseId: 42 }, { databaseId: 41 }],
    'GET /artifacts/42/plan': () => state.plan,
    'GET /runs/flag-changes/success': () => (state.review === '' ? [] : [{ databaseId: 52 }]),
    'GET /artifacts/52/flag-changes': () => state.review,
    'POST /issues/Remove%20the%20feature%20flag%20legacy-invoice-export': (request) =>
      change(request),
    'GET /projects/3/merge_requests/5/notes?sort=asc&per_page=100': () => state.comments,
    'POST /projects/3/merge_requests/5/notes': (request) => change(request),
    'PUT /projects/3/merge_requests/5/notes/7': (request) => change(request, 7),
    'GET /projects/3/repository/commits/main-sha/merge_requests': () => [{ iid: 5 }],
    'GET /projects/3/merge_requests/5/pipelines': () => [
      { id: 44, ref: 'a-branch' },
      { id: 43, ref: 'refs/merge-requests/5/merge' },
      { id: 42, ref: 'refs/merge-requests/5/head' },
    ],
    'GET /projects/3/pipelines/43/jobs': () => [
      { id: 1, name: 'flag-names' },
      { id: 2, name: 'settings-plan' },
    ],
    'GET /projects/3/jobs/2/artifacts/plan.json': () => state.plan,
    'PUT /metrics/job/flagadm': async (request) => {
      state.pushed = await text(request)
    },
  }
  const server = createServer(async (request, response) => {
    const line = `${request.method} ${request.url}`
    state.requests.push(line)
    const isAllowed = line.includes('/projects/')
      ? request.headers['private-token'] === 'api-token'
      : !line.includes('/repos/') || request.headers.authorization === 'gh-token'
    const route = isAllowed ? routes[line] : undefined
    const reply = await route?.(request)
    response.writeHead(route ? 200 : 404)
    response.end(typeof reply === 'string' ? reply : JSON.stringify(reply ?? {}))
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  onTestFinished(() => void server.close())
  return { ...state, state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

// `gh` with the subcommands and options that the recipes use; it knows no others.
const gh = `#!/usr/bin/env node
const { parseArgs } = require('node:util')
const { execFileSync } = require('node:child_process')
const { mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const string = { type: 'string' }
const { values, positionals: [command, first, id] } = parseArgs({
  allowPositionals: true,
  options: { method: string, field: string, jq: string, paginate: { type: 'boolean' }, repo: string,
    workflow: string, commit: string, json: string, name: string, status: string, limit: string, dir: string,
    title: string, 'body-file': string },
})
if (command === 'issue' && values['body-file'] !== '-') throw new Error('no body')
const path = { api: () => first, list: () => \`runs/\${values.workflow}/\${values.commit ?? values.status}\`.replace(' ', '-'),
  create: () => 'issues/' + encodeURIComponent(values.title),
  download: () => \`artifacts/\${id}/\${values.name}\` }[command === 'api' ? command : first]()
if (command === 'run' && values.repo !== 'o/r') throw new Error('no repository')
const file = command === 'issue' ? 0 : values.field?.match(/^body=@(.*)/)[1]
fetch(\`\${process.env.PLATFORM}/\${path}\`, {
  method: values.method ?? (command === 'issue' ? 'POST' : 'GET'),
  headers: { authorization: process.env.GH_TOKEN },
  ...(file !== undefined && { body: JSON.stringify({ body: readFileSync(file, 'utf8') }) }),
}).then(async (response) => {
  if (!response.ok) process.exit(1)
  const text = await response.text()
  if (first === 'download' && values.dir) {
    mkdirSync(values.dir)
    writeFileSync(values.dir + '/review.json', text)
  } else if (first === 'download') writeFileSync('plan.json', text)
  else process.stdout.write(values.jq ? execFileSync('jq', ['-r', values.jq], { input: text }) : text)
})
`

const npm = `#!/bin/sh
test "$*" = "install --prefix $HOME/flagadm github:flagadm/flagadm#<commit>"
`

const files = ['src/basket.ts', 'naming.yaml', 'legacy-names.txt']

/** A checkout with a change of the settings of checkout, and programs that the recipes start. */
async function checkout(sandbox: TestSandbox, api: { url: string }) {
  const examples = files.map(async (path) => [path, await readFile(join(root, 'examples', path))])
  const folder = await temporaryFolder({
    ...Object.fromEntries(await Promise.all(examples)),
    'flags/checkout.yaml': 'projects: { checkout: { mode: open } }\n',
    'bin/gh': gh,
    'bin/npm': npm,
    summary: '',
  })
  await Promise.all(['gh', 'npm'].map((name) => chmod(join(folder, 'bin', name), 0o755)))
  const installed = join(inject('folder'), 'node_modules/.bin')
  const env = {
    HOME: folder,
    PATH: [join(folder, 'bin'), installed, process.env.PATH].join(delimiter),
    PLATFORM: api.url,
    FLAGADM_BASE_URL: sandbox.url,
    FLAGADM_API_KEY: sandbox.keys.full,
  }
  return { folder, env }
}

type Environment = Record<string, string>

const expressions: Environment = {
  'github.event.pull_request.number': '5',
  'github.token': 'gh-token',
}

function evaluated(text: string): string {
  return text.replaceAll(/\$\{\{ (.+?) \}\}/g, (_, expression: string) => {
    const value = expressions[expression]
    if (value === undefined) throw new Error(`unknown expression ${expression}`)
    return value
  })
}

/** Runs the steps of a job as GitHub does: after a failure, only those with a condition. */
async function onGitHub(job: Job, folder: string, env: Environment) {
  let code: number | null = 0
  let log = ''
  const kept: string[] = []
  for (const step of job.steps ?? []) {
    if (code !== 0 && step.if === undefined) continue
    if (step.uses?.startsWith('actions/upload-')) kept.push(step.with?.path ?? '')
    if (step.run === undefined) continue
    const ownEnv = Object.entries(step.env ?? {}).map(([name, text]) => [name, evaluated(text)])
    const outcome = await ended(
      spawn('bash', ['-e', '-c', step.run], {
        cwd: folder,
        env: {
          ...Object.fromEntries(ownEnv),
          ...env,
          GITHUB_REPOSITORY: 'o/r',
          GITHUB_SHA: 'main-sha',
          GITHUB_STEP_SUMMARY: join(folder, 'summary'),
        },
      }),
    )
    code ||= outcome.code
    log += outcome.stdout + outcome.stderr
  }
  return { code, log, kept }
}

/** Runs the lines of a job as GitLab does: in one shell. */
async function onGitLab(
  { script = [], variables, artifacts }: Job,
  folder: string,
  env: Environment,
) {
  const { code, stdout, stderr } = await ended(
    spawn('bash', ['-eo', 'pipefail', '-c', script.join('\n')], {
      cwd: folder,
      env: {
        ...variables,
        ...env,
        CI_API_V4_URL: env.PLATFORM,
        CI_PROJECT_ID: '3',
        CI_MERGE_REQUEST_IID: '5',
        CI_COMMIT_SHA: 'main-sha',
        API_TOKEN: 'api-token',
      },
    }),
  )
  const { paths = [], reports = {} } = artifacts ?? {}
  return { code, log: stdout + stderr, kept: [...paths, ...Object.values(reports)] }
}

/** Runs a job by name with a sandbox, and returns what became of it. */
async function run(
  name: string,
  world: { comments?: Comment[]; plan?: string; review?: string; files?: Environment } = {},
) {
  const job = jobs[name]
  if (!job) throw new Error(`docs/ci.md has no job ${name}`)
  const sandbox = await sandboxOf([], { seed: defaultSeed, frozen: false })
  const api = await platform(world.comments ?? [])
  api.state.plan = (world.plan ?? '').replace('http://service', sandbox.url)
  api.state.review = (world.review ?? '').replace('http://service', sandbox.url)
  const { folder, env } = await checkout(sandbox, api)
  for (const [path, content] of Object.entries(world.files ?? {})) {
    await writeFile(join(folder, path), content)
  }
  const platformOf = job.steps ? onGitHub : onGitLab
  const pushes = { PUSHGATEWAY: api.url }
  const { code, log, kept } = await platformOf(job, folder, { ...env, ...pushes })
  const read = (path: string) => readFile(join(folder, path), 'utf8')
  return { code, log, kept, read, api: api.state, sandbox }
}

it('docs/ci.md has six recipes for GitHub and five for GitLab', () => {
  const [github, gitlab] = [true, false].map((isGitHub) =>
    Object.keys(jobs).filter((name) => 'steps' in (jobs[name] ?? {}) === isGitHub),
  )
  expect(github).toEqual(['names', 'plan', 'apply', 'review', 'changes', 'usage'])
  expect(gitlab).toEqual(['flag-names', 'settings-plan', 'settings-apply', 'pages', 'flag-usage'])
})

describe('names in a pull request', () => {
  it('are annotated on GitHub', async () => {
    expect(await run('names')).toMatchObject({ code: 0 })
    const { code, log } = await run('names', { files: { 'legacy-names.txt': '' } })
    expect(code).toBe(9)
    expect(log).toContain('::error file=src/basket.ts,line=6')
  })

  it('are a report of code quality on GitLab', async () => {
    const { code, kept, read } = await run('flag-names', { files: { 'legacy-names.txt': '' } })
    expect(code).toBe(9)
    expect(JSON.parse(await read(kept[0] ?? ''))[0].location).toMatchObject({
      path: 'src/basket.ts',
    })
    expect((await run('flag-names')).code).toBe(0)
  })
})

describe.each(['plan', 'settings-plan'])('the plan as a comment, in the job %s', (name) => {
  it('is written once', async () => {
    const { code, api, log } = await run(name)
    expect([code, api.comments.length], log).toEqual([0, 1])
    expect(api.comments[0]?.body).toMatch(/^<!-- flagadm plan [^]*mode {9}protected → open/)
  })

  it('replaces the one with the marker, and no other', async () => {
    // GitLab refuses to change the comment of someone else, and GitHub does not.
    const forged = { id: 3, body: `${MARKER}forged -->`, user: { type: 'User' } }
    const others = name === 'plan' ? [forged] : []
    const existing = [...others, ...comments()]
    const { code, api, kept, read, sandbox } = await run(name, { comments: existing })
    const [first, plan, last] = comments()
    const body = api.comments.at(-2)?.body
    expect([code, api.comments]).toEqual([0, [...others, first, { ...plan, body }, last]])
    expect(body).toContain(`${MARKER}${sandbox.url} -->\n`)
    expect(kept).toEqual(['plan.json'])
    expect(JSON.parse(await read('plan.json')).service).toBe(sandbox.url)
  })
})

describe.each(['apply', 'settings-apply'])('the job %s', (name) => {
  const planOf = async () => {
    const { read, sandbox } = await run('plan')
    return (await read('plan.json')).replace(sandbox.url, 'http://service')
  }

  it('applies the plan of the merged request, and keeps the previous settings', async () => {
    const { code, log, kept, read, sandbox } = await run(name, { plan: await planOf() })
    expect(code, log).toBe(0)
    expect(sandbox.project('checkout')?.mode).toBe('open')
    expect(kept).toEqual(['before.yaml'])
    expect(await read('before.yaml')).toContain('mode: protected')
  })

  it('fails without a plan', async () => {
    const { code, sandbox } = await run(name, { plan: '' })
    expect(code).not.toBe(0)
    expect(sandbox.writes()).toEqual([])
  })
})

describe.each([
  ['review', 'site'],
  ['pages', 'public'],
])('the weekly report, in the job %s', (name, folder) => {
  it('is a page', async () => {
    const { code, log, kept, read } = await run(name)
    expect(code, log).toBe(0)
    expect(new Set(kept)).toEqual(new Set([folder]))
    // With the places in the code.
    expect(await read(`${folder}/index.html`)).toMatch(/^<!doctype html>[^]*src\/basket\.ts:6/i)
    const summary = await read('summary')
    expect(summary.includes('checkout-expres-pay')).toBe(name === 'review')
  })
})

describe('the weekly changes, in the job changes', () => {
  it('are kept for the next week, and have no issues in the first one', async () => {
    const { code, log, kept, read, api } = await run('changes')
    expect(code, log).toBe(0)
    expect(kept).toEqual(['review.json'])
    expect(JSON.parse(await read('review.json')).flags).toHaveLength(12)
    expect(api.comments).toEqual([])
  })

  it('are in the summary, and a flag that has become removable has an issue', async () => {
    const { read, sandbox } = await run('changes')
    const review = (await read('review.json')).replace(sandbox.url, 'http://service')
    const last = review.replace('"verdict":"removable"', '"verdict":"unclear"')
    const outcome = await run('changes', { review: last })
    expect(outcome.code, outcome.log).toBe(0)
    expect(await outcome.read('summary')).toContain(
      '| `legacy-invoice-export` | `default` | removable | unclear |',
    )
    expect(outcome.api.comments).toEqual([
      { id: 100, body: expect.stringMatching(/^default: off everywhere; /) },
    ])
    const unchanged = await run('changes', { review })
    expect(await unchanged.read('summary')).toContain('No changes.')
    expect(unchanged.api.comments).toEqual([])
  })
})

it.each(['usage', 'flag-usage'])('the job %s pushes the usage', async (name) => {
  const { code, log, api } = await run(name)
  expect(code, log).toBe(0)
  expect(api.pushed).toMatch(/^# TYPE feature_flag_evaluations gauge\n[^]*# EOF\n$/)
})
