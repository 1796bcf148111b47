import * as v from 'valibot'
import { groupBy } from '../groups.ts'
import { checkShape, exactObject } from '../input/shape.ts'
import { byCodeUnit } from '../output/order.ts'
import { Refusal } from './http.ts'
import { defaultCreatedAt, flagEnvironments, flagsOf } from './projects.ts'
import { ruleViolation } from './rule.ts'
import type { SeedUnknownFlag } from './seed.ts'
import { invalidRequest } from './settings.ts'
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

/** Rows by one of their fields, sorted by its values. */
function sortedGroups(rows: readonly SeedUnknownFlag[], field: keyof SeedUnknownFlag) {
  return [...groupBy(rows, (row) => row[field])].sort(([a], [b]) => byCodeUnit(a, b))
}

/** `GET /api/admin/metrics/unknown-flags`: all of them were seen just now. */
export function unknownFlagList({ unknownFlags, clock }: SandboxState) {
  const seenAt = new Date(clock().now).toISOString()
  return {
    unknownFlags: sortedGroups(unknownFlags, 'name').map(([name, rows]) => ({
      name,
      lastSeenAt: seenAt,
      lastEventAt: null,
      reports: sortedGroups(rows, 'appName').map(([appName, own]) => ({
        appName,
        environments: own.map(({ environment }) => ({ environment, seenAt })),
      })),
    })),
  }
}

const validationSchema = exactObject({
  name: v.pipe(
    v.string(),
    v.nonEmpty('must not be empty'),
    v.maxLength(nameLimit, `must be at most ${nameLimit} characters long`),
    // The names that encodeURIComponent leaves unchanged, without `.` and `..`.
    v.regex(/^(?!\.{1,2}$)[\w.!~*'()-]+$/, 'must be URL friendly'),
  ),
  projectId: v.exactOptional(v.nullable(v.string())),
})

/** `POST /api/admin/features/validate`: refuses an invalid or existing name. */
export function validateName(body: unknown, { flags, projects }: SandboxState): void {
  const { data, problem } = checkShape(validationSchema, body)
  if (problem) throw invalidRequest(problem)
  const { name, projectId } = data
  if (flags.has(name)) throw new Refusal(409, 'A flag with that name already exists')
  const project = projects.get(projectId ?? '')
  const violation = project && ruleViolation(project.featureNaming, name)
  if (violation) throw new Refusal(400, violation)
}
