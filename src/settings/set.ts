import { Option } from '@commander-js/extra-typings'
import type { Context, Define } from '../cli/context.ts'
import { FlagadmError, interrupted, withParts } from '../errors.ts'
import { describeProblem } from '../input/shape.ts'
import { lengthProblem } from '../naming/rule.ts'
import { withExamples } from '../cli/options.ts'
import type { Line } from '../output/text.ts'
import { connect, connectIfPossible } from '../profile/connect.ts'
import type { Service } from '../service/client.ts'
import type { Connection, ShownService } from '../service/connection.ts'
import { operations } from '../service/operations.ts'
import { type PartialSettings, projectModes, type Settings } from '../service/settings-document.ts'
import { dryRun, finishWrite, runWrite } from '../requests/write.ts'
import { changeLines, settingsLines } from './changes.ts'
import { compareProjects, type PlannedProject } from './comparison.ts'
import { readSettingsFile, refuseProblems } from './documents.ts'
import { breakingTexts, privacyWarning } from './report.ts'
import {
  changesBetween,
  differentFields,
  documentOf,
  fieldsOf,
  noSettings,
  requestBody,
  withSettings,
} from './settings.ts'
import { explainMissing, readStored } from './stored.ts'
import { createRuleCheck, settingsProblems } from './verify.ts'

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
}

/** The settings in the options. */
async function givenSettings(options: SetOptions, { inputs }: Context): Promise<PartialSettings> {
  const { mode, namingPattern: pattern, namingExample: example, clearNaming } = options
  const file = options.namingDescriptionFile
  const text = file && (await inputs.read(file, '--naming-description-file', 'usage'))
  const description = text ?? options.namingDescription
  const rule = { pattern, example, description, ...(clearNaming && noSettings.featureNaming) }
  const given = Object.entries(rule).filter(([, value]) => value !== undefined)
  return {
    ...(mode !== undefined && { mode }),
    ...(given.length > 0 && { featureNaming: Object.fromEntries(given) }),
  }
}

/**
 * The settings of the file, overridden by the options.
 * @throws a usage error when there are none or they are invalid
 */
async function wantedSettings(options: SetOptions, context: Context): Promise<PartialSettings> {
  const file =
    options.file === undefined ? undefined : await readSettingsFile(context, options.file)
  const given = await givenSettings(options, context)
  const wanted = withSettings(file?.settings ?? {}, given)
  if (fieldsOf(wanted).length === 0) {
    throw new FlagadmError('usage', 'no settings given', {
      hint: 'use --mode, --naming-pattern, --clear-naming or --file',
    })
  }
  if (!options.verify) return wanted
  const ruleProblems = await createRuleCheck(context.signal)(wanted)
  const errors = [...settingsProblems(wanted), ...ruleProblems].map((problem) => {
    const { path, message, hint } = problem
    const isInFile = file && !fieldsOf(given).some((field) => field === path.join('.'))
    const option = `--${path.join('.').replace('featureNaming.', 'naming-')}: ${message}`
    const what = isInFile ? `${file.placeOf(path)}: ${describeProblem(problem)}` : option
    return new FlagadmError('usage', what, { hint: `${hint}, or send it with --no-verify` })
  })
  refuseProblems(context, errors)
  return wanted
}

/** A change of a project. */
interface ProjectChange {
  projectId: string
  wanted: PartialSettings
  /** The project compared with its stored settings, if they are known. */
  project: PlannedProject | undefined
  body: PartialSettings
}

/** Compares the settings with the stored ones. @returns undefined after a warning if these cannot be known */
async function compareStored(
  { messages, signal }: Context,
  service: Service | undefined,
  declared: Pick<ProjectChange, 'projectId' | 'wanted'>,
  { read, verify }: { read: boolean; verify: boolean },
): Promise<PlannedProject | undefined> {
  let why = read ? 'this dry run has no connection' : 'they were not read (--no-read)'
  if (read && service) {
    const one = [{ ...declared, inherited: [] }]
    const [project] = await compareProjects({ service, concurrency: 1 }, one, { verify }, signal)
    const failure = project?.failure
    if (!failure) return project
    // The error for an unknown project is not the service's own.
    if (failure.service?.status !== 404) throw failure
    why = 'the service returned 404'
  }
  const loss = 'link templates and, with a new pattern, the example and the description'
  const what = `the service may clear ${loss}, unless they are given`
  messages.warn(`the stored settings are not known, because ${why}: ${what}`)
  return undefined
}

