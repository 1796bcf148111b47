import { readdir } from 'node:fs/promises'
import * as v from 'valibot'
import type { Context } from '../command/context.ts'
import { failureOf, FlagadmError, refuseUsage } from '../errors.ts'
import { parsePlaced } from '../input/document.ts'
import { inputName, isSpecial } from '../input/files.ts'
import { isObject } from '../input/json.ts'
import {
  checkShape,
  describeProblem,
  exactObject,
  type Path,
  type ShapeProblem,
} from '../input/shape.ts'
import type { PlacedDocument } from '../input/yaml.ts'
import { join, resolve } from '../paths.ts'
import { checkAddress } from '../profile/endpoint.ts'
import {
  type PartialSettings,
  settingsDocumentSchema,
  settingsHint,
  settingsOf,
} from '../service/settings-document.ts'
import { defaultsFor } from './defaults.ts'
import { definedFields, type SettingsField, withSettings } from './settings.ts'
import { idProblem, settingsProblems, type HintedProblem } from './verify.ts'

export interface Declaration {
  projectId: string
  wanted: PartialSettings
  /** The fields whose values are defaults of the document. */
  inherited: readonly SettingsField[]
  /** `flags.yaml:3` */
  place: string
  /** The error for a problem of a field, with its place. */
  errorAt(problem: HintedProblem): FlagadmError
}

/** The error for a problem. @param path where it is in the document */
export function problemError(
  { placeOf }: PlacedDocument,
  path: Path,
  { message, hint, isOptional }: Omit<HintedProblem, 'path'>,
): FlagadmError {
  const what = `${placeOf(path)}: ${describeProblem({ path, message })}`
  return new FlagadmError('usage', what, {
    hint: isOptional ? `${hint}, or use --no-verify` : hint,
  })
}

/** The errors for an id that no request can have. @param path where the project is in the document */
export function idErrors(
  { placeOf }: PlacedDocument,
  path: Path,
  projectId: string,
): FlagadmError[] {
  const problem = idProblem(projectId)
  if (!problem) return []
  const what = `${placeOf(path)}: ${problem.message}`
  return [new FlagadmError('usage', what, { hint: problem.hint })]
}

/** The errors for projects that are declared more than once. @param known the places of projects by id, to which those of these are added */
export function duplicateErrors(
  declared: readonly Declaration[],
  places: Map<string, string>,
): FlagadmError[] {
  return declared.flatMap(({ projectId, place }) => {
    const first = places.get(projectId)
    if (first === undefined) {
      places.set(projectId, place)
      return []
    }
    const what = `${place}: project ${projectId} is also defined in ${first}`
    return [new FlagadmError('usage', what, { hint: 'remove one of them' })]
  })
}

/** What to check documents for besides their shape, ids and texts: their service; modes. */
interface Checks {
  baseUrl: string
  verify: boolean
}

const DOCUMENT_HINT =
  'a document maps project ids to settings in projects, and may have defaults and service; one with the settings of a single project is for set -f'

const documentSchema = exactObject({
  service: v.exactOptional(v.string()),
  defaults: v.exactOptional(settingsDocumentSchema),
  // The settings of each project are checked one by one, because a record drops ids such as `constructor`.
  projects: v.custom<Record<string, unknown>>(isObject, 'expected an object'),
})

/** The files of a path: the file itself, or the YAML and JSON files in a folder. */
async function filesOf(path: string, cwd: string): Promise<string[]> {
  const entries = await readdir(resolve(cwd, path), { withFileTypes: true }).catch(() => undefined)
  // A file. Reading it reports what is wrong with it, or with a folder.
  if (!entries || path === '-') return [path]
  const files = entries
    .filter((entry) => !entry.isDirectory() && /^[^.].*\.(ya?ml|json)$/i.test(entry.name))
    .map(({ name }) => join(path, name))
  const special = files.find((file) => isSpecial(resolve(cwd, file)))
  if (special !== undefined) {
    refuseUsage(
      `--file: ${special} is not a regular file`,
      'remove it from the folder, or name it with -f itself',
    )
  }
  if (files.length > 0) return files.sort()
  const what = `--file: no YAML or JSON file in ${path}`
  refuseUsage(what, 'check the path')
}

/** Reads a document. @param option the option with its path, for errors */
async function readDocument({ inputs }: Context, path: string, option = '--file') {
  const text = await inputs.read(path, option, 'usage')
  return parsePlaced(text, { name: inputName(path), kind: 'usage' })
}

