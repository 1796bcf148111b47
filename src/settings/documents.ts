import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from '../paths.ts'
import pMap from 'p-map'
import type { Context } from '../context.ts'
import { failureOf, FlagadmError, fileReason } from '../errors.ts'
import { parsePlaced } from '../input/document.ts'
import type { Inputs } from '../input/files.ts'
import { isObject } from '../input/json.ts'
import { checkWholeShape, type Path, pathText } from '../input/shape.ts'
import type { PlacedDocument } from '../input/yaml.ts'
import { operations, requestOf } from '../service/operations.ts'
import type { ProjectSettings } from '../service/schema.ts'
import { settingsDocumentSchema, settingsHint, settingsOf } from '../service/settings-document.ts'
import { createRuleCheck, type RuleCheck, settingsProblems } from './check.ts'

/** The settings that a document declares for a project. */
export interface DeclaredProject {
  projectId: string
  wanted: ProjectSettings
}

interface Declaration extends DeclaredProject {
  file: string
  lineOf(path: Path): number
}

const FILES_AT_ONCE = 16

/** The command that prints a valid document. */
export const VALID_EXAMPLE = 'flagadm project settings get --all -o yaml'

const documentHint = 'a document has a field projects, which maps project ids to settings'

function usageError(message: string, hint?: string): FlagadmError {
  return new FlagadmError('usage', message, { hint })
}

/** A problem of a document; its line is 0 if only the error says it. */
interface Problem {
  file: string
  line: number
  error: FlagadmError
}

function problemAt(file: string, line: number, what: string, hint: string): Problem {
  return { file, line, error: usageError(`${file}:${line}: ${what}`, hint) }
}

function nameOf(path: string): string {
  return path === '-' ? 'standard input' : path
}

/** The files of a path: the file itself, or the YAML and JSON files in a folder. */
async function filesOf(path: string, cwd: string): Promise<string[]> {
  if (path === '-') return [path]
  const isFolder = await stat(resolve(cwd, path)).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
  if (!isFolder) return [path]
  const names = await readdir(resolve(cwd, path)).catch((cause: unknown) => {
    throw usageError(`--file: cannot read ${path}: ${fileReason(cause)}`, 'check the path')
  })
  const files = names.filter((name) => /^[^.].*\.(ya?ml|json)$/i.test(name)).sort()
  if (files.length > 0) return files.map((name) => join(path, name))
  throw usageError(`--file: no YAML or JSON file in ${path}`, 'check the path')
}

/** The declarations in a file; adds its problems to `problems`. */
async function declarationsIn(
  path: string,
  inputs: Inputs,
  problems: Problem[],
): Promise<Declaration[]> {
  const file = nameOf(path)
  try {
    const text = await inputs.read(path, '--file', 'usage')
    return declarationsOf(await parsePlaced(text, file, 'usage', VALID_EXAMPLE), file, problems)
  } catch (error) {
    problems.push({ file, line: 0, error: failureOf(error) })
    return []
  }
}

function declarationsOf(
  { data, lineOf }: PlacedDocument,
  file: string,
  problems: Problem[],
): Declaration[] {
  const fields = isObject(data) ? Object.keys(data) : []
  const unknown = fields.find((field) => field !== 'projects')
  if (unknown !== undefined) {
    problems.push(
      problemAt(file, lineOf([unknown]), `${pathText([unknown])}: unknown field`, documentHint),
    )
    return []
  }
  if (!isObject(data) || !isObject(data.projects)) {
    problems.push(
      problemAt(file, lineOf(['projects']), 'projects: expected an object', documentHint),
    )
    return []
  }
  return Object.entries(data.projects).map(([projectId, settings]) => {
    const lineBelow = (path: Path) => lineOf(['projects', projectId, ...path])
    const place = { projectId, file, lineOf: lineBelow }
    checkId(place, problems)
    return { ...place, wanted: declaredSettings(place, settings, problems) }
  })
}

type Place = Omit<Declaration, 'wanted'>

/** The settings in a declaration; leaves invalid fields out and adds them to `problems`. */
function declaredSettings(
  { projectId, file, lineOf }: Place,
  data: unknown,
  problems: Problem[],
): ProjectSettings {
  const checked = checkWholeShape(settingsDocumentSchema, data)
  if (checked.data) return settingsOf(checked.data)
  for (const { path, message } of checked.problems) {
    const field = path.length > 0 ? `${pathText(path)}: ` : ''
    const what = `project ${projectId}: ${field}${message}`
    problems.push(problemAt(file, lineOf(path), what, settingsHint))
  }
  const sound = checked.problems.reduce((rest, { path }) => without(rest, path), data)
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

/** Reports an id that a URL cannot contain. */
function checkId({ projectId, file, lineOf }: Place, problems: Problem[]): void {
  try {
    requestOf(operations.projectOverview, { projectId })
  } catch (error) {
    if (!(error instanceof FlagadmError)) throw error
    problems.push(problemAt(file, lineOf([]), error.message, error.hint ?? documentHint))
  }
}

/** Reports projects that are declared more than once. */
function findDuplicates(declarations: readonly Declaration[], problems: Problem[]): void {
  const first = new Map<string, Declaration>()
  for (const declaration of declarations) {
    const { projectId, file, lineOf } = declaration
    const other = first.get(projectId)
    if (other === undefined) first.set(projectId, declaration)
    else {
      const what = `project ${projectId} is also defined in ${other.file}:${other.lineOf([])}`
      problems.push(problemAt(file, lineOf([]), what, 'remove one of them'))
    }
  }
}

async function lint(
  { projectId, wanted, file, lineOf }: Declaration,
  checkRule: RuleCheck,
  problems: Problem[],
): Promise<void> {
  for (const { path, message, correction } of await settingsProblems(wanted, checkRule)) {
    const what = `project ${projectId}: ${pathText(path)}: ${message}`
    problems.push(problemAt(file, lineOf(path), what, `${correction}, or use --no-verify`))
  }
}

/**
 * The projects that documents declare, in their order. Everything is checked, and every problem is
 * reported.
 * @param paths files, folders of files, and `-` for standard input
 * @param verify whether to check modes, texts and naming rules
 * @throws a usage error if anything is wrong
 */
export async function readDocuments(
  context: Context,
  paths: readonly string[],
  verify: boolean,
): Promise<DeclaredProject[]> {
  const problems: Problem[] = []
  const listed = await Promise.all(paths.map((path) => filesOf(path, context.host.cwd)))
  const files = listed.flat()
  const read = (path: string) => declarationsIn(path, context.inputs, problems)
  const declarations = (await pMap(files, read, { concurrency: FILES_AT_ONCE })).flat()
  findDuplicates(declarations, problems)
  if (verify) {
    const checkRule = createRuleCheck(context.signal)
    for (const declaration of declarations) await lint(declaration, checkRule, problems)
  }
  const order = files.map(nameOf)
  const inOrder = problems.toSorted(
    (a, b) => order.indexOf(a.file) - order.indexOf(b.file) || a.line - b.line,
  )
  const errors = inOrder.map(({ error }) => error)
  const [error] = errors
  if (errors.length > 1) {
    for (const one of errors) context.messages.fail(one)
    throw usageError(`${errors.length} problems in the documents`, 'nothing was read or sent')
  }
  if (error) throw error
  return declarations
}
