import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Context } from '../context.ts'
import { FlagadmError, fileReason } from '../errors.ts'
import { parsePlaced, type PlacedDocument } from '../input/document.ts'
import { isObject } from '../input/json.ts'
import { checkWholeShape, type Path, pathText } from '../input/shape.ts'
import { operations, requestOf } from '../service/operations.ts'
import type { ProjectSettings } from '../service/schema.ts'
import { settingsDocumentSchema, settingsOf } from '../settings/document.ts'
import { settingsProblems } from './settings-check.ts'
import { settingsHint } from './settings-input.ts'

/** The settings that a document declares for a project. */
export interface DeclaredProject {
  projectId: string
  wanted: ProjectSettings
  /** File and line, as `flags/checkout.yaml:2`. */
  place: string
}

interface Declaration extends DeclaredProject {
  placeOf(path: Path): string
}

const documentHint =
  'a document has the field projects, with the settings of each project by its id'

function usageError(message: string, hint?: string): FlagadmError {
  return new FlagadmError('usage', message, { hint })
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

/** Reads one file; returns its declarations, and adds what is wrong to `problems`. */
async function declarationsIn(
  { inputs }: Context,
  path: string,
  problems: FlagadmError[],
): Promise<Declaration[]> {
  const name = path === '-' ? 'standard input' : path
  const text = await inputs.read(path, '--file', 'usage')
  const document = await parsePlaced(text, name, 'usage').catch((error: unknown) => {
    if (!(error instanceof FlagadmError)) throw error
    problems.push(error)
    return undefined
  })
  return document ? declarationsOf(document, name, problems) : []
}

function declarationsOf(
  { data, lineOf }: PlacedDocument,
  name: string,
  problems: FlagadmError[],
): Declaration[] {
  const at = (path: Path) => `${name}:${lineOf(path)}`
  const fields = isObject(data) ? Object.keys(data) : []
  if (!isObject(data) || !isObject(data.projects) || fields.length > 1) {
    const unknown = fields.find((field) => field !== 'projects')
    const message =
      unknown === undefined
        ? `${at(['projects'])}: projects: expected an object`
        : `${at([unknown])}: ${pathText([unknown])}: unknown field`
    problems.push(usageError(message, documentHint))
    return []
  }
  return Object.entries(data.projects).map(([projectId, settings]) => {
    const placeOf = (path: Path) => at(['projects', projectId, ...path])
    checkId(projectId, placeOf([]), problems)
    const wanted = declaredSettings(projectId, settings, placeOf, problems)
    return { projectId, wanted, place: placeOf([]), placeOf }
  })
}

/** The settings in a declaration; what is wrong with it is left out and added to `problems`. */
function declaredSettings(
  projectId: string,
  data: unknown,
  place: (path: Path) => string,
  problems: FlagadmError[],
): ProjectSettings {
  const checked = checkWholeShape(settingsDocumentSchema, data)
  if (checked.data) return settingsOf(checked.data)
  for (const { path, message } of checked.problems) {
    const field = path.length > 0 ? `${pathText(path)}: ` : ''
    problems.push(
      usageError(`${place(path)}: project ${projectId}: ${field}${message}`, settingsHint),
    )
  }
  const wrong = new Set(checked.problems.map(({ path }) => path[0]))
  const fields = isObject(data) ? Object.entries(data).filter(([field]) => !wrong.has(field)) : []
  const rest = checkWholeShape(settingsDocumentSchema, Object.fromEntries(fields))
  return rest.data ? settingsOf(rest.data) : {}
}

/** Reports ids that no request can contain. */
function checkId(projectId: string, place: string, problems: FlagadmError[]): void {
  try {
    requestOf(operations.projectOverview, { projectId })
  } catch (error) {
    if (!(error instanceof FlagadmError)) throw error
    problems.push(usageError(`${place}: ${error.message}`, error.hint))
  }
}

/** Reports projects that are declared more than once. */
function findDuplicates(declarations: readonly Declaration[], problems: FlagadmError[]): void {
  const first = new Map<string, string>()
  for (const { projectId, place } of declarations) {
    const other = first.get(projectId)
    if (other === undefined) first.set(projectId, place)
    else {
      const message = `${place}: project ${projectId} is also defined in ${other}`
      problems.push(usageError(message, 'remove one of them'))
    }
  }
}

async function lint(
  { projectId, wanted, placeOf }: Declaration,
  signal: AbortSignal,
): Promise<FlagadmError[]> {
  const problems = await settingsProblems(wanted, signal)
  return problems.map(({ path, message, correction }) => {
    const what = `${placeOf(path)}: project ${projectId}: ${pathText(path)}: ${message}`
    return usageError(what, `${correction}, or use --no-verify`)
  })
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
  const problems: FlagadmError[] = []
  const declarations: Declaration[] = []
  for (const path of paths) {
    for (const file of await filesOf(path, context.host.cwd)) {
      declarations.push(...(await declarationsIn(context, file, problems)))
    }
  }
  findDuplicates(declarations, problems)
  if (verify) {
    for (const declaration of declarations) {
      problems.push(...(await lint(declaration, context.signal)))
    }
  }
  const [problem] = problems
  if (problems.length > 1) {
    for (const one of problems) context.messages.fail(one)
    throw usageError(`${problems.length} problems in the documents`, 'nothing was read or sent')
  }
  if (problem) throw problem
  return declarations.map(({ projectId, wanted, place }) => ({ projectId, wanted, place }))
}
