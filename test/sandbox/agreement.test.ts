import { afterAll, beforeAll, describe } from 'vitest'
import type { Seed } from '../../src/sandbox/seed.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts'
import { testAgreement, testSpecification } from '../service/agreement.ts'
import { hostileApplications, hostileFlag } from '../service/cases/applications.ts'
import {
  enabledFlag,
  misspeltReports,
  project,
  flags as readFlags,
  reports,
} from '../service/cases/history.ts'
import { storedOf, type Target } from '../service/cases/target.ts'
import { evaluations, usedFlag } from '../service/cases/usage.ts'
import { flagadm } from '../support/flagadm.ts'

const seed: Seed = {
  projects: [
    { id: 'default', mode: 'open' },
    { id: project, name: 'Reads', mode: 'open' },
  ],
  flags: [
    {
      name: usedFlag,
      project: 'default',
      usage: [...evaluations],
      seenApplications: ['mobile-ios', 'web-shop'],
    },
    {
      name: hostileFlag,
      project: 'default',
      usage: hostileApplications.map((appName) => {
        return { appName, environment: 'development', yes: 1, no: 0 }
      }),
      seenApplications: [...hostileApplications],
    },
    { name: 'some-flag', project: 'default', usage: [], seenApplications: [] },
    { name: 'old-flag', project: 'default', usage: [], seenApplications: [] },
    ...readFlags.map((name) => {
      const usage = reports.filter(({ flag }) => flag === name).map(({ flag, ...row }) => row)
      const environments = ['development', 'production'].map((environment) => {
        return { name: environment, enabled: name === enabledFlag && environment === 'development' }
      })
      return { name, project, usage, environments, seenApplications: [] }
    }),
  ],
  unknownFlags: misspeltReports.map(({ flag, appName, environment }) => {
    return { name: flag, appName, environment }
  }),
}

const started: Sandbox[] = []

async function start(specOnly: boolean): Promise<Sandbox> {
  const sandbox = await startSandbox({
    host: '127.0.0.1',
    port: 0,
    seed,
    frozen: false,
    specOnly,
    now: Date.now,
    log: () => {},
  })
  started.push(sandbox)
  return sandbox
}

afterAll(() => Promise.all(started.map((sandbox) => sandbox.close())))

function targetOf({ url, keys, project }: Sandbox): Target {
  return {
    kind: 'sandbox',
    url,
    keys: { full: keys.full, limited: keys.none },
    run: (argv, env) => flagadm(argv, { env }),
    async stored() {
      const stored = project('default')
      if (!stored) throw new Error('the project default is gone')
      return storedOf(stored)
    },
  }
}

describe('the sandbox', () => {
  let target: Target
  beforeAll(async () => {
    target = targetOf(await start(false))
  })
  testAgreement(() => target)
})

describe('the sandbox with specOnly', () => {
  let target: Target
  beforeAll(async () => {
    target = targetOf(await start(true))
  })
  testSpecification(() => target)
})
