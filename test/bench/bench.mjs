import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { compare } from './measure.mjs'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const flagadm = `node ${here('../../bin/flagadm.js')}`

async function startServer() {
  const server = spawn('node', [here('server.mjs')], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [port] = await once(server.stdout, 'data')
  return { url: `http://127.0.0.1:${`${port}`.trim()}`, stop: () => server.stdin.end() }
}

const server = await startServer()
const env = { FLAGADM_BASE_URL: server.url, FLAGADM_API_KEY: '*:*.bench' }
const path = `${server.url}/api/admin/client-metrics/features`

compare(
  'Start',
  [
    { name: 'node -e 0', shell: 'node -e 0' },
    { name: 'flagadm --version', shell: `${flagadm} --version`, goal: 'at most 1.20' },
    { name: 'flagadm --help', shell: `${flagadm} --help` },
  ],
  { runs: 40 },
)

compare(
  'One request',
  [
    { name: 'node:http script', shell: `node ${here('get-with-http.mjs')}` },
    {
      name: 'flagadm feature usage --json',
      shell: `${flagadm} feature usage some-flag --json`,
      goal: 'at most 1.65',
    },
    {
      name: 'global fetch script',
      shell: `node ${here('get-with-fetch.mjs')}`,
      goal: 'slower than flagadm on Node 20',
    },
  ],
  { runs: 40, env },
)

const names = (count) => `seq -f flag-%g ${count}`
const curl = (count) =>
  `seq -f ${path}/flag-%g ${count} | xargs -P8 -n1 curl -s -H "Authorization: $FLAGADM_API_KEY"`
compare(
  '500 flags',
  [
    {
      name: 'flagadm feature usage --json',
      shell: `${flagadm} feature usage $(${names(500)}) --json`,
    },
    { name: 'xargs -P8 -n1 curl', shell: curl(500), goal: 'at least 4' },
  ],
  { runs: 5, env },
)

server.stop()
