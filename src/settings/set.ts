import { Option } from '@commander-js/extra-typings'
import type { Context, Define } from '../command/context.ts'
import { FlagadmError, refuseUsage, withHints } from '../errors.ts'
import { inputName } from '../input/files.ts'
import { describeProblem } from '../input/shape.ts'
import { lengthProblem } from '../naming/rule.ts'
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
import { changeLines, settingsLines } from './changes.ts'
import { compareProjects, type PlannedProject } from './comparison.ts'
import { readSettingsFile, refuseProblems } from './documents.ts'
import { breakingTexts, privacyWarning, removalWarning } from './plan-report.ts'
import {
  changesBetween,
  documentOf,
  definedFields,
  noSettings,
  requestBody,
  withSettings,
} from './settings.ts'
import { updateStep } from './stored.ts'
import { createRuleCheck, settingsProblems } from './verify.ts'

interface SetOptions {
  mode?: string | undefined
  namingPattern?: string | undefined
  namingExample?: string | undefined
  namingDescription?: string | undefined
  namingDescriptionFile?: string | undefined
  clearNaming?: true | undefined
  file?: string | undefined
  rule?: string | undefined
  verify: boolean
}

/** The settings in the options. */
async function givenSettings(options: SetOptions, { inputs }: Context): Promise<PartialSettings> {
  const { mode, namingPattern: pattern, namingExample: example, clearNaming } = options
  const file = options.namingDescriptionFile
  const text = file && (await inputs.read(file, '--naming-description-file', 'usage'))
  // As in a block of a YAML document, lines end in \n, and at most one is empty at the end.
  const description =
    text?.replaceAll('\r\n', '\n').replace(/\n+$/, '\n') ?? options.namingDescription
  const rule = { pattern, example, description, ...(clearNaming && noSettings.featureNaming) }
  const given = Object.entries(rule).filter(([, value]) => value !== undefined)
  return {
    ...(mode !== undefined && { mode }),
    ...(given.length > 0 && { featureNaming: Object.fromEntries(given) }),
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
 * @throws a usage error when there are none or they are invalid
 */
async function wantedSettings(options: SetOptions, context: Context): Promise<PartialSettings> {
  const file = await settingsInFile(options, context)
  const given = await givenSettings(options, context)
  const wanted = withSettings(file?.settings ?? {}, given)
  if (definedFields(wanted).length === 0) {
    throw new FlagadmError('usage', 'no settings given', {
      hint: 'use --mode, --rule, --naming-pattern, --clear-naming or --file',
    })
  }
  const { verify } = options
  const ruleProblems = verify ? await createRuleCheck(context.closing)(wanted) : []
  const errors = [...settingsProblems(wanted, verify), ...ruleProblems].map((problem) => {
    const { path, message, isOptional } = problem
    const hint = isOptional ? `${problem.hint}, or send it with --no-verify` : problem.hint
    const isInFile = file && !definedFields(given).some((field) => field === path.join('.'))
    const option = `--${path.join('.').replace('featureNaming.', 'naming-')}: ${message}`
    const what = isInFile ? `${file.placeOf(path)}: ${describeProblem(problem)}` : option
    return new FlagadmError('usage', what, { hint })
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
  /** Whether there is something to do, or sending is forced. */
  isSent: boolean
}

/** Compares the settings with the stored ones. @returns undefined after a warning if these cannot be known */
async function compareStored(
  { messages, progress, closing }: Context,
  service: Service | undefined,
  declared: Pick<ProjectChange, 'projectId' | 'wanted'>,
  { read, verify }: { read: boolean; verify: boolean },
): Promise<PlannedProject | undefined> {
  let why = read ? 'this dry run has no connection' : 'they were not read (--no-read)'
  if (read && service) {
    const one = [{ ...declared, inherited: [] }]
    const connection = { service, concurrency: 1, progress }
    const [project] = await compareProjects(connection, one, { verify }, closing)
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
      why = 'the service returned 404'
    }
  }
  const loss = 'link templates and, with a new pattern, the example and the description'
  const what = `the service may clear ${loss}, unless they are given`
  messages.warn(`the stored settings are not known, because ${why}: ${what}`)
  return undefined
}

/** What to consider before a change, as sentences. */
function concernsOf(project: PlannedProject, { clearNaming }: SetOptions): string[] {
  const { rule, after } = project
  const removal = clearNaming ? [] : removalWarning(project)
  const concerns = [...privacyWarning(project), ...removal]
  if (!rule) return concerns
  if (rule.flags) return [...concerns, ...breakingTexts(rule.flags, 'the new rule')]
  const tooLong = lengthProblem(after.featureNaming)
  return tooLong === undefined ? concerns : [...concerns, tooLong]
}

/** A change as lines below a verb. */
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

/** The request of a change, the question before it and the report after it. */
function proposeChange(
  target: ShownService & Partial<Connection>,
  change: ProjectChange,
  options: SetOptions & { yes?: true | undefined },
) {
  const { projectId, project, body, isSent } = change
  const concerns = project && isSent ? concernsOf(project, options) : []
  const findOut = 'flagadm project settings get shows the settings'
  const step = updateStep(target.service, { projectId, body, states: project, findOut })
  const question = {
    what: `update project ${projectId}`,
    reason: concerns.join('; '),
    details: changedLines(['Would update'], change, target),
  }
  const isAsked = concerns.length > 0 && !options.yes
  return {
    steps: isSent ? [step] : [],
    question: isAsked ? question : undefined,
    concerns,
    rereadsFirst: isAsked,
    report: (outcome: Outcome<Settings>) => changeReport(target, change, step, outcome),
  }
}

const HELP = `Unleash clears what is not sent: link templates and, with a new pattern, the example and the description. So set reads the stored settings first, sends them as well, and reads the result back. If the service cannot return them (404) or leaves some out, or with --no-read, it sends only the given values and does not ask.

Otherwise it asks before it makes a project private, sets a rule that existing flags break, or removes a rule without --clear-naming. Without a terminal to ask on, such a change needs --yes.`

export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'json'])
  const mode = new Option('--mode <mode>', 'who may do what in the project')
  // Any text, because --no-verify sends unknown modes as well.
  mode.argChoices = [...projectModes]
  const descriptionFile = new Option(
    '--naming-description-file <path>',
    "file with the description ('-': standard input)",
  ).conflicts('namingDescription')
  const ruleParts = ['namingPattern', 'namingExample', 'namingDescription', 'namingDescriptionFile']
  const clear = new Option('--clear-naming', 'remove the naming rule').conflicts(ruleParts)
  const rule = new Option('--rule <file>', "file with the naming rule ('-': standard input)")
  return withExamples(
    command,
    [
      'flagadm project settings set checkout --mode open -p sandbox',
      "flagadm project settings set checkout --naming-pattern 'checkout-[a-z-]+'",
      'flagadm project settings set checkout --rule naming.yaml --dry-run -p sandbox',
      'flagadm project settings set checkout --clear-naming -p sandbox',
    ],
    HELP,
  )
    .argument('<project-id>', 'project to change')
    .addOption(mode)
    .option('--naming-pattern <regex>', 'regular expression that the names of new flags must match')
    .option('--naming-example <name>', 'name that matches the pattern')
    .option('--naming-description <text>', 'explanation of the rule')
    .addOption(descriptionFile)
    .addOption(clear)
    .addOption(rule.conflicts([...ruleParts, 'clearNaming', 'file']))
    .option('-f, --file <path>', "YAML or JSON file with settings ('-': standard input)")
    .option('--no-verify', 'do not check the mode and the naming rule first')
    .option('--no-read', 'do not read the stored settings before and after')
    .option('--force', 'send even if nothing changes')
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--dry-run', 'show what would change and the request; send nothing')
    .action(async (projectId, { force, yes, dryRun, ...options }) => {
      if (projectId.includes('*')) {
        refuseUsage(
          `'${projectId}' is a pattern, and set changes one project`,
          'flagadm project settings apply -f <path> changes several projects',
        )
      }
      const wanted = await wantedSettings(options, context)
      const connection = dryRun ? undefined : await connectToWrite(context, { projectId })
      const target = connection ?? (await connectIfPossible(context, options.read))
      const { service } = target
      const project = await compareStored(context, service, { projectId, wanted }, options)
      const isSent = project?.status !== 'unchanged' || force === true
      const body = requestBody(project?.before ?? noSettings, wanted)
      const change = { projectId, wanted, project, body, isSent }
      const proposed = proposeChange(target, change, { ...options, yes })
      await makeChange(context, { target, connection, format: format(), ...proposed })
    })
}
