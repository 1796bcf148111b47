import type { UnknownFlags } from '../service/schema.ts'

/** A name that SDKs ask for but no flag has, in one application and environment. */
export interface UnknownName {
  name: string
  application: string | null | undefined
  environment: string | null | undefined
  seenAt: string | null | undefined
}

/** The rows of a list of unknown names; a name without reports has one row. */
export function unknownNamesIn({ unknownFlags }: UnknownFlags): UnknownName[] {
  return unknownFlags.flatMap(({ name, lastSeenAt, reports }) => {
    const rows = (reports ?? []).flatMap(({ appName, environments }) =>
      (environments ?? []).map(({ environment, seenAt }) => {
        return { name, application: appName, environment, seenAt }
      }),
    )
    if (rows.length > 0) return rows
    return [{ name, application: null, environment: null, seenAt: lastSeenAt }]
  })
}
