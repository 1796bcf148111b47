import type { Context, Define } from '../context.ts'
import { FlagadmError } from '../errors.ts'
import { givenNames } from '../input/names.ts'
import { collectPaths, withExamples } from '../options.ts'
import { counted, listed } from '../output/incomplete.ts'
import type { Line } from '../output/text.ts'
import { connect } from '../profile/connection.ts'
import type { Connection } from '../service/connection.ts'
import { operations } from '../service/operations.ts'
import { dryRun, finishWrite, runWrite } from '../write.ts'
import { searchCode } from './code.ts'
import { readFlags } from './flags.ts'
import { judge, type JudgementOptions, notSeenForOption, sinceOption } from './judgement.ts'
import { selectFlags } from './selection.ts'
import { spanOf, warnOfClock } from './span.ts'
import { dependentsOf, type Row } from './verdict.ts'

const operation = operations.archiveFeatures

interface ArchiveOptions extends Omit<JudgementOptions, 'code'> {
  project: string
  scan?: readonly string[] | undefined
  since: number
  force?: true | undefined
  yes?: true | undefined
  dryRun?: true | undefined
}

/** A flag that was given: its verdict, and what became of it. */
interface Result {
  row: Row
  status: 'archived' | 'unchanged' | 'failed' | 'unknown' | 'refused' | 'pending'
}

const nameOf = ({ evidence }: Row) => evidence.name

/** Reviews the flags, also those that depend on them. A flag that others need goes only together with them. */
async function review(
  context: Context,
  connection: Connection,
  names: readonly string[],
  { project, scan, since, ...options }: ArchiveOptions,
): Promise<Row[]> {
  const selection = await selectFlags(context, connection, names, { project: [project] })
  const searched = [...new Set([...names, ...selection.flags.keys()])]
  const code = scan && (await searchCode(context, scan, searched))
  const span = spanOf(since, await connection.clock.read())
  warnOfClock(context, connection.clock)
  const { rows } = await judge(context, connection, selection, span, { ...options, code })
  return rows.map((row) => {
    const missing = dependentsOf(row).filter((name) => !names.includes(name))
    if (row.verdict !== 'removable' || missing.length === 0) return row
    const reason = `${listed(missing)} must be archived with it`
    return { ...row, verdict: 'unclear', reasons: [reason, ...row.reasons] }
  })
}

/** Why nothing is sent; undefined if nothing speaks against it. */
function refusalOf(rows: readonly Row[]): FlagadmError | undefined {
  const refused = rows.filter(({ verdict }) => !['removable', 'archived'].includes(verdict))
  const unknown = refused.filter(({ verdict }) => verdict === 'not a flag')
  if (refused.length === 0) return undefined
  const names = refused.map(nameOf)
  if (unknown.length === refused.length) {
    const message = `${counted(names.length, 'name')} of no flag: ${listed(names)}`
    return new FlagadmError('notFound', message, { names, hint: 'check the names' })
  }
  const what = `${names.length} of ${counted(rows.length, 'flag')} cannot go: ${listed(names)}`
  return new FlagadmError('checkFailed', what, {
    names,
    hint: 'leave them out, or archive them all the same with --force',
  })
}

/** Sends one request and reads the list of the project back: a flag that is archived is not in it. */
async function send(
  context: Context,
  connection: Connection,
  rows: readonly Row[],
  { project, yes }: ArchiveOptions,
): Promise<{ results: Result[]; error?: FlagadmError | undefined }> {
  const names = rows.map(nameOf)
  const read = async () => {
    const { flags } = await readFlags(connection.service, project, true)
    return names.filter((name) => flags.some((flag) => flag.name === name))
  }
  const before = rows.filter(({ evidence }) => evidence.flag).map(nameOf)
  const subject = `${counted(names.length, 'flag')} of project ${project}`
  const question = {
    what: `archive ${subject}`,
    reason: `this archives ${subject}`,
    details: rows.map((row) => resultLine({ row, status: 'pending' })),
  }
  const writes = runWrite<readonly string[]>(context, connection, {
    operation,
    steps: [
      {
        parameters: { projectId: project },
        body: { features: names },
        states: { before, after: [], read },
      },
    ],
    differences: (from, to) => [
      ...from.filter((name) => !to.includes(name)),
      ...to.filter((name) => !from.includes(name)),
    ],
    noun: 'flags',
    question: yes ? undefined : question,
    check: true,
    findOut: `flagadm feature list --project ${project} shows the flags that are left`,
  })
  for await (const { status, now, error } of writes) {
    const results = rows.map((row): Result => {
      const left = now?.includes(nameOf(row))
      if (!row.evidence.flag) return { row, status: 'unknown' }
      if (now) return { row, status: left ? 'failed' : 'archived' }
      return { row, status: status === 'unknown' ? 'unknown' : 'failed' }
    })
    return { results, error }
  }
  return { results: [] }
}

