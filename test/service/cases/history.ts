/** The project that these cases read, and its flags. */
export const project = 'reads'
export const flags = ['reads-stopped', 'reads-unused', 'reads-used'] as const
/** The flag that is on in development; all others are off everywhere. */
export const enabledFlag = 'reads-used'

interface Report {
  flag: string
  appName: string
  environment: 'development' | 'production'
  hoursAgo: number
  yes: number
  no: number
  variants?: Record<string, number>
}

const web = { appName: 'web-shop', environment: 'development' } as const
const ios = { appName: 'mobile-ios', environment: 'production' } as const

/** The reports about these flags, with the hour before the current one that they belong to. */
export const reports: readonly Report[] = [
  { flag: 'reads-used', ...web, hoursAgo: 0, yes: 3, no: 1, variants: { blue: 2, green: 1 } },
  { flag: 'reads-used', ...web, hoursAgo: 3, yes: 5, no: 2 },
  { flag: 'reads-used', ...ios, hoursAgo: 47, yes: 7, no: 0 },
  { flag: 'reads-stopped', ...ios, hoursAgo: 30, yes: 4, no: 0 },
]

/** Evaluations of a name that is not a flag. */
export const misspelt = 'reads-misspelt'
export const misspeltReports: readonly Report[] = [
  { flag: misspelt, ...web, hoursAgo: 0, yes: 1, no: 0 },
  { flag: misspelt, ...ios, hoursAgo: 0, yes: 1, no: 0 },
]

/** Spans of raw metrics in hours, as sent, and the number of hour buckets that come back. */
export const spans: readonly [query: string, buckets: number][] = [
  ['?hoursBack=1', 1],
  ['?hoursBack=4', 4],
  ['?hoursBack=48', 48],
  ['?hoursBack=1.5', 2],
  ['?hoursBack=0', 24],
  ['?hoursBack=abc', 24],
  ['', 24],
]

interface RawRecord {
  appName: string
  environment: string
  hoursAgo: number
  yes: number
  no: number
  variants?: Record<string, number>
}

/** The records that a span of the used flag has: each application in each environment, in each hour. */
export function recordsOf(buckets: number): RawRecord[] {
  const reported = reports.filter(
    ({ flag, hoursAgo }) => flag === enabledFlag && hoursAgo < buckets,
  )
  const environments = new Set(reported.map(({ environment }) => environment))
  const applications = new Set(reported.map(({ appName }) => appName))
  return Array.from({ length: buckets }, (_, hoursAgo) => hoursAgo).flatMap((hoursAgo) =>
    [...environments].flatMap((environment) =>
      [...applications].map((appName) => {
        const own = { appName, environment, hoursAgo }
        const report = reported.find(
          (it) =>
            it.appName === appName && it.environment === environment && it.hoursAgo === hoursAgo,
        )
        if (!report) return { ...own, yes: 0, no: 0 }
        const { yes, no, variants = {} } = report
        return { ...own, yes, no, variants }
      }),
    ),
  )
}
