import { lstat, mkdir } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import type { Context, Define } from '../command/context.ts'
import { throwFailures } from '../requests/each.ts'
import { fileReason, FlagadmError, interrupted, writeHint, refuseUsage } from '../errors.ts'
import { groupBy } from '../groups.ts'
import { withExamples } from '../command/options.ts'
import { writeFile } from '../output/file.ts'
import { counted, listed } from '../output/incomplete.ts'
import { yamlText } from '../output/yaml.ts'
import { join, pathInside, relative, resolve } from '../paths.ts'
import { readDocuments } from './documents.ts'
import { readSettings } from './get.ts'
import { schemaAddress } from './plan-file.ts'
import {
  changesBetween,
  noSettings,
  projectsDocument,
  type StoredProject,
  withSettings,
} from './settings.ts'

/** The file of a project. `*` is encoded as well, because Windows forbids it, and a name with a dot would be hidden. */
function fileName(projectId: string): string {
  const name = encodeURIComponent(projectId).replaceAll('*', '%2A').replace(/^\./, '%2E')
  return `${name}.yaml`
}

/**
 * Refuses projects whose files would have one name where the file system ignores case, as on Windows and macOS.
 * @throws a usage error
 */
function refuseSameNames(projects: readonly StoredProject[]): void {
  const byName = groupBy(projects, ({ projectId }) => fileName(projectId).toLowerCase())
  const same = [...byName.values()].find(({ length }) => length > 1)
  if (!same) return
  const ids = same.map(({ projectId }) => projectId).join(', ')
  refuseUsage(
    `the files of ${ids} differ only in upper and lower case`,
    'nothing was written; export them to different folders, because some systems ignore case',
  )
}

/**
 * Creates the folder for the files unless it exists. A link below the working directory is refused, because a
 * repository may contain one; an absolute path to elsewhere may contain links.
 * @throws a usage error
 */
async function createFolder(cwd: string, dir: string): Promise<void> {
  const path = resolve(cwd, dir)
  const refuse = (what: string, hint: string, cause?: unknown): never => {
    throw new FlagadmError('usage', `--dir: ${what}`, { hint, cause })
  }
  const isElsewhere = isAbsolute(dir) && pathInside(path, cwd) === undefined
  let part = cwd
  for (const name of isElsewhere ? [] : relative(cwd, path).split('/')) {
    part = join(part, name)
    const stats = await lstat(part).catch(() => undefined)
    if (stats?.isSymbolicLink()) refuse(`${part} is a symbolic link`, 'use the path it leads to')
  }
  try {
    await mkdir(path, { recursive: true })
  } catch (cause) {
    refuse(`cannot create ${dir}: ${fileReason(cause)}`, writeHint(cause), cause)
  }
}

/** Whether an existing file can stay as it is, with its comments: it declares the stored settings, and nothing else. */
async function isUpToDate(
  context: Context,
  file: string,
  { projectId, settings }: StoredProject,
): Promise<boolean> {
  const { declared, problems } = await readDocuments(context, [file])
  const [only, ...others] = declared
  if (problems.length > 0 || only?.projectId !== projectId || others.length > 0) return false
  return changesBetween(settings, withSettings(noSettings, only.wanted)).length === 0
}

async function planFile(context: Context, dir: string, project: StoredProject) {
  const file = join(dir, fileName(project.projectId))
  const stats = await lstat(resolve(context.host.cwd, file)).catch(() => undefined)
  const isSame = stats?.isFile() && (await isUpToDate(context, file, project))
  const status = isSame ? 'unchanged' : 'written'
  return { project, file, isNew: stats === undefined, status }
}

export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'json'])
  return withExamples(
    command,
    [
      'flagadm project settings export --all-projects --dir flags -p sandbox',
      'flagadm project settings export checkout --dir flags -p sandbox',
    ],
    `Leaves files that already have the stored settings as they are, with their comments. If any file differs, writes nothing, lists those files and exits with 2; --force overwrites them. Never writes through a symbolic link.`,
  )
    .argument('[project-id...]', "projects to export; '*' matches any text")
    .option('--all-projects', 'every project that the service lists')
    .requiredOption('--dir <folder>', 'folder to write <project-id>.yaml to, ids percent-encoded')
    .option('--force', 'overwrite files that differ from the stored settings')
    .action(async (ids, { allProjects, dir, force }) => {
      const { host, messages, out, redactor } = context
      const { results, failures, requested } = await readSettings(context, ids, allProjects)
      refuseSameNames(results)
      await createFolder(host.cwd, dir)
      const files = await Promise.all(
        results.map((project) => planFile(context, dir, redactor.redactAll(project))),
      )
      const written = files.filter(({ status }) => status === 'written')
      const different = written.filter(({ isNew }) => !isNew).map(({ file }) => file)
      if (different.length > 0 && !force) {
        for (const failure of failures.values()) messages.fail(failure)
        const count = counted(different.length, 'file')
        refuseUsage(
          `${count} would be overwritten: ${listed(different)}`,
          'nothing was written; use --force to overwrite them, or another folder',
        )
      }
      for (const { project, file, isNew } of written) {
        const yaml = yamlText(projectsDocument([project]), redactor)
        const text = `# yaml-language-server: $schema=${schemaAddress('settings')}\n${yaml}`
        if (host.interruption.aborted) throw interrupted()
        await writeFile(host, resolve(host.cwd, file), text, { shown: file, replaces: !isNew })
      }
      const unchanged = files.length - written.length
      const note = unchanged > 0 ? `, ${unchanged} unchanged` : ''
      const shown = files.map(({ project: { projectId }, file, status }) => {
        return { projectId, file, status }
      })
      if (format() === 'json') out.json({ files: shown })
      else out.line(`Exported ${counted(files.length, 'project')} to ${dir}${note}`)
      throwFailures(context, { failures, requested })
    })
}