/** The errors for data that violates its schema. @param parents the path of the data in the document */
function shapeErrors(
  { isJson, placeOf }: PlacedDocument,
  problems: readonly ShapeProblem[] = [],
  parents: Path = [],
  fieldsHint = settingsHint,
): FlagadmError[] {
  return problems.map(({ path: below, message }) => {
    const path = [...parents, ...below]
    const isText = message === 'expected string' && path.at(-1) !== 'mode'
    const quotes = `put ${isJson ? 'double' : 'single'} quotes around the value`
    const fields = path[0] === 'defaults' ? settingsHint : fieldsHint
    const what = `${placeOf(path)}: ${describeProblem({ path, message })}`
    return new FlagadmError('usage', what, { hint: isText ? quotes : fields })
  })
}

function projectsIn(document: PlacedDocument, checks: Checks | undefined) {
  const { data, placeOf } = document
  const whole = checkShape(documentSchema, data, true)
  const problems = shapeErrors(document, whole.problems, [], DOCUMENT_HINT)
  if (!whole.data) return { declared: [], problems }
  const { service, projects, defaults } = whole.data
  if (service !== undefined && checks) {
    const { baseUrl } = checks
    const expected = checkAddress(service, `${placeOf(['service'])}: service`, true)
    const what = `${placeOf(['service'])}: the document is for ${expected}, not for ${baseUrl}`
    const hint = 'use a profile for that service, or correct the field service'
    if (expected !== baseUrl) problems.push(new FlagadmError('usage', what, { hint }))
  }
  const declared = Object.entries(projects).map(([projectId, settings]): Declaration => {
    const path = ['projects', projectId]
    // A project that only inherits is an empty value in YAML, which is null.
    const part = checkShape(
      settingsDocumentSchema,
      settings === null && defaults ? {} : settings,
      true,
    )
    if (checks) problems.push(...idErrors(document, path, projectId))
    problems.push(...shapeErrors(document, part.problems, path))
    const ownSettings = settingsOf(part.data ?? {})
    const shared = defaultsFor(projectId, settingsOf(defaults ?? {}))
    const inherited = definedFields(shared).filter(
      (field) => !definedFields(ownSettings).includes(field),
    )
    const errorAt = (problem: HintedProblem) => {
      const { path: below } = problem
      const isInherited = inherited.some((field) => below.join('.').startsWith(field))
      return problemError(document, [...(isInherited ? ['defaults'] : path), ...below], problem)
    }
    const wanted = withSettings(shared, ownSettings)
    if (checks) problems.push(...settingsProblems(wanted, checks.verify).map(errorAt))
    return { projectId, wanted, inherited, place: placeOf(path), errorAt }
  })
  return { declared, problems }
}

/**
 * Reads the documents with the settings of projects.
 * @param paths files, folders of files, and `-` for standard input
 * @param checks without them, only the shape of documents is checked
 * @returns the projects that they declare, in the order of the documents, or all problems
 */
export async function readDocuments(
  context: Context,
  paths: readonly string[],
  checks?: Checks,
): Promise<{ declared: Declaration[]; problems: FlagadmError[] }> {
  const files = await Promise.all(paths.map((path) => filesOf(path, context.host.cwd)))
  const all: ReturnType<typeof projectsIn> = { declared: [], problems: [] }
  const places = new Map<string, string>()
  for (const path of files.flat()) {
    try {
      const document = await readDocument(context, path)
      const { declared, problems } = projectsIn(document, checks)
      all.declared.push(...declared)
      all.problems.push(...problems, ...duplicateErrors(declared, places))
    } catch (error) {
      all.problems.push(failureOf(error))
    }
  }
  return all
}

/**
 * Reads a document with the settings of a single project.
 * @param option the option with its path, for errors
 * @throws a usage error for a document of several projects
 */
export async function readSettingsFile(context: Context, path: string, option?: string) {
  const document = await readDocument(context, path, option)
  const { data, placeOf } = document
  if (isObject(data) && 'projects' in data) {
    throw new FlagadmError(
      'usage',
      `${inputName(path)} is a document for plan and apply: it has projects`,
      {
        hint: 'to see what it would change, which project settings apply then changes:',
        command: ['flagadm', 'project', 'settings', 'plan', '-f', path],
      },
    )
  }
  const checked = checkShape(settingsDocumentSchema, data, true)
  refuseProblems(context, shapeErrors(document, checked.problems))
  return { settings: settingsOf(checked.data ?? {}), placeOf }
}

/** @throws the only one of the problems; for several, their number after each was reported */
export function refuseProblems({ messages }: Context, problems: readonly FlagadmError[]): void {
  // Projects that inherit a value have the same problem.
  const distinct = new Map(problems.map((problem) => [problem.message, problem]))
  const [first, ...others] = distinct.values()
  if (!first) return
  if (others.length === 0) throw first
  for (const problem of distinct.values()) messages.fail(problem)
  refuseUsage(`${distinct.size} problems`, 'nothing was sent')
}
