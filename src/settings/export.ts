import { version } from '../../package.json'
import { isReservedName, join } from '../paths.ts'
import type { Context } from '../old/context.ts'
import { failureOf, FlagadmError, withParts } from '../errors.ts'
import { failureOfRun, reportByCause, shownNames } from '../old/failures.ts'
import { formats } from '../old/output/formats.ts'
import { replaceFile } from '../old/output/file.ts'
import { jsonReport } from '../old/output/json.ts'
import { joined, linesOf } from '../old/output/text.ts'
import { yamlReport } from '../old/output/yaml.ts'
import { counted } from '../old/output/phrases.ts'
import { readDocuments } from './documents.ts'
import { declaresExactly, projectsDocument, type StoredProject } from './settings.ts'
import { fileKind, type FileNames, openFolder } from './export-folder.ts'
import { readStoredProjects, type SelectionOptions, selectionOf } from './selection.ts'

// Lets editors check the file against the schema of this version.
const SCHEMA = `https://raw.githubusercontent.com/flagadm/flagadm/v${version}/schemas/settings.schema.json`

interface ExportOptions extends SelectionOptions {
  dir: string
  force?: true | undefined
}

/** The file of a project. `*` is encoded as well, because Windows forbids it. */
function fileName(projectId: string): string {
  const encoded = encodeURIComponent(projectId).replaceAll('*', '%2A')
  // A name that begins with a dot is hidden.
  const name =
    encoded.startsWith('.') || isReservedName(encoded)
      ? `%${encoded.charCodeAt(0).toString(16).toUpperCase()}${encoded.slice(1)}`
      : encoded
  return `${name}.yaml`
}

/** A file to write. */
interface ExportedFile {
  /** The project of the file; undefined for the file of all projects. */
  projectId: string | undefined
  name: string
  projects: readonly StoredProject[]
  document: ReturnType<typeof projectsDocument>
}

/** Why an existing file must not be replaced, by what it is: for one file, and for several. */
const refusals = {
  link: ['is a symbolic link', 'are symbolic links'],
  other: ['is not a file', 'are not files'],
  different: ['differs from the stored settings', 'differ from the stored settings'],
} as const

type FileStatus = 'written' | 'unchanged' | keyof typeof refusals

/** A file, compared with the existing one. */
interface PlannedFile extends ExportedFile {
  file: string
  status: FileStatus
}

/** The files of projects. */
function filesFor(projects: readonly StoredProject[]): ExportedFile[] {
  return projects.map((project) => {
    const { projectId } = project
    const document = projectsDocument([project])
    return { projectId, name: fileName(projectId), projects: [project], document }
  })
}

/**
 * Whether an existing file can stay as it is, with its comments: whether it declares all settings of the projects, and
 * nothing else. One that cannot be read does not.
 */
async function isUpToDate(
  { inputs, host }: Context,
  file: string,
  projects: readonly StoredProject[],
): Promise<boolean> {
  try {
    const { declared, problems } = await readDocuments([file], { inputs, cwd: host.cwd }, undefined)
    const wanted = new Map(declared.map((one) => [one.projectId, one.wanted]))
    const isDeclared = ({ projectId, settings }: StoredProject) =>
      declaresExactly(wanted.get(projectId) ?? {}, settings)
    return problems.length === 0 && wanted.size === projects.length && projects.every(isDeclared)
  } catch (error) {
    // Rethrows an interrupt or a bug.
    failureOf(error)
    return false
  }
}

/** Compares a file with the existing one. */
async function planFile(
  context: Context,
  { dir, force }: ExportOptions,
  names: FileNames,
  exported: ExportedFile,
): Promise<PlannedFile> {
  const { name, projects } = exported
  const file = join(dir, name)
  names.refuseOther(name, file)
  const statusOf = async (): Promise<FileStatus> => {
    const kind = await fileKind(file, context.host.cwd)
    if (kind === 'none') return 'written'
    if (kind !== 'file') return kind
    if (await isUpToDate(context, file, projects)) return 'unchanged'
    return force ? 'written' : 'different'
  }
  return { ...exported, file, status: await statusOf() }
}

