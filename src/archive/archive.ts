import type { Context, Define } from '../command/context.ts'
import { FlagadmError, refuseUsage } from '../errors.ts'
import { givenNames, refusePatterns } from '../input/names.ts'
import { withExamples } from '../command/options.ts'
import { counted, incompleteText, listed } from '../output/incomplete.ts'
import type { Line } from '../output/text.ts'
import { connect, connectToWrite } from '../profile/connect.ts'
import { serviceOptions } from '../command/service-options.ts'
import { type ChangeReport, makeChange, type Outcome } from '../requests/change.ts'
import type { Step, Written } from '../requests/write.ts'
import type { Connection, ShownService } from '../service/connection.ts'
import type { UndoFile } from '../requests/undo-file.ts'
import { operations } from '../service/operations.ts'
import { lackingError } from '../service/release.ts'
import { nameWords, shellCommand } from '../shell.ts'
import { type Loss, readLosses, type Revivable, revivable, savedLosses } from './losses.ts'
import { archiveQuestion, canGo, pendingLine, sentenceLine } from './question.ts'
import { prepareArchiveFile, readSavedFlags, type SavedFlag } from './saved-flags.ts'
import { elsewhereText } from '../flags/absences.ts'
import { checkCodeOptions } from '../review/code-evidence.ts'
import { readFlags, selectFlags } from '../flags/selection.ts'
import { type Candidates, selectCandidates } from '../review/candidates.ts'
import { type ReviewedFlags, reviewFlags, type Row } from '../review/flags.ts'
import {
  codeOptions,
  evidenceCommand,
  type EvidenceOptions,
  usageOptions,
} from '../review/options.ts'
import { going, verdictText } from '../review/verdicts.ts'

/** What became of a flag that was given. */
type Status = 'archived' | 'unchanged' | 'failed' | 'unknown' | 'refused' | 'pending' | 'left'

/** A flag that others need goes only together with them. */
function withMissing(row: Row, names: readonly string[]): Row {
  const missing = row.dependents?.filter((name) => !names.includes(name)) ?? []
  if (!going.has(row.verdict) || missing.length === 0) return row
  const reason = `${listed(missing)} must be archived with it`
  return { ...row, verdict: 'unclear', reasons: [reason, ...row.reasons] }
}

/** The error for flags that are still on. @param command archives them, and saves where they are on */
function stillOnError(
  all: readonly Row[],
  names: readonly string[],
  command: readonly string[],
): FlagadmError {
  const what = `nothing was archived: ${names.length} of ${counted(all.length, 'flag')} ${names.length === 1 ? 'is' : 'are'} still on: ${listed(names)}`
  const hint = 'find out why, or archive with a file that can switch on again:'
  return new FlagadmError('checkFailed', what, { names, hint, command })
}

/** Which projects have the names; undefined if none has one of them. */
function elsewhereHint(rows: readonly Row[]): string | undefined {
  const texts = rows.flatMap(({ name, absence }) => {
    return absence?.elsewhere === undefined ? [] : [elsewhereText(name, absence.elsewhere)]
  })
  return texts.length > 0 ? texts.join('; ') : undefined
}

