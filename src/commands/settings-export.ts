import { join, resolve } from 'node:path'
import { connect } from '../connection.ts'
import type { Context } from '../context.ts'
import { about, failureOfAll, fileReason, FlagadmError } from '../errors.ts'
import { formats } from '../formats.ts'
import { createFolder, writeWhole } from '../output/file.ts'
import { jsonReport } from '../output/json.ts'
import { safeText } from '../output/text.ts'
import { yamlReport } from '../output/yaml.ts'
import { documentOf, projectsDocument } from '../settings/document.ts'
import type { StoredSettings } from '../settings/stored.ts'
import {
  checkSelection,
  readProjects,
  selectProjects,
  type SelectionOptions,
} from './settings-selection.ts'

interface ExportOptions extends SelectionOptions {
  dir: string
}

// A name that begins with a dot is hidden. On Windows, the others are devices whatever follows the dot.
const SPECIAL_START = /^(?:\.|(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$))/i

/** The file of a project. Some systems forbid `*`. */
function fileName(projectId: string): string {
  const encoded = encodeURIComponent(projectId).replaceAll('*', '%2A')
  const name = SPECIAL_START.test(encoded)
    ? `%${encoded.charCodeAt(0).toString(16).toUpperCase()}${encoded.slice(1)}`
    : encoded
  return `${name}.yaml`
}

async function makeFolder({ host }: Context, path: string): Promise<void> {
  try {
    await createFolder(resolve(host.cwd, path))
  } catch (cause) {
    throw new FlagadmError('usage', `--dir: cannot create ${path}: ${fileReason(cause)}`, {
      hint: 'check the path and its permissions',
      cause,
    })
  }
}

interface ExportedFile {
  projectId: string
  file: string
}

/** Writes the document of a project. */
async function writeDocument(
  { host, redactor }: Context,
  dir: string,
  { projectId, settings }: { projectId: string; settings: StoredSettings },
): Promise<ExportedFile> {
  const document = projectsDocument([[projectId, documentOf(settings)]])
  const file = join(dir, fileName(projectId))
  await writeWhole(file, host.cwd, yamlReport(redactor.redactAll(document)))
  return { projectId, file }
}

/**
 * Writes the settings of projects to a folder, one document for each.
 * @throws the failure of a single project; for several, an error with the number of failures
 */
export async function exportSettings(
  context: Context,
  projectIds: readonly string[],
  options: ExportOptions,
): Promise<void> {
  const format = context.format(formats.export)
  checkSelection(projectIds, options)
  const { service } = await connect(context)
  const selected = await selectProjects(service, projectIds, options)
  await makeFolder(context, options.dir)
  const files: ExportedFile[] = []
  const failures: FlagadmError[] = []
  for (const { projectId, settings, error } of await readProjects(service, selected)) {
    try {
      if (error) throw error
      files.push(await writeDocument(context, options.dir, { projectId, settings }))
    } catch (failure) {
      if (!(failure instanceof FlagadmError)) throw failure
      failures.push(about(failure, { projectId }))
    }
  }
  const shown = context.redactor.redactAll(files)
  const count = `${files.length} ${files.length === 1 ? 'project' : 'projects'}`
  await context.write(
    format === 'json'
      ? jsonReport({ files: shown })
      : `Exported ${count} to ${safeText(options.dir)}\n`,
  )
  if (failures.length === 0) return
  if (selected.length > 1) for (const failure of failures) context.messages.fail(failure)
  throw failureOfAll(failures, selected.length, 'projects', 'exported')
}