/** `legacy-export  removable: off everywhere, …` */
function resultLine({ row, status }: Result): Line {
  const { verdict, reasons } = row
  const styled = status === 'archived' ? { green: status } : { yellow: status }
  const state = status === 'pending' ? [] : [' ', styled, ',']
  return [{ bold: nameOf(row) }, ':', ...state, ` ${verdict}: ${reasons.join('; ')}`]
}

export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'json'])
  return command
    .description(
      `${withExamples(
        command.summary(),
        'flagadm feature archive legacy-invoice-export --project default -p sandbox',
        'flagadm feature archive legacy-invoice-export --project default --dry-run -p sandbox',
        'flagadm feature archive legacy-invoice-export --project default --scan src --yes -p sandbox',
      )}

Reviews the flags as feature review does, and refuses all of them if one is not removable. Otherwise it asks, sends one request, and reads the flags back. Archived flags can be revived in Unleash: project, Archived flags.`,
    )
    .argument('[name...]', 'names of the flags')
    .requiredOption('--project <id>', 'project of the flags')
    .option('--names-from <path>', "file of names, one per line ('-': standard input)")
    .optionsGroup('Evidence:')
    .addOption(sinceOption())
    .addOption(notSeenForOption())
    .option('--include-permanent', 'review kill-switch and permission flags like others')
    .option(
      '--scan <path>',
      'search source code for the flags: a file, folder or glob',
      collectPaths,
    )
    .optionsGroup('Change:')
    .option('--force', 'archive flags that are not removable, and send unknown names')
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--dry-run', 'show the verdicts and the request; send nothing')
    .action(async (given, options) => {
      const { out, messages } = context
      const { project, force } = options
      const names = await givenNames(context, given, options.namesFrom)
      const pattern = names.find((name) => name.includes('*'))
      if (names.length === 0 || pattern !== undefined) {
        const what = pattern === undefined ? 'no flag names given' : `'${pattern}' is not a name`
        throw new FlagadmError('usage', what, { hint: 'pass whole names, or use --names-from' })
      }
      const connection = await connect(context)
      if (connection.refusal) throw connection.refusal
      const rows = await review(context, connection, names, options)
      const wanted = rows.filter(({ verdict }) => verdict !== 'archived')
      const refusal = force ? undefined : refusalOf(rows)
      const gone = rows
        .filter((row) => !wanted.includes(row))
        .map((row): Result => ({ row, status: 'unchanged' }))
      const isSent = !refusal && !options.dryRun && wanted.length > 0
      const status = refusal ? 'refused' : 'pending'
      const { results, error } = isSent
        ? await send(context, connection, wanted, options)
        : { results: wanted.map((row): Result => ({ row, status })), error: undefined }
      const all = [...results, ...gone]
      const step = { parameters: { projectId: project }, body: { features: wanted.map(nameOf) } }
      const request = dryRun(operation, step, connection.baseUrl)
      const isDryRun = options.dryRun === true
      if (format() === 'json') {
        const flags = all.map(({ row: { verdict, reasons, evidence }, status }) => {
          return { flag: evidence.name, status, verdict, reasons }
        })
        const { baseUrl } = connection
        const head = { projectId: project, baseUrl, dryRun: isDryRun }
        out.json({ ...head, ...(isDryRun && !refusal && request.json), flags })
      } else {
        out.line(`project `, { bold: project }, ` on ${connection.target}`)
        out.lines(all.map(resultLine))
        if (isDryRun && !refusal) out.lines([[''], ...request.lines])
        if (results.some((one) => one.status === 'archived')) {
          out.line(`To revive a flag: project ${project} in Unleash, Archived flags, Revive`)
        }
      }
      if (isDryRun) messages.note('dry run: nothing was sent')
      finishWrite(context, refusal ?? error)
    })
}