/** @throws a usage error that lists the files that must not be overwritten */
function refuseOverwriting(context: Context, planned: readonly PlannedFile[]): void {
  const refused = planned.filter(({ status }) => status in refusals)
  if (refused.length === 0) return
  const differs = refused.some(({ status }) => status === 'different')
  const correction = differs ? 'use --force to overwrite files that differ' : 'remove it'
  const hint = `${correction}, or export to another folder`
  const reasons = Object.entries(refusals).flatMap(([kind, [one, several]]) => {
    const files = refused.filter(({ status }) => status === kind).map(({ file }) => file)
    if (files.length === 0) return []
    if (refused.length === 1) return [`${files[0]} ${one}`]
    const reason = files.length === 1 ? one : several
    return [`${counted(files.length, 'file')} ${reason}: ${shownNames(files, context)}`]
  })
  const names = refused.flatMap(({ projectId }) => projectId ?? [])
  throw refused.length === 1
    ? new FlagadmError('usage', reasons.join(), { projectId: names[0], hint })
    : new FlagadmError('usage', `${reasons.join('; ')}; nothing was written`, { hint, names })
}

async function writeFile(
  { host, printer }: Context,
  names: FileNames,
  { name, file, document }: PlannedFile,
): Promise<void> {
  names.refuseOther(name, file)
  const schema = printer.text(`# yaml-language-server: $schema=${SCHEMA}`)
  await replaceFile(file, host, joined([linesOf([schema]), yamlReport(document, printer)]))
  names.add(name)
}

/** Calls a function for each file; collects an error for each project of those for which it fails. */
async function forEach<Item extends ExportedFile, Result>(
  items: readonly Item[],
  failures: FlagadmError[],
  call: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) {
    try {
      results.push(await call(item))
    } catch (error) {
      const failure = failureOf(error)
      failures.push(...item.projects.map(({ projectId }) => withParts(failure, { projectId })))
    }
  }
  return results
}

/**
 * Writes the settings of projects to a folder: a document for each, or one for all with the values that
 * they share as defaults. Writes nothing if that would overwrite a file with another meaning.
 * @throws the failure of a single project; for several, an error with the number of failures
 */
export async function exportSettings(
  context: Context,
  projectIds: readonly string[],
  options: ExportOptions,
): Promise<void> {
  const format = context.format(formats.textOrJson)
  const stored = await readStoredProjects(context, selectionOf(projectIds, options))
  const names = await openFolder(context, options.dir)
  const projects = stored.results.map(({ projectId, settings }) => {
    return { projectId, settings: context.printer.masked(settings) }
  })
  const failures: FlagadmError[] = []
  const planned = await forEach(filesFor(projects), failures, (file) =>
    planFile(context, options, names, file),
  )
  refuseOverwriting(context, planned)
  const files = await forEach(planned, failures, async (file) => {
    if (file.status === 'written') await writeFile(context, names, file)
    return file
  })
  const exported = files.flatMap(({ file, status, projects }) =>
    projects.map(({ projectId }) => ({ projectId, file, status })),
  )
  const unchanged = exported.filter(({ status }) => status === 'unchanged').length
  const note = unchanged > 0 ? `, ${unchanged} unchanged` : ''
  const summary = `Exported ${counted(exported.length, 'project')} to ${options.dir}${note}`
  const { printer } = context
  await context.write(
    format === 'json' ? jsonReport({ files: exported }, printer) : linesOf([printer.text(summary)]),
  )
  if (projects.length > 1) reportByCause(context, failures, 'projects', 'exported')
  const unwritten = [...stored.failures, ...failures]
  const count = projects.length + stored.failures.length
  if (unwritten.length > 0) throw failureOfRun(unwritten, count, 'projects', 'exported')
}
