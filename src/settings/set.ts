import { Option } from '@commander-js/extra-typings'
import type { Context, Define } from '../context.ts'
import { failureOf, FlagadmError, problemText, withParts } from '../errors.ts'
import type { Inputs } from '../input/files.ts'
import { type Path, pathText } from '../input/shape.ts'
import { lengthProblem } from '../naming/rule.ts'
import { withExamples } from '../options.ts'
import type { Line } from '../output/text.ts'
import { connect, connectIfPossible } from '../profile/connection.ts'
import { type Service, unlessMissing } from '../service/client.ts'
import type { Connection, Target } from '../service/connection.ts'
import { projectModes } from '../service/modes.ts'
import { operations, requestOf } from '../service/operations.ts'
import type { FeatureNaming, PartialSettings, Settings } from '../service/settings-document.ts'
import { dryRun, finishWrite, runWrite } from '../write.ts'
import { changeLines, settingsLines } from './changes.ts'
import { breakingFlags } from './comparison.ts'
import { readSettingsFile, refuseAll, refuseProblems } from './documents.ts'
import { breakingTexts, noPatternText, privateText } from './report.ts'
import {
  changesBetween,
  declaredFields,
  differentFields,
  documentOf,
  requestBody,
  withSettings,
} from './settings.ts'
import { createUnknownCheck, explainMissing, readStored } from './stored.ts'
import {
  becomesPrivate,
  createRuleCheck,
  lacksPattern,
  settingsProblems,
  verifyKeptRule,
} from './verify.ts'

const operation = operations.updateProjectSettings

/** The options that give settings. */
interface SettingsOptions {
  mode?: string | undefined
  namingPattern?: string | undefined
  namingExample?: string | undefined
  namingDescription?: string | undefined
  namingDescriptionFile?: string | undefined
  clearNaming?: true | undefined
  file?: string | undefined
}

