import { Option } from '@commander-js/extra-typings'
import type { Context, Define, NewCommand } from '../command/context.ts'
import { FlagadmError, refuseUsage, withHints } from '../errors.ts'
import { inputName } from '../input/files.ts'
import { describeProblem } from '../input/shape.ts'
import { missingRule } from '../naming/rule-sources.ts'
import { withExamples } from '../command/options.ts'
import type { Line } from '../output/text.ts'
import { connectIfPossible, connectToWrite } from '../profile/connect.ts'
import { type ChangeReport, makeChange, type Outcome, shownRequest } from '../requests/change.ts'
import type { Step } from '../requests/write.ts'
import type { Service } from '../service/client.ts'
import type { Connection, ShownService } from '../service/connection.ts'
import {
  type PartialSettings,
  projectModes,
  type Settings,
  UnreportedSettings,
} from '../service/settings-document.ts'
import { changeLines, settingsLines } from './settings-text.ts'
import { compareProjects, type PlannedProject } from './comparison.ts'
import { readSettingsFile, refuseProblems } from './documents.ts'
import { privacyWarning, removalWarning, ruleConcerns } from './plan-report.ts'
import {
  changesBetween,
  documentOf,
  definedFields,
  noSettings,
  requestBody,
  withSettings,
} from './settings.ts'
import { updateStep } from './stored.ts'
import { createRuleCheck, type RuleCheck, settingsProblems } from './verify.ts'

const HELP = `Unleash clears what is not sent: link templates and, with a new pattern, the example and the description. So set reads the stored settings first, sends them as well, and reads the result back. If the service cannot return them (404) or leaves some out, or with --no-read, it sends only the given values.

It asks before it sets a rule that could not be checked, and, if the stored settings are known, before it makes a project private, sets a rule that existing flags break, or removes a rule without --clear-naming. Without a terminal to ask on, such a change needs --yes.`

function withOptions(command: NewCommand) {
  const mode = new Option('--mode <mode>', 'who may do what in the project')
  // Any text, because --no-verify sends unknown modes as well.
  mode.argChoices = [...projectModes]
  const descriptionFile = new Option(
    '--description-file <path>',
    "file with the description ('-': standard input)",
  ).conflicts('description')
  const clearExample = new Option('--clear-example', 'remove the example')
  const clearDescription = new Option('--clear-description', 'remove the description')
  const ruleParts = [
    'pattern',
    'example',
    'description',
    'descriptionFile',
    'clearExample',
    'clearDescription',
  ]
  const clear = new Option('--clear-naming', 'remove the naming rule').conflicts(ruleParts)
  const rule = new Option('--rule <file>', "file with the naming rule ('-': standard input)")
  return withExamples(
    command,
    [
      'flagadm project settings set checkout --mode open -p sandbox',
      "flagadm project settings set checkout --pattern 'checkout-[a-z-]+'",
      'flagadm project settings set checkout --rule naming.yaml --dry-run -p sandbox',
      'flagadm project settings set checkout --clear-naming -p sandbox',
    ],
    HELP,
  )
    .argument('<project-id>', 'project to change')
    .addOption(mode)
    .option('--pattern <regex>', 'regular expression that the names of new flags must match')
    .option('--example <name>', 'name that matches the pattern')
    .option('--description <text>', 'explanation of the rule')
    .addOption(descriptionFile)
    .addOption(clear)
    .addOption(clearExample.conflicts('example'))
    .addOption(clearDescription.conflicts(['description', 'descriptionFile']))
    .addOption(rule.conflicts([...ruleParts, 'clearNaming', 'file']))
    .option('-f, --file <path>', "YAML or JSON file with settings ('-': standard input)")
    .option('--no-verify', 'do not check the mode and the naming rule first')
    .option('--no-read', 'do not read the stored settings before and after')
    .option('--force', 'send even if nothing changes')
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--dry-run', 'show what would change and the request; send nothing')
}

type SetOptions = ReturnType<ReturnType<typeof withOptions>['opts']>

