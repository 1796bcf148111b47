import type { Expected } from './target.ts'

/** The flag that clients evaluate for forty users in two applications and two environments. */
export const usedFlag = 'checkout-used'
export const users = 40

/** The percentage of users for whom it is on. */
export const rollouts = { development: 100, production: 50 } as const

export const evaluations = [
  { appName: 'mobile-ios', environment: 'development', yes: 40, no: 0 },
  { appName: 'mobile-ios', environment: 'production', yes: 17, no: 23 },
  { appName: 'web-shop', environment: 'development', yes: 40, no: 0 },
  { appName: 'web-shop', environment: 'production', yes: 17, no: 23 },
] as const

interface UsageCase {
  name: string
  options: readonly string[]
  /** Each line, with `<time>` for times. */
  report: Expected<readonly string[]>
}

const header = 'flag,application,environment,timestamp,enabled,disabled,variants'

/** Reports of flagadm on these evaluations. */
export const usageCases: readonly UsageCase[] = [
  {
    name: 'all records',
    options: ['-o', 'csv'],
    report: {
      service: [
        header,
        `${usedFlag},,development,<time>,80,0,{}`,
        `${usedFlag},,production,<time>,34,46,{}`,
      ],
      sandbox: [
        header,
        `${usedFlag},mobile-ios,development,<time>,40,0,{}`,
        `${usedFlag},web-shop,development,<time>,40,0,{}`,
        `${usedFlag},mobile-ios,production,<time>,17,23,{}`,
        `${usedFlag},web-shop,production,<time>,17,23,{}`,
      ],
      because: 'the service adds up applications and omits appName, which the specification has',
    },
  },
  {
    name: 'one environment',
    options: ['-o', 'csv', '--environment', 'prod*', '--group-by', 'environment'],
    report: [header, ',,production,<time>,34,46,{}'],
  },
]
