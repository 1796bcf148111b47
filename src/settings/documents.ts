import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from '../paths.ts'
import { groupBy } from '../groups.ts'
import pMap from 'p-map'
import type { Context } from '../old/context.ts'
import { failureOf, fileReason, FlagadmError } from '../errors.ts'
import { shownNames } from '../old/failures.ts'
import { parsePlaced } from '../input/document.ts'
import { inputName, type Inputs } from '../input/files.ts'
import { pathText } from '../input/shape.ts'
import { connect } from '../profile/connection.ts'
import { createRuleCheck, settingsProblems } from './check.ts'
import {
  type Declaration,
  type DocumentProblem,
  type DocumentService,
  problemAt,
  readDocument,
  type SettingsFile,
} from './document.ts'

const FILES_AT_ONCE = 16

/** The command that prints a valid document. */
export const VALID_EXAMPLE = 'flagadm project settings get --all -o yaml'

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
  const entries = await readdir(resolve(cwd, path), { withFileTypes: true }).catch((cause) => {
    throw usageError(`--file: cannot read ${path}: ${fileReason(cause)}`, 'check the path')
  })
  const files = entries
    .filter((entry) => !entry.isDirectory() && /^[^.].*\.(ya?ml|json)$/i.test(entry.name))
    .map(({ name }) => name)
    .sort()
  if (files.length > 0) return files.map((name) => join(path, name))
  throw usageError(`--file: no YAML or JSON file in ${path}`, 'check the path')
}

/** Reads a file; adds its problems to `problems`. */
async function readFile(
  path: string,
  inputs: Inputs,
  problems: DocumentProblem[],
): Promise<SettingsFile> {
  const file = inputName(path)
  try {
    const text = await inputs.read(path, '--file', 'usage')
    return readDocument(await parsePlaced(text, file, 'usage', VALID_EXAMPLE), file, problems)
  } catch (error) {
    problems.push({ file, line: 0, error: failureOf(error) })
    return { service: undefined, declarations: [] }
  }
}

/** Reports projects that are declared more than once. */
function findDuplicates(declarations: readonly Declaration[], problems: DocumentProblem[]): void {
  const groups = groupBy(declarations, ({ projectId }) => projectId)
  for (const [first, ...others] of groups.values()) {
    const what = `project ${first.projectId} is also defined in ${first.file}:${first.lineOf([])}`
    for (const { file, lineOf } of others) {
      problems.push(problemAt(file, lineOf([]), what, 'remove one of them'))
    }
  }
}

/** The problems of modes, texts and naming rules. */
async function lint(
  declarations: readonly Declaration[],
  signal: AbortSignal,
): Promise<DocumentProblem[]> {
  const checkRule = createRuleCheck(signal)
  // By message, because projects that inherit a value have the same problem.
  const problems = new Map<string, DocumentProblem>()
  for (const { projectId, wanted, inherited, file, lineOf } of declarations) {
    for (const { path, message, hint } of await settingsProblems(wanted, checkRule)) {
      const isInherited = inherited.some((field) => field === path.join('.'))
      const subject = isInherited ? 'defaults.' : `project ${projectId}: `
      const cause = `${pathText(path)}: ${message}`
      const advice = `${hint}, or use --no-verify`
      const problem = problemAt(file, lineOf(path), cause, advice, subject)
      problems.set(problem.error.message, problem)
    }
  }
  return [...problems.values()]
}

/** @throws a usage error for a document that is for another service */
function refuseOtherService(services: readonly DocumentService[], baseUrl: string): void {
  const other = services.find(({ address }) => address !== baseUrl)
  if (!other) return
  const what = `${other.file}:${other.line}: the document is for ${other.address}, not for ${baseUrl}`
  throw usageError(what, 'use a profile for that service, or correct the field service')
}

/**
 * Reads documents and connects to the service that they are for. Everything is checked, and every problem
 * is reported.
 * @param paths files, folders of files, and `-` for standard input
 * @param verify whether to check modes, texts and naming rules
 * @returns the projects that the documents declare, in their order, and the connection
 * @throws a usage error if anything is wrong
 */
export async function openDocuments(context: Context, paths: readonly string[], verify: boolean) {
  const problems: DocumentProblem[] = []
  const listed = await Promise.all(paths.map((path) => filesOf(path, context.host.cwd)))
  const files = listed.flat()
  const read = (path: string) => readFile(path, context.inputs, problems)
  const documents = await pMap(files, read, { concurrency: FILES_AT_ONCE })
  const declared = documents.flatMap(({ declarations }) => declarations)
  findDuplicates(declared, problems)
  const linted = verify ? await lint(declared, context.signal) : []
  refuseProblems(context, [...problems, ...linted], files.map(inputName))
  const connection = await connect(context)
  const services = documents.flatMap(({ service }) => service ?? [])
  refuseOtherService(services, connection.baseUrl)
  return { declared, connection }
}

/** @throws the problem; for several, an error with their number, after reporting each cause once, in the order of the files */
function refuseProblems(
  context: Context,
  problems: readonly DocumentProblem[],
  order: readonly string[],
): void {
  const inOrder = problems.toSorted(
    (a, b) => order.indexOf(a.file) - order.indexOf(b.file) || a.line - b.line,
  )
  const [first] = inOrder
  if (!first) return
  if (problems.length === 1) throw first.error
  const groups = groupBy(inOrder, ({ cause, error }) => `${cause ?? error.message}\n${error.hint}`)
  for (const [{ error }, ...others] of groups.values()) {
    const places = others.map(({ file, line }) => `${file}:${line}`)
    const also = `${error.message} (also in ${shownNames(places, context)})`
    context.messages.fail(others.length > 0 ? usageError(also, error.hint) : error)
  }
  throw usageError(`${problems.length} problems in the documents`, 'nothing was read or sent')
}
