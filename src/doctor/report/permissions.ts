import { type Operation, operations } from '../../service/operations.ts'
import type { User } from '../../service/schema.ts'

/** The projects for which the key has a permission; undefined if there are none. */
function projectsWith(needed: string | undefined, { permissions }: User): string | undefined {
  if (permissions.some(({ permission }) => permission === 'ADMIN')) return 'all projects'
  const granted = permissions.filter(({ permission }) => permission === needed)
  if (granted.some(({ project }) => !project || project === '*')) return 'all projects'
  const projects = [...new Set(granted.map(({ project }) => project))]
  return projects.length > 0 ? projects.join(', ') : undefined
}

/** The permissions of the key, and the operations that this edition of the service lacks. */
export function permissionText(user: User, edition = ''): string {
  const possible: string[] = []
  const impossible: string[] = []
  for (const { grants, permission, missingIn } of Object.values<Operation>(operations)) {
    const projects = projectsWith(permission, user)
    if (grants === undefined || projects === undefined) continue
    const list = missingIn?.includes(edition) ? impossible : possible
    list.push(`${grants} ${projects}`)
  }
  if (possible.length + impossible.length === 0) possible.push('change nothing')
  const last = possible.pop()
  const others = ['read usage', ...possible].join(', ')
  return [
    last === undefined ? `may ${others}` : `may ${others} and ${last}`,
    ...impossible.map(
      (grant) => `may ${grant}, but this edition (${edition}) has no such operation`,
    ),
  ].join('; ')
}
