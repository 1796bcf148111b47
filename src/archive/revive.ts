import { Option } from '@commander-js/extra-typings'
import type { Context, Define } from '../command/context.ts'
import { withExamples } from '../command/options.ts'
import { FlagadmError, problemText, refuseUsage } from '../errors.ts'
import { givenNames, refusePatterns } from '../input/names.ts'
import { timeOf } from '../input/time.ts'
import { shellCommand } from '../shell.ts'
import { counted, listed } from '../output/incomplete.ts'
import type { Line } from '../output/text.ts'
import { connect, connectToWrite } from '../profile/connect.ts'
import { serviceOptions } from '../command/service-options.ts'
import { type ChangeReport, makeChange, type Outcome } from '../requests/change.ts'
import type { Written } from '../requests/write.ts'
import type { ShownService } from '../service/connection.ts'
import { readArchiveFile } from './saved-flags.ts'
import { type PlannedFlag, planRevival, type Revival } from './revival.ts'
import { isRestored, type RevivalPart, type RevivalParts, revivalParts } from './revival-steps.ts'

type Names = readonly string[]

/** What became of a flag, one of its dependencies, or one of its environments. */
type Status =
  | 'revived'
  | 'continued'
  | 'restored'
  | 'on'
  | 'unchanged'
  | 'left'
  | 'failed'
  | 'unknown'
  | 'skipped'
  | 'pending'

/** What became of something, and why if it is not as it was. */
interface Result {
  status: Status
  reason?: string | undefined
}

const OFF_BEFORE = 'it was on without an enabled strategy'

/** What became of a part for one of its flags. */
function partResult(
  part: RevivalPart,
  written: Written<Names> | undefined,
  name: string,
  done: Status,
): Result {
  const reason = part.left.get(name)
  if (reason !== undefined) return { status: 'left', reason }
  if (!written) return { status: 'pending' }
  if (isRestored(part, written, name)) return { status: done }
  const { status, error } = written
  if (status === 'unchanged') return { status: 'left', reason: 'someone else has revived it' }
  const failed = status === 'changed' ? 'failed' : status
  return { status: failed, reason: error && problemText(error) }
}

/** The flags, and the requests that restore them. */
interface Restoration extends RevivalParts {
  projectId: string
  planned: readonly PlannedFlag[]
  /** The file with what the flags had, if there is one. */
  file: string | undefined
  /** The flags that were chosen from the file; none for all. */
  chosen: Names
  /** The options that choose the service, for commands. */
  service: readonly string[]
}

/** What the file has of a flag that is only revived. */
function withheldParts({ saved, withheld: reason }: PlannedFlag) {
  const leftOutcome = { status: 'left', reason } as const
  if (reason === undefined) return { dependencies: [], environments: [] }
  return {
    dependencies: saved.dependencies.map(({ feature }) => ({ feature, ...leftOutcome })),
    environments: saved.environments.map((environment) => ({ environment, ...leftOutcome })),
  }
}

const isChanging = ({ action }: PlannedFlag) => action === 'revive' || action === 'continue'

/** What became of a flag and of what it had. */
function flagReport(
  planned: PlannedFlag,
  { parts, positions }: RevivalParts,
  results: readonly Written<Names>[],
) {
  const { name, action, reason, withoutStrategy } = planned
  const withheld = withheldParts(planned)
  const flagParts = (positions.get(name) ?? []).flatMap((position) => {
    const part = parts[position]
    return part ? [{ ...part, position }] : []
  })
  const resultOf = (part: (typeof flagParts)[number], done: Status) => {
    return partResult(part, results[part.position], name, done)
  }
  const ofKind = (kind: RevivalPart['kind']) => flagParts.filter((part) => part.kind === kind)
  const [reviving] = ofKind('flags').map((part) => resultOf(part, 'revived'))
  const others = {
    revive: 'pending',
    continue: 'continued',
    none: 'unchanged',
    leave: 'left',
  } as const
  return {
    flag: name,
    ...(reviving ?? { status: others[action], reason }),
    dependencies: [
      ...ofKind('dependency').map((part) => {
        return { feature: part.target, ...resultOf(part, 'restored') }
      }),
      ...withheld.dependencies,
    ],
    environments: [
      ...withheld.environments,
      ...ofKind('environment').map((part) => {
        return { environment: part.target, ...resultOf(part, 'on') }
      }),
      ...(isChanging(planned) ? withoutStrategy : []).map((environment) => {
        return { environment, status: 'left', reason: OFF_BEFORE } as const
      }),
    ],
  }
}

