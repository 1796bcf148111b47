import * as v from 'valibot'
import { version } from '../../package.json'
import type { Context } from '../command/context.ts'
import { refuseUsage } from '../errors.ts'
import { parsePlaced } from '../input/document.ts'
import { refuseUnreadable } from '../input/document-limits.ts'
import { inputName } from '../input/files.ts'
import { checkShape, describeProblem, exactObject, plainAddress } from '../input/shape.ts'
import { writeFile } from '../output/file.ts'
import { resolve } from '../paths.ts'
import type { ShownService } from '../service/connection.ts'
import {
  type PartialSettings,
  type Settings,
  settingsDocumentSchema,
  settingsOf,
} from '../service/settings-document.ts'
import { changingOf, compare } from './comparison.ts'
import { duplicateErrors, idErrors, problemError } from './documents.ts'
import type { Plan } from './plan-report.ts'
import { noSettings, withSettings } from './settings.ts'
import { textProblems, type HintedProblem, settingsProblems } from './verify.ts'

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
  service: v.pipe(plainAddress, v.description('address of the service')),
  projects: v.array(
    exactObject({
      projectId: v.string(),
      stored: settingsDocumentSchema,
      wanted: settingsDocumentSchema,
    }),
  ),
})

export interface KeptProject {
  projectId: string
  stored: Settings
  wanted: PartialSettings
}

export function planHead({ baseUrl: service }: ShownService) {
  return { $schema: schemaAddress('plan'), version: 1, service }
}

/** Keeps the changes of a plan in a file that only the user can read, without API keys. */
export async function savePlan(
  { host, redactor }: Context,
  path: string,
  plan: Plan,
): Promise<void> {
  const projects = changingOf(plan.projects).map(
    ({ projectId, before: stored, wanted }): KeptProject => ({ projectId, stored, wanted }),
  )
  const text = `${JSON.stringify(redactor.redactAll({ ...planHead(plan), projects }), null, 2)}\n`
  refuseUnreadable(path, text, plan.projects.length)
  await writeFile(host, resolve(host.cwd, path), text, { shown: path, mode: 0o600, replaces: true })
}

/**
 * Reads a kept plan. Its texts, ids and modes are checked like those of documents.
 * @throws a usage error for a file that is not one, or not for this service
 */
export async function readPlan(
  { inputs }: Context,
  path: string,
  { baseUrl, target }: ShownService,
  { verify }: { verify: boolean },
) {
  const name = inputName(path)
  const text = await inputs.read(path, '--plan', 'usage')
  const document = await parsePlaced(text, { name, kind: 'usage' })
  const { placeOf } = document
  const { data: plan, problem } = checkShape(planSchema, document.data)
  if (problem) {
    const what = `${placeOf(problem.path)}: ${describeProblem(problem)}`
    refuseUsage(what, 'project settings plan --save writes such a file')
  }
  if (plan.service !== baseUrl) {
    const what = `${name}: the plan is for ${plan.service}, not for ${baseUrl}`
    refuseUsage(what, 'use a profile for that service')
  }
  const kept = plan.projects.map(({ projectId, stored, wanted }, index) => {
    const projectPath = ['projects', index]
    const idPath = [...projectPath, 'projectId']
    const errorAt = (part: 'stored' | 'wanted') => (problem: HintedProblem) =>
      problemError(document, [...projectPath, part, ...problem.path], problem)
    const before = withSettings(noSettings, settingsOf(stored))
    const compared = compare(projectId, before, settingsOf(wanted))
    const problems = [
      ...idErrors(document, idPath, projectId),
      ...textProblems(before).map(errorAt('stored')),
      ...settingsProblems(compared.wanted, verify).map(errorAt('wanted')),
    ]
    const place = placeOf(idPath)
    const declaration = { ...compared, place, errorAt: errorAt('wanted') }
    return { compared, declaration, problems }
  })
  const declared = kept.map(({ declaration }) => declaration)
  return {
    plan: { projects: kept.map(({ compared }) => compared), baseUrl, target },
    declared,
    problems: [
      ...kept.flatMap(({ problems }) => problems),
      ...duplicateErrors(declared, new Map()),
    ],
  }
}
