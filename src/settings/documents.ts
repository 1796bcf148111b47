import { readdir, stat } from 'node:fs/promises'
import * as v from 'valibot'
import { failureOf, fileReason, FlagadmError, withParts } from '../errors.ts'
import { groupBy } from '../groups.ts'
import { parsePlaced } from '../input/document.ts'
import { inputName, type Inputs } from '../input/files.ts'
import { isObject } from '../input/json.ts'
import { checkWholeShape, exactObject, type Path, pathText } from '../input/shape.ts'
import type { PlacedDocument } from '../input/yaml.ts'
import { join, resolve } from '../paths.ts'
import { checkAddress } from '../profile/endpoint.ts'
import { operations, requestOf } from '../service/operations.ts'
import {
  type PartialSettings,
  settingsDocumentSchema,
  settingsHint,
  settingsOf,
} from '../service/settings-document.ts'
import { fieldsOf, type SettingsField, withSettings } from './settings.ts'
import { type RuleCheck, settingsProblems } from './verify.ts'

/** The settings that a document declares for a project, and where. */
export interface Declaration {
  projectId: string
  wanted: PartialSettings
  /** The fields whose values are defaults of the document. */
  inherited: SettingsField[]
  file: string
  /** The line of a field; of the whole project for the empty path. */
  lineOf(path: Path): number
}

/** A problem of a document. */
interface DocumentProblem {
  file: string
  /** 0 if the message contains the place. */
  line: number
  message: string
  hint?: string | undefined
}

/** The content of documents. */
export interface Documents {
  declared: Declaration[]
  /** The services that documents are for. */
  services: { address: string; place: string }[]
  problems: DocumentProblem[]
}

/** A document that was read. */
interface ReadDocument extends PlacedDocument {
  file: string
}

/** The command that prints a valid document. */
const VALID_EXAMPLE = 'flagadm project settings get --all-projects -o yaml'
const documentHint =
  'a document maps project ids to settings in projects, and may have defaults and service'

const documentSchema = exactObject({
  service: v.exactOptional(v.string()),
  defaults: v.exactOptional(settingsDocumentSchema),
  // The settings of each project are checked one by one, because a record drops ids such as `constructor`.
  projects: v.custom<Record<string, unknown>>(isObject, 'expected an object'),
})

/** The files of a path: the file itself, or the YAML and JSON files in a folder. */
async function filesOf(path: string, cwd: string): Promise<string[]> {
  const stats = path === '-' ? undefined : await stat(resolve(cwd, path)).catch(() => undefined)
  if (!stats?.isDirectory()) return [path]
  const refuse = (what: string, cause?: unknown): never => {
    throw new FlagadmError('usage', `--file: ${what}`, { hint: 'check the path', cause })
  }
  const entries = await readdir(resolve(cwd, path), { withFileTypes: true }).catch((cause) =>
    refuse(`cannot read ${path}: ${fileReason(cause)}`, cause),
  )
  const files = entries
    .filter((entry) => !entry.isDirectory() && /^[^.].*\.(ya?ml|json)$/i.test(entry.name))
    .map(({ name }) => join(path, name))
    .sort()
  return files.length > 0 ? files : refuse(`no YAML or JSON file in ${path}`)
}

/** Checks a part of a document against a schema; adds its problems. */
function checkPart<Schema extends v.GenericSchema>(
  { file, isJson, lineOf }: ReadDocument,
  schema: Schema,
  part: { data: unknown; path: Path; subject?: string; hint: string },
  problems: DocumentProblem[],
): v.InferOutput<Schema> | undefined {
  const { data, path, subject = '', hint } = part
  const checked = checkWholeShape(schema, data)
  for (const problem of checked.problems ?? []) {
    const [first, ...below] = problem.path
    const isText = problem.message === 'expected string' && below.length > 0
    const help = first === 'defaults' ? settingsHint : hint
    const field = first === undefined ? '' : `${pathText(problem.path)}: `
    problems.push({
      file,
      line: lineOf([...path, ...problem.path]),
      message: subject + field + problem.message,
      hint: isText ? `put ${isJson ? 'double' : 'single'} quotes around the value` : help,
    })
  }
  return checked.data
}

/** The defaults for a project: its id replaces `{project}` in the naming rule, escaped in the pattern. */
function defaultsFor(projectId: string, { featureNaming, ...others }: PartialSettings) {
  if (!featureNaming) return others
  const escaped = projectId.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const rule = Object.entries(featureNaming).map(([field, text]) => {
    return [field, text.replaceAll('{project}', () => (field === 'pattern' ? escaped : projectId))]
  })
  return { ...others, featureNaming: Object.fromEntries(rule) }
}

/** The content of a document with the settings of several projects. */
function readProjects(document: ReadDocument): Documents {
  const { file, lineOf } = document
  const problems: DocumentProblem[] = []
  const whole = { data: document.data, path: [], hint: documentHint }
  const content = checkPart(document, documentSchema, whole, problems)
  if (!content) return { declared: [], services: [], problems }
  const { service, projects, defaults } = content
  const declared = Object.entries(projects).map(([projectId, given]): Declaration => {
    const path = ['projects', projectId]
    try {
      // A URL cannot contain every id.
      requestOf(operations.projectOverview, { projectId })
    } catch (error) {
      const { message, hint } = failureOf(error)
      problems.push({ file, line: lineOf(path), message, hint })
    }
    // A project that only inherits is an empty value in YAML, which is null.
    const data = given === null && defaults !== undefined ? {} : given
    const part = { data, path, subject: `project ${projectId}: `, hint: settingsHint }
    const own = settingsOf(checkPart(document, settingsDocumentSchema, part, problems) ?? {})
    const shared = defaultsFor(projectId, settingsOf(defaults ?? {}))
    const inherited = fieldsOf(shared).filter((field) => !fieldsOf(own).includes(field))
    const isInherited = (field: string) => inherited.some((one) => one === field)
    return {
      projectId,
      wanted: withSettings(shared, own),
      inherited,
      file,
      lineOf: (below) =>
        lineOf([...(isInherited(below.join('.')) ? ['defaults'] : path), ...below]),
    }
  })
  const place = `${file}:${lineOf(['service'])}`
  return {
    declared,
    services: service === undefined ? [] : [{ address: service, place }],
    problems,
  }
}

