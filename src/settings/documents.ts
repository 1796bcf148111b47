import { readdir, stat } from 'node:fs/promises'
import { failureOf, fileReason, FlagadmError, withParts } from '../errors.ts'
import { groupBy } from '../groups.ts'
import { parsePlaced } from '../input/document.ts'
import { inputName, type Inputs } from '../input/files.ts'
import { isObject } from '../input/json.ts'
import { checkWholeShape, type Path, pathText } from '../input/shape.ts'
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
import { type RuleCheck, settingsProblems } from './verify.ts'
import { declaredFields, type SettingsField } from './settings.ts'

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

/** The service that a document is for. */
interface DocumentService {
  address: string
  file: string
  line: number
}

/** A problem of a document. */
export interface DocumentProblem {
  file: string
  /** 0 if the message contains the place. */
  line: number
  message: string
  hint: string | undefined
}

/** The content of documents. */
export interface Documents {
  declared: Declaration[]
  services: DocumentService[]
  problems: DocumentProblem[]
}

/** A document that was read. */
interface ReadDocument extends PlacedDocument {
  file: string
}

/** The command that prints a valid document. */
const VALID_EXAMPLE = 'flagadm project settings get --all -o yaml'
const PLACEHOLDER = '{project}'
const documentHint =
  'a document maps project ids to settings in projects, and may have defaults and service'

/** The files of a path: the file itself, or the YAML and JSON files in a folder. */
async function filesOf(path: string, cwd: string): Promise<string[]> {
  if (path === '-') return [path]
  const isFolder = await stat(resolve(cwd, path)).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
  if (!isFolder) return [path]
  const hint = 'check the path'
  const entries = await readdir(resolve(cwd, path), { withFileTypes: true }).catch((cause) => {
    const what = `--file: cannot read ${path}: ${fileReason(cause)}`
    throw new FlagadmError('usage', what, { hint, cause })
  })
  const files = entries
    .filter((entry) => !entry.isDirectory() && /^[^.].*\.(ya?ml|json)$/i.test(entry.name))
    .map(({ name }) => name)
    .sort()
  if (files.length > 0) return files.map((name) => join(path, name))
  throw new FlagadmError('usage', `--file: no YAML or JSON file in ${path}`, { hint })
}

/** The settings at a path of a document, or the problems that make them unusable. */
function settingsAt(
  { file, isJson, lineOf }: ReadDocument,
  data: unknown,
  path: Path,
  subject: string,
): { settings: PartialSettings; problems: DocumentProblem[] } {
  const checked = checkWholeShape(settingsDocumentSchema, data)
  if (checked.data) return { settings: settingsOf(checked.data), problems: [] }
  const isText = ({ path: [field], message }: (typeof checked.problems)[number]) =>
    message === 'expected string' && field !== 'mode'
  const quote = `put ${isJson ? 'double' : 'single'} quotes around the value`
  const problems = checked.problems.map((problem) => ({
    file,
    line: lineOf([...path, ...problem.path]),
    message: `${subject}${problem.path.length > 0 ? `${pathText(problem.path)}: ` : ''}${problem.message}`,
    hint: isText(problem) ? quote : settingsHint,
  }))
  return { settings: {}, problems }
}

/** The defaults for a project: its id replaces `{project}` in the naming rule, escaped in the pattern. */
function defaultsFor(projectId: string, { featureNaming, ...others }: PartialSettings) {
  if (!featureNaming) return others
  const escaped = projectId.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const rule = Object.entries(featureNaming).map(([field, text]) => [
    field,
    text.replaceAll(PLACEHOLDER, () => (field === 'pattern' ? escaped : projectId)),
  ])
  return { ...others, featureNaming: Object.fromEntries(rule) }
}

/** The settings that a project declares itself, and those that it inherits. */
function inherit(own: PartialSettings, defaults: PartialSettings) {
  const featureNaming = { ...defaults.featureNaming, ...own.featureNaming }
  const hasRule = Object.keys(featureNaming).length > 0
  const declared = declaredFields(own)
  return {
    wanted: { ...defaults, ...own, ...(hasRule && { featureNaming }) },
    inherited: declaredFields(defaults).filter((field) => !declared.includes(field)),
  }
}