/** What to consider before a change, as sentences. */
function concernsOf(project: PlannedProject): string[] {
  const { rule, after } = project
  const tooLong = (rule && lengthProblem(after.featureNaming)) ?? []
  const effect = rule?.flags ? breakingTexts(rule.flags, 'the new rule') : [tooLong].flat()
  return [...privacyWarning(project), ...effect]
}

/** A change as lines below a verb. */
function changedLines(verb: Line, change: ProjectChange, { target }: ShownService): Line[] {
  const { projectId, project, wanted } = change
  const head: Line = [...verb, ' project ', { bold: projectId }, ` on ${target}`]
  const lines = project ? changeLines(project.changes) : settingsLines(wanted, '(cleared)')
  return [head, ...lines]
}

/** Asks if there are concerns, sends, and reads back. @returns what is stored, and why it is not as expected */
async function send(
  context: Context,
  connection: Connection,
  change: ProjectChange,
  concerns: readonly string[],
): Promise<{ now?: Settings | undefined; error?: FlagadmError | undefined }> {
  const { projectId, project, body } = change
  const { service } = connection
  const warnings = concerns.map((concern): Line => [{ magenta: 'warning:' }, ` ${concern}`])
  const question = {
    what: `update project ${projectId}`,
    reason: concerns.join('; '),
    details: [...changedLines(['Would update'], change, connection), ...warnings],
  }
  const states = project && { ...project, read: () => readStored(service, projectId) }
  const results = runWrite(context, connection, {
    operation,
    steps: [{ parameters: { projectId }, body, states }],
    differences: differentFields,
    noun: 'settings',
    question: concerns.length > 0 ? question : undefined,
    check: concerns.length > 0,
    findOut: 'flagadm project settings get shows the settings',
  })
  for await (const { status, now, error, warning } of results) {
    if (warning !== undefined) context.messages.warn(warning)
    if (status === 'skipped') break
    return { now, error: project ? explainMissing(error) : error }
  }
  return { error: interrupted() }
}

const help = `Unleash clears what is not sent: link templates and, with a new pattern, the example and the description. So set reads the stored settings first, sends them as well, and reads the result back. If the service cannot return them (404), or with --no-read, it sends only the given values and does not ask.

Otherwise it asks before it makes a project private or sets a rule that existing flags break. Without a terminal to ask on, such a change needs --yes.`

export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'json'])
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
  return withExamples(
    command,
    [
      'flagadm project settings set checkout --mode open -p sandbox',
      "flagadm project settings set checkout --naming-pattern 'checkout-[a-z-]+' -p sandbox",
      'flagadm project settings set checkout -f naming.yaml --dry-run -p sandbox',
      'flagadm project settings set checkout --clear-naming -p sandbox',
    ],
    `${help}`,
  )
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
    .action(async (projectId, { force, yes, dryRun: isDryRun = false, ...options }) => {
      const { out, messages } = context
      const wanted = await wantedSettings(options, context)
      const connection = isDryRun ? undefined : await connect(context)
      // Refuse before the read, which would be wasted.
      if (connection?.refusal) throw withParts(connection.refusal, { projectId })
      const target = connection ?? (await connectIfPossible(context, options.read))
      const project = await compareStored(context, target.service, { projectId, wanted }, options)
      const sends = project?.status !== 'unchanged' || force === true
      const body = requestBody(project?.before ?? noSettings, wanted)
      const change: ProjectChange = { projectId, wanted, project, body }
      const concerns = project && sends && (isDryRun || !yes) ? concernsOf(project) : []
      const request = dryRun(operation, { parameters: { projectId }, body }, target.baseUrl)
      const { now, error }: Awaited<ReturnType<typeof send>> =
        connection && sends
          ? await send(context, connection, change, concerns)
          : { now: project?.after }
      if (isDryRun) for (const concern of concerns) messages.warn(concern)
      if (format() === 'json' && (now || !error)) {
        out.json({
          projectId,
          baseUrl: target.baseUrl,
          dryRun: isDryRun,
          ...(isDryRun && { ...request.json, ...(!sends && { body: null }) }),
          settings: wanted,
          changed: !project || !now || changesBetween(project.before, now).length > 0,
          sent: sends && !isDryRun ? body : null,
          verified: project && !error && !(isDryRun && sends),
          before: project && documentOf(project.before),
          after: now && documentOf(now),
        })
      } else if (!error) {
        const updated: Line = isDryRun ? ['Would update'] : [{ green: 'Updated' }]
        out.lines(changedLines(sends ? updated : ['unchanged:'], change, target))
        if (isDryRun && sends) out.lines([[''], ...request.lines])
      }
      if (isDryRun) messages.note('dry run: nothing was sent')
      else finishWrite(context, error)
    })
}