const good: ReadonlySet<Status> = new Set(['revived', 'restored', 'on'])
const unfinished: ReadonlySet<Written<Names>['status']> = new Set(['failed', 'unknown', 'skipped'])
const plain: ReadonlySet<Status> = new Set(['continued', 'unchanged', 'pending'])

/** `old: revived`; `  production: failed: 403 …` */
function resultLine(what: Line, { status, reason }: Result, pending: string): Line {
  const word = status === 'pending' ? pending : status
  const styled = good.has(status) ? { green: word } : { magenta: word }
  return [...what, ': ', plain.has(status) ? word : styled, ...(reason ? [`: ${reason}`] : [])]
}

function reportLines({
  flag,
  dependencies,
  environments,
  ...result
}: ReturnType<typeof flagReport>): Line[] {
  return [
    resultLine([{ bold: flag }], result, 'revive'),
    ...dependencies.map((one) => resultLine([`  depends on ${one.feature}`], one, 'restore')),
    ...environments.map((one) => resultLine([`  ${one.environment}`], one, 'switch on')),
  ]
}

/** The error of a run that leaves flags, or a part of them, as they are; undefined if it leaves none. */
function leftError({ planned, parts }: Restoration): FlagadmError | undefined {
  const isLeft = (flag: PlannedFlag) => {
    const { dependencies, environments } = withheldParts(flag)
    const isPart = dependencies.length + environments.length > 0
    return (
      flag.action === 'leave' || isPart || (isChanging(flag) && flag.withoutStrategy.length > 0)
    )
  }
  const inPlan = planned.filter(isLeft).map(({ name }) => name)
  const inParts = parts.flatMap(({ left }) => [...left.keys()])
  const names = [...new Set([...inPlan, ...inParts])]
  if (names.length === 0) return undefined
  const all = counted(planned.length, 'flag')
  const what = `${names.length} of ${all} left as is, at least in part: ${listed(names)}`
  return new FlagadmError('partial', what, { names })
}

const NOTHING_RESTORED =
  'every environment of a revived flag is off, and its dependencies are gone; only a file of archive --save-before restores them'

function revivalReport(
  { baseUrl, target }: ShownService,
  restoration: Restoration,
  { isDryRun, requests, results }: Outcome<Names>,
): ChangeReport {
  const { projectId, planned, file, chosen, service } = restoration
  const flags = planned.map((flag) => flagReport(flag, restoration, results))
  const isRevived = flags.some(({ status }) => status === 'revived')
  // Another run would leave again what this one has left: what was changed, or archived again.
  const isUnfinished = results.some(({ status }) => unfinished.has(status))
  const again = shellCommand([
    'flagadm',
    'feature',
    'revive',
    ...service,
    '-f',
    file ?? '',
    ...chosen,
  ])
  return {
    warnings: results.flatMap(({ warning }) => warning ?? []),
    json: {
      projectId,
      baseUrl,
      dryRun: isDryRun,
      ...(isDryRun && { requests }),
      flags,
    },
    lines: [
      ['project ', { bold: projectId }, ` on ${target}`],
      ...flags.flatMap(reportLines),
      ...(isRevived && file === undefined ? [['Every environment is off.']] : []),
      ...(isUnfinished && file !== undefined
        ? [['To try the rest again:'], ['  ', { copy: again }]]
        : []),
    ],
  }
}

/** The flags of a file, or those of some names. @throws a usage error for a name that the file does not have */
async function revivalOfFile(
  context: Context,
  file: string,
  names: readonly string[],
): Promise<Revival> {
  const { service, project: projectId, savedAt, flags } = await readArchiveFile(context, file)
  const unknown = names.filter((name) => flags.every((flag) => flag.name !== name))
  if (unknown.length > 0) {
    refuseUsage(
      `${file} does not have ${listed(unknown)}`,
      'check the names, or use --project without -f',
    )
  }
  const saved = names.length === 0 ? flags : flags.filter(({ name }) => names.includes(name))
  return { projectId, saved, since: timeOf(savedAt), service, chosen: names }
}

