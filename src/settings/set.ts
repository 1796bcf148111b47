import { Option } from '@commander-js/extra-typings'
import type { Context, Define } from '../context.ts'
import { failureOf, FlagadmError, interrupted, problemText, withParts } from '../errors.ts'
import { type Path, pathText } from '../input/shape.ts'
import { lengthProblem } from '../naming/rule.ts'
import { withExamples } from '../options.ts'
import type { Line } from '../output/text.ts'
import { connect, connectIfPossible } from '../profile/connection.ts'
import { type Service, unlessMissing } from '../service/client.ts'
import type { Connection, Target } from '../service/connection.ts'
import { operations, requestOf } from '../service/operations.ts'
import { type PartialSettings, projectModes, type Settings } from '../service/settings-document.ts'
import { dryRun, finishWrite, runWrite } from '../write.ts'
import { changeLines, settingsLines } from './changes.ts'
import { breakingFlags } from './comparison.ts'
import { readSettingsFile, refuseAll, refuseProblems } from './documents.ts'
import { breakingTexts, privateText } from './report.ts'
import {
  changesBetween,
  differentFields,
  documentOf,
  fieldsOf,
  noSettings,
  requestBody,
  withSettings,
} from './settings.ts'
import { createUnknownCheck, explainMissing, readStored } from './stored.ts'
import {
  becomesPrivate,
  createRuleCheck,
  lacksPattern,
  noPatternText,
  settingsProblems,
  verifyKeptRule,
} from './verify.ts'

const operation = operations.updateProjectSettings

interface SetOptions {
  mode?: string | undefined
  namingPattern?: string | undefined
  namingExample?: string | undefined
  namingDescription?: string | undefined
  namingDescriptionFile?: string | undefined
  clearNaming?: true | undefined
  file?: string | undefined
  verify: boolean
  read: boolean
  force?: true | undefined
  yes?: true | undefined
  dryRun?: true | undefined
}

/** The options that set fields. */
const optionNames: Record<string, string> = {
  mode: '--mode',
  'featureNaming.pattern': '--naming-pattern',
  'featureNaming.example': '--naming-example',
  'featureNaming.description': '--naming-description',
}

/** The settings in the options. */
async function givenSettings(options: SetOptions, { inputs }: Context): Promise<PartialSettings> {
  const { mode, namingPattern, namingExample, namingDescriptionFile: file, clearNaming } = options
  const text = file && (await inputs.read(file, '--naming-description-file', 'usage'))
  const description = text ?? options.namingDescription
  const featureNaming = {
    ...(namingPattern !== undefined && { pattern: namingPattern }),
    ...(namingExample !== undefined && { example: namingExample }),
    ...(description !== undefined && { description }),
    ...(clearNaming && noSettings.featureNaming),
  }
  return {
    ...(mode !== undefined && { mode }),
    ...(Object.keys(featureNaming).length > 0 && { featureNaming }),
  }
}

/**
 * The settings of the file, overridden by the options.
 * @throws a usage error when there are none or they are invalid
 */
async function wantedSettings(options: SetOptions, context: Context): Promise<PartialSettings> {
  const { inputs, messages, signal } = context
  const file = options.file === undefined ? undefined : await readSettingsFile(options.file, inputs)
  if (file) refuseProblems(file.problems, messages.fail)
  const given = await givenSettings(options, context)
  const wanted = withSettings(file?.settings ?? {}, given)
  if (fieldsOf(wanted).length === 0) {
    throw new FlagadmError('usage', 'no settings given', {
      hint: 'use --mode, --naming-pattern, --clear-naming or --file',
    })
  }
  if (!options.verify) return wanted
  const shown = (path: Path) => {
    const isGiven = fieldsOf(given).some((field) => field === path.join('.'))
    if (file && !isGiven) return `${file.placeOf(path)}: ${pathText(path)}`
    return optionNames[path.join('.')] ?? pathText(path)
  }
  const problems = await settingsProblems(wanted, createRuleCheck(signal))
  const errors = problems.map(({ path, message, hint }) => {
    return new FlagadmError('usage', `${shown(path)}: ${message}`, {
      hint: `${hint}, or send it as it is with --no-verify`,
    })
  })
  refuseAll(errors, 'in the settings', messages.fail)
  return wanted
}

/** Warns of what the service may clear. @param why completes `the stored settings are not known, because …` */
function warnOfLoss(wanted: PartialSettings, why: string, { messages }: Context): void {
  const { featureNaming = {}, linkTemplates } = wanted
  const { pattern, example, description } = featureNaming
  const fields = [
    ...(pattern && example === undefined ? ['the example'] : []),
    ...(pattern && description === undefined ? ['the description'] : []),
    ...(linkTemplates === undefined ? ['the link templates'] : []),
  ]
  const lost = new Intl.ListFormat('en-GB').format(fields)
  const what = `the stored settings are not known, because ${why}: the service may clear ${lost}`
  if (lost) messages.warn(what)
  if (lacksPattern(wanted)) messages.warn(noPatternText)
}

