import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { connect } from '../connection.ts'
import type { Context } from '../context.ts'
import { failureOfAll, fileReason, FlagadmError } from '../errors.ts'
import { formats } from '../formats.ts'
import { writeWhole } from '../output/file.ts'
import { jsonReport } from '../output/json.ts'
import { safeText } from '../output/text.ts'
import { yamlReport } from '../output/yaml.ts'
import { documentOf, projectsDocument } from '../settings/document.ts'
import {
  checkSelection,
  readProjects,
  selectProjects,
  type SelectionOptions,
} from './settings-selection.ts'

interface ExportOptions extends SelectionOptions {
  dir: string
}

/** The file of a project. A name that begins with a dot would be hidden, and some systems forbid `*`. */
function fileName(projectId: string): string {
  const encoded = encodeURIComponent(projectId).replace(/^\./, '%2E').replaceAll('*', '%2A')
  return `${encoded}.yaml`
}

async function makeFolder({ host }: Context, path: string): Promise<void> {
  try {
    await mkdir(resolve(host.cwd, path), { recursive: true })
  } catch (cause) {
    throw new FlagadmError('usage', `--dir: cannot create ${path}: ${fileReason(cause)}`, {
      hint: 'check the path and its permissions',
      cause,
    })
  }
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
  const files: { projectId: string; file: string }[] = []
  const readings = await readProjects(service, selected)
  for (const { projectId, settings } of readings) {
    if (!settings) continue
    const document = projectsDocument([[projectId, documentOf(settings)]])
    const file = join(options.dir, fileName(projectId))
    await writeWhole(file, context.host.cwd, yamlReport(context.redactor.redactAll(document)))
    files.push({ projectId, file })
  }
  const shown = context.redactor.redactAll(files)
  const count = `${files.length} ${files.length === 1 ? 'project' : 'projects'}`
  await context.write(
    format === 'json'
      ? jsonReport({ files: shown })
      : `Exported ${count} to ${safeText(options.dir)}\n`,
  )
  const failures = readings.flatMap(({ error }) => error ?? [])
  if (failures.length === 0) return
  if (selected.length > 1) for (const failure of failures) context.messages.fail(failure)
  throw failureOfAll(failures, selected.length, 'projects')
}