/** Why nothing is sent; undefined if nothing speaks against it. */
function refusalOf(
  context: Context,
  rows: readonly Row[],
  options: ArchiveOptions,
): FlagadmError | undefined {
  const refused = rows.filter((row) => !canGo(row, options))
  if (refused.length === 0) return undefined
  const names = refused.map(({ name }) => name)
  if (refused.every(({ verdict }) => verdict === 'still-on')) {
    const all = rows.flatMap(({ name, verdict }) => (verdict === 'archived' ? [] : [name]))
    return stillOnError(rows, names, commandWith(context, { ...options, includeOn: true }, all))
  }
  const what = `nothing was archived: ${names.length} of ${counted(rows.length, 'flag')} cannot go: ${listed(names)}`
  const isUnknown = refused.every(({ verdict }) => verdict === 'not-a-flag')
  const kind = isUnknown ? 'notFound' : 'checkFailed'
  const removable = rows.filter((row) => going.has(row.verdict) && canGo(row, options))
  const removableNames = removable.map(({ name }) => name)
  // Without those that are refused, some may need a flag that is not archived any more.
  const others = removable
    .filter((row) => canGo(withMissing(row, removableNames), options))
    .map(({ name }) => name)
  if (others.length === 0) {
    const used = refused.filter(({ verdict }) => verdict === 'in-use').map(({ name }) => name)
    if (used.length > 0) {
      const words = evidenceCommand('review', context, options)
      const command = [...words, '--project', ...options.project, ...nameWords(used)]
      const hint = 'see who still asks, and what is finished, or use --force:'
      return new FlagadmError(kind, what, { names, hint, command })
    }
    const hint = isUnknown
      ? (elsewhereHint(refused) ?? 'check the names and the project')
      : 'archive only removable flags, or use --force'
    return new FlagadmError(kind, what, { names, hint })
  }
  const hint = 'archive only the removable ones (--force archives all):'
  return new FlagadmError(kind, what, {
    names,
    hint,
    command: commandWith(context, options, others),
  })
}

const listCommand = (projectId: string) => ['flagadm', 'feature', 'list', '--project', projectId]

/** The request that archives flags; the list of the project has those that are not archived. */
function archiveStep(
  connection: Connection,
  projectId: string,
  rows: readonly Row[],
  file: UndoFile<SavedFlag> | undefined,
): Step<readonly string[]> {
  const { service } = connection
  const names = rows.map(({ name }) => name)
  // Unknown names cannot be read back.
  const listedRows = rows.filter(({ flag }) => flag)
  const listedNames = listedRows.map(({ name }) => name)
  const stored = {
    noun: 'flags',
    before: listedNames,
    after: [],
    read: async () => {
      const { flags } = await readFlags(service, projectId, true)
      return names.filter((name) => flags.some((flag) => flag.name === name))
    },
    differences: (from: readonly string[], to: readonly string[]) =>
      names.filter((name) => from.includes(name) !== to.includes(name)),
  }
  return {
    operation: operations.archiveFeatures,
    parameters: { projectId },
    body: { features: names },
    stored: listedNames.length > 0 ? stored : undefined,
    undo: file && {
      keep: async () => file.add(await readSavedFlags(connection, projectId, listedRows)),
      drop: () => file.remove(file.entries()),
    },
    findOut: { hint: 'to see the flags that are left:', command: listCommand(projectId) },
  }
}

/** What became of a flag; that of an unknown name is not known even after it was sent. */
function sentStatus({ flag, name }: Row, { status, now }: Written<readonly string[]>): Status {
  // An unchanged list has none of the flags any more, which does not show that they are archived.
  if (!flag || status === 'unknown' || status === 'unchanged') return 'unknown'
  return now && !now.includes(name) ? 'archived' : 'failed'
}

/** Why a flag may go, or what it is otherwise: `off everywhere; …`, `in use: 36 evaluations` */
function stateText(row: Row): string {
  const why = row.reasons.join('; ')
  return canGo(row, {}) ? why : `${verdictText(row.verdict)}: ${why}`
}

/** `legacy-export: archived (off everywhere; …)` */
function resultLine(row: Row, status: Exclude<Status, 'pending'>): Line {
  const styled = status === 'archived' ? { green: status } : { magenta: status }
  return [{ bold: row.name }, ': ', styled, ` (${stateText(row)})`]
}

function resultLines(
  flags: readonly { row: Row; status: Status }[],
  { refusal, wereReasonsShown }: Reviewed,
): Line[] {
  const refused = refusal?.names ?? []
  const others = `because ${listed(refused)} cannot go`
  return flags.map(({ row, status }) => {
    if (status === 'pending') return pendingLine(row)
    const { name, verdict } = row
    if (status !== 'refused' || refused.includes(name)) {
      const line = resultLine(row, status)
      return wereReasonsShown && status === 'archived' ? line.slice(0, -1) : line
    }
    return [
      { bold: name },
      ': ',
      { magenta: 'not archived' },
      `, ${others} (${verdictText(verdict)})`,
    ]
  })
}

