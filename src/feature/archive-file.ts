// The file of `feature archive --save-before`: what archived flags had, and a revival does not bring back.
import * as v from 'valibot'
import { readEach } from '../requests/each.ts'
import type { Context } from '../cli/context.ts'
import { FlagadmError } from '../errors.ts'
import { parsePlaced } from '../input/document.ts'
import { inputName } from '../input/files.ts'
import { checkShape, describeProblem, exactObject } from '../input/shape.ts'
import { timeOf } from '../input/time.ts'
import { listed } from '../output/incomplete.ts'
import { MASK } from '../output/redact.ts'
import { prepareUndoFile, type UndoFile } from '../requests/undo-file.ts'
import { optional } from '../service/client.ts'
import type { Connection, ShownService } from '../service/connection.ts'
import { operations } from '../service/operations.ts'
import type { FeatureDocument } from '../service/schema.ts'

const isOnce = (list: string[]) => new Set(list).size === list.length

const name = v.pipe(
  v.string(),
  v.nonEmpty('expected a non-empty string'),
  v.check((text) => !/\0|\p{Cs}/u.test(text), 'expected text that can be sent'),
  v.check((text) => !text.includes(MASK), `contains ${MASK}`),
)
const names = v.pipe(v.array(name), v.check(isOnce, 'expected each name once'))
const time = v.pipe(
  v.string(),
  v.check((text) => timeOf(text) !== undefined, 'expected a time'),
)

const dependencySchema = exactObject({
  feature: name,
  enabled: v.exactOptional(v.boolean()),
  variants: v.exactOptional(names),
})

const dependencies = v.pipe(
  v.array(dependencySchema),
  v.check((list) => isOnce(list.map(({ feature }) => feature)), 'expected each flag once'),
)

const flagSchema = exactObject({
  name,
  /** The flags on which it depends. */
  dependencies,
  /** Where it is on, with at least one enabled strategy. */
  environments: names,
  /** Where it is on without one: switching it on there would add a strategy, so it is never done. */
  withoutStrategy: names,
})

const fileSchema = exactObject({
  version: v.literal(1),
  /** The address of the service. */
  service: v.string(),
  project: name,
  /** The time of the service before the flags were archived. */
  savedAt: time,
  flags: v.pipe(v.array(flagSchema), v.nonEmpty('expected at least one flag')),
})

/** A dependency of a flag on another one, as requests have it. */
export type Dependency = v.InferOutput<typeof dependencySchema>
/** What a flag had before it was archived. */
export type SavedFlag = v.InferOutput<typeof flagSchema>
export type ArchiveFile = v.InferOutput<typeof fileSchema>

/** Whether an environment of a flag has a strategy that is enabled. */
export function hasEnabledStrategy({
  strategies,
}: NonNullable<FeatureDocument['environments']>[number]): boolean {
  return strategies?.some(({ disabled }) => disabled !== true) === true
}

/** What a flag has that archiving takes away. */
function savedFlagOf(document: FeatureDocument): SavedFlag {
  const dependencies = (document.dependencies ?? []).map(({ feature, enabled, variants }) => {
    const condition = { feature, enabled: enabled ?? true }
    return variants?.length ? { ...condition, variants } : condition
  })
  const on = (document.environments ?? []).filter(({ enabled }) => enabled === true)
  return {
    name: document.name,
    dependencies,
    environments: on.filter(hasEnabledStrategy).map((one) => one.name),
    withoutStrategy: on.filter((one) => !hasEnabledStrategy(one)).map((one) => one.name),
  }
}

/**
 * Reads what archiving takes away from flags.
 * @throws the error of the first flag that cannot be read
 */
export async function readSavedFlags(
  { service, concurrency }: Connection,
  projectId: string,
  flagNames: readonly string[],
): Promise<SavedFlag[]> {
  const { results, failures } = await readEach(flagNames, concurrency, async (featureName) => {
    const { data } = await service.read(operations.featureDocument, { projectId, featureName })
    return savedFlagOf(data)
  })
  for (const failure of failures.values()) throw failure
  return results
}

/** A flag as its list has it, if it has one. */
interface Listed {
  name: string
  flag?: { environments: readonly { name: string; enabled: boolean | undefined }[] } | undefined
}

/** `a (production, staging)` */
function placesText({ name, flag }: Listed): string[] {
  const on = flag?.environments.filter(({ enabled }) => enabled) ?? []
  return on.length > 0 ? [`${name} (${listed(on.map((one) => one.name))})`] : []
}

/** What reviving flags does not bring back, as sentences: where they are on, and on which flags they depend. */
export async function readLosses(
  connection: Connection,
  projectId: string,
  flags: readonly Listed[],
  path: string | undefined,
): Promise<string[]> {
  const on = flags.flatMap(placesText)
  const known = flags.flatMap(({ name, flag }) => (flag ? [name] : []))
  const saved = await optional(readSavedFlags(connection, projectId, known))
  const dependent = (saved ?? []).flatMap((one) => {
    const parents = one.dependencies.map(({ feature }) => feature)
    return parents.length > 0 ? [`${one.name} (on ${listed(parents)})`] : []
  })
  const losses: string[] = []
  if (on.length > 0) losses.push(`a revived flag is off everywhere; these are on: ${listed(on)}`)
  if (dependent.length > 0) losses.push(`dependencies are deleted: ${listed(dependent)}`)
  if (!saved) losses.push('dependencies are deleted; which there are could not be read')
  if (losses.length === 0 || path !== undefined) return losses
  return [...losses, 'with --save-before <file>, feature revive -f <file> restores that']
}

/**
 * Prepares the file that undoes the archiving of flags of a project.
 * @throws a usage error if it exists
 */
export async function prepareArchiveFile(
  context: Context,
  path: string,
  project: string,
  { baseUrl, clock }: ShownService & Pick<Connection, 'clock'>,
): Promise<UndoFile<SavedFlag>> {
  const { yamlText } = await import('../output/yaml.ts')
  return prepareUndoFile(context, path, (flags: readonly SavedFlag[]) => {
    const savedAt = new Date(clock.now()).toISOString()
    const file: ArchiveFile = { version: 1, service: baseUrl, project, savedAt, flags: [...flags] }
    return yamlText(file, context.redactor)
  })
}

/** Reads such a file. @throws a usage error for one that is not */
export async function readArchiveFile({ inputs }: Context, path: string): Promise<ArchiveFile> {
  const shown = inputName(path)
  const text = await inputs.read(path, '--file', 'usage')
  const { data, placeOf } = await parsePlaced(text, { name: shown, kind: 'usage' })
  const { data: file, problem } = checkShape(fileSchema, data)
  const refuse = (what: string, hint: string): never => {
    throw new FlagadmError('usage', what, { hint })
  }
  if (problem) {
    const hint = 'flagadm feature archive --save-before writes such a file'
    return refuse(`${placeOf(problem.path)}: ${describeProblem(problem)}`, hint)
  }
  const known = new Set<string>()
  const twice = file.flags.find((flag) => known.size === known.add(flag.name).size)
  if (twice) return refuse(`${shown}: ${twice.name} occurs twice`, 'remove one of the entries')
  return file
}
