import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { evaluations, users } from './cases/usage.ts'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Evaluates a flag with real clients; returns the counts that they report. */
export async function evaluate(flag: string): Promise<unknown> {
  const { url, keys } = inject('service')
  const applications = evaluations.map(({ appName, environment }) => {
    return { appName, environment, key: keys[environment] }
  })
  const work = JSON.stringify({ url, flag, users, applications })
  // In a test environment, the client's timers would keep the process running.
  const env = { ...process.env, NODE_ENV: 'production' }
  const argv = [path('clients.mjs'), work]
  const { stdout } = await promisify(execFile)(path('node_modules/.bin/node'), argv, { env })
  return JSON.parse(stdout)
}

interface Report {
  environment?: 'development' | 'production'
  /** The hour of the evaluation, counted back from the current one. */
  hoursAgo?: number
  yes?: number
  no?: number
  variants?: Record<string, number>
}

const hour = 3_600_000

/** The counts of flags. */
type Toggles = Record<string, Required<Pick<Report, 'yes' | 'no' | 'variants'>>>

/** Reports evaluations of several flags in one hour. */
export async function reportHour(
  appName: string,
  environment: 'development' | 'production',
  hoursAgo: number,
  toggles: Toggles,
): Promise<void> {
  const { url, keys } = inject('service')
  const then = new Date(Date.now() - hoursAgo * hour)
  const response = await fetch(`${url}/api/client/metrics`, {
    method: 'POST',
    headers: { Authorization: keys[environment], 'Content-Type': 'application/json' },
    body: JSON.stringify({
      appName,
      instanceId: 'i',
      bucket: { start: then, stop: then, toggles },
    }),
  })
  if (!response.ok) throw new Error(`the service refuses ${JSON.stringify(appName)}`)
}

/** Reports evaluations of a flag as an application: a single one by default. */
export async function report(
  flag: string,
  appName: string,
  { environment = 'development', hoursAgo = 0, yes = 1, no = 0, variants = {} }: Report = {},
): Promise<void> {
  await reportHour(appName, environment, hoursAgo, { [flag]: { yes, no, variants } })
}
