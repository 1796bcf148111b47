import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const bin = fileURLToPath(new URL('../bin/flagadm.js', import.meta.url))

/** Starts the sandbox as a separate process, which logs to our stdout. */
async function startSandbox() {
  const sandbox = spawn(process.execPath, [bin, 'sandbox', '--port', '0', '--frozen', '--json'])
  createInterface({ input: sandbox.stderr }).on('line', (line) => console.log(`  sandbox: ${line}`))
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

async function show(...argv) {
  console.log(`\n$ flagadm ${argv.map(quote).join(' ')}`)
  const child = spawn(process.execPath, [bin, ...argv], { env, stdio: 'inherit' })
  const code = await new Promise((ended) => child.on('close', ended))
  if (code !== 0) console.log(`(exit code ${code})`)
}

console.log(`A sandbox is running at ${baseUrl}; every command below talks to it over HTTP.`)
await show('feature', 'usage', 'checkout-new-basket')
await show('project', 'settings', 'set', 'checkout', '--mode', 'private', '--yes')
const rule = ['--naming-pattern', '(?:checkout|basket)-[a-z-]+', '--naming-example', 'basket-hints']
await show(
  'project',
  'settings',
  'set',
  'checkout',
  '--yes',
  ...rule,
  '--naming-description',
  'area, then words',
)
await show('project', 'settings', 'set', 'checkout', '--naming-pattern', 'checkout-.*|basket-.*')
stop()
