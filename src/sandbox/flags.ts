import * as v from 'valibot'
import { checkShape, exactObject } from '../input/shape.ts'
import { Refusal } from './http.ts'
import { defaultCreatedAt, flagEnvironments, flagsOf } from './projects.ts'
import { ruleViolation } from './rule.ts'
import { describeProblem } from './settings.ts'
import type { SandboxState } from './state.ts'

const nameLimit = 100

/** `GET /api/admin/projects/:id/features` */
export function featureList(project: string, state: SandboxState) {
  const features = flagsOf(project, state).map((flag) => {
    const { name, description = null, type = 'release', stale = false } = flag
    return {
      name,
      type,
      description,
      stale,
      createdAt: flag.createdAt ?? defaultCreatedAt,
      impressionData: false,
      favorite: false,
      environments: flagEnvironments(flag, state),
    }
  })
  return { version: 2, features }
}

/** `GET /api/admin/metrics/unknown-flags`: all of them were seen just now. */
export function unknownFlagList({ unknownFlags, clock }: SandboxState) {
  const seenAt = new Date(clock().now).toISOString()
  const names = [...new Set(unknownFlags.map(({ name }) => name))].sort()
  const reportsOf = (name: string) => {
    const rows = unknownFlags.filter((row) => row.name === name)
    return [...new Set(rows.map(({ appName }) => appName))].sort().map((appName) => {
      const own = rows.filter((row) => row.appName === appName)
      return { appName, environments: own.map(({ environment }) => ({ environment, seenAt })) }
    })
  }
  return {
    unknownFlags: names.map((name) => {
      return { name, lastSeenAt: seenAt, lastEventAt: null, reports: reportsOf(name) }
    }),
  }
}

const validationSchema = exactObject({
  name: v.string(),
  projectId: v.exactOptional(v.nullable(v.string())),
})

function isUrlFriendly(name: string): boolean {
  if (name === '.' || name === '..') return false
  try {
    return encodeURIComponent(name) === name
  } catch {
    return false
  }
}

function nameProblem(name: string): string | undefined {
  if (name === '') return 'name: must not be empty'
  if (name.length > nameLimit) return `name: must be at most ${nameLimit} characters long`
  return isUrlFriendly(name) ? undefined : 'name: must be URL friendly'
}

/** `POST /api/admin/features/validate`: refuses an invalid or existing name. */
export function validateName(body: unknown, { flags, projects }: SandboxState): void {
  const { data, problem } = checkShape(validationSchema, body)
  const invalid = problem ? describeProblem(problem) : nameProblem(data.name)
  if (!data || invalid) throw new Refusal(400, `Request validation failed: ${invalid}`)
  const { name, projectId } = data
  if (flags.has(name)) throw new Refusal(409, 'A flag with that name already exists')
  const project = projects.get(projectId ?? '')
  const violation = project && ruleViolation(project.featureNaming, name)
  if (violation) throw new Refusal(400, violation)
}