/** The flags of a project that were given, and why none of them is archived, if so. */
interface Reviewed {
  project: string
  /** What the file is called; also known in a dry run, which writes none. */
  saveBefore: string | undefined
  /** The file that undoes it, if one is written. */
  file: UndoFile<SavedFlag> | undefined
  flags: readonly Row[]
  /** What the flags have that archiving takes away. */
  losses: readonly Loss[]
  /** Those that have another verdict since the question, by name: they are not sent. */
  changed: ReadonlyMap<string, Row>
  refusal: FlagadmError | undefined
  /** Whether the terminal that gets the report has shown a question with the reasons. */
  wereReasonsShown: boolean
  /** The options that choose the service, for commands. */
  service: readonly string[]
}

function statusesOf(
  { flags, changed, refusal }: Reviewed,
  written: Written<readonly string[]> | undefined,
): { row: Row; status: Status }[] {
  const unsent = refusal ? 'refused' : 'pending'
  return flags.map((row) => {
    if (row.verdict === 'archived') return { row, status: 'unchanged' }
    const current = changed.get(row.name)
    if (current) return { row: current, status: 'left' }
    return { row, status: written ? sentStatus(row, written) : unsent }
  })
}

/** The rows of flags that have another verdict now. */
function changedRows(before: readonly Row[], now: readonly Row[]): Row[] {
  const byName = new Map(now.map((row) => [row.name, row]))
  return before.flatMap((row) => {
    const current = byName.get(row.name) ?? row
    return current.verdict === row.verdict ? [] : [current]
  })
}

/** The error for flags that have another verdict since the question; undefined without any. */
function changedError(changed: ReadonlyMap<string, Row>): FlagadmError | undefined {
  const names = [...changed.keys()]
  if (names.length === 0) return undefined
  const texts = Array.from(
    changed.values(),
    ({ name, verdict }) => `${name} is ${verdictText(verdict)}`,
  )
  const what = `${counted(names.length, 'flag')} left, because the verdict has changed since the question`
  return new FlagadmError('checkFailed', `${what}: ${listed(texts)}`, { names })
}

/** The error for flags of which it is not known whether they are archived; undefined without any. */
function unconfirmedError(
  reviewed: Reviewed,
  written: Written<readonly string[]> | undefined,
): FlagadmError | undefined {
  const sent = written ? statusesOf(reviewed, written) : []
  const names = sent.flatMap(({ row, status }) => (status === 'unknown' ? [row.name] : []))
  if (names.length === 0) return undefined
  const { project } = reviewed
  if (written?.status === 'unchanged') {
    const what = `nothing was sent, because project ${project} does not list ${listed(names)} any more`
    return new FlagadmError('unavailable', what, { names, hint: 'run it again' })
  }
  const [were, them] = names.length === 1 ? ['was', 'it'] : ['were', 'them']
  const what = `it is not known whether ${listed(names)} ${were} archived, because project ${project} does not list ${them}`
  const hint = 'check the name: the service accepts any; to see the flags that are left:'
  return new FlagadmError('unavailable', what, { names, hint, command: listCommand(project) })
}

/** The command that undoes the archiving of flags, as far as that is possible. */
function undoCommand(
  { project, file, service }: Reviewed,
  archived: readonly string[],
): readonly string[] {
  const what =
    file && file.entries().length > 0
      ? ['-f', file.path]
      : ['--project', project, ...nameWords(archived)]
  return ['flagadm', 'feature', 'revive', ...service, ...what]
}

/** What a revival of the archived flags brings back, and what not; of all flags in a dry run, which has warned of the rest. */
function broughtBack(
  { file, saveBefore, losses }: Reviewed,
  archived: readonly string[],
  isDryRun: boolean,
): Revivable {
  if (isDryRun) return revivable(losses, saveBefore)
  const saved = file?.entries() ?? []
  if (saved.length > 0) return revivable(savedLosses(saved), saveBefore)
  return revivable(
    losses.filter(({ name }) => archived.includes(name)),
    undefined,
  )
}

