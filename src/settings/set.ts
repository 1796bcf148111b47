import { connect, connectIfPossible } from '../profile/connection.ts'
import type { Connection, Target } from '../service/connection.ts'
import { commitWrite } from '../old/commit.ts'
import type { Context } from '../old/context.ts'
import { failureOf, problemText, withParts } from '../errors.ts'
import { formats } from '../old/output/formats.ts'
import {
  changeDetails,
  type ReadReport,
  renderSettings,
  type SettingsReport,
} from './report/set.ts'
import { breakingTexts, privateText } from './report/sentences.ts'
import { lengthProblem } from '../naming/rule.ts'
import { type Service, unlessMissing } from '../service/client.ts'
import { operations, requestOf } from '../service/operations.ts'
import type { ProjectSettings } from '../service/schema.ts'
import { changesBetween, requestBody, withSettings } from './changes.ts'
import type { StoredSettings } from './stored.ts'
import type { Printer } from '../old/output/printer.ts'
import { confirm } from '../prompts/confirmation.ts'
import {
  readBack,
  readStoredSettings,
  suggestNoRead,
  refuseChanged,
  refuseUnknownProject,
  sendSettings,
  type WriteResult,
} from './write.ts'
import {
  becomesPrivate,
  refuseWithoutPattern,
  verifyKeptRule,
  verifySettings,
  warnOfLoss,
  warnOfMissingPattern,
} from './check.ts'
import { breakingFlags } from './breaking-flags.ts'
import { wantedSettings, type SetOptions } from './wanted.ts'

const FIND_OUT = 'flagadm project settings get shows the settings'

/** One run of the command. */
interface Update {
  context: Context
  projectId: string
  wanted: ProjectSettings
  options: SetOptions
}

/**
 * Changes the settings of a project to those in the options and the file, keeps the others, and reads
 * the result back. A dry run only shows what would change.
 */
export async function setProjectSettings(
  context: Context,
  projectId: string,
  options: SetOptions,
): Promise<void> {
  const format = context.format(formats.textOrJson)
  const wanted = await wantedSettings(projectId, options, context)
  const update = { context, projectId, wanted, options }
  // Checks the project id before anything is asked of the service.
  requestOf(operations.updateProjectSettings, { projectId }, wanted)
  if (options.verify) await verifySettings(wanted, context.signal)
  const report = options.dryRun ? await preview(update) : await perform(update)
  const { error } = report
  if (!error || format === 'json') {
    await context.write(renderSettings(format, report, context.printer))
  }
  if (error) throw error
  if (options.dryRun) context.messages.note('dry run: nothing was sent')
}

/** The report of settings that are sent as they are. */
function baseReport(
  { projectId, wanted, options }: Update,
  { baseUrl, target }: Target,
): SettingsReport {
  const dryRun = options.dryRun === true
  return { projectId, baseUrl, target, dryRun, settings: wanted, body: wanted, sends: true }
}

/** The report of settings that are sent together with what the service would otherwise clear. */
async function comparedReport(
  update: Update,
  target: Target,
  before: StoredSettings,
): Promise<ReadReport> {
  const { context, wanted, options } = update
  const after = withSettings(before, wanted)
  if (options.verify) await verifyKeptRule(before, after, context.signal)
  const sends = changesBetween(before, after).length > 0 || options.force === true
  if (sends && !after.featureNaming.pattern) {
    if (options.verify) refuseWithoutPattern(wanted)
    else warnOfMissingPattern(wanted, context.messages)
  }
  const body = requestBody(before, wanted)
  return { ...baseReport(update, target), body, sends, read: { before, after } }
}

/** Warns of what may be lost, because the stored settings are not known. */
function warnOfBlindWrite({ context, wanted, options }: Update): void {
  const why = options.read ? 'the service returned 404' : 'they were not read (--no-read)'
  warnOfLoss(wanted, why, context.messages)
  warnOfMissingPattern(wanted, context.messages)
}

