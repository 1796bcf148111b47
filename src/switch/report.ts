// What became of flags that were switched, and the way back.
import { FlagadmError, problemText } from '../errors.ts'
import { hasEnabledStrategy, strategyText } from '../flags/strategies.ts'
import { groupBy } from '../groups.ts'
import { nameWords, shellCommand } from '../shell.ts'
import { counted, listed } from '../output/incomplete.ts'
import type { Line } from '../output/text.ts'
import type { ChangeReport, Outcome } from '../requests/change.ts'
import type { Written } from '../requests/write.ts'
import type { ShownService } from '../service/connection.ts'
import { nameOf, type Place } from './places.ts'
import type { Situation, StateOf } from './situation.ts'
import type { State, SwitchPart } from './steps.ts'

/** What became of a flag in an environment. */
type Status =
  | State
  | 'unchanged'
  | 'failed'
  | 'unknown'
  | 'skipped'
  | 'left'
  | 'refused'
  | 'pending'

interface PlaceReport {
  place: Place
  status: Status
  reason?: string | undefined
  /** The strategies that the service has added. */
  added: readonly string[]
}

export interface SwitchedFlags {
  state: State
  projectId: string
  places: readonly Place[]
  parts: readonly SwitchPart[]
  /** What flags do now, if that was read. */
  situation: Situation | undefined
  /** The options that choose the service, for commands. */
  service: readonly string[]
}

type Results = readonly Written<readonly Place[]>[]

const EARLIER_FAILURE = 'not sent, because an earlier request failed'
const CHANGED = 'changed since the question'

/** The strategies of a place that it did not have before. */
function addedTo({ strategies }: Place, now: Place | undefined): string[] {
  const before = new Set(strategies.map((one) => JSON.stringify(one)))
  const added = now?.strategies.filter((one) => !before.has(JSON.stringify(one))) ?? []
  return added.map((one) => strategyText(one, new Map()))
}

/** What became of a place that a request was for. */
function sentReport(
  place: Place,
  state: State,
  { left }: SwitchPart,
  { status, now, error }: Written<readonly Place[]>,
): PlaceReport {
  const why = left.get(place)
  if (why) {
    const reason = why === 'failure' ? EARLIER_FAILURE : CHANGED
    return { place, status: 'left', reason, added: [] }
  }
  if (status === 'unchanged') return unchangedReport(place, state)
  const current = now?.find(({ flag }) => flag === place.flag)
  if (current?.isOn === (state === 'on')) {
    return { place, status: state, added: addedTo(place, current) }
  }
  const reason = error && problemText(error)
  return { place, status: status === 'changed' ? 'failed' : status, reason, added: [] }
}

function unchangedReport(place: Place, state: State): PlaceReport {
  return { place, status: 'unchanged', reason: `${state} already`, added: [] }
}

function reportsOf(
  { state, places, parts, situation }: SwitchedFlags,
  results: Results,
  isRefused: boolean,
): PlaceReport[] {
  return places.map((place) => {
    const index = parts.findIndex((part) => part.places.includes(place))
    const part = parts[index]
    if (!part) return unchangedReport(place, state)
    const written = results[index]
    if (written) return sentReport(place, state, part, written)
    return {
      place,
      status: isRefused ? 'refused' : 'pending',
      reason: situation?.textOf(place),
      added: [],
    }
  })
}

/** `checkout-pay in production: switched off` */
function reportLine({ place, status, reason, added }: PlaceReport): Line {
  const { flag, environment } = place
  if (status === 'pending') return [{ bold: flag }, `: ${reason ?? `in ${environment}`}`]
  const isSwitched = status === 'on' || status === 'off'
  const styled = isSwitched ? { green: `switched ${status}` } : { magenta: status }
  const texts = [
    ...(reason === undefined ? [] : [`: ${reason}`]),
    ...added.map((text) => `; Unleash added ${text}`),
  ]
  return [{ bold: flag }, ` in ${environment}: `, styled, ...texts]
}

