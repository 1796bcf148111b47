import { environment, type Outcome } from '../../support/flagadm.ts'

/** A project's settings as they can be read back; empty texts are null. */
export interface Stored {
  mode: string
  pattern: string | null
  example: string | null
  description: string | null
}

type Ended = Pick<Outcome, 'stdout' | 'stderr'> & { code: number | null }

/** A service that flagadm is run against: the real one, or the sandbox. */
export interface Target {
  kind: 'service' | 'sandbox'
  url: string
  /** A key with every permission, and one that may call none of the operations. */
  keys: { full: string; limited: string }
  /** The settings of the project `default`. */
  stored(): Promise<Stored>
  /** Runs flagadm in process. */
  run(argv: readonly string[], env: Record<string, string>): Promise<Ended>
}

/** The outcome of both targets, or of each with the reason why they differ. */
export type Expected<T> = T | { service: T; sandbox: T; because: string }

/** The part of an expectation that is for a target. */
export function expectedOf<T extends object>(expected: Expected<T>, { kind }: Target): T {
  return 'because' in expected ? expected[kind] : expected
}

/** Runs flagadm against a target. */
export function run(target: Target, argv: readonly string[], key = target.keys.full) {
  return target.run(argv, environment(target.url, key))
}

/** The headers of a request with the full key. */
export function headersOf({ keys }: Target): Record<string, string> {
  return { Authorization: keys.full, 'Content-Type': 'application/json' }
}

interface Settings {
  mode: string
  featureNaming: Record<'pattern' | 'example' | 'description', string | null>
}

/** The settings of a project, with null for empty texts. */
export function storedOf({ mode, featureNaming }: Settings): Stored {
  const { pattern, example, description } = featureNaming
  return {
    mode,
    pattern: pattern || null,
    example: example || null,
    description: description || null,
  }
}

/** Sends settings for the project `default` without flagadm. */
export function put(target: Target, settings: unknown): Promise<Response> {
  return fetch(`${target.url}/api/admin/projects/default/settings`, {
    method: 'PUT',
    headers: headersOf(target),
    body: JSON.stringify(settings),
  })
}
