import { ended, start } from '../../support/binary.ts'
import { environment } from '../../support/flagadm.ts'

/** A project's settings as they can be read back; what holds no text is null. */
export interface Stored {
  mode: string
  pattern: string | null
  example: string | null
  description: string | null
}

/** A service that flagadm is run against: the real one, or the sandbox. */
export interface Target {
  kind: 'service' | 'sandbox'
  url: string
  /** A key with every permission, and one that may do neither operation. */
  keys: { full: string; limited: string }
  /** The settings of the project `default`. */
  stored(): Promise<Stored>
}

/** What both do, or what each does and why that is meant to differ. */
export type Expected<T> = T | { service: T; sandbox: T; because: string }

/** What a target is expected to do. */
export function expectedOf<T extends object>(expected: Expected<T>, { kind }: Target): T {
  return 'because' in expected ? expected[kind] : expected
}

/** Runs the built flagadm against a target. */
export async function run(target: Target, argv: readonly string[], key = target.keys.full) {
  return ended(await start(argv, environment(target.url, key)))
}

/** The headers of a request with the full key. */
export function headersOf({ keys }: Target): Record<string, string> {
  return { Authorization: keys.full, 'Content-Type': 'application/json' }
}

interface Settings {
  mode: string
  featureNaming: Record<'pattern' | 'example' | 'description', string | null>
}

/** Settings in which a text that was cleared is null. */
export function storedOf({ mode, featureNaming }: Settings): Stored {
  const { pattern, example, description } = featureNaming
  return {
    mode,
    pattern: pattern || null,
    example: example || null,
    description: description || null,
  }
}

/** Sends settings for the project `default` with nothing between. */
export function put(target: Target, settings: unknown): Promise<Response> {
  return fetch(`${target.url}/api/admin/projects/default/settings`, {
    method: 'PUT',
    headers: headersOf(target),
    body: JSON.stringify(settings),
  })
}
