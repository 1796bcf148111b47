import { FlagadmError } from '../errors.ts'
import { closest } from '../input/spelling.ts'
import { matcherOf } from '../input/wildcards.ts'
import { listed } from '../old/output/phrases.ts'

/** The options that select projects. In an id, `*` matches any text. */
export interface ProjectOptions {
  project?: readonly string[] | undefined
  allProjects?: true | undefined
  /** The same as `allProjects`, which it implies. */
  all?: true | undefined
}

/** Whether options select projects. */
export function selectsProjects({ project, allProjects }: ProjectOptions): boolean {
  return project !== undefined || allProjects === true
}

/** @throws a usage error unless options select projects */
export function refuseWithoutProjects(options: ProjectOptions): void {
  if (selectsProjects(options)) return
  throw new FlagadmError('usage', 'no project given', {
    hint: 'use --project <id> or --all-projects',
  })
}

/** The only project that is selected, by its id; undefined for all others. */
export function singleProject({ project = [] }: ProjectOptions): string | undefined {
  const [id, ...others] = new Set(project)
  return others.length > 0 || id?.includes('*') ? undefined : id
}

/** Whether options select more than a single project. */
export function selectsSeveral(options: ProjectOptions): boolean {
  return selectsProjects(options) && singleProject(options) === undefined
}

/** `project shop`, `projects mail, shop-*`, or all that the service lists. */
export function scopeText({ project }: ProjectOptions): string {
  if (!project) return 'any project that the service lists'
  return `${project.length === 1 ? 'project' : 'projects'} ${listed(project)}`
}

/** @throws `notFound` for an id or a pattern that matches none of the projects */
export function matching(pattern: string, ids: readonly string[]): string[] {
  const found = ids.filter(matcherOf([pattern]))
  if (found.length > 0) return found
  const stem = pattern.replaceAll('*', '')
  const isSimilar = (text: string) => closest(stem, [text]) !== undefined
  const similar = ids.filter((id) => isSimilar(id) || isSimilar(id.slice(0, stem.length)))
  const isId = !pattern.includes('*')
  const what = isId ? `unknown project '${pattern}'` : `no project matches ${pattern}`
  throw new FlagadmError('notFound', what, {
    hint:
      similar.length > 0
        ? `did you mean ${listed(similar)}?`
        : `the service lists: ${listed(ids) || 'no projects'}`,
  })
}
