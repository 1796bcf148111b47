// What the service as a whole shows about usage: who could still ask, and whether it got any.
import { timeOf } from '../input/time.ts'
import { optional, type Service } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import { operations } from '../service/operations.ts'
import { tokenKind } from '../service/token.ts'

/** A token of SDKs. Nothing that authenticates is kept. */
interface SdkToken {
  /** The ids of projects; `*` for all. */
  projects: readonly string[]
  environment: string | undefined
  /** When it expires, and when it was last used; in milliseconds since the epoch. */
  expiresAt: number | undefined
  seenAt: number | undefined
}

export interface ServiceFacts {
  /** All tokens of SDKs; undefined if the key may not read them. */
  tokens: readonly SdkToken[] | undefined
  /** Whether these are certainly all: other keys than admin tokens may see only a part. */
  seesAllTokens: boolean
  /** Whether it got usage yesterday; undefined if that is not known. */
  gotUsage: boolean | undefined
}

async function readTokens(service: Service): Promise<SdkToken[] | undefined> {
  const document = await optional(service.read(operations.apiTokens, {}))
  return (
    document?.data.tokens
      // One of a type that a later version adds may be of SDKs.
      .filter(({ type }) => type !== 'admin')
      .map(({ projects, project, environment, expiresAt, seenAt }) => ({
        projects: projects ?? [project ?? '*'],
        environment: environment ?? undefined,
        expiresAt: timeOf(expiresAt),
        seenAt: timeOf(seenAt),
      }))
  )
}

/** Reads the tokens of SDKs and, if no list shows any usage, whether the service got some yesterday. */
export async function readServiceFacts(
  { service, apiKey }: Connection,
  { isSilent }: { isSilent: boolean },
): Promise<ServiceFacts> {
  const tokens = await readTokens(service)
  const statistics = isSilent ? await optional(service.read(operations.statistics, {})) : undefined
  const count = statistics?.data.previousDayMetricsBucketsCount?.enabledCount ?? undefined
  return {
    tokens,
    seesAllTokens: tokenKind(apiKey) === 'admin',
    gotUsage: count === undefined ? undefined : count > 0,
  }
}

/** The tokens with which SDKs may ask for flags of a project in an environment. */
function tokensFor(
  tokens: readonly SdkToken[],
  { projectId, environment }: { projectId: string; environment: string },
  now: number,
): SdkToken[] {
  return tokens.filter((token) => {
    const isValid = token.expiresAt === undefined || token.expiresAt > now
    const isOf = token.projects.includes('*') || token.projects.includes(projectId)
    const isIn = token.environment === environment || token.environment === '*'
    return isValid && isOf && (isIn || token.environment === undefined)
  })
}

/**
 * Whether no SDK can ask for flags of a project in an environment any more. A token that is not used does not end that: an Edge
 * may have lost its connection.
 */
export function isClosed(
  place: { projectId: string; environment: string },
  { tokens, seesAllTokens }: ServiceFacts,
  now: number,
): boolean {
  return seesAllTokens && tokens !== undefined && tokensFor(tokens, place, now).length === 0
}
