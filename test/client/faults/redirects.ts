import { CANARY } from '../../support/flagadm.ts'
import { both, type Fault } from './fault.ts'
import { answer, sends } from './service.ts'

const statuses = [300, 301, 302, 303, 305, 306, 307, 308]

const targets = [
  [
    'elsewhere',
    [`Location: https://${CANARY}@elsewhere.example/${CANARY}`],
    'https://elsewhere.example',
  ],
  ['to another path', ['Location: /login'], 'http://service'],
  ['to a script', ['Location: javascript:alert(1)'], 'javascript:'],
  ['without a target', [], 'an invalid address'],
] as const

function redirect(status: number, [name, headers, target]: (typeof targets)[number]): Fault {
  const message = `http://service/… redirects to ${target}, which is not followed`
  return {
    name: `${status} ${name}`,
    serve: sends(answer(status, headers, '')),
    ends: both({
      exitCode: 8,
      kind: 'unavailable',
      line: `${status}: ${message}`,
      json: { status, message },
      hint: 'set the base URL to the address of the service itself',
      attempts: 1,
    }),
  }
}

/** Every status that redirects, with each kind of target. */
export const redirects = statuses.flatMap((status) =>
  targets.map((target) => redirect(status, target)),
)
