// Runs the jobs of docs/ci.md, with a stand-in for GitHub and GitLab.
import { spawn } from 'node:child_process'
import { chmod, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { blocksOf, pages } from '../docs/pages.ts'
import { ended } from './binary.ts'
import { temporaryFolder } from './flagadm.ts'
import { git } from './git.ts'

interface Step {
  run?: string
  if?: string
  uses?: string
  env?: Record<string, string>
  with?: Record<string, string>
}
interface Job {
  env?: Record<string, string>
  steps?: Step[]
  script?: string[]
  variables?: Record<string, string>
  artifacts?: { paths?: string[]; reports?: Record<string, string> }
}

const page = pages.filter(({ path }) => path === 'docs/ci.md')
const blocks = page
  .flatMap(blocksOf)
  .filter(({ language }) => language === 'yaml')
  .map(({ code }) => ({ code, recipe: parse(code) }))

/** The configuration that the recipes need. */
const configuration = blocks.find(({ recipe }) => 'naming' in recipe)?.code ?? ''

/** The jobs of docs/ci.md by name: those of GitHub have `steps`, those of GitLab a `script`. */
export const jobs: Record<string, Job> = Object.assign(
  {},
  ...blocks
    // Some are a part of one.
    .filter(({ code, recipe }) => code !== configuration && !('steps' in recipe))
    .map(({ recipe: { jobs, ...rest } }) => jobs ?? rest),
)

export interface Comment {
  id: number
  body: string
  user?: { type: string }
}

/** The parts of GitHub, GitLab and a push gateway that the recipes call. */
async function platform(existing: Comment[], references: Environment) {
  const state = {
    comments: existing,
    requests: [] as string[],
    plan: '',
    review: '',
    pushed: '',
  }
  const uploads = Object.entries(references).flatMap(([id, file], index) => [
    [
      `GET /${id}/runs/flag-references/main/success`,
      () => (file === '' ? [] : [{ databaseId: index }]),
    ],
    [`GET /${id}/artifacts/${index}/flag-references`, () => file],
    [`GET /projects/${id}/jobs/artifacts/main/raw/references.json?job=flag-references`, () => file],
  ])
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
    'GET /repos/o/r/issues?labels=finished-flags': () =>
      state.comments.map(({ id }) => ({ number: id })),
    'POST /repos/o/r/issues': (request) => change(request),
    'PATCH /repos/o/r/issues/7': (request) => change(request, 7),
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
    ...Object.fromEntries(uploads),
  }
  const server = createServer(async (request, response) => {
    const line = `${request.method} ${request.url}`
    state.requests.push(line)
    const { authorization } = request.headers
    const isAllowed = line.includes('/projects/')
      ? request.headers['private-token'] === 'api-token'
      : line.includes('/flag-references')
        ? authorization === 'references-token'
        : !line.includes('/repos/') || authorization === 'gh-token'
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
    title: string, 'body-file': string, branch: string },
})
if (command === 'issue' && values['body-file'] !== '-') throw new Error('no body')
const { repo, workflow, branch, commit, status } = values
const others = command === 'run' && repo !== 'o/r' ? repo + '/' : ''
const run = [workflow, branch, commit, status].filter(Boolean).join('/').replace(' ', '-')
const path = others + { api: () => first, list: () => 'runs/' + run,
  create: () => 'issues/' + encodeURIComponent(values.title),
  download: () => \`artifacts/\${id}/\${values.name}\` }[command === 'api' ? command : first]()
const file = command === 'issue' ? 0 : values.field?.match(/^body=@(.*)/)[1]
fetch(\`\${process.env.PLATFORM}/\${path}\`, {
  method: values.method ?? (command === 'issue' ? 'POST' : 'GET'),
  headers: { authorization: process.env.GH_TOKEN },
  ...(file !== undefined && { body: JSON.stringify({ body: readFileSync(file, 'utf8') }) }),
}).then(async (response) => {
  if (!response.ok) process.exit(1)
  const text = await response.text()
  if (first === 'download' && values.dir) {
    mkdirSync(values.dir, { recursive: true })
    const file = values.name === 'flag-changes' ? 'review.json' : 'references.json'
    writeFileSync(values.dir + '/' + file, text)
  } else if (first === 'download') writeFileSync('plan.json', text)
  else process.stdout.write(values.jq ? execFileSync('jq', ['-r', values.jq], { input: text }) : text)
})
`

const npm = `#!/bin/sh
test "$*" = "install --prefix $HOME/flagadm github:flagadm/flagadm#<commit>"
`

/** A service, with a key. */
interface RecipeService {
  url: string
  key: string
}

/** What a job finds. */
export interface World {
  /** The path of flagadm. */
  program: string
  service: RecipeService
  comments?: Comment[]
  plan?: string
  review?: string
  /** The references that repositories have uploaded, by their names on GitHub or ids on GitLab. */
  references?: Environment
  /** Files in the checkout. */
  files?: Environment
  /** The address of the repository. */
  origin?: string
  /** What a branch changes of the files; null removes one. */
  changes?: Changes
}

type Changes = Record<string, string | null>

/** Commits changes of a checkout. */
async function commit(folder: string, changes: Changes): Promise<void> {
  for (const [path, content] of Object.entries(changes)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    if (content === null) await rm(join(folder, path))
    else await writeFile(join(folder, path), content)
  }
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'm')
}