/** Warnings about the change, as sentences. */
async function concernsOf(
  { context, projectId }: Update,
  service: Service,
  { read: { before, after } }: ReadReport,
): Promise<string[]> {
  const concerns = becomesPrivate(before, after) ? [privateText(projectId)] : []
  const { pattern } = after.featureNaming
  if (pattern !== '' && pattern !== before.featureNaming.pattern) {
    const flags = await breakingFlags(service, projectId, pattern, context.signal)
    const tooLong = lengthProblem({ pattern })
    if (flags) concerns.push(...breakingTexts(flags))
    else if (tooLong !== undefined) concerns.push(tooLong)
  }
  return concerns
}

/** Asks about a change that has concerns, and checks that it is still the same after the answer. */
async function confirmChange(update: Update, service: Service, report: ReadReport): Promise<void> {
  const { context, projectId } = update
  const concerns = await concernsOf(update, service, report).catch(suggestNoRead)
  if (concerns.length === 0) return
  const change = {
    what: `update project ${projectId}`,
    details: (printer: Printer) => changeDetails(report, concerns, printer),
    reason: concerns.join('; '),
  }
  await confirm(context, change, `on ${report.target}`)
  const now = await readStoredSettings(service, projectId).catch(suggestNoRead)
  const meanwhile = { when: 'before the question was answered', hint: 'run the command again' }
  refuseChanged(projectId, { before: report.read.before, now }, meanwhile)
}

/** Sends settings and reads them back. */
async function sendAndReadBack(
  { context, projectId }: Update,
  connection: Connection,
  report: ReadReport,
): Promise<SettingsReport> {
  const { service } = connection
  const { before, after: expected } = report.read
  let written: WriteResult = { after: expected }
  await commitWrite(context, connection, {
    send: () => sendSettings(service, projectId, report.body),
    async checkResult() {
      written = await readBack(service, projectId, expected)
      // An interrupted run must not count settings that are not the expected ones as changed.
      if (written.error) throw written.error
    },
    subject: { projectId },
    findOut: FIND_OUT,
  }).catch((error: unknown) => {
    // The JSON report, which shows those settings, comes before this error.
    if (error !== written.error) throw error
  })
  const { after, error } = written
  return { ...report, read: { before, after }, error }
}

async function perform(update: Update): Promise<SettingsReport> {
  const { context, projectId, wanted, options } = update
  const connection = await connect(context)
  const { service, refusal } = connection
  // Refuse before the read, which would be wasted.
  if (refusal) throw withParts(refusal, { projectId })
  const stored = options.read
    ? await unlessMissing(readStoredSettings(service, projectId)).catch(suggestNoRead)
    : undefined
  if (!stored) {
    if (options.read) await refuseUnknownProject(service, projectId)
    warnOfBlindWrite(update)
    await commitWrite(context, connection, {
      send: () => sendSettings(service, projectId, wanted),
      subject: { projectId },
      findOut: FIND_OUT,
    })
    return baseReport(update, connection)
  }
  const report = await comparedReport(update, connection, stored)
  if (!report.sends) return report
  if (!options.yes) await confirmChange(update, service, report)
  return sendAndReadBack(update, connection, report)
}

async function preview(update: Update): Promise<SettingsReport> {
  const { context, projectId, wanted, options } = update
  const { service, ...target } = await connectIfPossible(context, options.read)
  if (!options.read) {
    warnOfBlindWrite(update)
    return baseReport(update, target)
  }
  const unread = (error: unknown): 'unread' => {
    const problem = problemText(failureOf(error))
    context.messages.warn(`the stored settings could not be read: ${problem}`)
    return 'unread'
  }
  const stored = service
    ? await unlessMissing(readStoredSettings(service, projectId)).catch(unread)
    : 'unread'
  if (!service || stored === 'unread') {
    warnOfMissingPattern(wanted, context.messages)
    return baseReport(update, target)
  }
  if (!stored) {
    await refuseUnknownProject(service, projectId)
    warnOfBlindWrite(update)
    return baseReport(update, target)
  }
  const report = await comparedReport(update, target, stored)
  const concerns = report.sends ? await concernsOf(update, service, report) : []
  for (const concern of concerns) context.messages.warn(concern)
  return report
}
