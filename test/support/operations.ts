import { type Operation, type OperationName, operations } from '../../src/service/operations.ts'
import { json, serve, someUsage, type TestServer } from './server.ts'

/** Test data of an operation. Repeats the path, so that a typo in the list of operations is found. */
export interface Fixture {
  /** A command line that calls the operation. */
  argv: readonly string[]
  request: { method: 'GET' | 'PUT'; path: string; body: string }
  /** The document that the service returns; undefined for an empty body. */
  document?: object
  /** What errors of the operation are about: the start of the line, and the fields in JSON. */
  subject: { text: string; json: object }
  /** What the command prints after a success, with the service's address as `http://service`. */
  done: string
  /** How the command ends if the operation fails; undefined if it fails with the operation's error. */
  fallback?: { code: number; stdout: string; stderr: string }
}

// The gate looks up the environment, because no record has it.
const gate = [
  ...['feature', 'usage', 'some-flag', '--expect', 'unused'],
  ...['--environment', 'staging', '--quiet'],
]

const lookup = {
  argv: gate,
  subject: { text: '', json: {} },
  done: 'Usage on http://service\n\n✓ holds: some-flag expected unused; no usage was seen (1 reading)\n',
  fallback: {
    code: 9,
    stdout:
      "Usage on http://service\n\n? inconclusive: some-flag expected unused; unknown environment 'staging' (known: production) (1 reading)\n",
    stderr: 'error: expected unused: holds for 0, fails for 0, inconclusive for 1 of 1 flags\n',
  },
}

export const fixtures: Record<OperationName, Fixture> = {
  updateProjectSettings: {
    argv: ['project', 'settings', 'set', 'default', '--mode', 'private'],
    request: {
      method: 'PUT',
      path: '/api/admin/projects/default/settings',
      body: '{"mode":"private"}',
    },
    subject: { text: 'project default: ', json: { projectId: 'default' } },
    done: 'Updated project default on http://service\n  mode         private\n',
  },
  featureUsage: {
    argv: ['feature', 'usage', 'some-flag'],
    request: { method: 'GET', path: '/api/admin/client-metrics/features/some-flag', body: '' },
    document: someUsage,
    subject: { text: 'some-flag: ', json: { featureName: 'some-flag' } },
    done: `Usage on http://service

some-flag (since 16:00 UTC, schema version 1, maturity stable)

Application  Environment  Enabled  Disabled  Total              Share  Variants       Reported
───────────────────────────────────────────────────────────────────────────────────────────────────────
web          production         3         1      4  ████████░░  75.0%  blue 2, red 1  2026-11-20 16:00Z
───────────────────────────────────────────────────────────────────────────────────────────────────────
Total                           3         1      4  ████████░░  75.0%

Seen by: web
`,
  },
  projects: {
    ...lookup,
    request: { method: 'GET', path: '/api/admin/projects', body: '' },
    document: { projects: [{ id: 'default' }] },
  },
  projectOverview: {
    ...lookup,
    request: { method: 'GET', path: '/api/admin/projects/default/overview', body: '' },
    document: { environments: [{ environment: 'staging' }] },
  },
}

const entries: Readonly<Record<string, Operation>> = operations

/** The name, the fixture and the list entry of each operation, for `test.each`. */
export const cases = Object.entries(fixtures).flatMap(([name, fixture]) => {
  const operation = entries[name]
  return operation ? [[name, fixture, operation] as const] : []
})

/** The document that the service returns for a request; undefined for an empty body. */
export function documentFor(method: string, path: string): object | undefined {
  const isCalled = ({ request }: Fixture) => request.method === method && request.path === path
  return Object.values(fixtures).find(isCalled)?.document
}

/** A service that returns the document of each operation's fixture. */
export function serveFixtures(): Promise<TestServer> {
  return serve((response, { method, url }) => {
    const document = documentFor(method, url)
    return document ? json(response, 200, document) : response.writeHead(200).end()
  })
}
