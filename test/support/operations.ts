import type { ServerResponse } from 'node:http'
import { type Operation, operations, requestOf } from '../../src/service/operations.ts'
import type { HttpRequest } from '../../src/service/transport.ts'
import { CANARY } from './flagadm.ts'
import { json, type Received, serve, someUsage, type TestServer } from './server.ts'

/** The request of an operation's example. */
export interface ExampleRequest {
  method: HttpRequest['method']
  path: string
  body: string
}

/** How a command calls an operation, with the example of its entry. */
interface Call {
  /** A command line that calls the operation. */
  argv: readonly string[]
  /** The document that the service returns; undefined for an empty body. */
  document?: object
  /** The subject of the operation's errors: the start of the line, and the fields in JSON. */
  subject: { text: string; json: object }
  /** The output of the command after a success, with the service's address as `http://service`. */
  done: string
  /** For a write: the end of the hint after a failure that does not show whether the change was made. */
  doubt?: string
  /** The output of the command if it reports the failure of the operation on stdout. */
  report?: (failure: { line: string; hint?: string }) => string
}

/** Test data of an operation that a command calls. */
export interface Fixture extends Call {
  request: ExampleRequest
}

const checks = {
  configuration: '✓ http://service; API key from FLAGADM_API_KEY',
  proxy: '— none',
  health: '✓ good',
  token: '✓ admin token',
  version: '✓ 8.2.0, Enterprise',
  permission: '✓ may read usage; change the settings of shop',
  reads: '✓ projects, settings, flags, unknown names, hourly usage',
  usage: '✓ last seen just now in production of default',
}
type Check = keyof typeof checks

/** The report of `profile check` with some lines replaced. */
function checkReport(changed: Partial<Record<Check, string>> = {}): string {
  return Object.entries({ ...checks, ...changed })
    .map(([name, result]) => {
      const [mark, ...message] = result.split(' ')
      return `${mark} ${name.padEnd(13)}  ${message.join(' ')}\n`
    })
    .join('')
}

/**
 * The fixture of an operation that only `profile check` calls.
 * @param start what precedes the failure in its line
 * @param unchecked the checks that need this one
 */
function checkOf(check: Check, unchecked: readonly Check[], start = '') {
  // The last one needs all others.
  const others = Object.fromEntries([...unchecked, 'usage'].map((name) => [name, '— not checked']))
  return {
    argv: ['profile', 'check'],
    subject: { text: '', json: {} },
    done: checkReport(),
    report: ({ line, hint }: { line: string; hint?: string }) =>
      checkReport({
        [check]: `✗ ${start}${line} → ${hint}`,
        ...others,
      }),
  }
}

