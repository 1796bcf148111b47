// What `feature on` and `feature off` share.
import type { Command, OptionValues } from '@commander-js/extra-typings'
import type { Context } from '../command/context.ts'
import { collect } from '../command/options.ts'
import { FlagadmError, failureOf, refuseUsage, withHints } from '../errors.ts'
import { hasEnabledStrategy } from '../flags/strategies.ts'
import { givenNames, refusePatterns } from '../input/names.ts'
import { listed } from '../output/incomplete.ts'
import type { Line } from '../output/text.ts'
import { connect, connectToWrite } from '../profile/connect.ts'
import { serviceOptions } from '../command/service-options.ts'
import type { Confirmation } from '../prompts/terminal.ts'
import { makeChange } from '../requests/change.ts'
import type { Service } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import { operations } from '../service/operations.ts'
import { readBypass } from './change-requests.ts'
import { nameOf, type Place, readPlaces, type Scope, subjectText } from './places.ts'
import { dependentLines, leftError, switchReport } from './report.ts'
import { readSituation, type Situation } from './situation.ts'
import { type State, switchParts } from './steps.ts'

export interface SwitchOptions {
  project?: string | undefined
  environment: readonly string[]
  namesFrom?: string | undefined
  addStrategy?: true | undefined
  yes?: true | undefined
  dryRun?: true | undefined
}

export function switchOptions<
  Args extends unknown[],
  Options extends OptionValues,
  Globals extends OptionValues,
>(command: Command<Args, Options, Globals>) {
  return command
    .option('--project <id>', 'project of the flags; of one flag, it is searched for by default')
    .requiredOption(
      '-e, --environment <name>',
      'environment; several are switched in order',
      collect,
    )
    .option('--names-from <path>', "file of names, one per line; '-' is standard input")
    .option('-y, --yes', 'do not ask for confirmation, and do not read usage first')
    .option('--dry-run', 'show what the flags do and the requests; send nothing')
}

const PROJECT = 'use --project <id>'
const WITHOUT_SEARCH = 'with --project <id>, the flag is not searched for'

/**
 * The project of a flag, by one search.
 * @throws a usage error for several flags, `notFound` if there is no such flag
 */
async function findProject(service: Service, names: readonly string[]): Promise<string> {
  const [featureName = ''] = names
  if (names.length > 1) {
    refuseUsage('--project is required with several names', PROJECT)
  }
  const parameters = { featureName, offset: '0' }
  const reading = service.read(operations.searchFeatures, parameters).catch((error) => {
    const failure = failureOf(error)
    throw failure.kind === 'unauthenticated' ? failure : withHints(failure, WITHOUT_SEARCH)
  })
  const { features, total } = (await reading).data
  const project = features.find(({ name }) => name === featureName)?.project
  if (project != null) return project
  const isWhole = total == null || features.length >= total
  const reason = isWhole ? 'no flag has this name' : 'too many flags have names that contain it'
  throw new FlagadmError('notFound', reason, { featureName, hint: `check the name, or ${PROJECT}` })
}

/** What to switch, with whole names. @throws a usage error for patterns, and without names */
async function requestedScope(
  context: Context,
  service: Service,
  given: readonly string[],
  { project, environment, namesFrom }: SwitchOptions,
): Promise<Scope> {
  const names = await givenNames(context, given, namesFrom)
  if (names.length === 0) refuseUsage('no flag names given', 'pass names, or use --names-from')
  refusePatterns([project ?? '', ...environment, ...names])
  const projectId = project ?? (await findProject(service, names))
  return { projectId, names, environments: [...new Set(environment)] }
}

/** Why flags are not switched on: the service would add strategies without being asked. */
function strategyError(places: readonly Place[], { addedIn }: Situation): FlagadmError {
  const names = [...new Set(places.map(({ flag }) => flag))]
  const environments = [...new Set(places.map(({ environment }) => environment))]
  const added = listed([...new Set(environments.map(addedIn))])
  const what = `nothing was switched on: no strategy is enabled for ${listed(places.map(nameOf))}, so Unleash would add one (${added})`
  const hint = 'use --add-strategy if that is wanted'
  return new FlagadmError('checkFailed', what, { names, hint })
}

function questionOf(state: State, changing: readonly Place[], situation: Situation): Confirmation {
  const { textOf, isOn } = situation
  const subject = subjectText(changing)
  const reason = `this switches ${subject} ${state}`
  const below = dependentLines(state, changing, isOn)
  const [only] = changing
  if (only && changing.length === 1) {
    const objection = `${only.flag} is ${textOf(only)}`
    const what = `switch it ${state} in ${only.environment}`
    return { what, objection, reason, details: below }
  }
  const lines = changing.map((place): Line => [{ bold: place.flag }, ` is ${textOf(place)}`])
  return { what: `switch ${state} ${subject}`, reason, details: [...lines, ...below] }
}

/** Notes after a switch without a question what the question would have said about change requests. */
async function noteBypass({ messages }: Context, connection: Connection, id: string) {
  const bypass = await readBypass(connection, id)
  if (bypass !== undefined) messages.note(bypass)
}

/** Switches flags in environments, and reports what became of them. */
export async function switchFlags(
  context: Context,
  state: State,
  given: readonly string[],
  format: 'text' | 'json',
  options: SwitchOptions,
): Promise<void> {
  const { yes, dryRun, addStrategy } = options
  const writable = dryRun ? undefined : await connectToWrite(context)
  const connection = writable ?? (await connect(context))
  const scope = await requestedScope(context, connection.service, given, options)
  const { projectId } = scope
  const places = await readPlaces(context, connection, scope)
  const changing = places.filter(({ isOn }) => isOn !== (state === 'on'))
  const bare = changing.filter((place) => state === 'on' && !hasEnabledStrategy(place))
  const refused = addStrategy ? [] : bare
  const isShown = changing.length > 0 && (dryRun || !yes || refused.length > 0)
  const [situation, bypass] = isShown
    ? await Promise.all([
        readSituation(connection, projectId, changing),
        readBypass(connection, projectId),
      ])
    : []
  const asks = situation !== undefined && !yes
  const refusal = situation && refused.length > 0 ? strategyError(refused, situation) : undefined
  const switching = { ...scope, state, context, connection, rereads: asks }
  const parts = switchParts(switching, changing)
  const service = serviceOptions(context)
  const flags = { state, projectId, places, parts, situation, service }
  let hasSwitched = false
  try {
    await makeChange(context, {
      target: connection,
      connection: writable,
      format,
      steps: parts.map(({ step }) => step),
      refusal,
      question: asks ? questionOf(state, changing, situation) : undefined,
      concerns: bypass === undefined ? [] : [bypass],
      rereadsFirst: false,
      shortfall: () => leftError(parts),
      report: (outcome) => {
        hasSwitched = outcome.results.some(({ status }) => status === 'changed')
        return switchReport(connection, flags, outcome)
      },
    })
  } finally {
    if (yes && hasSwitched) await noteBypass(context, connection, projectId)
  }
}
