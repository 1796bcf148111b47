import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const bin = fileURLToPath(new URL('../bin/flagadm.js', import.meta.url))

/** Starts the sandbox as a separate process. */
async function startSandbox() {
  const args = [bin, 'sandbox', '--port', '0', '--json', '--quiet']
  const sandbox = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  for await (const line of createInterface({ input: sandbox.stdout })) {
    return { ...JSON.parse(line), stop: () => sandbox.kill('SIGINT') }
  }
  throw new Error('the sandbox did not start')
}

const { baseUrl, keys, stop } = await startSandbox()
const env = { ...process.env, FLAGADM_BASE_URL: baseUrl, FLAGADM_API_KEY: keys.full }

function quote(word) {
  return /^[\w./:-]+$/.test(word) ? word : `'${word}'`
}

/** Runs a command, without input so that it can never wait for an answer. */
async function show(title, argv, expected = 0) {
  console.log(`\n${title}\n\n$ flagadm ${argv.map(quote).join(' ')}`)
  const stdio = ['ignore', 'inherit', 'inherit']
  const child = spawn(process.execPath, [bin, ...argv], { env, stdio })
  const code = await new Promise((ended) => child.on('close', ended))
  if (code !== expected) throw new Error(`exit code ${code} instead of ${expected}`)
}

const set = ['project', 'settings', 'set', 'checkout']
const rule = ['--pattern', '(?:checkout|basket)-[a-z-]+', '--example', 'basket-hints']

console.log(`A sandbox runs at ${baseUrl}.
Each command below talks to it over HTTP.`)
try {
  await show('1. Who uses a flag?', ['feature', 'usage', 'dark-mode'])
  await show('2. Which flags can go?', ['feature', 'review', '--project', 'default'])
  await show('3. Change the naming rule of the project:', [...set, ...rule, '--yes'])
  await show(
    `4. A mistake, on purpose: this rule looks right, but it would accept nearly
   every name. flagadm sends nothing and exits with code 2:`,
    [...set, '--pattern', 'checkout-.*|basket-.*'],
    2,
  )
} finally {
  stop()
}
console.log(`
That was all; nothing on your machine was changed. Next:
  npm install -g "$(npm pack --silent)"        install flagadm
  flagadm feature usage dark-mode -p sandbox   use the sandbox without a server
  flagadm profile add                          connect to your own Unleash`)