/** Projects that are declared more than once. */
function duplicates(declared: readonly Declaration[]): DocumentProblem[] {
  return [...groupBy(declared, ({ projectId }) => projectId).values()].flatMap(([first, ...more]) =>
    more.map(({ projectId, file, lineOf }) => ({
      file,
      line: lineOf([]),
      message: `project ${projectId} is also defined in ${first.file}:${first.lineOf([])}`,
      hint: 'remove one of them',
    })),
  )
}

/** The problems of modes, texts and naming rules. Projects that inherit a value have the same problem. */
async function lint(
  declared: readonly Declaration[],
  checkRule: RuleCheck,
): Promise<DocumentProblem[]> {
  const problems = new Map<string, DocumentProblem>()
  for (const { projectId, wanted, inherited, file, lineOf } of declared) {
    for (const { path, message, hint } of await settingsProblems(wanted, checkRule)) {
      const isInherited = inherited.some((field) => field === path.join('.'))
      const subject = isInherited ? 'defaults.' : `project ${projectId}: `
      const what = `${subject}${pathText(path)}: ${message}`
      const line = lineOf(path)
      problems.set(file + what, { file, line, message: what, hint: `${hint}, or use --no-verify` })
    }
  }
  return [...problems.values()]
}

async function readFile(path: string, inputs: Inputs): Promise<ReadDocument> {
  const file = inputName(path)
  const text = await inputs.read(path, '--file', 'usage')
  return { ...(await parsePlaced(text, file, 'usage', VALID_EXAMPLE)), file }
}

/**
 * Reads the documents with the settings of projects.
 * @param paths files, folders of files, and `-` for standard input
 * @param checkRule checks naming rules; without it, neither modes, texts nor rules are checked
 * @returns the projects that they declare, in the order of the documents, or all problems
 */
export async function readDocuments(
  paths: readonly string[],
  { inputs, cwd }: { inputs: Inputs; cwd: string },
  checkRule: RuleCheck | undefined,
): Promise<Documents> {
  const files = (await Promise.all(paths.map((path) => filesOf(path, cwd)))).flat()
  const all: Documents = { declared: [], services: [], problems: [] }
  for (const path of files) {
    try {
      const { declared, services, problems } = readProjects(await readFile(path, inputs))
      all.declared.push(...declared)
      all.services.push(...services)
      all.problems.push(...problems.sort((a, b) => a.line - b.line))
    } catch (error) {
      const { message, hint } = failureOf(error)
      all.problems.push({ file: inputName(path), line: 0, message, hint })
    }
  }
  if (all.problems.length > 0) return all
  const problems = [
    ...duplicates(all.declared),
    ...(checkRule ? await lint(all.declared, checkRule) : []),
  ]
  const order = files.map(inputName)
  problems.sort((a, b) => order.indexOf(a.file) - order.indexOf(b.file) || a.line - b.line)
  return { ...all, problems }
}

/**
 * Reads a document with the settings of a single project.
 * @throws a usage error for a document of several projects
 */
export async function readSettingsFile(path: string, inputs: Inputs) {
  const document = await readFile(path, inputs)
  const { data, file, lineOf } = document
  if (isObject(data) && 'projects' in data) {
    throw new FlagadmError('usage', `${file} has settings of several projects`, {
      hint: 'use flagadm project settings plan and apply',
    })
  }
  const problems: DocumentProblem[] = []
  const part = { data, path: [], hint: settingsHint }
  const settings = settingsOf(checkPart(document, settingsDocumentSchema, part, problems) ?? {})
  return { settings, problems, placeOf: (field: Path) => `${file}:${lineOf(field)}` }
}

/**
 * Refuses documents with problems.
 * @param report is called for each of several problems
 * @throws a usage error
 */
export function refuseProblems(
  problems: readonly DocumentProblem[],
  report: (error: FlagadmError) => void,
): void {
  const errors = problems.map(({ file, line, message, hint }) => {
    const place = line === 0 ? '' : `${file}:${line}: `
    return new FlagadmError('usage', `${place}${message}`, { hint })
  })
  refuseAll(errors, 'in the documents', report)
}

/** @throws the error; for several, their number after each was reported */
export function refuseAll(
  errors: readonly FlagadmError[],
  where: string,
  report: (error: FlagadmError) => void,
): void {
  const [first, ...others] = errors
  if (!first) return
  if (others.length === 0) throw first
  for (const [index, error] of errors.entries()) {
    // The hint of several is printed once.
    const isRepeated = errors[index + 1]?.hint === error.hint
    report(isRepeated ? withParts(error, { hint: undefined }) : error)
  }
  const hint = 'nothing was read or sent'
  throw new FlagadmError('usage', `${errors.length} problems ${where}`, { hint })
}

/** @throws a usage error for a document that is for another service, or not for an address */
export function refuseOtherService({ services }: Documents, baseUrl: string): void {
  for (const { address, place } of services) {
    const expected = checkAddress(address, `${place}: service`, true)
    if (expected === baseUrl) continue
    const what = `${place}: the document is for ${expected}, not for ${baseUrl}`
    throw new FlagadmError('usage', what, {
      hint: 'use a profile for that service, or correct the field service',
    })
  }
}
