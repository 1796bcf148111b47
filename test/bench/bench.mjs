// Measures the program, and prints what is beyond its limit as a FAULT. `npm run bench -- names code` runs only these parts.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { doubling } from './doubling.mjs'
import { growing } from './growing.mjs'
import { hostileCode } from './hostile-code.mjs'
import {
  makeComposed,
  makeDense,
  makeKnown,
  makeNames,
  makeProjects,
  makeReferences,
  makeRepository,
  makeWide,
} from './material.mjs'
import { compare } from './measure.mjs'
import { page } from './page.mjs'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const flagadm = `node ${here('../../bin/flagadm.js')}`

async function startServer(...files) {
  const server = spawn('node', [here('server.mjs'), ...files], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [port] = await once(server.stdout, 'data')
  const FLAGADM_BASE_URL = `http://127.0.0.1:${`${port}`.trim()}`
  const env = { FLAGADM_BASE_URL, FLAGADM_API_KEY: '*:*.bench' }
  return { env, stop: () => server.stdin.end() }
}

/** Measures with a server that answers at once, but for usage of hours and days. */
async function withServer(measure) {
  const { env, stop } = await startServer()
  measure(env)
  stop()
}

function start() {
  const commands = [
    { name: 'node -e 0', shell: 'node -e 0' },
    { name: 'flagadm --version', shell: `${flagadm} --version`, limits: { most: 2.3 } },
    { name: 'flagadm --help', shell: `${flagadm} --help`, limits: { most: 2.3 } },
  ]
  compare('Start', commands, { runs: 4, times: 10 })
}

function oneRequest(env) {
  const usage = `${flagadm} feature usage some-flag --json`
  const commands = [
    { name: 'node:http script', shell: `node ${here('get-with-http.cjs')}` },
    { name: 'flagadm feature usage --json', shell: usage, limits: { most: 3 } },
  ]
  compare('One request', commands, { runs: 4, times: 10, env })
}

function manyFlags(env) {
  const count = 1000
  const usage = `${flagadm} feature usage $(seq -f flag-%g ${count}) --json`
  const path = `${env.FLAGADM_BASE_URL}/api/admin/client-metrics/features/flag-%g`
  const curl = `xargs -P8 -n1 curl -s -H "Authorization: $FLAGADM_API_KEY"`
  const all = `seq -f ${path} ${count} | ${curl}`
  const commands = [
    { name: 'flagadm feature usage --json', shell: usage, limits: { megabytes: 150 } },
    { name: 'xargs -P8 -n1 curl', shell: all, limits: { least: 5 } },
  ]
  compare(`${count} flags`, commands, { runs: 2, env })
}

function hourlyUsage(env) {
  const url = `${env.FLAGADM_BASE_URL}/api/admin/client-metrics/features/flag-[1-100]/raw?hoursBack=48`
  const curl = `curl -s -H "Authorization: $FLAGADM_API_KEY" '${url}'`
  const usage = `${flagadm} feature usage $(seq -f flag-%g 100) --since 48h`
  const limits = { most: 2, megabytes: 150 }
  const commands = [
    { name: 'curl, one connection', shell: curl },
    { name: 'flagadm feature usage --since 48h', shell: usage, limits },
  ]
  const title = '100 flags, 10 applications, 2 environments, 48 hours'
  compare(title, commands, { runs: 3, env, by: 'clock' })
}

function days(env) {
  const usage = `${flagadm} feature usage --all-projects --since`
  const limits = { most: 3, megabytes: 150 }
  const commands = [
    { name: 'flagadm feature usage --since 48h', shell: `${usage} 48h` },
    { name: 'flagadm feature usage --since 90d', shell: `${usage} 90d`, limits },
  ]
  compare('500 flags, hours and days', commands, { runs: 1, env, by: 'clock' })
}

function review(env) {
  const usage = `${flagadm} feature usage --all-projects --since 48h`
  const review = `${flagadm} feature review --all-projects --since 48h`
  const limits = { most: 1.4, megabytes: 150 }
  const commands = [
    { name: 'flagadm feature usage --since 48h', shell: usage, limits: { megabytes: 150 } },
    { name: 'flagadm feature review --since 48h', shell: review, limits },
    { name: 'flagadm feature review -o html', shell: `${review} -o html`, limits },
  ]
  compare('500 flags in 40 projects', commands, { runs: 1, env, by: 'clock' })
}

/** The references of 40 repositories, with 10,000 places of 300 flags each. */
function references(env) {
  const { folder, remove } = makeReferences(env.FLAGADM_BASE_URL, 40)
  const review = `${flagadm} feature review $(seq -f flag-%g 300) --all-projects --since 48h --json`
  const all = `${review} --references-from ${folder}/*.json`
  const commands = [
    { name: 'flagadm feature review', shell: review },
    { name: 'with --references-from', shell: all, limits: { more: 1, megabytes: 150 } },
  ]
  compare('300 flags and 40 repositories', commands, { runs: 2, env })
  remove()
}

function largeDocument(env) {
  const url = `${env.FLAGADM_BASE_URL}/api/admin/client-metrics/features/records-100000`
  const tsv =
    '.lastHourUsage[] | [.featureName, .appName, .environment, .timestamp, .yes, .no] | @tsv'
  const formats = ['jsonl', 'csv', 'openmetrics'].map((format) => ({
    name: `flagadm -o ${format}`,
    shell: `${flagadm} feature usage records-100000 -o ${format}`,
    limits: { most: 2 },
  }))
  const jq = { name: 'curl | jq to TSV', shell: `curl -s ${url} | jq -r '${tsv}'` }
  compare('100,000 records', [jq, ...formats], { runs: 2, env })
}

/** A sandbox whose projects can be changed. */
async function startSandbox(seed) {
  const argv = ['sandbox', '--port', '0', '--seed', seed, '--json', '--quiet']
  const sandbox = spawn('node', [here('../../bin/flagadm.js'), ...argv], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(sandbox.stdout, 'data')
  const { baseUrl, keys } = JSON.parse(line)
  const env = { FLAGADM_BASE_URL: baseUrl, FLAGADM_API_KEY: keys.full }
  return { env, stop: () => sandbox.kill() }
}

async function settings(folder) {
  const { env, stop } = await startSandbox(makeProjects(folder, 60))
  const plan = `${flagadm} project settings plan -f ${join(folder, 'open')}`
  const reads = [
    { name: 'settings get of one project', shell: `${flagadm} project settings get team0` },
    { name: 'plan of 60 unchanged projects', shell: plan, limits: { most: 4 } },
  ]
  compare('Settings', reads, { runs: 5, env })
  const both = (command) => `for mode in protected open; do ${command}; done`
  const set = `${flagadm} project settings set team$i --mode $mode`
  const apply = `${flagadm} project settings apply --yes -f ${folder}/$mode`
  const loop = both(`for i in $(seq 0 59); do ${set}; done`)
  const writes = [
    { name: 'apply', shell: both(apply) },
    { name: 'a shell loop of set', shell: loop, limits: { least: 4 } },
  ]
  compare('60 projects changed twice', writes, { runs: 1, env })
  stop()
}

const rule = "--pattern '(?:feat|fix)-[a-z0-9-]+'"

function lint() {
  const lint = `${flagadm} naming lint ${rule}`
  const commands = [
    { name: 'flagadm --version', shell: `${flagadm} --version` },
    { name: 'flagadm naming lint', shell: lint, limits: { most: 2.4 } },
  ]
  compare('A harmless rule', commands, { runs: 4, times: 10 })
}

function names(folder) {
  lint()
  // For each name that fails, a check prints its line and why, and for the first 10,000 the nearest one that passes.
  for (const [percent, most] of [
    [0, 2.5],
    [2, 4.5],
  ]) {
    const list = makeNames(folder, percent)
    const check = `${flagadm} naming check --names-from ${list} ${rule} -o jsonl`
    const commands = [
      { name: 'minimal Node script', shell: `node ${here('check-names.mjs')} ${list}` },
      { name: 'flagadm naming check', shell: check, limits: { most, megabytes: 150 } },
    ]
    compare(`A million names, ${percent} % failing`, commands, { runs: 4 })
  }
}

function code(folder) {
  const tree = makeRepository(folder)
  const source = join(tree, 'src')
  const scan = `cd ${tree} && ${flagadm} naming check --scan . ${rule}`
  const commands = [
    { name: 'minimal Node script', shell: `node ${here('scan-files.mjs')} ${source}` },
    { name: 'flagadm naming check --scan', shell: scan, limits: { most: 6.5 } },
  ]
  const title = '6,000 source files, 2 % with a lookup, and 5,000 ignored ones'
  compare(title, commands, { runs: 4 })
  knownNames(folder, tree)
  const references = `cd ${tree} && ${flagadm} feature references --scan .`
  const added = `${references} --added-since HEAD`
  const branch = [
    { name: 'flagadm feature references', shell: references },
    { name: 'feature references --added-since', shell: added, limits: { most: 1.6 } },
  ]
  compare('The same files, and what a branch has added', branch, { runs: 4 })
}

/** 300 known names, in processor time, because git searches on all cores. */
function knownNames(folder, tree) {
  const list = makeKnown(folder)
  const search = `cd ${tree} && ${flagadm} feature references --scan . --names-from ${list} -o names`
  const commands = [
    { name: 'git grep -F -f', shell: `git -C ${tree} grep -nF -f ${list}` },
    { name: 'feature references --names-from', shell: search, limits: { most: 2 } },
  ]
  compare('300 known names in the same files', commands, { runs: 4 })
}

function manyFiles(folder) {
  const scan = (tree) => `cd ${tree} && ${flagadm} feature references --scan .`
  const wide = scan(makeWide(folder))
  const dense = scan(makeDense(folder))
  const one = (name, shell, limits) =>
    compare(name, [{ name: 'flagadm', shell, limits }], { runs: 1 })
  one('50,000 source files', wide, { seconds: 4, megabytes: 200 })
  one('42,000 source files with lookups', dense, { seconds: 40, megabytes: 400 })
}

/** What texts cost that are composed or encoded and may be a name. */
function composed(folder) {
  const list = makeKnown(folder)
  const [plain, other] = makeComposed(folder).map((tree) => {
    return `cd ${tree} && ${flagadm} feature references --scan . --names-from ${list} -o names`
  })
  const commands = [
    { name: 'texts as they are', shell: plain },
    { name: 'composed and encoded ones', shell: other, limits: { most: 2 } },
  ]
  compare('300 known names in 2,000 files', commands, { runs: 4 })
}

const services = { start: startSandbox, serve: startServer }

const parts = {
  start,
  request: () => withServer(oneRequest),
  requests: () => withServer(manyFlags),
  hours: () => withServer(hourlyUsage),
  days: () => withServer(days),
  review: () => withServer(review),
  references: () => withServer(references),
  records: () => withServer(largeDocument),
  settings,
  names,
  code,
  files: manyFiles,
  composed,
  page: (folder) => page(folder, startSandbox),
  growing: (folder) => doubling(folder, growing, services),
  hostile: (folder) => doubling(folder, hostileCode, services),
}

const chosen = process.argv.slice(2)
const unknown = chosen.find((name) => !Object.hasOwn(parts, name))
if (unknown !== undefined) {
  throw new Error(`${unknown} is none of the parts: ${Object.keys(parts).join(', ')}`)
}
for (const name of chosen.length > 0 ? chosen : Object.keys(parts)) {
  const folder = mkdtempSync(join(tmpdir(), 'flagadm-bench-'))
  await parts[name](folder)
  rmSync(folder, { recursive: true })
}
