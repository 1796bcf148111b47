import { version } from '../../package.json'
import { isReservedName, join } from '../paths.ts'
import { connect } from '../profile/connection.ts'
import type { Context } from '../context.ts'
import { about, failureOf, failureOfAll, FlagadmError, withHint } from '../errors.ts'
import { formats } from '../output/formats.ts'
import { parsePlaced } from '../input/document.ts'
import { isObject } from '../input/json.ts'
import { checkShape } from '../input/shape.ts'
import { replaceFile } from '../output/file.ts'
import { jsonReport } from '../output/json.ts'
import { joined, linesOf, type Safe, type Sanitizer } from '../output/text.ts'
import { yamlReport } from '../output/yaml.ts'
import { counted } from '../output/phrases.ts'
import { declaresExactly } from './changes.ts'
import { settingsDocumentSchema, settingsOf } from '../service/settings-document.ts'
import { documentOf, projectsDocument } from './stored.ts'
import { kindOf, type FileNames, openFolder } from './export-folder.ts'
import { readStored, type SelectionOptions, selectionOf, type StoredProject } from './selection.ts'

const DIFFERS = 'differs from the stored settings'

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

/** The file of a project, compared with the existing one. */
interface PlannedFile extends StoredProject {
  name: string
  file: string
  status: 'written' | 'unchanged'
  /** Why it must not be written. */
  refusal?: FlagadmError | undefined
}

/** Whether a document declares all settings of a project, and nothing else. */
async function isDocumentOf(
  { projectId, settings }: StoredProject,
  text: string,
): Promise<boolean> {
  const { data } = await parsePlaced(text, 'the document', 'usage')
  if (!isObject(data) || !isObject(data.projects)) return false
  const [fields, ids] = [Object.keys(data), Object.keys(data.projects)]
  if (fields.length > 1 || ids.length !== 1) return false
  const { data: document } = checkShape(settingsDocumentSchema, data.projects[projectId])
  return document !== undefined && declaresExactly(settingsOf(document), settings)
}

/** Whether an existing file can stay as it is, with its comments. One that cannot be read cannot. */
async function isUpToDate(
  { inputs }: Context,
  file: string,
  project: StoredProject,
): Promise<boolean> {
  try {
    return await isDocumentOf(project, await inputs.read(file, '--dir', 'usage'))
  } catch (error) {
    failureOf(error)
    return false
  }
}

/** @throws an error if the file system takes the name for that of another file */
async function refuseOtherName(names: FileNames, file: string, name: string): Promise<void> {
  const other = await names.otherNameOf(name)
  if (other === undefined) return
  throw new FlagadmError('usage', `${file} is the same file as ${other}`, {
    hint: 'export one of them to another folder: here, names that differ only in case are the same',
  })
}

/** Compares the file of a project with the existing one. */
async function planFile(
  context: Context,
  { dir, force }: ExportOptions,
  names: FileNames,
  project: StoredProject,
): Promise<PlannedFile> {
  const { projectId } = project
  const name = fileName(projectId)
  const file = join(dir, name)
  await refuseOtherName(names, file, name)
  const planned = { ...project, name, file, status: 'written' } as const
  const refused = (what: string) => {
    const refusal = new FlagadmError('usage', `${file} ${what}`, { projectId })
    return { ...planned, refusal }
  }
  switch (await kindOf(file, context.host.cwd)) {
    case 'none':
      return planned
    case 'link':
      return refused('is a symbolic link')
    case 'other':
      return refused('is not a file')
    case 'file':
      if (await isUpToDate(context, file, project)) return { ...planned, status: 'unchanged' }
      return force ? planned : refused(DIFFERS)
  }
}

/** @throws a usage error that lists the files that must not be overwritten */
function refuseOverwriting({ messages }: Context, planned: readonly PlannedFile[]): void {
  const refusals = planned.flatMap(({ refusal }) => refusal ?? [])
  const [first] = refusals
  if (!first) return
  const differs = refusals.some(({ message }) => message.endsWith(DIFFERS))
  const correction = differs ? 'use --force to overwrite files that differ' : 'remove it'
  const hint = `${correction}, or export to another folder`
  if (refusals.length === 1) throw withHint(first, hint)
  for (const refusal of refusals) messages.fail(refusal)
  const what = `${refusals.length} files must not be overwritten, so nothing was written`
  throw new FlagadmError('usage', what, { hint })
}

async function writeFile(
  { host, printer }: Context,
  names: FileNames,
  { projectId, settings, name, file }: PlannedFile,
): Promise<void> {
  await refuseOtherName(names, file, name)
  const document = projectsDocument([[projectId, documentOf(settings)]])
  const schema = printer.text(`# yaml-language-server: $schema=${SCHEMA}`)
  await replaceFile(file, host, joined([linesOf([schema]), yamlReport(document, printer)]))
  names.add(name)
}

/** Calls a function for each project; collects the errors of those for which it fails. */
async function forEach<Item extends { projectId: string }, Result>(
  items: readonly Item[],
  failures: FlagadmError[],
  call: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) {
    try {
      results.push(await call(item))
    } catch (error) {
      failures.push(about(failureOf(error), { projectId: item.projectId }))
    }
  }
  return results
}

function reportText(files: readonly PlannedFile[], dir: string, { text }: Sanitizer): Safe {
  const unchanged = files.filter(({ status }) => status === 'unchanged').length
  const note = unchanged > 0 ? `, ${unchanged} unchanged` : ''
  return linesOf([text(`Exported ${counted(files.length, 'project')} to ${dir}${note}`)])
}

/**
 * Writes the settings of projects to a folder, one document for each. Writes nothing if that would
 * overwrite a file with another meaning.
 * @throws the failure of a single project; for several, an error with the number of failures
 */
export async function exportSettings(
  context: Context,
  projectIds: readonly string[],
  options: ExportOptions,
): Promise<void> {
  const format = context.format(formats.textOrJson)
  const selection = selectionOf(projectIds, options)
  const connection = await connect(context)
  const names = await openFolder(context, options.dir)
  const stored = await readStored(context, connection, selection)
  const projects = stored.results.map(({ projectId, settings }) => {
    return { projectId, settings: context.printer.masked(settings) }
  })
  const failures: FlagadmError[] = []
  const planned = await forEach(projects, failures, (project) =>
    planFile(context, options, names, project),
  )
  refuseOverwriting(context, planned)
  const files = await forEach(planned, failures, async (file) => {
    if (file.status === 'written') await writeFile(context, names, file)
    return file
  })
  await context.write(
    format === 'json'
      ? jsonReport(
          { files: files.map(({ projectId, file, status }) => ({ projectId, file, status })) },
          context.printer,
        )
      : reportText(files, options.dir, context.printer),
  )
  if (projects.length > 1) for (const failure of failures) context.messages.fail(failure)
  const unwritten = [...stored.failures, ...failures]
  const count = projects.length + stored.failures.length
  if (unwritten.length > 0) throw failureOfAll(unwritten, count, 'projects', 'exported')
}