/** The description in the options; undefined if there is none. */
async function givenDescription(
  { description, descriptionFile, clearDescription }: SetOptions,
  { inputs }: Context,
): Promise<string | undefined> {
  if (clearDescription) return ''
  if (descriptionFile === undefined) return description
  const text = await inputs.read(descriptionFile, '--description-file', 'usage')
  if (text.trim() === '') {
    const hint = 'to remove the description: --clear-description'
    refuseUsage(`--description-file: ${inputName(descriptionFile)} is empty`, hint)
  }
  // As in a block of a YAML document, lines end in \n, and at most one is empty at the end.
  return text.replaceAll('\r\n', '\n').replace(/(?<!\n)\n+$/, '\n')
}

async function givenSettings(options: SetOptions, context: Context): Promise<PartialSettings> {
  const { mode, pattern, clearNaming, clearExample } = options
  const example = clearExample ? '' : options.example
  const description = await givenDescription(options, context)
  const rule = clearNaming ? noSettings.featureNaming : { pattern, example, description }
  const ruleParts = Object.entries(rule).filter(([, value]) => value !== undefined)
  return {
    ...(mode !== undefined && { mode }),
    ...(ruleParts.length > 0 && { featureNaming: Object.fromEntries(ruleParts) }),
  }
}

/** The settings of the file, if there is one: all that a document has, or the rule of a file with a rule. */
async function settingsInFile({ file, rule }: SetOptions, context: Context) {
  if (file !== undefined) return readSettingsFile(context, file)
  if (rule === undefined) return undefined
  const { settings, placeOf } = await readSettingsFile(context, rule, '--rule')
  const { featureNaming } = settings
  if (!featureNaming) throw missingRule(inputName(rule))
  return { settings: { featureNaming }, placeOf }
}

/**
 * The settings of the file, overridden by the options.
 * @param checkRule without it, neither the mode nor the rule is checked
 * @throws a usage error when there are none or they are invalid
 */
async function wantedSettings(
  options: SetOptions,
  context: Context,
  checkRule: RuleCheck | undefined,
): Promise<PartialSettings> {
  const file = await settingsInFile(options, context)
  const optionSettings = await givenSettings(options, context)
  const wanted = withSettings(file?.settings ?? {}, optionSettings)
  if (definedFields(wanted).length === 0) {
    refuseUsage('no settings given', 'use --mode, --rule, --pattern, --clear-naming or --file')
  }
  const checked = await checkRule?.(wanted)
  const problems = [
    ...settingsProblems(wanted, checkRule !== undefined),
    ...(checked?.errors ?? []),
  ]
  const errors = problems.map((problem) => {
    const { path, message, isOptional } = problem
    const hint = isOptional ? `${problem.hint}, or send it with --no-verify` : problem.hint
    const isInFile =
      file && !definedFields(optionSettings).some((field) => field === path.join('.'))
    const option = `--${path.at(-1)}: ${message}`
    const what = isInFile ? `${file.placeOf(path)}: ${describeProblem(problem)}` : option
    return new FlagadmError('usage', what, { hint })
  })
  refuseProblems(context, errors)
  return wanted
}

interface ProjectChange {
  projectId: string
  wanted: PartialSettings
  /** The project compared with its stored settings, if they are known. */
  project: PlannedProject | undefined
  body: PartialSettings
  /** Whether there is something to do, or sending is forced. */
  isSent: boolean
  /** What to consider first, as sentences. */
  concerns: readonly string[]
}

/** Compares the settings with the stored ones. @returns undefined if these are not read, or after a warning if they cannot be known */
async function compareStored(
  { messages, progress, closing }: Context,
  service: Service | undefined,
  declared: Pick<ProjectChange, 'projectId' | 'wanted'>,
  { read, checkRule }: { read: boolean; checkRule: RuleCheck | undefined },
): Promise<PlannedProject | undefined> {
  let why = 'this dry run has no connection'
  if (!read) return undefined
  if (service) {
    const declarations = [{ ...declared, inherited: [] }]
    const connection = { service, concurrency: 1, progress }
    const [project] = await compareProjects(connection, declarations, { checkRule }, closing)
    const failure = project?.failure
    if (!failure) return project
    // The error for an unknown project is not the service's own.
    if (failure instanceof UnreportedSettings) {
      why = failure.message
    } else {
      if (failure.service?.status !== 404) throw failure
      // Every release that reports its version also reports settings, or is refused.
      const release = await service.release()
      if (release?.version !== undefined) throw withHints(failure, '--no-read sends them anyway')
      why = '404'
    }
  }
  messages.warn(`stored settings unknown (${why}): texts and links not given may be cleared`)
  return undefined
}

