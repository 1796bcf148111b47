import { environmentsOf, type FlagEnvironment } from '../projects/flags.ts'
import type { ProjectFeatures, UnknownFlags } from '../service/schema.ts'

/** A feature flag of a project. Fields that the service does not report are undefined. */
export interface Flag {
  projectId: string
  name: string
  type: string | undefined
  stale: boolean
  createdAt: string | undefined
  environments: readonly FlagEnvironment[]
}

/** The flags in a project's list. */
export function flagsIn({ features }: ProjectFeatures, projectId: string): Flag[] {
  return features.map((flag) => ({
    projectId,
    name: flag.name,
    type: flag.type ?? undefined,
    stale: flag.stale === true,
    createdAt: flag.createdAt ?? undefined,
    environments: environmentsOf(flag),
  }))
}

/** Whether a list reports when each flag was last seen. Without that, unused flags cannot be found. */
export function reportsSeen({ features }: ProjectFeatures): boolean {
  return features.every(({ environments }) =>
    environments?.every(({ lastSeenAt }) => lastSeenAt !== undefined),
  )
}

/** A name that SDKs ask for but no flag has, in one application and environment. */
export interface UnknownName {
  name: string
  application: string | undefined
  environment: string | undefined
  seenAt: string | undefined
}

/** The rows of a list of unknown names; a name without reports has one row. */
export function unknownNamesIn({ unknownFlags }: UnknownFlags): UnknownName[] {
  return unknownFlags.flatMap(({ name, lastSeenAt, reports }) => {
    const rows = (reports ?? []).flatMap(({ appName, environments }) =>
      (environments ?? []).map(({ environment, seenAt }) => ({
        name,
        application: appName ?? undefined,
        environment: environment ?? undefined,
        seenAt: seenAt ?? undefined,
      })),
    )
    if (rows.length > 0) return rows
    const [application, environment] = [undefined, undefined]
    return [{ name, application, environment, seenAt: lastSeenAt ?? undefined }]
  })
}
