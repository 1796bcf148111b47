import { Option } from '@commander-js/extra-typings'
import { FlagadmError } from '../errors.ts'
import { collect } from '../options.ts'

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

/** Whether options select projects. */
export function selectsProjects({ project, allProjects }: ProjectOptions): boolean {
  return project !== undefined || allProjects === true
}

/** Whether there is one result: without projects, or with one. */
export function isSingle(options: ProjectOptions): boolean {
  return !selectsProjects(options) || singleProject(options) !== undefined
}

/** @throws a usage error unless options select projects */
export function refuseWithoutProjects(options: ProjectOptions): void {
  if (selectsProjects(options)) return
  throw new FlagadmError('usage', 'no project given', {
    hint: 'use --project <id> or --all-projects',
  })
}