interface SetOptions extends SettingsOptions {
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

async function namingOf(options: SettingsOptions, inputs: Inputs): Promise<Partial<FeatureNaming>> {
  if (options.clearNaming) return { pattern: '', example: '', description: '' }
  const { namingPattern, namingExample, namingDescription, namingDescriptionFile: file } = options
  const description =
    file === undefined
      ? namingDescription
      : await inputs.read(file, '--naming-description-file', 'usage')
  return {
    ...(namingPattern !== undefined && { pattern: namingPattern }),
    ...(namingExample !== undefined && { example: namingExample }),
    ...(description !== undefined && { description }),
  }
}

/**
 * The settings of the file, overridden by the options, and what to call a field in errors.
 * @throws a usage error when there are none or the file is invalid
 */
async function wantedSettings(options: SettingsOptions, { inputs, messages }: Context) {
  const file = options.file === undefined ? undefined : await readSettingsFile(options.file, inputs)
  if (file) refuseProblems(file.problems, messages.fail)
  const naming = await namingOf(options, inputs)
  const mode = options.mode ?? file?.settings.mode
  const featureNaming = { ...file?.settings.featureNaming, ...naming }
  const linkTemplates = file?.settings.linkTemplates
  const wanted: PartialSettings = {
    ...(mode !== undefined && { mode }),
    ...(Object.keys(featureNaming).length > 0 && { featureNaming }),
    ...(linkTemplates && { linkTemplates }),
  }
  if (declaredFields(wanted).length === 0) {
    throw new FlagadmError('usage', 'no settings given', {
      hint: 'use --mode, --naming-pattern, --clear-naming or --file',
    })
  }
  const given = declaredFields({
    ...(options.mode !== undefined && { mode: options.mode }),
    featureNaming: naming,
  })
  const shown = (path: Path) => {
    const field = path.join('.')
    return file && !given.some((one) => one === field)
      ? `${file.placeOf(path)}: ${pathText(path)}`
      : (optionNames[field] ?? pathText(path))
  }
  return { wanted, shown }
}

/** Checks the mode, the texts and the naming rule. @throws a usage error */
async function verify(
  wanted: PartialSettings,
  shown: (path: Path) => string,
  { signal, messages }: Context,
): Promise<void> {
  const problems = await settingsProblems(wanted, createRuleCheck(signal))
  const errors = problems.map(({ path, message, hint }) => {
    return new FlagadmError('usage', `${shown(path)}: ${message}`, {
      hint: `${hint}, or send it as it is with --no-verify`,
    })
  })
  refuseAll(errors, 'in the settings', messages.fail)
}

/** The change of settings that were read. */
interface ReadChange {
  before: Settings
  after: Settings
  body: PartialSettings
  /** Whether the body is to be sent. */
  sends: boolean
}

/** The change that the wanted settings make, with what the service would otherwise clear. */
async function changeOf(
  before: Settings,
  wanted: PartialSettings,
  options: SetOptions,
  { messages, signal }: Context,
): Promise<ReadChange> {
  const after = withSettings(before, wanted)
  if (options.verify) await verifyKeptRule(before, after, signal)
  const sends = changesBetween(before, after).length > 0 || options.force === true
  if (sends && !after.featureNaming.pattern && lacksPattern(wanted)) {
    if (options.verify) {
      const option = wanted.featureNaming?.example ? '--naming-example' : '--naming-description'
      const what = `${option} requires a pattern, and the project has none`
      throw new FlagadmError('usage', what, {
        hint: 'add one with --naming-pattern, or send it as it is with --no-verify',
      })
    }
    messages.warn(noPatternText)
  }
  return { before, after, body: requestBody(before, wanted), sends }
}

/** Warns of what the service may clear, because the stored settings are not known. */
function warnOfLoss(wanted: PartialSettings, { read }: SetOptions, { messages }: Context): void {
  const { featureNaming = {}, linkTemplates } = wanted
  const { pattern, example, description } = featureNaming
  const fields = [
    ...(pattern && example === undefined ? ['the example'] : []),
    ...(pattern && description === undefined ? ['the description'] : []),
    ...(linkTemplates === undefined ? ['the link templates'] : []),
  ]
  const why = read ? 'the service returned 404' : 'they were not read (--no-read)'
  const lost = new Intl.ListFormat('en-GB').format(fields)
  if (lost) {
    messages.warn(
      `the stored settings are not known, because ${why}: the service may clear ${lost}`,
    )
  }
  if (lacksPattern(wanted)) messages.warn(noPatternText)
}

/** The stored settings; undefined if the service has no such operation. @throws `notFound` for an unknown project */
async function storedSettings(service: Service, projectId: string): Promise<Settings | undefined> {
  const stored = await unlessMissing(readStored(service, projectId))
  if (!stored) await createUnknownCheck(service)(projectId)
  return stored
}

/** What to consider before a change, as sentences. */
async function concernsOf(
  { before, after }: ReadChange,
  projectId: string,
  service: Service,
  signal: AbortSignal,
): Promise<string[]> {
  const concerns = becomesPrivate(before, after) ? [privateText(projectId)] : []
  const { pattern } = after.featureNaming
  if (pattern === '' || pattern === before.featureNaming.pattern) return concerns
  const flags = await breakingFlags(service, projectId, pattern, signal)
  const problem = lengthProblem({ pattern })
  return [
    ...concerns,
    ...(flags ? breakingTexts(flags, 'the new rule') : problem === undefined ? [] : [problem]),
  ]
}

/** What to report about a run. */
interface Report {
  projectId: string
  target: Target
  wanted: PartialSettings
  change: ReadChange | undefined
  isDryRun: boolean
  /** Set if something was sent. */
  isVerified?: boolean
  now?: Settings | undefined
}

function reportJson({ projectId, target, wanted, change, isDryRun, isVerified, now }: Report) {
  const { before, after, body = wanted, sends = true } = change ?? {}
  const { baseUrl } = target
  const shown = now ?? after
  const request = dryRun(operation, { parameters: { projectId }, body }, baseUrl).json
  return {
    projectId,
    baseUrl,
    dryRun: isDryRun,
    ...(isDryRun && { ...request, ...(!sends && { body: null }) }),
    settings: wanted,
    changed: !before || !shown || changesBetween(before, shown).length > 0,
    sent: sends && !isDryRun ? body : null,
    ...(before &&
      shown && {
        verified: !sends || isVerified === true,
        before: documentOf(before),
        after: documentOf(shown),
      }),
  }
}

/** The project and its changes, below a verb. */
function changedLines(verb: Line, { projectId, target, change, wanted, now }: Report): Line[] {
  const head: Line = [...verb, ' project ', { bold: projectId }, ` on ${target.target}`]
  if (!change) return [head, ...settingsLines(wanted, '(cleared)')]
  const changes = changesBetween(change.before, now ?? change.after)
  return [head, ...(changes.length > 0 ? changeLines(changes) : [['  unchanged']])]
}

function reportLines(report: Report): Line[] {
  const { projectId, target, wanted, change, isDryRun } = report
  if (change && !change.sends) {
    return [
      [
        'unchanged: project ',
        { bold: projectId },
        ` on ${target.target} already has these settings`,
      ],
    ]
  }
  if (!isDryRun) return changedLines([{ green: 'Updated' }], report)
  const step = { parameters: { projectId }, body: change?.body ?? wanted }
  const { lines } = dryRun(operation, step, target.baseUrl)
  return change ? [...changedLines(['Would update'], report), [''], ...lines] : lines
}

/** Shows the change and the request. Needs neither a key nor the network: without them, only the request is known. */
async function preview(
  context: Context,
  projectId: string,
  wanted: PartialSettings,
  options: SetOptions,
): Promise<Report> {
  const { messages, signal } = context
  const { service, ...target } = await connectIfPossible(context, options.read)
  const report = { projectId, target, wanted, change: undefined, isDryRun: true }
  let stored: Settings | undefined
  if (options.read) {
    try {
      stored = service && (await storedSettings(service, projectId))
    } catch (error) {
      const failure = failureOf(error)
      if (failure.kind === 'notFound') throw failure
      messages.warn(`the stored settings could not be read: ${problemText(failure)}`)
      return report
    }
  }
  if (!stored) {
    if (service || !options.read) warnOfLoss(wanted, options, context)
    return report
  }
  const change = await changeOf(stored, wanted, options, context)
  if (service && change.sends) {
    for (const concern of await concernsOf(change, projectId, service, signal))
      messages.warn(concern)
  }
  return { ...report, change }
}

/** Sends the settings and reads them back. @returns the report, and the error if they are not stored as expected */
async function send(
  context: Context,
  connection: Connection,
  projectId: string,
  wanted: PartialSettings,
  options: SetOptions,
): Promise<{ report?: Report; error?: FlagadmError | undefined }> {
  const { service, refusal } = connection
  // Refuse before the read, which would be wasted.
  if (refusal) throw withParts(refusal, { projectId })
  const stored = options.read ? await storedSettings(service, projectId) : undefined
  if (!stored) warnOfLoss(wanted, options, context)
  const change = stored && (await changeOf(stored, wanted, options, context))
  const report: Report = { projectId, target: connection, wanted, change, isDryRun: false }
  if (change && !change.sends) return { report }
  const concerns =
    change && !options.yes ? await concernsOf(change, projectId, service, context.signal) : []
  const question = {
    what: `update project ${projectId}`,
    reason: concerns.join('; '),
    details: [
      ...changedLines(['Would update'], report),
      ...concerns.map((concern): Line => [{ yellow: 'warning:' }, ` ${concern}`]),
    ],
  }
  const states = change && { ...change, read: () => readStored(service, projectId) }
  const results = runWrite(context, connection, {
    operation,
    steps: [{ parameters: { projectId }, body: change?.body ?? wanted, states }],
    differences: differentFields,
    noun: 'settings',
    question: concerns.length > 0 ? question : undefined,
    check: concerns.length > 0,
    findOut: 'flagadm project settings get shows the settings',
    explain: (failure) => explainMissing(service, projectId, failure),
  })
  for await (const { status, now, error, warning } of results) {
    if (warning !== undefined) context.messages.warn(warning)
    const isVerified = status === 'changed' || status === 'unchanged'
    if (isVerified || now) return { report: { ...report, isVerified, now }, error }
    return { error }
  }
  return {}
}

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
  return command
    .description(
      `${examples}

Unleash clears what is not sent: link templates and, with a new pattern, the example and the description. So set reads the stored settings first, sends them as well, and reads the result back. If the service cannot return them (404), or with --no-read, it sends only the given values and does not ask.

Otherwise it asks before it makes a project private or sets a rule that existing flags break. Without a terminal to ask on, such a change needs --yes.`,
    )
    .argument('<project-id>', 'project to change')
    .addOption(mode)
    .option('--naming-pattern <regex>', 'regular expression that the names of new flags must match')
    .option('--naming-example <name>', 'name that matches the pattern')
    .option('--naming-description <text>', 'explanation of the rule')
    .addOption(
      new Option(
        '--naming-description-file <path>',
        "file with the description ('-': standard input)",
      ).conflicts('namingDescription'),
    )
    .addOption(
      new Option('--clear-naming', 'remove the naming rule').conflicts([
        'namingPattern',
        'namingExample',
        'namingDescription',
        'namingDescriptionFile',
      ]),
    )
    .option('-f, --file <path>', "YAML or JSON file with settings ('-': standard input)")
    .option('--no-verify', 'do not check the mode and the naming rule first')
    .option('--no-read', 'do not read the stored settings before and after')
    .option('--force', 'send even if nothing changes')
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--dry-run', 'show what would change and the request; send nothing')
    .action(async (projectId, options) => {
      const { wanted, shown } = await wantedSettings(options, context)
      // A URL cannot contain every id.
      requestOf(operation, { projectId }, wanted)
      if (options.verify) await verify(wanted, shown, context)
      const { report, error }: Awaited<ReturnType<typeof send>> = options.dryRun
        ? { report: await preview(context, projectId, wanted, options) }
        : await send(context, await connect(context), projectId, wanted, options)
      if (report && format() === 'json') context.out.json(reportJson(report))
      else if (report && !error) context.out.lines(reportLines(report))
      if (options.dryRun) context.messages.note('dry run: nothing was sent')
      else finishWrite(context, error)
    })
}
