import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { patterns } from '../naming/patterns.ts'
import { testAgreement } from './agreement.ts'
import { hostileApplications, hostileFlag } from './cases/applications.ts'
import {
  enabledFlag,
  misspelt,
  misspeltReports,
  project,
  flags as readFlags,
  reports,
} from './cases/history.ts'
import { put, run } from './cases/target.ts'
import { evaluations, rollouts, usedFlag } from './cases/usage.ts'
import { enforcedPatterns, names } from './names.ts'
import {
  createFlag,
  createProject,
  inOneHour,
  read,
  realTarget,
  removeFlags,
  takes,
} from './service.ts'
import { evaluate, report } from './usage.ts'

const storedWithin = 90_000
// The setup and reading usage take at most this long.
const usageWithin = 4 * storedWithin
// The service stores every two minutes which unknown names were evaluated.
const namesStoredWithin = 150_000
const longEnough = { timeout: 180_000 }

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** The applications that the service has seen evaluate a flag. */
async function seenBy(flag: string): Promise<string[]> {
  return (await read(`/api/admin/client-metrics/features/${flag}`)).seenApplications
}

/** Waits until the service has stored something. */
async function until(isStored: () => Promise<boolean>, milliseconds: number): Promise<void> {
  const end = Date.now() + milliseconds
  while (!(await isStored())) {
    if (Date.now() > end) throw new Error('the service does not store what was reported')
    await pause(1_000)
  }
}

/** Waits until the service has stored the reports of this many applications about a flag. */
function reported(flag: string, applications: number): Promise<void> {
  return until(async () => (await seenBy(flag)).length >= applications, storedWithin)
}

describe('the real service', () => {
  beforeAll(async () => {
    await inOneHour(usageWithin)
    await createProject(project, 'Reads')
    for (const flag of readFlags) {
      await createFlag(flag, flag === enabledFlag ? { development: 100 } : {}, project)
    }
    await createFlag(usedFlag, rollouts)
    await createFlag(hostileFlag)
    // The flags in the fixtures of operations.
    await createFlag('some-flag')
    await createFlag('old-flag')
    expect(await evaluate(usedFlag)).toEqual(evaluations)
    for (const application of hostileApplications) await report(hostileFlag, application)
    for (const { flag, appName, ...rest } of [...reports, ...misspeltReports]) {
      await report(flag, appName, rest)
    }
    await reported(usedFlag, 2)
    await reported(hostileFlag, hostileApplications.length)
    await until(async () => {
      const { unknownFlags } = await read('/api/admin/metrics/unknown-flags')
      return unknownFlags.some(({ name }: { name: string }) => name === misspelt)
    }, namesStoredWithin)
  }, 2 * usageWithin)

  testAgreement(realTarget)
})

/** Sets a pattern without flagadm's checks. */
async function setPattern(pattern: string): Promise<void> {
  const response = await put(realTarget(), {
    featureNaming: { pattern, example: '', description: '' },
  })
  expect(response.status).toBe(200)
}

// Other files create flags in the same project.
afterAll(() => setPattern(''))

/** The names that the service accepts for new flags, which are then removed. */
async function taken(tried: readonly string[]): Promise<string[]> {
  const created: string[] = []
  for (const name of tried) if (await takes(name)) created.push(name)
  if (created.length > 0) await removeFlags(created)
  return created
}

/** The names that flagadm accepts. */
async function passing(pattern: string, tried: readonly string[]): Promise<string[]> {
  const options = ['naming', 'check', `--pattern=${pattern}`, '--json', '--', ...tried]
  const { stdout } = await run(realTarget(), options)
  const violations: { name: string }[] = JSON.parse(stdout).violations
  const broken = new Set(violations.map(({ name }) => name))
  return tried.filter((name) => !broken.has(name))
}

describe('naming check agrees with the service on names', longEnough, () => {
  test.each(['', ...enforcedPatterns])('with the pattern %j', async (pattern) => {
    await setPattern(pattern)
    expect(await taken(names)).toEqual(await passing(pattern || '.*', names))
  })
})

const common = 'feat-login Feat-Login zzz a x1 team.flag feat_a a-b ABC-12'.split(' ')

describe('naming lint agrees with the service', longEnough, () => {
  const cases = patterns.filter(([pattern]) => !/ |\\[tsnrfv]/.test(pattern))

  test.each(cases)('on the pattern %j', async (pattern, ...codes) => {
    const { stdout } = await run(realTarget(), ['naming', 'lint', `--pattern=${pattern}`, '--json'])
    const { accepts, rejects, findings } = JSON.parse(stdout)
    await setPattern(pattern)
    if (codes.includes('no-compile')) {
      // The service enforces nothing.
      expect(await taken(common)).toEqual(common)
      return
    }
    expect(await taken([...accepts, ...rejects])).toEqual(accepts)
    expect(await taken(common)).toEqual(await passing(pattern, common))
    for (const { code, witness } of findings) {
      // The witness of `catastrophic` is left out: it would block the service.
      if (code === 'loose-alternation') expect(await taken([witness])).toEqual([witness])
    }
    if (codes.includes('unsatisfiable')) expect(await taken(common)).toEqual([])
    if (codes.includes('matches-everything')) expect(await taken(common)).toEqual(common)
  })
})

describe('beyond the specification, the service', longEnough, () => {
  test('enforces a pattern that older engines do not support', async () => {
    await setPattern('(?i:feat)-[a-z]+')
    expect(await taken(['FEAT-a', 'feat-b', 'fix-a'])).toEqual(['FEAT-a', 'feat-b'])
  })
})