/** What to revive: flags of a project, or of a file. @throws a usage error without names and file */
async function requestedRevival(
  context: Context,
  given: readonly string[],
  { project, namesFrom, file }: { project?: string; namesFrom?: string; file?: string },
): Promise<Revival> {
  const names = await givenNames(context, given, namesFrom)
  if (file !== undefined) return revivalOfFile(context, file, names)
  if (names.length === 0) refuseUsage('no flag names given', 'pass names, or a file with -f')
  if (project === undefined) refuseUsage('--project is required with names', 'use --project <id>')
  refusePatterns([project, ...names])
  const saved = names.map((name) => ({
    name,
    dependencies: [],
    environments: [],
    withoutStrategy: [],
  }))
  return { projectId: project, saved, since: undefined, chosen: names }
}

/** Refuses names that are not flags; undefined if there are none. A file may have such names: they are left. */
function refusalOf({ since }: Revival, planned: readonly PlannedFlag[]): FlagadmError | undefined {
  const names = planned.flatMap(({ name, action }) => (action === 'leave' ? [name] : []))
  if (since !== undefined || names.length === 0) return undefined
  const what = `${names.length} of ${counted(planned.length, 'flag')} cannot be revived: ${listed(names)}`
  const others = planned.flatMap(({ elsewhere }) => elsewhere ?? [])
  const hint = others.length > 0 ? others.join('; ') : 'check the names and the project'
  return new FlagadmError('notFound', what, { names, hint })
}

const HELP = `Unleash switches a revived flag off in every environment, and its dependencies are gone since it was archived. With a project and names, revive does only that.

With a file of archive --save-before, of all its flags or of those that are named, it also adds the dependencies again and switches the flags on where they were on, unless they were changed or archived again since the file was written, and except where no strategy is enabled any more: there, Unleash would add one that is on for everyone. A flag whose dependencies cannot be added stays off. Each request is read back. If the run is interrupted, run it again: it does the rest. A flag that is not archived and that someone else has changed since is left as it is (exit code 10).`

export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'json'])
  const file = new Option('-f, --file <file>', 'file of archive --save-before')
  return withExamples(
    command,
    [
      'flagadm feature revive checkout-one-page --project checkout -p sandbox',
      'flagadm feature revive checkout-one-page --project checkout --dry-run',
      'flagadm feature revive -f archived.yaml checkout-one-page',
    ],
    HELP,
  )
    .argument('[name...]', 'names of the flags')
    .option('--project <id>', 'project of the flags')
    .option('--names-from <path>', "file of names, one per line; '-' is standard input")
    .addOption(file.conflicts('project'))
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--dry-run', 'show what would be done and the requests; send nothing')
    .action(async (given, { yes, dryRun, ...options }) => {
      const revival = await requestedRevival(context, given, options)
      const { projectId, since, service } = revival
      const writable = dryRun ? undefined : await connectToWrite(context)
      const connection = writable ?? (await connect(context))
      if (service !== undefined && service !== connection.baseUrl) {
        const what = `${options.file}: the flags are of ${service}, not of ${connection.baseUrl}`
        refuseUsage(what, 'use a profile for that service')
      }
      const planned = await planRevival(connection, revival)
      const command = ['flagadm', 'feature', 'list', '--project', projectId]
      const findOut = { hint: 'to see the flags:', command }
      const all = revivalParts({ connection, projectId, since: since ?? 0, findOut }, planned)
      const restoration = {
        projectId,
        planned,
        ...all,
        file: options.file,
        chosen: revival.chosen,
        service: serviceOptions(context),
      }
      const changing = planned.filter(isChanging)
      const subject = `${counted(changing.length, 'flag')} of project ${projectId}`
      const question = {
        what: `revive ${subject}`,
        reason: `this revives ${subject}`,
        details: planned.flatMap((flag) => reportLines(flagReport(flag, all, []))),
      }
      await makeChange(context, {
        target: connection,
        connection: writable,
        format: format(),
        steps: all.parts.map(({ step }) => step),
        refusal: refusalOf(revival, planned),
        question: yes ? undefined : question,
        concerns: since === undefined && changing.length > 0 ? [NOTHING_RESTORED] : [],
        rereadsFirst: true,
        shortfall: () => leftError(restoration),
        report: (outcome) => revivalReport(connection, restoration, outcome),
      })
    })
}
