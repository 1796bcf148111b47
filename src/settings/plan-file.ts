import * as v from 'valibot'
import { version } from '../../package.json'
import type { Context } from '../cli/context.ts'
import { FlagadmError } from '../errors.ts'
import { parsePlaced } from '../input/document.ts'
import { inputName } from '../input/files.ts'
import { checkShape, describeProblem, exactObject } from '../input/shape.ts'
import { writeFile } from '../output/file.ts'
import { resolve } from '../paths.ts'
import type { ShownService } from '../service/connection.ts'
import { settingsDocumentSchema, settingsOf } from '../service/settings-document.ts'
import { changingOf, compare } from './comparison.ts'
import type { Plan } from './plan-report.ts'
import { noSettings, withSettings } from './settings.ts'

/** The address of the schema with which editors check a file of this version. */
export function schemaAddress(name: 'plan' | 'settings'): string {
  return `https://raw.githubusercontent.com/flagadm/flagadm/v${version}/schemas/${name}.schema.json`
}

/**
 * The file of a kept plan: for each project that would change, what was stored and what is wanted.
 * @internal Tests make the published JSON Schema of it.
 */
export const planSchema = exactObject({
  version: v.literal(1),
  service: v.pipe(v.string(), v.description('address of the service')),
  projects: v.array(
    exactObject({
      projectId: v.string(),
      stored: settingsDocumentSchema,
      wanted: settingsDocumentSchema,
    }),
  ),
})

/** Keeps the changes of a plan in a file that only the user can read, without API keys. */
export async function savePlan(
  { host, redactor }: Context,
  path: string,
  { baseUrl, projects }: Plan,
): Promise<void> {
  const kept = changingOf(projects).map(({ projectId, before: stored, wanted }) => {
    return { projectId, stored, wanted }
  })
  const plan = { $schema: schemaAddress('plan'), version: 1, service: baseUrl, projects: kept }
  const text = `${JSON.stringify(redactor.redactAll(plan), null, 2)}\n`
  await writeFile(host, resolve(host.cwd, path), text, { shown: path, mode: 0o600, replaces: true })
}

/** Reads a kept plan. @throws a usage error for a file that is not one, or not for this service */
export async function readPlan(
  { inputs }: Context,
  path: string,
  { baseUrl, target }: ShownService,
): Promise<Plan> {
  const name = inputName(path)
  const text = await inputs.read(path, '--plan', 'usage')
  const { data, placeOf } = await parsePlaced(text, { name, kind: 'usage' })
  const { data: plan, problem } = checkShape(planSchema, data)
  if (problem) {
    const what = `${placeOf(problem.path)}: ${describeProblem(problem)}`
    throw new FlagadmError('usage', what, {
      hint: 'flagadm project settings plan --save writes such a file',
    })
  }
  if (plan.service !== baseUrl) {
    const what = `${name}: the plan is for ${plan.service}, not for ${baseUrl}`
    throw new FlagadmError('usage', what, { hint: 'use a profile for that service' })
  }
  const projects = plan.projects.map(({ projectId, stored, wanted }) =>
    compare(projectId, withSettings(noSettings, settingsOf(stored)), settingsOf(wanted)),
  )
  return { projects, baseUrl, target }
}
