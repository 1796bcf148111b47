import type { UnknownFlags } from '../service/schema.ts'

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
