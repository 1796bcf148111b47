import { lstat, mkdir, realpath, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { version } from '../../package.json'
import type { Context, Define } from '../context.ts'
import { failureOf, fileReason, FlagadmError, writeHint } from '../errors.ts'
import { withExamples } from '../options.ts'
import { counted, listed } from '../output/incomplete.ts'
import { yamlText } from '../output/yaml.ts'
import { isReservedName, join, pathInside, relative, resolve } from '../paths.ts'
import { throwFailures } from '../project/reading.ts'
import { readDocuments } from './documents.ts'
import { writeFile } from './files.ts'
import { readSettings, selectionOf } from './get.ts'
import { declaresExactly, projectsDocument, type StoredProject } from './settings.ts'

// Lets editors check the file against the schema of this version.
const SCHEMA = `https://raw.githubusercontent.com/flagadm/flagadm/v${version}/schemas/settings.schema.json`

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

/** The folder for the files, and a check that it is still the same one. */
interface Folder {
  path: string
  check(): Promise<void>
}

/**
 * Opens the folder for the files; creates it unless it exists. Refuses a link that leads out of the working directory,
 * because a repository may contain one; an absolute path to elsewhere may contain links.
 * @throws a usage error
 */
async function openFolder({ host }: Context, dir: string): Promise<Folder> {
  const path = resolve(host.cwd, dir)
  const refuse = (what: string, hint: string, cause?: unknown): never => {
    throw new FlagadmError('usage', `--dir: ${what}`, { hint, cause })
  }
  try {
    await mkdir(path, { recursive: true })
    const real = resolve(await realpath(path))
    const base = resolve(await realpath(host.cwd))
    const isOwn = !isAbsolute(dir) || pathInside(path, host.cwd) !== undefined
    const isExpected = real === resolve(base, relative(host.cwd, path))
    if (isOwn && !isExpected && pathInside(real, base) === undefined) {
      refuse(`${dir} is a symbolic link to ${real}`, `to write there, use --dir ${real}`)
    }
    const { dev, ino } = await stat(path)
    return {
      path,
      async check() {
        const now = await stat(path)
        if (now.dev === dev && now.ino === ino) return
        refuse(`${dir} was replaced by another folder`, 'check who else writes there')
      },
    }
  } catch (cause) {
    if (cause instanceof FlagadmError) throw cause
    return refuse(`cannot create ${dir}: ${fileReason(cause)}`, writeHint(cause), cause)
  }
}

type Status = 'written' | 'unchanged' | 'different'

/** A file to write. */
interface ExportedFile extends StoredProject {
  /** As shown to the user. */
  file: string
  status: Status
}

/**
 * Whether an existing file can stay as it is, with its comments: whether it declares all settings of the project, and
 * nothing else.
 */
async function isUpToDate(
  { inputs, host }: Context,
  file: string,
  { projectId, settings }: StoredProject,
): Promise<boolean> {
  const read = { inputs, cwd: host.cwd }
  const { declared, problems } = await readDocuments([file], read, undefined)
  const [only, ...others] = declared
  if (problems.length > 0 || only?.projectId !== projectId || others.length > 0) return false
  return declaresExactly(only.wanted, settings)
}

async function planFile(
  context: Context,
  { dir, folder }: { dir: string; folder: Folder },
  project: StoredProject,
): Promise<ExportedFile> {
  const name = fileName(project.projectId)
  const file = join(dir, name)
  const stats = await lstat(join(folder.path, name)).catch(() => undefined)
  if (!stats) return { ...project, file, status: 'written' }
  const isSame = stats.isFile() && (await isUpToDate(context, file, project))
  return { ...project, file, status: isSame ? 'unchanged' : 'different' }
}

export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'json'])
  const examples = withExamples(
    command.summary(),
    'flagadm project settings export --all-projects --dir flags -p sandbox',
    'flagadm project settings export checkout --dir flags -p sandbox',
  )
  return command
    .description(
      `${examples}

Leaves files that already have the stored settings as they are, with their comments. If any file differs, writes nothing, lists those files and exits with 2; --force overwrites them. Never writes through a symbolic link.`,
    )
    .argument('[project-id...]', "projects to export; '*': any text")
    .option('--all-projects', 'every project that the service lists')
    .requiredOption('--dir <folder>', 'folder to write <project-id>.yaml to, ids percent-encoded')
    .option('--force', 'overwrite files that differ from the stored settings')
    .action(async (ids, { allProjects, dir, force }) => {
      const { out, redactor } = context
      const selection = selectionOf(ids, allProjects)
      const folder = await openFolder(context, dir)
      const { results, failures, requested } = await readSettings(context, selection)
      const files: ExportedFile[] = []
      for (const { projectId, settings } of results) {
        const masked = { projectId, settings: redactor.redactAll(settings) }
        files.push(await planFile(context, { dir, folder }, masked))
      }
      const different = files.filter(({ status }) => status === 'different')
      if (different.length > 0 && !force) {
        const names = different.map(({ file }) => file)
        const what = `${counted(names.length, 'file')} would be overwritten: ${listed(names)}`
        throw new FlagadmError('usage', what, {
          hint: 'nothing was written; use --force to overwrite them, or another folder',
        })
      }
      const failed = new Map(failures)
      const written: object[] = []
      for (const { projectId, settings, file, status } of files) {
        try {
          if (status !== 'unchanged') {
            const yaml = yamlText(projectsDocument([{ projectId, settings }]), redactor)
            const text = `# yaml-language-server: $schema=${SCHEMA}\n${yaml}`
            const path = join(folder.path, fileName(projectId))
            const replaces = status === 'different'
            await writeFile(path, text, { shown: file, replaces, check: folder.check })
          }
          written.push({ projectId, file, status: status === 'unchanged' ? status : 'written' })
        } catch (error) {
          failed.set(projectId, failureOf(error))
        }
      }
      const unchanged = files.filter(({ status }) => status === 'unchanged').length
      const note = unchanged > 0 ? `, ${unchanged} unchanged` : ''
      if (format() === 'json') out.json({ files: written })
      else out.line(`Exported ${counted(written.length, 'project')} to ${dir}${note}`)
      throwFailures(context, failed, requested, 'projects')
    })
}
