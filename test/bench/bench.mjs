import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeMaterial, makeProjects, makeReferences } from './material.mjs'
import { doubling } from './doubling.mjs'
import { compare, compareProcessorTime, peakMemory } from './measure.mjs'
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

function start() {
  const commands = [
    { name: 'node -e 0', shell: 'node -e 0' },
    {
      name: 'flagadm --version',
      shell: `${flagadm} --version`,
      goal: 'at most 1.6 on Node 20, 2.0 on 24',
    },
    { name: 'flagadm --help', shell: `${flagadm} --help` },
  ]
  compare('Start', commands, { runs: 40 })
}

function oneRequest(env) {
  const usage = `${flagadm} feature usage some-flag --json`
  const commands = [
    { name: 'node:http script', shell: `node ${here('get-with-http.cjs')}` },
    { name: 'flagadm feature usage --json', shell: usage, goal: 'at most 2.3' },
  ]
  compare('One request', commands, { runs: 40, env })
}

function manyFlags(env) {
  const count = 1000
  const usage = `${flagadm} feature usage $(seq -f flag-%g ${count}) --json`
  const path = `${env.FLAGADM_BASE_URL}/api/admin/client-metrics/features/flag-%g`
  const curl = `xargs -P8 -n1 curl -s -H "Authorization: $FLAGADM_API_KEY"`
  const commands = [
    { name: 'flagadm feature usage --json', shell: usage },
    { name: 'xargs -P8 -n1 curl', shell: `seq -f ${path} ${count} | ${curl}`, goal: 'at least 5' },
  ]
  compare(`${count} flags`, commands, { runs: 5, env })
  peakMemory('flagadm', usage, { env, goal: 'under 150 MB' })
}

function hourlyUsage(env) {
  const url = `${env.FLAGADM_BASE_URL}/api/admin/client-metrics/features/flag-[1-100]/raw?hoursBack=48`
  const usage = `${flagadm} feature usage $(seq -f flag-%g 100) --since 48h`
  const commands = [
    {
      name: 'curl, one connection',
      shell: `curl -s -H "Authorization: $FLAGADM_API_KEY" '${url}'`,
    },
    { name: 'flagadm feature usage --since 48h', shell: usage, goal: 'at most 2' },
  ]
  compare('100 flags, 10 applications, 2 environments, 48 hours', commands, { runs: 11, env })
  peakMemory('flagadm', usage, { env, goal: 'under 150 MB' })
}

function days(env) {
  const usage = `${flagadm} feature usage --all-projects --since`
  const commands = [
    { name: 'flagadm feature usage --since 48h', shell: `${usage} 48h` },
    { name: 'flagadm feature usage --since 90d', shell: `${usage} 90d`, goal: 'at most 3' },
  ]
  compare('500 flags, hours and days', commands, { runs: 3, env })
  peakMemory('flagadm', `${usage} 90d`, { env, goal: 'under 150 MB' })
}

function review(env) {
  const usage = `${flagadm} feature usage --all-projects --since 48h`
  const review = `${flagadm} feature review --all-projects --since 48h`
  const commands = [
    { name: 'flagadm feature usage --since 48h', shell: usage },
    { name: 'flagadm feature review --since 48h', shell: review, goal: 'at most 1.4' },
    { name: 'flagadm feature review -o html', shell: `${review} -o html`, goal: 'at most 1.4' },
  ]
  compare('500 flags in 40 projects', commands, { runs: 3, env })
  peakMemory('feature usage', usage, { env, goal: 'under 150 MB' })
  peakMemory('feature review', review, { env, goal: 'under 150 MB' })
  peakMemory('feature review -o html', `${review} -o html`, { env, goal: 'under 150 MB' })
}

/** The references of 40 repositories, with 10,000 places of 300 flags each. */
function references(env) {
  const { folder, remove } = makeReferences(env.FLAGADM_BASE_URL, 40)
  const review = `${flagadm} feature review $(seq -f flag-%g 300) --all-projects --since 48h --json`
  const all = `${review} --references-from ${folder}/*.json`
  const commands = [
    { name: 'flagadm feature review', shell: review },
    { name: 'with --references-from', shell: all, goal: 'at most 1 s more' },
  ]
  compareProcessorTime('300 flags and 40 repositories', commands, { runs: 5, env })
  peakMemory('feature review', review, { env, goal: '' })
  peakMemory('with --references-from', all, { env, goal: 'under 150 MB' })
  remove()
}