export const calls = {
  updateProjectSettings: {
    argv: ['project', 'settings', 'set', 'default', '--mode', 'private', '--no-read', '--quiet'],
    subject: { text: 'project default: ', json: { projectId: 'default' } },
    done: 'Updated project default on http://service\n  mode         private\n',
    doubt:
      '; the change may have been made; to see the settings:\n  flagadm project settings get default',
  },
  featureUsage: {
    argv: ['feature', 'usage', 'some-flag'],
    document: someUsage,
    subject: { text: 'some-flag: ', json: { featureName: 'some-flag' } },
    done: `Usage of some-flag on http://service, in the clock hour from 2026-11-20 16:00 UTC

Application  Environment  Enabled  Disabled  Total  Share  Variants
────────────────────────────────────────────────────────────────────────
web          production         3         1      4  75.0%  blue 2, red 1
────────────────────────────────────────────────────────────────────────
Total                           3         1      4  75.0%
`,
  },
  projects: {
    argv: ['project', 'list'],
    document: { projects: [{ id: 'default', name: 'Shop', mode: 'open', featureCount: 2 }] },
    subject: { text: '', json: {} },
    done: `Project  Name  Mode  Flags  Last used
─────────────────────────────────────
default  Shop  open      2  —
`,
  },
  projectOverview: {
    argv: ['project', 'settings', 'get', 'default'],
    document: { mode: 'open', featureNaming: {}, environments: [{ environment: 'staging' }] },
    subject: { text: 'project default: ', json: { projectId: 'default' } },
    done: 'default\n  mode         open\n',
  },
  projectFeatures: {
    argv: ['feature', 'list', '--project', 'default'],
    document: {
      features: [
        {
          name: 'some-flag',
          type: 'release',
          stale: true,
          createdAt: '2026-11-01T08:00:00.000Z',
          environments: [
            { name: 'production', enabled: true, lastSeenAt: '2026-11-20T16:00:00.000Z' },
            { name: 'staging', enabled: false, lastSeenAt: null },
          ],
        },
      ],
    },
    subject: { text: 'project default: ', json: { projectId: 'default' } },
    done: `Flags of project default on http://service

Flag       Type             Age   production  staging
─────────────────────────────────────────────────────
some-flag  release (stale)  19 d  on now      off —

1 flag
`,
  },
  validateFeatureName: {
    argv: ['naming', 'check', 'free', '--pattern', 'f.*', '--available', '--project', 'default'],
    subject: {
      text: 'project default: free: ',
      json: { projectId: 'default', featureName: 'free' },
    },
    done: '✓ 1 name checked: all can be used for new flags\n',
  },
  unknownFlags: {
    argv: ['feature', 'unknown'],
    document: {
      unknownFlags: [
        {
          name: 'sme-flag',
          lastSeenAt: '2026-11-20T16:00:00.000Z',
          reports: [
            {
              appName: 'web',
              environments: [{ environment: 'production', seenAt: '2026-11-20T16:00:00.000Z' }],
            },
          ],
        },
      ],
    },
    subject: { text: '', json: {} },
    done: `Names that SDKs ask for and no flag has, or only an archived one, on http://service

Name      Application  Environment  Last seen
─────────────────────────────────────────────
sme-flag  web          production   just now

1 unknown name
Incomplete: archived flags that SDKs ask for are not known: http://service/api/admin/search/features?archived=IS:true&sortBy=lastSeenAt&sortOrder=desc&limit=100&offset=0 returned no content type instead of JSON
`,
  },
  featureUsageHours: {
    ...checkOf('reads', [], 'hourly usage: '),
    document: { version: 1, maturity: 'stable', data: [] },
  },
  health: {
    ...checkOf('health', ['token', 'permission', 'version', 'reads']),
    document: { health: 'GOOD' },
  },
  user: {
    ...checkOf('token', ['permission', 'version', 'reads']),
    document: {
      user: { username: 'admin', type: 'admin', secret: CANARY },
      permissions: [{ permission: 'UPDATE_PROJECT', project: 'shop' }],
    },
  },
  uiConfig: {
    ...checkOf('version', ['permission', 'reads']),
    document: { version: '8.2.0', environment: 'Enterprise' },
  },
} satisfies { [Name in keyof typeof operations]?: Call }

function requestIn(operation: Operation): ExampleRequest {
  const { parameters = {}, body: example } = operation.example ?? {}
  const names = Array.from(operation.path.matchAll(/(?<=[/=:]):(\w+)/g), ([, name = '']) => name)
  const missing = names.filter((name) => parameters[name] === undefined)
  if (missing.length > 0) {
    const where = `${operation.method} ${operation.path} in src/service/operations.ts`
    throw new Error(`the example of ${where} needs the parameters ${missing.join(', ')}`)
  }
  const { method, path, body = '' } = requestOf(operation, parameters, example)
  return { method, path, body }
}

/** The operations without an entry in `calls`, and why they have none. */
export const uncalled: { [Name in keyof typeof operations]?: string } = {
  archiveFeatures:
    'feature archive reads the flags first; test/archive/archive.test.ts has its tests',
  reviveFeatures: 'feature revive reads the flags first; test/archive/revive.test.ts has its tests',
  addDependency: 'only sent by feature revive; test/archive/revive.test.ts has its tests',
  switchOnFeatures: 'feature on reads the flags first; test/switch/switch.test.ts has its tests',
  switchOffFeatures: 'feature off reads the flags first; test/switch/switch.test.ts has its tests',
  switchOnFeature: 'feature on reads the flag first; test/switch/switch.test.ts has its tests',
  switchOffFeature: 'feature off reads the flag first; test/switch/switch.test.ts has its tests',
  segments: 'only read for strategies that have some; test/switch/switch.test.ts',
  project: 'only read where there is no overview; test/versions.test.ts has its tests',
  archive: 'only read where archived flags cannot be searched; test/versions.test.ts has its tests',
  featureDocument:
    'read together with others; test/review/doubts.test.ts, test/switch/switch.test.ts',
  featureTypes: 'read together with others; test/review/types.test.ts',
  apiTokens: 'only read where an environment is silent; test/review/silence.test.ts',
  statistics: 'only read where nothing is reported; test/review/silence.test.ts',
  searchFeatures: 'only read for names that the lists do not have; test/flags/absences.test.ts',
  archivedFeatures: 'only read for names that the lists do not have; test/flags/absences.test.ts',
  archivedProjectFeatures: 'read together with others; test/flags/absences.test.ts',
  seenArchivedFeatures: 'read together with others; test/usage/unknown.test.ts',
  allArchivedFeatures: 'read together with others; test/flags/absences.test.ts',
  searchEvents: 'read together with others; test/review/doubts.test.ts',
  featureEvents: 'read together with others; test/review/doubts.test.ts',
  projectEvents: 'read together with others; test/history/history.test.ts',
  allEvents: 'read together with others; test/history/history.test.ts',
  oldEvents: 'only read where events cannot be searched; test/history/history.test.ts',
  sharedEvents: 'only read for flags with segments; test/review/doubts.test.ts',
  environmentEvents: 'read together with others; test/review/doubts.test.ts',
}