function archiveReport(
  { baseUrl, target }: ShownService,
  reviewed: Reviewed,
  { isDryRun, requests, results }: Outcome<readonly string[]>,
): ChangeReport {
  const { project, file } = reviewed
  const [request] = requests
  const [written] = results
  const flags = statusesOf(reviewed, written)
  const archived = flags.flatMap(({ row, status }) => (status === 'archived' ? [row.name] : []))
  const isSaved = file !== undefined && file.entries().length > 0
  const undo = archived.length > 0 || isSaved ? undoCommand(reviewed, archived) : undefined
  const undoes = isSaved ? 'To undo' : 'To revive'
  const { restored, notRestored } = broughtBack(reviewed, archived, isDryRun)
  const lossOf = new Map(
    reviewed.losses.map(({ name, on, dependsOn }) => [name, { on, dependsOn }]),
  )
  return {
    json: {
      projectId: project,
      baseUrl,
      dryRun: isDryRun,
      ...request,
      flags: flags.map(({ row, status }) => {
        const { name, verdict, reasons } = row
        return { flag: name, status, verdict, reasons, ...lossOf.get(name) }
      }),
      undo: undo && shellCommand(undo),
      restored,
      notRestored,
    },
    lines: [
      ['project ', { bold: project }, ` on ${target}`],
      ...resultLines(flags, reviewed),
      ...(undo === undefined ? [] : [[`${undoes}:`], ['  ', { copy: shellCommand(undo) }]]),
      ...restored.map(sentenceLine),
      // A dry run warns of it.
      ...(isDryRun ? [] : notRestored.map(sentenceLine)),
    ],
  }
}

const FILE_RESTORES = 'with --save-before <file>, feature revive -f <file> restores that'

/** What to consider before flags are archived. */
function concernsOf(losses: readonly Loss[], saveBefore: string | undefined): readonly string[] {
  const { notRestored } = revivable(losses, saveBefore)
  const isAvoidable = notRestored.length > 0 && saveBefore === undefined
  return isAvoidable ? [...notRestored, FILE_RESTORES] : notRestored
}

/**
 * A connection to the service; one for changes unless it is a dry run.
 * @throws an error for a service that cannot archive flags, before it is asked about them
 */
async function connectToArchive(context: Context, isDryRun: boolean) {
  const writable = isDryRun ? undefined : await connectToWrite(context)
  const connection = writable ?? (await connect(context))
  const release = await connection.service.release()
  const lacking = release && lackingError(release, operations.archiveFeatures)
  if (lacking) throw lacking
  return { connection, writable }
}

interface ArchiveOptions extends EvidenceOptions {
  project: [string]
  saveBefore?: string | undefined
  includeOn?: boolean | undefined
  force?: true | undefined
  yes?: true | undefined
  dryRun?: true | undefined
}

/** The same command for some of the flags. */
function commandWith(
  context: Context,
  options: ArchiveOptions,
  names: readonly string[],
): readonly string[] {
  const { saveBefore, includeOn, project, dryRun } = options
  const words = evidenceCommand('archive', context, options)
  const file = saveBefore ?? (includeOn ? `archived-${project[0]}.yaml` : undefined)
  if (includeOn) words.push('--include-on')
  if (file !== undefined) words.push('--save-before', file)
  if (dryRun) words.push('--dry-run')
  return [...words, '--project', ...project, ...nameWords(names)]
}

/** @throws a usage error if flags that are on would be archived without a file that has where */
function checkFile(context: Context, names: readonly string[], options: ArchiveOptions): void {
  if (!options.includeOn || options.saveBefore !== undefined) return
  throw new FlagadmError('usage', '--include-on requires --save-before <file>', {
    hint: 'so that it can be undone:',
    command: commandWith(context, options, names),
  })
}

async function reviewTogether(
  context: Context,
  connection: Connection,
  candidates: Candidates,
  options: ArchiveOptions,
): Promise<ReviewedFlags> {
  const reviewed = await reviewFlags(context, connection, candidates, options)
  const rows = reviewed.rows.map((row) => withMissing(row, candidates.names))
  return { ...reviewed, rows }
}

