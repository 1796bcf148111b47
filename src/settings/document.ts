import { failureOf, FlagadmError } from '../errors.ts'
import { isObject } from '../input/json.ts'
import { checkWholeShape, type Path, pathText } from '../input/shape.ts'
import type { PlacedDocument } from '../input/yaml.ts'
import { checkAddress } from '../profile/endpoint.ts'
import { operations, requestOf } from '../service/operations.ts'
import type { ProjectSettings } from '../service/schema.ts'
import { settingsDocumentSchema, settingsHint, settingsOf } from '../service/settings-document.ts'
import type { SettingsField } from './changes.ts'
import { inherit } from './defaults.ts'

/** The settings that a document declares for a project. */
export interface DeclaredProject {
  projectId: string
  wanted: ProjectSettings
  /** The fields whose values are defaults of the document. */
  inherited: SettingsField[]
}

/** A declared project, and where its settings are. */
export interface Declaration extends DeclaredProject {
  file: string
  lineOf(path: Path): number
}

/** The service that a document is for. */
export interface DocumentService {
  address: string
  file: string
  line: number
}

/** The content of a document. */
export interface SettingsFile {
  service: DocumentService | undefined
  declarations: Declaration[]
}

/** A problem of a document; its line is 0 if only the error contains it. */
export interface DocumentProblem {
  file: string
  line: number
  error: FlagadmError
  /** The problem without its place, which several documents or projects may have in common. */
  cause?: string | undefined
}

const documentHint =
  'a document maps project ids to settings in projects, and may have defaults and service'

/** @param subject what has the problem, if that is not the document */
export function problemAt(
  file: string,
  line: number,
  cause: string,
  hint: string,
  subject = '',
): DocumentProblem {
  const message = `${file}:${line}: ${subject}${cause}`
  return { file, line, cause, error: new FlagadmError('usage', message, { hint }) }
}

/** Reports a problem of the field at a path. */
type Report = (path: Path, what: string, hint: string) => void

/** Reads a document; adds its problems to `problems`. */
export function readDocument(
  { data, lineOf }: PlacedDocument,
  file: string,
  problems: DocumentProblem[],
): SettingsFile {
  const report: Report = (path, what, hint) =>
    problems.push(problemAt(file, lineOf(path), what, hint))
  const { projects, defaults, service, ...others } = isObject(data) ? data : {}
  const [unknown] = Object.keys(others)
  if (unknown !== undefined)
    report([unknown], `${pathText([unknown])}: unknown field`, documentHint)
  else if (!isObject(projects)) report(['projects'], 'projects: expected an object', documentHint)
  if (unknown !== undefined || !isObject(projects)) return { service: undefined, declarations: [] }
  const shared = soundSettings(defaults ?? {}, ['defaults'], '', report)
  const declarations = Object.entries(projects).map(([projectId, settings]): Declaration => {
    const path = ['projects', projectId]
    // A URL cannot contain every id.
    attempt(() => requestOf(operations.projectOverview, { projectId }), path, report)
    // A project that only inherits is an empty value in YAML, which is null.
    const given = settings === null && defaults !== undefined ? {} : settings
    const own = soundSettings(given, path, `project ${projectId}: `, report)
    const { wanted, inherited } = inherit(projectId, own, shared)
    const isInherited = (field: string) => inherited.some((one) => one === field)
    return {
      projectId,
      wanted,
      inherited,
      file,
      lineOf: (below) =>
        lineOf([...(isInherited(below.join('.')) ? ['defaults'] : path), ...below]),
    }
  })
  return { service: serviceOf(service, file, lineOf(['service']), report), declarations }
}

function serviceOf(
  service: unknown,
  file: string,
  line: number,
  report: Report,
): DocumentService | undefined {
  if (service === undefined) return undefined
  if (typeof service !== 'string') {
    report(['service'], 'service: expected a string', documentHint)
    return undefined
  }
  const address = attempt(() => checkAddress(service, 'service', true), ['service'], report)
  return address === undefined ? undefined : { address, file, line }
}

/** The settings in data; leaves invalid fields out and reports them. */
function soundSettings(
  data: unknown,
  path: Path,
  subject: string,
  report: Report,
): ProjectSettings {
  const checked = checkWholeShape(settingsDocumentSchema, data)
  if (checked.data) return settingsOf(checked.data)
  for (const problem of checked.problems) {
    const below = subject === '' ? [...path, ...problem.path] : problem.path
    const field = below.length > 0 ? `${pathText(below)}: ` : ''
    report([...path, ...problem.path], `${subject}${field}${problem.message}`, settingsHint)
  }
  const sound = checked.problems.reduce((rest, problem) => without(rest, problem.path), data)
  const rest = checkWholeShape(settingsDocumentSchema, sound)
  return rest.data ? settingsOf(rest.data) : {}
}

/** Data without the field at a path; a list that contains the field is left out as a whole. */
function without(data: unknown, [field, ...below]: Path): unknown {
  if (!isObject(data) || field === undefined) return undefined
  const kept = below.length > 0 ? without(data[field], below) : undefined
  const fields = Object.entries(data).map(([name, value]) => [name, name === field ? kept : value])
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
}

/** The result of a check; reports its error. */
function attempt<Result>(check: () => Result, path: Path, report: Report): Result | undefined {
  try {
    return check()
  } catch (error) {
    const { message, hint = documentHint } = failureOf(error)
    report(path, message, hint)
    return undefined
  }
}