/**
 * The stored settings; undefined after a warning if they cannot be known.
 * @throws `notFound` for an unknown project; what failed, unless it is a dry run
 */
async function storedSettings(
  context: Context,
  service: Service | undefined,
  projectId: string,
  wanted: PartialSettings,
  options: SetOptions,
): Promise<Settings | undefined> {
  const warn = (why: string) => {
    warnOfLoss(wanted, why, context)
    return undefined
  }
  if (!options.read) return warn('they were not read (--no-read)')
  if (!service) return warn('this dry run has no connection')
  const stored = await unlessMissing(readStored(service, projectId)).catch((error: unknown) => {
    if (!options.dryRun) throw error
    return failureOf(error)
  })
  if (stored instanceof FlagadmError) return warn(problemText(stored))
  if (stored) return stored
  await createUnknownCheck(service)(projectId)
  return warn('the service returned 404')
}

/** The settings that the wanted ones lead to. @throws a usage error if the service would refuse them */
async function settingsAfter(
  before: Settings,
  wanted: PartialSettings,
  { verify }: SetOptions,
  { messages, signal }: Context,
): Promise<Settings> {
  const after = withSettings(before, wanted)
  if (verify) await verifyKeptRule(before, after, signal)
  const isRefused = !after.featureNaming.pattern && lacksPattern(wanted)
  if (!isRefused || changesBetween(before, after).length === 0) return after
  const option = wanted.featureNaming?.example ? '--naming-example' : '--naming-description'
  if (verify) {
    const what = `${option} requires a pattern, and the project has none`
    throw new FlagadmError('usage', what, {
      hint: 'add one with --naming-pattern, or send it as it is with --no-verify',
    })
  }
  messages.warn(noPatternText)
  return after
}

/** What to consider before a change, as sentences. */
async function concernsOf(
  { projectId, before, after }: Report,
  service: Service,
  signal: AbortSignal,
): Promise<string[]> {
  if (!before || !after) return []
  const concerns = becomesPrivate(before, after) ? [privateText(projectId)] : []
  const { pattern } = after.featureNaming
  if (pattern === '' || pattern === before.featureNaming.pattern) return concerns
  const flags = await breakingFlags(service, projectId, pattern, signal)
  const reasons = flags ? breakingTexts(flags, 'the new rule') : [lengthProblem({ pattern }) ?? []]
  return [...concerns, ...reasons.flat()]
}

/** What to report about a run. */
interface Report {
  projectId: string
  target: Target
  wanted: PartialSettings
  /** The stored settings, if they were read. */
  before: Settings | undefined
  after: Settings | undefined
  body: PartialSettings
  /** Whether the body is sent, or would be without the dry run. */
  sends: boolean
  isDryRun: boolean
  isVerified?: boolean
}

function reportJson(report: Report): object {
  const { projectId, target, wanted, before, after, body, sends, isDryRun, isVerified } = report
  const { baseUrl } = target
  const request = dryRun(operation, { parameters: { projectId }, body }, baseUrl).json
  return {
    projectId,
    baseUrl,
    dryRun: isDryRun,
    ...(isDryRun && { ...request, ...(!sends && { body: null }) }),
    settings: wanted,
    changed: !before || !after || changesBetween(before, after).length > 0,
    sent: sends && !isDryRun ? body : null,
    ...(before &&
      after && {
        verified: !sends || isVerified === true,
        before: documentOf(before),
        after: documentOf(after),
      }),
  }
}

/** The project and its changes, below a verb. */
function changedLines(verb: Line, { projectId, target, before, after, wanted }: Report): Line[] {
  const head: Line = [...verb, ' project ', { bold: projectId }, ` on ${target.target}`]
  if (!before || !after) return [head, ...settingsLines(wanted, '(cleared)')]
  const changes = changesBetween(before, after)
  return [head, ...(changes.length > 0 ? changeLines(changes) : [['  unchanged']])]
}

function reportLines(report: Report): Line[] {
  const { projectId, target, before, body, sends, isDryRun } = report
  if (!sends) {
    const where = ` on ${target.target} already has these settings`
    return [['unchanged: project ', { bold: projectId }, where]]
  }
  if (!isDryRun) return changedLines([{ green: 'Updated' }], report)
  const { lines } = dryRun(operation, { parameters: { projectId }, body }, target.baseUrl)
  return before ? [...changedLines(['Would update'], report), [''], ...lines] : lines
}