function largeDocument(env) {
  const url = `${env.FLAGADM_BASE_URL}/api/admin/client-metrics/features/records-100000`
  const tsv =
    '.lastHourUsage[] | [.featureName, .appName, .environment, .timestamp, .yes, .no] | @tsv'
  const formats = ['jsonl', 'csv', 'openmetrics'].map((format) => ({
    name: `flagadm -o ${format}`,
    shell: `${flagadm} feature usage records-100000 -o ${format}`,
    goal: 'at most 1.10',
  }))
  const jq = { name: 'curl | jq to TSV', shell: `curl -s ${url} | jq -r '${tsv}'` }
  compare('100,000 records', [jq, ...formats], { runs: 5, env })
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
  const reads = [
    { name: 'settings get of one project', shell: `${flagadm} project settings get team0` },
    {
      name: 'plan of 60 unchanged projects',
      shell: `${flagadm} project settings plan -f ${join(folder, 'open')}`,
      goal: 'at most 3',
    },
  ]
  compare('Settings', reads, { runs: 10, env })
  const both = (command) => `for mode in protected open; do ${command}; done`
  const set = `${flagadm} project settings set team$i --mode $mode`
  const apply = `${flagadm} project settings apply --yes -f ${folder}/$mode`
  const loop = both(`for i in $(seq 0 59); do ${set}; done`)
  const writes = [
    { name: 'apply', shell: both(apply) },
    { name: 'a shell loop of set', shell: loop, goal: 'at least 4' },
  ]
  compare('60 projects changed twice', writes, { runs: 2, env })
  stop()
}

const rule = "--pattern '(?:feat|fix)-[a-z0-9-]+'"

function naming(folder) {
  const one = [
    { name: 'flagadm --version', shell: `${flagadm} --version` },
    { name: 'flagadm naming lint', shell: `${flagadm} naming lint ${rule}`, goal: 'at most 2.4' },
  ]
  compare('A harmless rule', one, { runs: 40 })
  const names = join(folder, 'names.txt')
  const check = `${flagadm} naming check --names-from ${names} ${rule} -o jsonl`
  const names1M = [
    { name: 'minimal Node script', shell: `node ${here('check-names.mjs')} ${names}` },
    { name: 'flagadm naming check', shell: check, goal: 'at most 2' },
    { name: 'grep -vP', shell: `grep -vP '^(?:feat|fix)-[a-z0-9-]+$' ${names}` },
  ]
  compare('A million names, 2 % failing', names1M, { runs: 5 })
  peakMemory('flagadm', check, { goal: 'under 150 MB' })
}

function scan(folder) {
  const tree = join(folder, 'tree')
  const source = join(tree, 'src')
  const commands = [
    { name: 'minimal Node script', shell: `node ${here('scan-files.mjs')} ${source}` },
    {
      name: 'flagadm naming check --scan',
      shell: `cd ${tree} && ${flagadm} naming check --scan . ${rule}`,
      goal: 'at most 3',
    },
    { name: 'grep -rF', shell: `grep -rFl "'feat-flag-77'" ${source}` },
  ]
  compare('6,000 source files, 2 % with a lookup, and 5,000 ignored ones', commands, { runs: 5 })
  knownNames(folder, tree)
  const references = `cd ${tree} && ${flagadm} feature references --scan .`
  const branch = [
    { name: 'flagadm feature references', shell: references },
    {
      name: 'feature references --added-since',
      shell: `${references} --added-since HEAD`,
      goal: 'at most 1.6',
    },
  ]
  compare('The same files, and what a branch has added', branch, { runs: 15 })
  const wide = `cd ${join(folder, 'wide')} && ${flagadm} feature references --scan .`
  compare('50,000 source files', [{ name: 'flagadm', shell: wide, goal: '4 s' }], { runs: 2 })
  peakMemory('flagadm', `sh -c '${wide}'`, { goal: 'under 200 MB' })
  const dense = `sh -c 'cd ${join(folder, 'dense')} && ${flagadm} feature references --scan .'`
  const lookups = { name: 'flagadm', shell: dense, goal: 'at most 40 s' }
  compareProcessorTime('42,000 source files with lookups', [lookups], { runs: 1 })
  peakMemory('flagadm', dense, { goal: 'under 400 MB' })
}

/** 300 known names, in processor time, because git searches on all cores. */
function knownNames(folder, tree) {
  const names = join(folder, 'flags.txt')
  const references = `${flagadm} feature references --scan . --names-from ${names} -o names`
  const commands = [
    { name: 'git grep -F -f', shell: `git -C ${tree} grep -nF -f ${names}` },
    {
      name: 'flagadm feature references --names-from',
      shell: `sh -c 'cd ${tree} && ${references}'`,
      goal: 'at most 2 ×',
    },
  ]
  compareProcessorTime('300 known names in the same files', commands, { runs: 5 })
}

start()
const { env, stop } = await startServer()
oneRequest(env)
manyFlags(env)
hourlyUsage(env)
days(env)
review(env)
references(env)
largeDocument(env)
stop()
const { folder, remove } = makeMaterial()
await settings(folder)
naming(folder)
scan(folder)
await page(folder, startSandbox)
await doubling(folder, { start: startSandbox, serve: startServer })
remove()
