// The file of `feature archive --save-before`: what archived flags had, and a revival does not bring back.
import * as v from 'valibot'
import { readEach } from '../requests/each.ts'
import type { Context } from '../command/context.ts'
import { FlagadmError, refuseUsage } from '../errors.ts'
import { parsePlaced } from '../input/document.ts'
import { MAX_CHARACTERS, MAX_ENTRIES } from '../input/document-limits.ts'
import { inputName, MAX_BYTES } from '../input/files.ts'
import {
  checkShape,
  describeProblem,
  exactObject,
  plainAddress,
  timestamp,
} from '../input/shape.ts'
import { listed } from '../output/incomplete.ts'
import { MASK } from '../output/redact.ts'
import { prepareUndoFile, type UndoFile } from '../requests/undo-file.ts'
import type { Connection, ShownService } from '../service/connection.ts'
import { hasEnabledStrategy } from '../flags/strategies.ts'
import type { FeatureDocument } from '../service/schema.ts'
import { readFlagDocument } from '../flags/documents.ts'

const isOnce = (list: string[]) => new Set(list).size === list.length

const name = v.pipe(
  v.string(),
  v.nonEmpty('expected a non-empty string'),
  v.check((text) => !/\0|\p{Cs}/u.test(text), 'expected text that can be sent'),
  v.check((text) => !text.includes(MASK), `contains ${MASK}`),
)
const names = v.pipe(v.array(name), v.check(isOnce, 'expected each name once'))
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
  service: plainAddress,
  project: name,
  /** The time of the service before the flags were archived. */
  savedAt: timestamp,
  flags: v.pipe(
    v.array(flagSchema),
    v.nonEmpty('expected at least one flag'),
    v.maxLength(MAX_ENTRIES, `expected at most ${MAX_ENTRIES} flags`),
  ),
})

/** A dependency of a flag on another one, as requests have it. */
export type Dependency = v.InferOutput<typeof dependencySchema>
/** What a flag had before it was archived. */
export type SavedFlag = v.InferOutput<typeof flagSchema>
export type ArchiveFile = v.InferOutput<typeof fileSchema>

interface Places {
  environments?:
    | readonly { name: string; enabled?: boolean | null | undefined }[]
    | null
    | undefined
}

/** A flag as its list has it, if it has one. */
export interface Listed {
  name: string
  flag?: Places | undefined
}

export function environmentsOn({ environments }: Places = {}): string[] {
  return (environments ?? []).flatMap(({ name, enabled }) => (enabled === true ? [name] : []))
}

/** Why the document of a flag does not have what archiving takes away; undefined if it has. @param listedOn where it is on by its list */
function gapOf({ environments }: FeatureDocument, listedOn: readonly string[]): string | undefined {
  if (!environments) return 'the service does not report its environments'
  const on = environments.filter(({ enabled }) => enabled === true)
  const off = listedOn.filter((name) => !on.some((one) => one.name === name))
  if (off.length > 0) return `its own document contradicts the list: not on in ${listed(off)}`
  const bare = on.filter(({ strategies }) => !strategies).map((one) => one.name)
  return bare.length > 0
    ? `the service does not report its strategies in ${listed(bare)}`
    : undefined
}

/** What a flag has that archiving takes away. */
export function savedFlagOf(document: FeatureDocument): SavedFlag {
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
 * @throws the error of the first flag of which that is not known
 */
export async function readSavedFlags(
  connection: Connection,
  projectId: string,
  flags: readonly Listed[],
): Promise<SavedFlag[]> {
  const { results, failures } = await readEach('flag', flags, connection, async (listedFlag) => {
    const { name, flag } = listedFlag
    const document = await readFlagDocument(connection.service, { projectId, name })
    const gap = gapOf(document, environmentsOn(flag))
    if (gap === undefined) return savedFlagOf(document)
    const hint = 'run it again, or leave out --save-before'
    throw new FlagadmError('unavailable', gap, { projectId, featureName: name, hint })
  })
  for (const failure of failures.values()) throw failure
  return results
}

// With its indentation and line breaks, YAML may be up to three times as long.
const MAX_JSON_FOR_YAML = MAX_CHARACTERS / 4

/**
 * Prepares the file that undoes the archiving of flags of a project. The flags of a large one are JSON, which is read in a
 * moment: reading 10,000 as YAML takes longer than all that revive does before its first request.
 * @throws a usage error if it exists
 */
export async function prepareArchiveFile(
  context: Context,
  path: string,
  project: string,
  { baseUrl, clock }: ShownService & Pick<Connection, 'clock'>,
): Promise<UndoFile<SavedFlag>> {
  const { yamlText } = await import('../output/yaml.ts')
  const textOf = (flags: readonly SavedFlag[]) => {
    const savedAt = new Date(clock.now()).toISOString()
    const file: ArchiveFile = { version: 1, service: baseUrl, project, savedAt, flags: [...flags] }
    const json = context.out.printableJson(JSON.stringify(file))
    if (json.length > MAX_JSON_FOR_YAML) return `${json}\n`
    return yamlText(file, context.redactor)
  }
  return prepareUndoFile(context, path, textOf, MAX_BYTES / 4)
}

/** Reads such a file. @throws a usage error for one that is not */
export async function readArchiveFile({ inputs }: Context, path: string): Promise<ArchiveFile> {
  const shown = inputName(path)
  const text = await inputs.read(path, '--file', 'usage')
  const { data, placeOf } = await parsePlaced(text, {
    name: shown,
    kind: 'usage',
    takesLargeJson: true,
  })
  const { data: file, problem } = checkShape(fileSchema, data)
  const refuse = (what: string, hint: string): never => {
    refuseUsage(what, hint)
  }
  if (problem) {
    const hint = 'feature archive --save-before writes such a file'
    return refuse(`${placeOf(problem.path)}: ${describeProblem(problem)}`, hint)
  }
  const names = new Set<string>()
  const twice = file.flags.find((flag) => names.size === names.add(flag.name).size)
  if (twice) return refuse(`${shown}: ${twice.name} occurs twice`, 'remove one of the entries')
  return file
}
