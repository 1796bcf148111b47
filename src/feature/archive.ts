import type { Context, Define } from '../cli/context.ts'
import { FlagadmError } from '../errors.ts'
import { givenNames } from '../input/names.ts'
import { withExamples } from '../cli/options.ts'
import { counted, listed } from '../output/incomplete.ts'
import type { Line } from '../output/text.ts'
import { connectToWrite } from '../profile/connect.ts'
import { type ChangeReport, makeChange, type Outcome } from '../requests/change.ts'
import type { Step, Written } from '../requests/write.ts'
import type { Connection, ShownService } from '../service/connection.ts'
import { operations } from '../service/operations.ts'
import { readFlags } from './flags.ts'
import { evidenceOptions, reviewFlags } from './review-flags.ts'
import type { Row } from './verdict.ts'

/** What became of a flag that was given. */
type Status = 'archived' | 'unchanged' | 'failed' | 'unknown' | 'refused' | 'pending'

/** A flag that others need goes only together with them. */
function withMissing(row: Row, names: readonly string[]): Row {
  const missing = row.dependents?.filter((name) => !names.includes(name)) ?? []
  if (row.verdict !== 'removable' || missing.length === 0) return row
  const reason = `${listed(missing)} must be archived with it`
  return { ...row, verdict: 'unclear', reasons: [reason, ...row.reasons] }
}

/** Why nothing is sent; undefined if nothing speaks against it. */
function refusalOf(rows: readonly Row[]): FlagadmError | undefined {
  const refused = rows.filter(({ verdict }) => !['removable', 'archived'].includes(verdict))
  if (refused.length === 0) return undefined
  const names = refused.map(({ name }) => name)
  const what = `${names.length} of ${counted(rows.length, 'flag')} cannot go: ${listed(names)}`
  const kind = refused.every(({ verdict }) => verdict === 'not a flag') ? 'notFound' : 'checkFailed'
  return new FlagadmError(kind, what, {
    names,
    hint: 'archive only removable flags, or use --force',
  })
}

/** The request that archives flags; the list of the project has those that are not archived. */
function archiveStep(
  { service }: Connection,
  projectId: string,
  rows: readonly Row[],
): Step<readonly string[]> {
  const names = rows.map(({ name }) => name)
  // Unknown names cannot be read back.
  const known = rows.filter(({ flag }) => flag).map(({ name }) => name)
  const stored = {
    noun: 'flags',
    before: known,
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
    stored: known.length > 0 ? stored : undefined,
    findOut: `flagadm feature list --project ${projectId} shows the flags that are left`,
  }
}

/** What became of a flag; that of an unknown name is not known even after it was sent. */
function sentStatus({ flag, name }: Row, { status, now }: Written<readonly string[]>): Status {
  if (!flag || status === 'unknown') return 'unknown'
  return now && !now.includes(name) ? 'archived' : 'failed'
}

/** `legacy-export: archived, removable: off everywhere; …` */
function resultLine({ name, verdict, reasons }: Row, status: Status): Line {
  const styled = status === 'archived' ? { green: status } : { magenta: status }
  const state = status === 'pending' ? [] : [' ', styled, ',']
  return [{ bold: name }, ':', ...state, ` ${verdict}: ${reasons.join('; ')}`]
}

/** The flags of a project that were given, and why none of them is archived, if so. */
interface Reviewed {
  project: string
  flags: readonly Row[]
  refusal: FlagadmError | undefined
}

/** What became of each flag. */
function statusesOf(
  { flags, refusal }: Reviewed,
  written: Written<readonly string[]> | undefined,
): { row: Row; status: Status }[] {
  const unsent = refusal ? 'refused' : 'pending'
  return flags.map((row) => {
    if (row.verdict === 'archived') return { row, status: 'unchanged' }
    return { row, status: written ? sentStatus(row, written) : unsent }
  })
}

function archiveReport(
  { baseUrl, target }: ShownService,
  reviewed: Reviewed,
  { isDryRun, requests, results }: Outcome<readonly string[]>,
): ChangeReport {
  const { project } = reviewed
  const [request] = requests
  const [written] = results
  const flags = statusesOf(reviewed, written)
  const isArchived = flags.some(({ status }) => status === 'archived')
  const undo: Line = [`To revive a flag: project ${project} in Unleash, Archived flags, Revive`]
  return {
    json: {
      projectId: project,
      baseUrl,
      dryRun: isDryRun,
      ...request,
      flags: flags.map(({ row, status }) => {
        const { name, verdict, reasons } = row
        return { flag: name, status, verdict, reasons }
      }),
    },
    lines: [
      ['project ', { bold: project }, ` on ${target}`],
      ...flags.map(({ row, status }) => resultLine(row, status)),
      ...(isArchived ? [undo] : []),
    ],
  }
}

/** The names that were given. @throws a usage error for patterns, of flags and of projects, and without names */
async function wholeNames(
  context: Context,
  given: readonly string[],
  { namesFrom, project }: { namesFrom?: string | undefined; project: string },
): Promise<string[]> {
  const names = await givenNames(context, given, namesFrom)
  const pattern = [project, ...names].find((one) => one.includes('*'))
  if (names.length > 0 && pattern === undefined) return names
  const what = pattern === undefined ? 'no flag names given' : `'${pattern}' is a pattern`
  throw new FlagadmError('usage', what, { hint: 'pass whole names, or use --names-from' })
}

export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'json'])
  const described = withExamples(
    command,
    [
      'flagadm feature archive legacy-invoice-export --project default -p sandbox',
      'flagadm feature archive legacy-invoice-export --project default --dry-run -p sandbox',
      'flagadm feature archive legacy-invoice-export --project default --scan src --yes -p sandbox',
    ],
    `Reviews the flags as feature review does, and refuses all of them if one is not removable. Otherwise it asks, sends one request, and reads the flags back. Archived flags can be revived in Unleash: project, Archived flags.`,
  )
    .argument('[name...]', 'names of the flags')
    .requiredOption('--project <id>', 'project of the flags')
    .option('--names-from <path>', "file of names, one per line; '-' is standard input")
  return evidenceOptions(described)
    .optionsGroup('Change:')
    .option('--force', 'archive flags that are not removable, and send unknown names')
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--dry-run', 'show the verdicts and the request; send nothing')
    .action(async (given, options) => {
      const { project, force, dryRun, yes } = options
      const names = await wholeNames(context, given, options)
      const connection = await connectToWrite(context)
      const terms = { ...options, project: [project] }
      const { rows } = await reviewFlags(context, connection, names, terms)
      const flags = rows.map((row) => withMissing(row, names))
      const refusal = force ? undefined : refusalOf(flags)
      const wanted = flags.filter(({ verdict }) => verdict !== 'archived')
      const subject = `${counted(wanted.length, 'flag')} of project ${project}`
      const question = {
        what: `archive ${subject}`,
        reason: `this archives ${subject}`,
        details: wanted.map((row) => resultLine(row, 'pending')),
      }
      await makeChange(context, {
        target: connection,
        connection: dryRun ? undefined : connection,
        format: format(),
        steps: wanted.length > 0 ? [archiveStep(connection, project, wanted)] : [],
        refusal,
        question: yes ? undefined : question,
        check: true,
        report: (outcome) => archiveReport(connection, { project, flags, refusal }, outcome),
      })
    })
}