/** Asks if there are concerns, sends, and reads back. @returns the report, and the error of what is not as expected */
async function send(
  context: Context,
  connection: Connection,
  report: Report,
  concerns: readonly string[],
): Promise<{ report?: Report; error?: FlagadmError | undefined }> {
  const { projectId, before, after, body } = report
  const { service } = connection
  const question = {
    what: `update project ${projectId}`,
    reason: concerns.join('; '),
    details: [
      ...changedLines(['Would update'], report),
      ...concerns.map((concern): Line => [{ yellow: 'warning:' }, ` ${concern}`]),
    ],
  }
  const states = before && after && { before, after, read: () => readStored(service, projectId) }
  const results = runWrite(context, connection, {
    operation,
    steps: [{ parameters: { projectId }, body, states }],
    differences: differentFields,
    noun: 'settings',
    question: concerns.length > 0 ? question : undefined,
    check: concerns.length > 0,
    findOut: 'flagadm project settings get shows the settings',
  })
  for await (const { status, now, error: failure, warning } of results) {
    if (warning !== undefined) context.messages.warn(warning)
    if (status === 'skipped') break
    const error = failure && (await explainMissing(service, projectId, failure))
    const isVerified = !error
    return isVerified || now ? { report: { ...report, isVerified, after: now }, error } : { error }
  }
  return { error: interrupted() }
}

const help = `Unleash clears what is not sent: link templates and, with a new pattern, the example and the description. So set reads the stored settings first, sends them as well, and reads the result back. If the service cannot return them (404), or with --no-read, it sends only the given values and does not ask.

Otherwise it asks before it makes a project private or sets a rule that existing flags break. Without a terminal to ask on, such a change needs --yes.`

export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'json'])
  const examples = withExamples(
    command.summary(),
    'flagadm project settings set checkout --mode open -p sandbox',
    "flagadm project settings set checkout --naming-pattern 'checkout-[a-z-]+' -p sandbox",
    'flagadm project settings set checkout -f naming.yaml --dry-run -p sandbox',
    'flagadm project settings set checkout --clear-naming -p sandbox',
  )
  const mode = new Option('--mode <mode>', 'who may do what in the project')
  // Any text, because --no-verify sends unknown modes as well.
  mode.argChoices = [...projectModes]
  const descriptionFile = new Option(
    '--naming-description-file <path>',
    "file with the description ('-': standard input)",
  ).conflicts('namingDescription')
  const clear = new Option('--clear-naming', 'remove the naming rule').conflicts([
    'namingPattern',
    'namingExample',
    'namingDescription',
    'namingDescriptionFile',
  ])
  return command
    .description(`${examples}\n\n${help}`)
    .argument('<project-id>', 'project to change')
    .addOption(mode)
    .option('--naming-pattern <regex>', 'regular expression that the names of new flags must match')
    .option('--naming-example <name>', 'name that matches the pattern')
    .option('--naming-description <text>', 'explanation of the rule')
    .addOption(descriptionFile)
    .addOption(clear)
    .option('-f, --file <path>', "YAML or JSON file with settings ('-': standard input)")
    .option('--no-verify', 'do not check the mode and the naming rule first')
    .option('--no-read', 'do not read the stored settings before and after')
    .option('--force', 'send even if nothing changes')
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--dry-run', 'show what would change and the request; send nothing')
    .action(async (projectId, options) => {
      const { out, messages, signal } = context
      const wanted = await wantedSettings(options, context)
      // A URL cannot contain every id.
      requestOf(operation, { projectId }, wanted)
      const isDryRun = options.dryRun === true
      const connection = isDryRun ? undefined : await connect(context)
      // Refuse before the read, which would be wasted.
      if (connection?.refusal) throw withParts(connection.refusal, { projectId })
      const target = connection ?? (await connectIfPossible(context, options.read))
      const { service } = target
      const before = await storedSettings(context, service, projectId, wanted, options)
      const after = before && (await settingsAfter(before, wanted, options, context))
      const isChanged = !before || !after || changesBetween(before, after).length > 0
      const sends = isChanged || options.force === true
      const body = requestBody(before ?? noSettings, wanted)
      const report: Report = { projectId, target, wanted, before, after, body, sends, isDryRun }
      const needsConcerns = service && sends && (isDryRun || !options.yes)
      const concerns = needsConcerns ? await concernsOf(report, service, signal) : []
      const { report: result, error }: Awaited<ReturnType<typeof send>> =
        connection && sends ? await send(context, connection, report, concerns) : { report }
      if (isDryRun) for (const concern of concerns) messages.warn(concern)
      if (result && format() === 'json') out.json(reportJson(result))
      else if (result && !error) out.lines(reportLines(result))
      if (isDryRun) messages.note('dry run: nothing was sent')
      else finishWrite(context, error)
    })
}