/** The name, the example and the list entry of each operation, for `test.each`. */
export const examples = Object.entries<Operation>(operations).map(
  ([name, operation]) => [name, requestIn(operation), operation] as const,
)

/** The fixture of an operation. */
export function fixtureOf(name: keyof typeof calls): Fixture {
  return { ...calls[name], request: requestIn(operations[name]) }
}

/** The name, the fixture and the list entry of each operation that a command calls, for `test.each`. */
export const cases = examples.flatMap(([name, request, operation]) => {
  const call = Object.entries<Call>(calls).find(([called]) => called === name)?.[1]
  return call ? [[name, { ...call, request }, operation] as const] : []
})

/** The cases of the operations that change something. */
export const writes = cases.filter(([, , { grants }]) => grants !== undefined)

/** The case of a request; undefined if no command line in `calls` sends it. */
function caseFor(method: string, url: string) {
  return cases.find(([, , operation]) => {
    const pattern = operation.path.replace('?', '\\?').replaceAll(/(?<=[/=:]):\w+/g, '[^/?]+')
    return operation.method === method && new RegExp(`^${pattern}$`).test(url)
  })
}

/** The document that the service returns for a request; undefined for an empty body. */
export function documentFor(method: string, url: string): object | undefined {
  const [, fixture] = caseFor(method, url) ?? []
  return fixture?.document
}

/** Answers a request with the status and the document of its operation. */
export function succeed(response: ServerResponse, { method, url }: Received): void {
  const [, fixture, operation] = caseFor(method, url) ?? []
  const status = operation?.success ?? 200
  if (fixture?.document) json(response, status, fixture.document)
  else response.writeHead(status).end()
}

/** A service that returns the document of each operation's fixture. */
export function serveFixtures(): Promise<TestServer> {
  return serve(succeed)
}

const rule = ['--pattern', '[a-z]+', '--example', 'a', '--description', 'd']
const sandbox = ['-p', 'sandbox']

/** A command line for each command, and the exit code of a run that succeeds. */
export const runs: Record<string, { argv: string[]; code?: number }> = {
  'flagadm api': { argv: ['projects', ...sandbox] },
  'flagadm completion': { argv: ['bash'] },
  'flagadm feature list': { argv: ['--project', 'default', ...sandbox] },
  'flagadm feature references': { argv: ['--scan', '.'] },
  'flagadm feature archive': {
    argv: ['legacy-invoice-export', '--project', 'default', '--dry-run', ...sandbox],
  },
  'flagadm feature revive': {
    argv: ['checkout-one-page', '--project', 'checkout', '--dry-run', ...sandbox],
  },
  'flagadm feature history': { argv: ['--all-projects', ...sandbox] },
  'flagadm feature off': {
    argv: ['checkout-express-pay', '--environment', 'production', '--yes', ...sandbox],
  },
  'flagadm feature on': {
    argv: ['checkout-gift-cards', '--environment', 'production', '--yes', ...sandbox],
  },
  'flagadm feature unknown': { argv: sandbox },
  'flagadm feature review': { argv: ['--project', 'default', ...sandbox] },
  'flagadm feature usage': { argv: ['dark-mode', ...sandbox] },
  'flagadm naming lint': { argv: rule },
  'flagadm naming check': { argv: ['a', ...rule] },
  'flagadm naming diff': { argv: ['--from-pattern', 'a', '--pattern', 'b'] },
  'flagadm doctor': { argv: sandbox },
  'flagadm profile add': {
    argv: ['a', '--base-url', 'https://a.test', '--api-key-env', 'A', '--no-check'],
  },
  'flagadm profile check': { argv: sandbox },
  'flagadm profile list': { argv: [] },
  'flagadm profile remove': { argv: ['staging', '--yes'] },
  'flagadm profile show': { argv: sandbox },
  'flagadm profile use': { argv: ['staging'] },
  'flagadm project list': { argv: sandbox },
  'flagadm project settings get': { argv: ['default', ...sandbox] },
  'flagadm project settings plan': { argv: ['-f', 'flags.yaml', ...sandbox] },
  'flagadm project settings apply': { argv: ['-f', 'flags.yaml', '--yes', ...sandbox] },
  'flagadm project settings export': { argv: ['--all-projects', '--dir', 'flags', ...sandbox] },
  'flagadm project settings set': { argv: ['default', '--mode', 'open', ...sandbox] },
  'flagadm sandbox': { argv: ['--port', '0'], code: 130 },
}
