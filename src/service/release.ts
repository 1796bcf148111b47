// The release of a service, and what it lacks.
import { FlagadmError } from '../errors.ts'
import type { UiConfig } from './schema.ts'

export interface Release {
  /** Undefined if it cannot be compared with others. */
  version: string | undefined
  edition: string | undefined
}

export interface Capability {
  /** The words after "has no": `list of unknown names`. */
  noun?: string
  /** The first version that has it. */
  since?: string
  /** The editions, as the service reports them, that do not have it. */
  missingIn?: readonly string[]
  /** What works instead: a hint. */
  instead?: string
}

export const capabilities = {
  projectSettings: {
    noun: 'mode and naming rule of projects',
    since: '5.6',
  },
  linkTemplates: {
    noun: 'link templates',
    since: '7.0',
  },
} as const satisfies Record<string, Capability>

export function releaseOf({ version, environment }: UiConfig): Release {
  const isComparable = version && /^\d+\.\d+/.test(version)
  return { version: isComparable ? version : undefined, edition: environment ?? undefined }
}

/** Whether a release is known to be older than a version, such as `7.2`. */
function isBefore({ version }: Release, since: string): boolean {
  if (version === undefined) return false
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10))
  const [sinceMajor = 0, sinceMinor = 0] = since.split('.').map(Number)
  return major < sinceMajor || (major === sinceMajor && minor < sinceMinor)
}

/** Which release has what this one lacks: `since 7.2`, `an Enterprise feature`; undefined if it lacks nothing. */
export function lackText(release: Release, { since, missingIn }: Capability): string | undefined {
  const reasons = [
    since !== undefined && isBefore(release, since) && `since ${since}`,
    missingIn?.includes(release.edition ?? '') && 'an Enterprise feature',
  ]
  return reasons.filter(Boolean).join(', ') || undefined
}

/** `Unleash 6.10.1 (Open Source)` */
function releaseText({ version, edition }: Release): string {
  return ['Unleash', version, edition && `(${edition})`].filter(Boolean).join(' ')
}

/** The error for something that a release lacks; undefined if it has it, or nothing says otherwise. */
export function lackingError(release: Release, capability: Capability): FlagadmError | undefined {
  const { noun, instead } = capability
  const lack = lackText(release, capability)
  if (noun === undefined || lack === undefined) return undefined
  const what = `this service is ${releaseText(release)}, which has no ${noun} (${lack})`
  return new FlagadmError('notFound', what, { hint: instead, isLacking: true, isGeneral: true })
}