/** A checkout of a branch, and programs that the recipes start. */
async function checkout(world: World, api: { url: string }) {
  const { program, service, files = {}, origin = 'https://git.example.com/o/r.git' } = world
  const folder = await temporaryFolder({ 'bin/gh': gh, 'bin/npm': npm, summary: '' })
  await Promise.all(['gh', 'npm'].map((name) => chmod(join(folder, 'bin', name), 0o755)))
  await symlink(program, join(folder, 'bin/flagadm'))
  git(folder, 'init', '--quiet', '--initial-branch', 'main')
  git(folder, 'remote', 'add', 'origin', origin)
  await commit(folder, { '.gitignore': '/bin/\n/summary\n', '.flagadmrc': configuration, ...files })
  const base = git(folder, 'rev-parse', 'HEAD').trim()
  git(folder, 'update-ref', 'refs/remotes/origin/main', base)
  git(folder, 'checkout', '--quiet', '-b', 'topic')
  await commit(folder, world.changes ?? {})
  const env = {
    HOME: folder,
    PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter),
    PLATFORM: api.url,
    PUSHGATEWAY: api.url,
    FLAGADM_BASE_URL: service.url,
    FLAGADM_API_KEY: service.key,
    GITHUB_BASE_REF: 'main',
    CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
  }
  return { folder, env }
}

type Environment = Record<string, string>

const expressions: Environment = {
  'github.event.pull_request.base.sha || github.event.merge_group.base_sha': 'origin/main',
  'github.event.pull_request.number': '5',
  'github.token': 'gh-token',
  'secrets.REFERENCES_TOKEN': 'references-token',
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
    const ownEnv = Object.entries({ ...job.env, ...step.env }).map(([name, value]) => [
      name,
      evaluated(value),
    ])
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

/** The names or ids of the repositories that a job is about. */
function repositoriesOf(name: string): string[] {
  const { env, variables } = jobs[name] ?? {}
  return `${env?.REPOSITORIES ?? variables?.REPOSITORIES}`.split(' ')
}

/** Runs a job by name, and returns what became of it. Its files have the address of the service as `http://service`. */
export async function runJob(name: string, world: World) {
  const job = jobs[name]
  if (!job) throw new Error(`docs/ci.md has no job ${name}`)
  const { url } = world.service
  const api = await platform(world.comments ?? [], world.references ?? {})
  api.state.plan = (world.plan ?? '').replace('http://service', url)
  api.state.review = (world.review ?? '').replace('http://service', url)
  const { folder, env } = await checkout(world, api)
  const platformOf = job.steps ? onGitHub : onGitLab
  const { code, log, kept } = await platformOf(job, folder, env)
  const read = (path: string) => readFile(join(folder, path), 'utf8')
  return { code, log, kept, read, api: api.state }
}

/**
 * Plays the recipe for the code of all repositories: a job in each repository uploads what its code has, and another one
 * reviews all flags.
 * @param code the text of a file in each repository
 */
export async function reviewRepositories(
  [upload, review]: readonly [upload: string, review: string],
  code: readonly string[],
  world: Pick<World, 'program' | 'service'>,
) {
  const references: Environment = {}
  for (const [index, id] of repositoriesOf(review).entries()) {
    const origin = `https://me:secret@git.example.com/shop/repository-${index}.git`
    const files = { 'src/flags.ts': code[index] ?? '' }
    const { code: exitCode, log, kept, read } = await runJob(upload, { ...world, files, origin })
    if (exitCode !== 0) throw new Error(log)
    references[id] = await read(kept[0] ?? '')
  }
  return { references, ...(await runJob(review, { ...world, references })) }
}
