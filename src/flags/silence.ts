// Where no usage is reported. Only where SDKs report is a flag known to be unused.
import { timeOf } from '../input/time.ts'
import type { Incomplete } from '../output/incomplete.ts'
import { DAY_MS, dayText } from '../output/time.ts'
import { latest } from './records.ts'
import type { Flag } from './flag.ts'

/** An environment of a project, and when any flag of the project was last seen or used there. */
export interface Reporting {
  projectId: string
  environment: string
  /** As the service reports it: `production`, `development`, …; undefined if it does not. */
  type: string | undefined
  /** In milliseconds since the epoch; undefined if none ever was, or that is not known. */
  lastReport: number | undefined
  /** Whether the service reports when flags were seen there. */
  isKnown: boolean
}

/** When flags were last seen or used in each environment of each project. */
export class Reports {
  readonly #places = new Map<string, Map<string, Reporting>>()
  /** When a flag of each project was last seen, if the service reports that apart from environments. */
  readonly #sightings = new Map<string, number | undefined>()

  /** @param flags of the lists of projects */
  constructor(flags: Iterable<Flag>) {
    for (const { projectId, environments, lastSeenAt: flagSeenAt } of flags) {
      const sighting = latest([this.#sightings.get(projectId), timeOf(flagSeenAt)])
      this.#sightings.set(projectId, sighting)
      const places = this.#places.get(projectId) ?? new Map<string, Reporting>()
      this.#places.set(projectId, places)
      for (const { name, type, lastSeenAt } of environments) {
        const reportingBefore = places.get(name)
        const lastReport = latest([reportingBefore?.lastReport, timeOf(lastSeenAt)])
        const isKnown = reportingBefore?.isKnown === true || lastSeenAt !== undefined
        places.set(name, { projectId, environment: name, type, lastReport, isKnown })
      }
    }
  }

  /** Usage shows more than a sighting: also that of an environment which the lists do not show as seen. */
  addUse(projectId: string, environment: string, time: number): void {
    const place = this.#places.get(projectId)?.get(environment)
    if (place) place.lastReport = latest([place.lastReport, time])
  }

  /** The ids of the projects from which something was reported since a time. */
  reportingProjects(limit: number): string[] {
    const seen = [...this.#sightings].filter(([, time]) => time !== undefined && time >= limit)
    const places = this.all().filter((place) => !isSilent(place, limit))
    return [...new Set([...seen.map(([id]) => id), ...places.map(({ projectId }) => projectId)])]
  }

  in(projectId: string, environment: string): Reporting | undefined {
    return this.#places.get(projectId)?.get(environment)
  }

  all(): Reporting[] {
    return [...this.#places.values()].flatMap((places) => [...places.values()])
  }
}

/** As long as flags are looked at by default. */
export const SILENCE_MS = 30 * DAY_MS

/** Whether no report since a time is known. */
export const isSilent = ({ lastReport }: Reporting, limit: number) =>
  lastReport === undefined || lastReport < limit

/** Whether people depend on an environment; one of unknown type counts as such. */
export const isProduction = ({ type }: { type?: string | undefined }) =>
  type === undefined || type === 'production'

/** `production of project silent reports no usage since 2026-10-25` */
function silenceText({ projectId, environment, lastReport }: Reporting): string {
  const since = lastReport === undefined ? '' : ` since ${dayText(lastReport)}`
  return `${environment} of project ${projectId} reports no usage${since}`
}

/** What a report lacks because of silence. */
export function silenceGaps(silent: readonly Reporting[]): Incomplete[] {
  return silent.map((place) => ({ message: silenceText(place), names: [] }))
}

/**
 * The environments in which flags are on although nothing was reported since a time.
 * @param listed all flags of their projects
 */
export function silentWhereOn(
  flags: readonly Flag[],
  limit: number,
  listed: Iterable<Flag> = flags,
): Reporting[] {
  const reports = new Reports(listed)
  const on = flags.flatMap(({ projectId, environments }) =>
    environments
      .filter(({ enabled }) => enabled)
      .flatMap(({ name }) => reports.in(projectId, name) ?? []),
  )
  return [...new Set(on)].filter((place) => place.isKnown && isSilent(place, limit))
}