/** Reviews flags, and archives them if they may go. */
async function archive(
  context: Context,
  names: readonly string[],
  format: 'text' | 'json',
  options: ArchiveOptions,
): Promise<void> {
  const { messages } = context
  const { force, dryRun, yes, saveBefore } = options
  checkCodeOptions(options)
  checkFile(context, names, options)
  const [project] = options.project
  const { connection, writable } = await connectToArchive(context, dryRun === true)
  const file =
    saveBefore === undefined || dryRun
      ? undefined
      : await prepareArchiveFile(context, saveBefore, project, connection)
  const candidates = await selectCandidates(context, connection, names, options)
  const {
    rows: flags,
    incomplete,
    span,
  } = await reviewTogether(context, connection, candidates, options)
  for (const gap of incomplete) if (!gap.isReported) messages.warn(incompleteText(gap))
  const refusal = force ? undefined : refusalOf(context, flags, options)
  const wanted = flags.filter(({ verdict }) => verdict !== 'archived')
  const losses = refusal ? [] : await readLosses(connection, project, wanted)
  const subject = `${counted(wanted.length, 'flag')} of project ${project}`
  const question = archiveQuestion(wanted, losses, subject, span, options)
  const changed = new Map<string, Row>()
  const wereReasonsShown = !yes && context.out.width !== undefined
  const result = { file, flags, changed, refusal, wereReasonsShown }
  const reviewed = { project, saveBefore, losses, service: serviceOptions(context), ...result }
  const step = archiveStep(connection, project, wanted, file)
  // The answer may have taken long, and only what the question was about is sent.
  const prepare = async () => {
    const selection = await selectFlags(context, connection, names, options)
    const again = { ...candidates, selection }
    const { rows } = await reviewTogether(context, connection, again, options)
    for (const row of changedRows(wanted, rows)) changed.set(row.name, row)
    const same = wanted.filter(({ name }) => !changed.has(name))
    return same.length > 0 ? archiveStep(connection, project, same, file) : undefined
  }
  await makeChange(context, {
    target: connection,
    connection: writable,
    format,
    steps: wanted.length > 0 ? [yes ? step : { ...step, prepare }] : [],
    refusal,
    shortfall: ([written]) => changedError(changed) ?? unconfirmedError(reviewed, written),
    question: yes ? undefined : question,
    concerns: concernsOf(losses, saveBefore),
    rereadsFirst: true,
    report: (outcome) => {
      if (file?.entries().length === 0) {
        messages.note(`nothing was archived, so ${file.path} was not written`)
      }
      return archiveReport(connection, reviewed, outcome)
    },
  })
}

export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'json'])
  const described = withExamples(
    command,
    [
      'flagadm feature archive legacy-invoice-export --project default -p sandbox',
      'flagadm feature archive legacy-invoice-export --project default --dry-run',
      'flagadm feature archive legacy-invoice-export --project default --scan src',
    ],
    `Reviews the flags as feature review does, and refuses all of them if one is not removable; flags that are still on need --include-on. Otherwise it says what a revival does not bring back, asks, sends one request, and reads the flags back. feature revive undoes it; with --save-before, it also restores the dependencies and switches the flags on where they were on.`,
  )
    .argument('[name...]', 'names of the flags')
    .requiredOption('--project <id>', 'project of the flags')
    .option('--names-from <path>', "file of names, one per line; '-' is standard input")
  return codeOptions(usageOptions(described))
    .optionsGroup('Change:')
    .option('--save-before <file>', 'write what feature revive restores to a new file, for undo')
    .option('--include-on', 'with --save-before: archive flags that are still on, too')
    .option('--force', 'archive flags that are not removable, and send unknown names')
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--dry-run', 'show the verdicts and the request; send nothing')
    .action(async (given, { project, ...options }) => {
      const names = await givenNames(context, given, options.namesFrom)
      if (names.length === 0) refuseUsage('no flag names given', 'pass names, or use --names-from')
      refusePatterns([project, ...names])
      await archive(context, names, format(), { ...options, project: [project] })
    })
}
