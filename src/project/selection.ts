import { Option } from '@commander-js/extra-typings'
import type { Context } from '../command/context.ts'
import { collect } from '../command/options.ts'
import { FlagadmError, refuseUsage } from '../errors.ts'
import { counted } from '../output/incomplete.ts'

/** The options that select projects. In an id, `*` matches any text. */
export interface ProjectOptions {
  project?: readonly string[] | undefined
  allProjects?: true | undefined
}

/** @param description of what is done with the project */
export function projectOption(description = 'flags of this project') {
  const text = `${description}; '*' matches any text`
  return new Option('--project <id>', text).argParser(collect).conflicts('allProjects')
}

/** The only project that is selected, by its id; undefined if there may be several. */
export function singleProject({ project = [] }: ProjectOptions): string | undefined {
  const [id, ...others] = new Set(project)
  return others.length > 0 || id?.includes('*') ? undefined : id
}

export function selectsProjects({ project, allProjects }: ProjectOptions): boolean {
  return project !== undefined || allProjects === true
}

/** Whether there is one result: without projects, or with one. */
export function isSingle(options: ProjectOptions): boolean {
  return !selectsProjects(options) || singleProject(options) !== undefined
}

/** @throws a usage error unless options select projects */
export function requireProjects(options: ProjectOptions): void {
  if (selectsProjects(options)) return
  refuseUsage('no project given', 'use --project <id> or --all-projects')
}

/** @throws a usage error, for a command without names, unless options select projects */
export function requireNamesOrProjects(options: ProjectOptions, { argv }: Context): void {
  if (selectsProjects(options)) return
  const hint = 'name a flag, use --project <id>, or:'
  const command = ['flagadm', ...argv, '--all-projects']
  throw new FlagadmError('usage', 'no names or projects given', { hint, command })
}

/** `project shop`, `3 projects` */
export function scopeText(options: ProjectOptions, read: number): string {
  const single = singleProject(options)
  return single === undefined ? counted(read, 'project') : `project ${single}`
}

/** Why projects have no flags to check. */
export function withoutFlagsText(
  options: ProjectOptions,
  { requested }: { requested: number },
  which = 'flags',
): string {
  if (requested === 0) return 'the service lists no projects'
  return `no ${which} in ${scopeText(options, requested)}`
}