/** What to consider before a change, as sentences. */
function concernsOf(project: PlannedProject, { clearNaming }: SetOptions): string[] {
  const removal = clearNaming ? [] : removalWarning(project)
  return [...privacyWarning(project), ...removal, ...ruleConcerns(project)]
}

function changedLines(verb: Line, change: ProjectChange, { target }: ShownService): Line[] {
  const { projectId, project, wanted } = change
  const head: Line = [...verb, ' project ', { bold: projectId }, ` on ${target}`]
  const lines = project ? changeLines(project.changes) : settingsLines(wanted, '(cleared)')
  return [head, ...lines]
}

function changeReport(
  target: ShownService,
  change: ProjectChange,
  step: Step<Settings>,
  { isDryRun, results, error }: Outcome<Settings>,
): ChangeReport {
  const { projectId, wanted, project, body, isSent } = change
  const [written] = results
  const now = written ? written.now : project?.after
  const request = { ...shownRequest(step, target), ...(!isSent && { body: null }) }
  const json = {
    projectId,
    baseUrl: target.baseUrl,
    dryRun: isDryRun,
    ...(isDryRun && request),
    settings: wanted,
    changed: !project || !now || changesBetween(project.before, now).length > 0,
    sent: isSent && !isDryRun ? body : null,
    verified: project && !error && !(isDryRun && isSent),
    before: project && documentOf(project.before),
    after: now && documentOf(now),
  }
  const warnings = written?.warning === undefined ? [] : [written.warning]
  if (error) return { warnings, ...(now && { json }) }
  const updated: Line = isDryRun ? ['Would update'] : [{ green: 'Updated' }]
  const lines = changedLines(isSent ? updated : ['unchanged:'], change, target)
  return { warnings, json, lines }
}

function proposeChange(
  target: ShownService & Partial<Connection>,
  change: ProjectChange,
  { yes }: { yes: true | undefined },
) {
  const { projectId, project, body, isSent, concerns } = change
  const findOut = {
    hint: 'to see the settings:',
    command: ['flagadm', 'project', 'settings', 'get', projectId],
  }
  const step = updateStep(target.service, { projectId, body, states: project, findOut })
  const question = {
    what: `update project ${projectId}`,
    reason: concerns.join('; '),
    details: changedLines(['Would update'], change, target),
  }
  const isAsked = concerns.length > 0 && !yes
  return {
    steps: isSent ? [step] : [],
    question: isAsked ? question : undefined,
    concerns,
    rereadsFirst: isAsked,
    report: (outcome: Outcome<Settings>) => changeReport(target, change, step, outcome),
  }
}

async function updateProject(
  context: Context,
  format: 'text' | 'json',
  projectId: string,
  options: SetOptions,
): Promise<void> {
  if (projectId.includes('*')) {
    refuseUsage(
      `'${projectId}' is a pattern, and set changes one project`,
      'flagadm project settings apply -f <path> changes several projects',
    )
  }
  const { read, verify, dryRun, yes, force } = options
  const checkRule = verify ? createRuleCheck(context.closing) : undefined
  const wanted = await wantedSettings(options, context, checkRule)
  const connection = dryRun ? undefined : await connectToWrite(context, { projectId })
  const target = connection ?? (await connectIfPossible(context, read))
  const declared = { projectId, wanted }
  const project = await compareStored(context, target.service, declared, { read, checkRule })
  const isSent = project?.status !== 'unchanged' || force === true
  const body = requestBody(project?.before ?? noSettings, wanted)
  const concerns = project
    ? concernsOf(project, options)
    : ((await checkRule?.(wanted))?.undecided ?? [])
  const change = { projectId, wanted, project, body, isSent, concerns: isSent ? concerns : [] }
  const proposed = proposeChange(target, change, { yes })
  await makeChange(context, { target, connection, format, ...proposed })
}

export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'json'])
  withOptions(command).action((projectId, options) => {
    return updateProject(context, format(), projectId, options)
  })
}
