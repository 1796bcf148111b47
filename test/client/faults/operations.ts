import { someUsage } from '../../support/server.ts'

interface Run {
  argv: readonly string[]
  path: string
  /** What errors concern: at the beginning of the text form's line, and in the JSON form. */
  subject: { text: string; json: object }
  /** What a success prints. */
  text: string
  json: string
}

/** The operations of the specification, and their success with a service that answers `someUsage`. */
export const operations = {
  'project settings set': {
    argv: ['project', 'settings', 'set', 'default', '--mode', 'private'],
    path: '/api/admin/projects/default/settings',
    subject: { text: 'project default: ', json: { projectId: 'default' } },
    text: 'Updated project default on http://service\n  mode         private\n',
    json: '{"projectId":"default","baseUrl":"http://service","dryRun":false,"settings":{"mode":"private"}}\n',
  },
  'feature usage': {
    argv: ['feature', 'usage', 'some-flag'],
    path: '/api/admin/client-metrics/features/some-flag',
    subject: { text: 'some-flag: ', json: { featureName: 'some-flag' } },
    text: `Usage on http://service

some-flag (since 16:00 UTC, schema version 1, maturity stable)

Application  Environment  Enabled  Disabled  Total              Share  Variants       Reported
───────────────────────────────────────────────────────────────────────────────────────────────────────
web          production         3         1      4  ████████░░  75.0%  blue 2, red 1  2026-11-20 16:00Z
───────────────────────────────────────────────────────────────────────────────────────────────────────
Total                           3         1      4  ████████░░  75.0%

Seen by: web
`,
    json: `${JSON.stringify(someUsage)}\n`,
  },
} satisfies Record<string, Run>

export type Operation = keyof typeof operations
