import type { Context, Define } from '../cli/context.ts'
import { FlagadmError } from '../errors.ts'
import { givenNames } from '../input/names.ts'
import { withExamples } from '../cli/options.ts'
import { counted, listed } from '../output/incomplete.ts'
import type { Line } from '../output/text.ts'
import { connect } from '../profile/connect.ts'
import type { Connection } from '../service/connection.ts'
import { operations } from '../service/operations.ts'
import { dryRun, finishWrite, runWrite, type Written } from '../requests/write.ts'
import { readFlags } from './flags.ts'
import { evidenceOptions, judgeFlags } from './judgement.ts'
import type { Row } from './verdict.ts'

const operation = operations.archiveFeatures

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

const stepOf = (projectId: string, rows: readonly Row[]) => {
  return { parameters: { projectId }, body: { features: rows.map(({ name }) => name) } }
}

/** Sends one request and reads the list of the project back: a flag that is archived is not in it. */
async function send(
  context: Context,
  connection: Connection,
  rows: readonly Row[],
  { project, yes }: { project: string; yes?: true | undefined },
): Promise<Written<readonly string[]> | undefined> {
  const step = stepOf(project, rows)
  const names = step.body.features
  const read = async () => {
    const { flags } = await readFlags(connection.service, project, true)
    return names.filter((name) => flags.some((flag) => flag.name === name))
  }
  // Unknown names cannot be read back.
  const before = rows.filter(({ flag }) => flag).map(({ name }) => name)
  const subject = `${counted(names.length, 'flag')} of project ${project}`
  const question = {
    what: `archive ${subject}`,
    reason: `this archives ${subject}`,
    details: rows.map((row) => resultLine(row, 'pending')),
  }
  const writes = runWrite<readonly string[]>(context, connection, {
    operation,
    steps: [{ ...step, states: before.length > 0 ? { before, after: [], read } : undefined }],
    differences: (from, to) => names.filter((name) => from.includes(name) !== to.includes(name)),
    noun: 'flags',
    question: yes ? undefined : question,
    check: true,
    findOut: `flagadm feature list --project ${project} shows the flags that are left`,
  })
  // There is one step.
  for await (const written of writes) return written
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
      const { out, messages } = context
      const { project, force } = options
      const names = await givenNames(context, given, options.namesFrom)
      const pattern = [project, ...names].find((one) => one.includes('*'))
      if (names.length === 0 || pattern !== undefined) {
        const what = pattern === undefined ? 'no flag names given' : `'${pattern}' is a pattern`
        throw new FlagadmError('usage', what, { hint: 'pass whole names, or use --names-from' })
      }
      const connection = await connect(context)
      if (connection.refusal) throw connection.refusal
      const { rows } = await judgeFlags(context, connection, names, {
        ...options,
        project: [project],
      })
      const flags = rows.map((row) => withMissing(row, names))
      const wanted = flags.filter(({ verdict }) => verdict !== 'archived')
      const refusal = force ? undefined : refusalOf(flags)
      const isSent = !refusal && !options.dryRun && wanted.length > 0
      const sent = isSent ? await send(context, connection, wanted, options) : undefined
      const statusOf = (row: Row): Status => {
        if (row.verdict === 'archived') return 'unchanged'
        if (sent) return sentStatus(row, sent)
        return refusal ? 'refused' : 'pending'
      }
      const request = dryRun(operation, stepOf(project, wanted), connection.baseUrl)
      const isShown = options.dryRun && !refusal && wanted.length > 0
      if (format() === 'json') {
        out.json({
          projectId: project,
          baseUrl: connection.baseUrl,
          dryRun: options.dryRun === true,
          ...(isShown && request.json),
          flags: flags.map((row) => {
            const { name: flag, verdict, reasons } = row
            return { flag, status: statusOf(row), verdict, reasons }
          }),
        })
      } else {
        out.line(`project `, { bold: project }, ` on ${connection.target}`)
        out.lines(flags.map((row) => resultLine(row, statusOf(row))))
        if (isShown) out.lines([[''], ...request.lines])
        if (flags.some((row) => statusOf(row) === 'archived')) {
          out.line(`To revive a flag: project ${project} in Unleash, Archived flags, Revive`)
        }
      }
      if (options.dryRun) messages.note('dry run: nothing was sent')
      finishWrite(context, refusal ?? sent?.error)
    })
}
