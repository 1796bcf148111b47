// The requests that switch flags: one for each environment, in the given order. After a failure, no other is sent.
import type { Context } from '../command/context.ts'
import type { Step, WriteRequest, Written } from '../requests/write.ts'
import type { Connection } from '../service/connection.ts'
import { operations } from '../service/operations.ts'
import { explainRefusal } from './change-requests.ts'
import { type Place, readPlaces, type Scope } from './places.ts'

export type State = 'on' | 'off'

export interface Switching extends Scope {
  state: State
  context: Context
  connection: Connection
  /** Whether to read again before sending, because the answer to a question may have taken long. */
  rereads: boolean
}

/** A request, and the places that it switches. */
export interface SwitchPart {
  places: readonly Place[]
  step: Step<readonly Place[]>
  /** Why it was not sent for a place. */
  left: Map<Place, 'failure' | 'change'>
}

const forOne = { on: operations.switchOnFeature, off: operations.switchOffFeature }
const forSeveral = { on: operations.switchOnFeatures, off: operations.switchOffFeatures }

/** The request for a single flag also works before 5.1. */
function requestFor({ projectId, state }: Switching, places: readonly Place[]): WriteRequest {
  const [{ flag: featureName, environment } = { flag: '', environment: '' }] = places
  if (places.length === 1) {
    return { operation: forOne[state], parameters: { projectId, featureName, environment } }
  }
  return {
    operation: forSeveral[state],
    parameters: { projectId, environment },
    body: { features: places.map(({ flag }) => flag) },
  }
}

/** The current state of places in one environment. */
function readAgain(switching: Switching, places: readonly Place[]): Promise<Place[]> {
  const environments = [...new Set(places.map(({ environment }) => environment))]
  const names = places.map(({ flag }) => flag)
  const { context, connection } = switching
  return readPlaces(context, connection, { ...switching, names, environments })
}

/** The flags that are on in only one of two lists. */
function differences(from: readonly Place[], to: readonly Place[]): string[] {
  return from.flatMap(({ flag, isOn }) => {
    const other = to.find((one) => one.flag === flag)
    return other?.isOn === isOn ? [] : [flag]
  })
}

function stepFor(switching: Switching, places: readonly Place[]): Step<readonly Place[]> {
  const isOn = switching.state === 'on'
  return {
    ...requestFor(switching, places),
    stored: {
      noun: 'flags',
      before: places,
      after: places.map((place) => ({ ...place, isOn })),
      read: () => readAgain(switching, places),
      differences,
    },
    explain: explainRefusal,
    findOut: {
      hint: 'to see where flags are on:',
      command: ['flagadm', 'feature', 'list', '--project', switching.projectId],
    },
  }
}

/** Whether a place has changed since the question in a way that matters for the answer. */
function hasChanged(before: Place, now: Place | undefined): boolean {
  if (!now) return true
  return !now.isOn && JSON.stringify(now.strategies) !== JSON.stringify(before.strategies)
}

function partFor(switching: Switching, places: readonly Place[]): SwitchPart {
  const left: SwitchPart['left'] = new Map()
  const step = stepFor(switching, places)
  const prepare = async (earlier: readonly Written<readonly Place[]>[]) => {
    if (earlier.some(({ error }) => error)) {
      for (const place of places) left.set(place, 'failure')
      return undefined
    }
    if (!switching.rereads) return step
    const now = await readAgain(switching, places)
    const open = places.filter((place) => {
      const current = now.find(({ flag }) => flag === place.flag)
      if (hasChanged(place, current)) left.set(place, 'change')
      return !left.has(place) && current?.isOn === place.isOn
    })
    return open.length > 0 ? stepFor(switching, open) : undefined
  }
  return { places, step: { ...step, prepare }, left }
}

/** The requests that switch places which are not so already. */
export function switchParts(switching: Switching, places: readonly Place[]): SwitchPart[] {
  return switching.environments.flatMap((environment) => {
    const placesInEnvironment = places.filter((place) => place.environment === environment)
    return placesInEnvironment.length > 0 ? [partFor(switching, placesInEnvironment)] : []
  })
}
