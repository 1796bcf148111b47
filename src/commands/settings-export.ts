import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { connect } from '../connection.ts'
import type { Context } from '../context.ts'
import { about, failureOfAll, fileReason, FlagadmError } from '../errors.ts'
import { formats } from '../formats.ts'
import { createFolder, writeWhole } from '../output/file.ts'
import { jsonReport } from '../output/json.ts'
import { safeText } from '../output/text.ts'
import { yamlReport } from '../output/yaml.ts'
import { counted } from '../phrases.ts'
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

// A name that begins with a dot is hidden. The others are devices on Windows, with any extension.
const SPECIAL_START = /^(?:\.|(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$))/i

/** The file of a project. `*` is encoded as well, because Windows forbids it. */
function fileName(projectId: string): string {
  const encoded = encodeURIComponent(projectId).replaceAll('*', '%2A')
  const name = SPECIAL_START.test(encoded)
    ? `%${encoded.charCodeAt(0).toString(16).toUpperCase()}${encoded.slice(1)}`
    : encoded
  return `${name}.yaml`
}

async function makeFolder({ host }: Context, path: string): Promise<Names> {
  const folder = resolve(host.cwd, path)
  try {
    await createFolder(folder)
    return new Names(folder, await readdir(folder))
  } catch (cause) {
    throw new FlagadmError('usage', `--dir: cannot create ${path}: ${fileReason(cause)}`, {
      hint: 'check the path and its permissions',
      cause,
    })
  }
}

/** Whether two names refer to the same file, as on a file system that ignores case. */
async function isSameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all(
    [one, other].map((path) => stat(path, { bigint: true }).catch(() => undefined)),
  )
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino
}

/** The names in a folder, to find those that differ only in case. */
class Names {
  readonly #folder: string
  readonly #known: Map<string, string>

  constructor(folder: string, names: readonly string[]) {
    this.#folder = folder
    this.#known = new Map(names.map((name) => [name.toLowerCase(), name]))
  }

  add(name: string): void {
    this.#known.set(name.toLowerCase(), name)
  }

  /** The name under which the folder lists the file, if it differs from the given one. */
  async otherNameOf(name: string): Promise<string | undefined> {
    const other = this.#known.get(name.toLowerCase())
    if (other === undefined || other === name) return undefined
    const isSame = await isSameFile(join(this.#folder, name), join(this.#folder, other))
    return isSame ? other : undefined
  }
}

interface ExportedFile {
  projectId: string
  file: string
}

/** @throws an error if that would overwrite the document of another project */
async function writeDocument(
  { host, redactor }: Context,
  dir: string,
  names: Names,
  { projectId, settings }: { projectId: string; settings: StoredSettings },
): Promise<ExportedFile> {
  const document = projectsDocument([[projectId, documentOf(settings)]])
  const name = fileName(projectId)
  const file = join(dir, name)
  const other = await names.otherNameOf(name)
  if (other !== undefined) {
    throw new FlagadmError('usage', `${file} is the same file as ${other}`, {
      hint: 'export one of them to another folder: here, names that differ only in case are the same',
    })
  }
  await writeWhole(file, host.cwd, yamlReport(redactor.redactAll(document)))
  names.add(name)
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
  const names = await makeFolder(context, options.dir)
  const files: ExportedFile[] = []
  const failures: FlagadmError[] = []
  for (const { projectId, settings, error } of await readProjects(service, selected)) {
    try {
      if (error) throw error
      files.push(await writeDocument(context, options.dir, names, { projectId, settings }))
    } catch (failure) {
      if (!(failure instanceof FlagadmError)) throw failure
      failures.push(about(failure, { projectId }))
    }
  }
  const shown = context.redactor.redactAll(files)
  await context.write(
    format === 'json'
      ? jsonReport({ files: shown })
      : `Exported ${counted(files.length, 'project')} to ${safeText(options.dir)}\n`,
  )
  if (failures.length === 0) return
  if (selected.length > 1) for (const failure of failures) context.messages.fail(failure)
  throw failureOfAll(failures, selected.length, 'projects', 'exported')
}