/** The content of a document with the settings of several projects. */
function readProjects(document: ReadDocument): Documents {
  const { data, file, lineOf } = document
  const problems: DocumentProblem[] = []
  const report = (path: Path, message: string, hint = documentHint) =>
    problems.push({ file, line: lineOf(path), message, hint })
  /** The result of a check; reports its error. */
  const attempt = <Result>(path: Path, check: () => Result): Result | undefined => {
    try {
      return check()
    } catch (error) {
      const { message, hint } = failureOf(error)
      report(path, message, hint)
      return undefined
    }
  }
  const settingsIn = (given: unknown, path: Path, subject: string) => {
    const { settings, problems: found } = settingsAt(document, given, path, subject)
    problems.push(...found)
    return settings
  }

  const { projects, defaults, service, ...others } = isObject(data) ? data : {}
  for (const field of Object.keys(others)) report([field], `${pathText([field])}: unknown field`)
  if (!isObject(projects)) {
    if (Object.keys(others).length === 0) report(['projects'], 'projects: expected an object')
    return { declared: [], services: [], problems }
  }
  const shared = settingsIn(defaults ?? {}, ['defaults'], 'defaults: ')
  const declared = Object.entries(projects).map(([projectId, given]): Declaration => {
    const path = ['projects', projectId]
    // A URL cannot contain every id.
    attempt(path, () => requestOf(operations.projectOverview, { projectId }))
    // A project that only inherits is an empty value in YAML, which is null.
    const isEmpty = given === null && defaults !== undefined
    const own = settingsIn(isEmpty ? {} : given, path, `project ${projectId}: `)
    const { wanted, inherited } = inherit(own, defaultsFor(projectId, shared))
    const isInherited = (field: string) => inherited.some((one) => one === field)
    const lineOfField = (below: Path) =>
      lineOf([...(isInherited(below.join('.')) ? ['defaults'] : path), ...below])
    return { projectId, wanted, inherited, file, lineOf: lineOfField }
  })
  if (service === undefined) return { declared, services: [], problems }
  if (typeof service !== 'string') report(['service'], 'service: expected a string')
  const address =
    typeof service === 'string' &&
    attempt(['service'], () => checkAddress(service, 'service', true))
  const line = lineOf(['service'])
  return { declared, services: address ? [{ address, file, line }] : [], problems }
}

/** The problems of declarations in modes, texts and naming rules, and projects that are declared more than once. */
async function lint(
  declared: readonly Declaration[],
  checkRule: RuleCheck | undefined,
): Promise<DocumentProblem[]> {
  const problems = new Map<string, DocumentProblem>()
  for (const [first, ...others] of groupBy(declared, ({ projectId }) => projectId).values()) {
    const { projectId, file, lineOf } = first
    const message = `project ${projectId} is also defined in ${file}:${lineOf([])}`
    for (const other of others) {
      const place = { file: other.file, line: other.lineOf([]) }
      problems.set(`${place.file}:${place.line}`, { ...place, message, hint: 'remove one of them' })
    }
  }
  if (!checkRule) return [...problems.values()]
  for (const { projectId, wanted, inherited, file, lineOf } of declared) {
    for (const { path, message, hint } of await settingsProblems(wanted, checkRule)) {
      const isInherited = inherited.some((field) => field === path.join('.'))
      const subject = isInherited ? 'defaults.' : `project ${projectId}: `
      const what = `${subject}${pathText(path)}: ${message}`
      const advice = `${hint}, or use --no-verify`
      // Projects that inherit a value have the same problem.
      problems.set(`${file} ${what}`, { file, line: lineOf(path), message: what, hint: advice })
    }
  }
  return [...problems.values()]
}

async function readFile(path: string, option: string, inputs: Inputs): Promise<ReadDocument> {
  const file = inputName(path)
  const text = await inputs.read(path, option, 'usage')
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
  const documents: Documents[] = []
  for (const path of files) {
    try {
      documents.push(readProjects(await readFile(path, '--file', inputs)))
    } catch (error) {
      const { message, hint } = failureOf(error)
      const problem = { file: inputName(path), line: 0, message, hint }
      documents.push({ declared: [], services: [], problems: [problem] })
    }
  }
  const declared = documents.flatMap((document) => document.declared)
  const problems = documents.flatMap((document) => document.problems)
  if (problems.length === 0) problems.push(...(await lint(declared, checkRule)))
  const order = files.map(inputName)
  problems.sort((a, b) => order.indexOf(a.file) - order.indexOf(b.file) || a.line - b.line)
  return { declared, services: documents.flatMap(({ services }) => services), problems }
}

/** A document with the settings of a single project. */
export interface SettingsFile {
  settings: PartialSettings
  problems: DocumentProblem[]
  /** The place of a field: `naming.yaml:3`. */
  placeOf(path: Path): string
}

/**
 * Reads the settings of a single project.
 * @throws a usage error for a document of several projects
 */
export async function readSettingsFile(path: string, inputs: Inputs): Promise<SettingsFile> {
  const document = await readFile(path, '--file', inputs)
  const { data, file, lineOf } = document
  if (isObject(data) && 'projects' in data) {
    throw new FlagadmError('usage', `${file} has settings of several projects`, {
      hint: 'use flagadm project settings plan and apply',
    })
  }
  const placeOf = (field: Path) => `${file}:${lineOf(field)}`
  return { ...settingsAt(document, data, [], ''), placeOf }
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
  const [first] = errors
  if (!first) return
  if (errors.length === 1) throw first
  for (const [index, error] of errors.entries()) {
    // The hint of several is printed once.
    const isRepeated = errors[index + 1]?.hint === error.hint
    report(isRepeated ? withParts(error, { hint: undefined }) : error)
  }
  throw new FlagadmError('usage', `${errors.length} problems ${where}`, {
    hint: 'nothing was read or sent',
  })
}

/** @throws a usage error for a document that is for another service */
export function refuseOtherService({ services }: Documents, baseUrl: string): void {
  const other = services.find(({ address }) => address !== baseUrl)
  if (!other) return
  const what = `${other.file}:${other.line}: the document is for ${other.address}, not for ${baseUrl}`
  throw new FlagadmError('usage', what, {
    hint: 'use a profile for that service, or correct the field service',
  })
}