/** `Flags that need it on evaluate to off as well: gift-cards`; without those that are known to be off already. */
export function dependentLines(
  state: State,
  places: readonly Place[],
  isOn: StateOf = () => undefined,
): Line[] {
  if (state === 'on') return []
  const switched = new Set(places.map(({ flag }) => flag))
  const on = new Set<string>()
  const open = new Set<string>()
  for (const { dependents, environment } of places) {
    for (const name of dependents) {
      const isOnThere = switched.has(name) ? false : isOn(name, environment)
      if (isOnThere) on.add(name)
      else if (isOnThere === undefined) open.add(name)
    }
  }
  const lines: Line[] = []
  const what = 'Flags that need it on evaluate to off as well'
  if (on.size > 0) lines.push([`${what}: ${listed([...on])}`])
  if (open.size > 0) lines.push([`${what}, where they are on: ${listed([...open])}`])
  return lines
}

/** The commands that switch flags back: one for environments with the same flags. */
function undoCommands(
  { state, projectId, service }: SwitchedFlags,
  switched: readonly PlaceReport[],
): string[] {
  const byEnvironment = groupBy(switched, ({ place }) => place.environment)
  const commands = Array.from(byEnvironment, ([environment, reports]) => {
    return { environment, names: nameWords(reports.map(({ place }) => place.flag)) }
  })
  const opposite = state === 'on' ? 'off' : 'on'
  const groups = groupBy(commands, ({ names }) => names.join(' '))
  return Array.from(groups.values(), (group) => {
    const places = group.flatMap(({ environment }) => ['-e', environment])
    const words = ['flagadm', 'feature', opposite, ...service, '--project', projectId, ...places]
    return shellCommand([...words, ...group[0].names])
  })
}

/** What the way back does not restore, as sentences. */
function lossesOf(state: State, switched: readonly PlaceReport[]): string[] {
  const bare = switched.filter(({ place }) => !hasEnabledStrategy(place)).map(({ place }) => place)
  const names = listed(bare.map(nameOf))
  if (bare.length === 0) return []
  return state === 'off'
    ? [`No strategy was enabled, so switching on again would add one: ${names}`]
    : [`Switching off does not remove the added strategy: ${names}`]
}

/** The error for places that have changed since the question; undefined without any. */
export function leftError(parts: readonly SwitchPart[]): FlagadmError | undefined {
  const changed = parts.flatMap(({ left }) =>
    Array.from(left).flatMap(([place, why]) => (why === 'change' ? [place] : [])),
  )
  if (changed.length === 0) return undefined
  const what = `${counted(changed.length, 'flag')} left as is, because of changes since the question: ${listed(changed.map(nameOf))}`
  return new FlagadmError('checkFailed', what, {
    names: changed.map(({ flag }) => flag),
    hint: 'run it again',
  })
}

/** What a run prints about flags that were switched. */
export function switchReport(
  { baseUrl, target }: ShownService,
  flags: SwitchedFlags,
  { isDryRun, requests, results, error }: Outcome<readonly Place[]>,
): ChangeReport {
  const { state, projectId } = flags
  const isRefused = error !== undefined && results.length === 0
  const reports = reportsOf(flags, results, isRefused)
  const switched = reports.filter(({ status }) => status === state)
  const pending = reports.filter(({ status }) => status === 'pending')
  const isRestorable = ({ place }: PlaceReport) => state === 'on' || hasEnabledStrategy(place)
  const undo = undoCommands(flags, switched.filter(isRestorable))
  return {
    warnings: results.flatMap(({ warning }) => warning ?? []),
    json: {
      projectId,
      baseUrl,
      dryRun: isDryRun,
      ...(isDryRun && { requests }),
      flags: reports.map(({ place, status, reason, added }) => {
        const { flag, environment, dependents } = place
        return { flag, environment, status, reason, added, dependents }
      }),
      undo,
    },
    lines: [
      ['project ', { bold: projectId }, ` on ${target}`],
      ...reports.map(reportLine),
      ...dependentLines(
        state,
        [...switched, ...pending].map(({ place }) => place),
        flags.situation?.isOn,
      ),
      ...lossesOf(state, switched).map((text) => [text]),
      ...(undo.length > 0 ? [['To undo:'], ...undo.map((text) => ['  ', { copy: text }])] : []),
    ],
  }
}
