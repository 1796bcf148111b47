import { someUsage } from '../../support/server.ts'

interface Success {
  argv: readonly string[]
  /** What a success prints. */
  text: string
  json: string
}

/** The operations of the specification, and their success with a service that answers `someUsage`. */
export const operations = {
  'project settings set': {
    argv: ['project', 'settings', 'set', 'default', '--mode', 'private'],
    text: 'Updated project default on http://service\n  mode         private\n',
    json: '{"projectId":"default","baseUrl":"http://service","dryRun":false,"settings":{"mode":"private"}}\n',
  },
  'feature usage': {
    argv: ['feature', 'usage', 'some-flag'],
    text: `some-flag (since 16:00 UTC, schema version 1, maturity stable)

Application  Environment  Enabled  Disabled  Total              Share  Variants       Reported
───────────────────────────────────────────────────────────────────────────────────────────────────────
web          production         3         1      4  ████████░░  75.0%  blue 2, red 1  2026-11-20 16:00Z
───────────────────────────────────────────────────────────────────────────────────────────────────────
Total                           3         1      4  ████████░░  75.0%

Seen by: web
`,
    json: `${JSON.stringify(someUsage)}\n`,
  },
} satisfies Record<string, Success>

export type Operation = keyof typeof operations
