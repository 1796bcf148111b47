import * as v from 'valibot'
import { FlagadmError } from '../errors.ts'
import { anObject, checkShape, describeProblem, exactObject, type Problem } from '../input/shape.ts'
import { namingProblem } from './rule.ts'
import { modeSchema } from './settings.ts'

// `v.record` silently drops these.
const lostNames = ['__proto__', 'constructor', 'prototype']

const text = v.pipe(v.string(), v.minLength(1, 'expected a non-empty string'))
const count = v.pipe(
  v.number(),
  v.safeInteger('expected a whole number'),
  v.minValue(0, 'expected a non-negative number'),
)
const hoursAgo = v.pipe(count, v.maxValue(47, 'expected at most 47'))
const timestamp = v.pipe(
  v.string(),
  v.check(isUtcTime, 'expected a UTC time such as 2026-01-05T10:00:00Z'),
)
const flagType = v.picklist(['release', 'experiment', 'operational', 'kill-switch', 'permission'])
const variants = v.pipe(
  v.unknown(),
  anObject,
  v.check((value) => !hasLostName(value), `a variant cannot be called ${lostNames.join(' or ')}`),
  v.record(v.string(), count),
)

function isUtcTime(value: string): boolean {
  const time = Date.parse(value)
  // A day such as 30 February is moved to March by the parser.
  return (
    value.endsWith('Z') &&
    !Number.isNaN(time) &&
    new Date(time).toISOString().slice(0, 19) === value.slice(0, 19)
  )
}

function hasLostName(value: unknown): boolean {
  return Object.keys(Object(value)).some((name) => lostNames.includes(name))
}

function listOf<Entries extends v.ObjectEntries>(entries: Entries) {
  return v.array(exactObject(entries))
}

/** The schema of a seed; `Seed` describes it. */
export const seedSchema = exactObject({
  projects: listOf({
    id: text,
    name: v.exactOptional(text),
    description: v.exactOptional(v.string()),
    mode: modeSchema,
    featureNaming: v.exactOptional(
      exactObject({
        pattern: text,
        example: v.exactOptional(v.string()),
        description: v.exactOptional(v.string()),
      }),
    ),
    linkTemplates: v.exactOptional(
      listOf({ title: v.exactOptional(v.string()), urlTemplate: text }),
    ),
  }),
  flags: listOf({
    name: text,
    project: v.string(),
    type: v.exactOptional(flagType),
    description: v.exactOptional(v.string()),
    stale: v.exactOptional(v.boolean()),
    createdAt: v.exactOptional(timestamp),
    archived: v.exactOptional(v.boolean()),
    dependencies: v.exactOptional(listOf({ feature: text })),
    lastSeenAt: v.exactOptional(v.nullable(timestamp)),
    environments: v.exactOptional(
      listOf({
        name: text,
        enabled: v.exactOptional(v.boolean()),
        lastSeenAt: v.exactOptional(v.nullable(timestamp)),
      }),
    ),
    usage: listOf({
      appName: v.string(),
      environment: v.string(),
      timestamp: v.exactOptional(timestamp),
      hoursAgo: v.exactOptional(hoursAgo),
      yes: count,
      no: count,
      variants: v.exactOptional(variants),
    }),
    seenApplications: v.array(v.string()),
  }),
  unknownFlags: v.exactOptional(
    listOf({ name: text, appName: v.string(), environment: v.string() }),
  ),
})

/**
 * The initial data of a sandbox, in the wire's field names; docs/sandbox.md has an example with every field.
 * Project ids, flag names, the rows of a flag (application, environment, hour), its environments and
 * the rows of unknown flags are unique, and the service accepts the naming rules.
 */
export type Seed = v.InferOutput<typeof seedSchema>
export type SeedProject = Seed['projects'][number]
export type SeedFlag = Seed['flags'][number]
export type SeedUnknownFlag = NonNullable<Seed['unknownFlags']>[number]

/** Identifies the application and environment of a row. */
export function seriesOf({ appName, environment }: { appName: string; environment: string }) {
  return JSON.stringify([appName, environment])
}

function* repeated<Item>(
  list: string,
  items: readonly Item[],
  keyOf: (item: Item) => string,
  field = '',
): Generator<Problem> {
  const seen = new Map<string, number>()
  for (const [index, item] of items.entries()) {
    const key = keyOf(item)
    const earlier = seen.get(key)
    if (earlier !== undefined) {
      const message = `the same as ${list}[${earlier}]${field}`
      yield { path: `${list}[${index}]${field}`, message }
    }
    seen.set(key, index)
  }
}

function* projectProblems({ projects }: Seed): Generator<Problem> {
  yield* repeated('projects', projects, ({ id }) => id, '.id')
  for (const [index, { featureNaming = {} }] of projects.entries()) {
    const problem = namingProblem(featureNaming)
    if (problem) yield { ...problem, path: `projects[${index}].${problem.path}` }
  }
}

function* usageProblems(usage: SeedFlag['usage'], list: string): Generator<Problem> {
  yield* repeated(list, usage, (row) => `${seriesOf(row)} ${row.hoursAgo ?? 0}`)
  for (const [index, { yes, variants = {}, timestamp, hoursAgo }] of usage.entries()) {
    if (timestamp !== undefined && hoursAgo !== undefined) {
      yield { path: `${list}[${index}].timestamp`, message: 'cannot be combined with hoursAgo' }
    }
    const selected = Object.values(variants).reduce((total, count) => total + count, 0)
    if (selected > yes) {
      yield { path: `${list}[${index}].variants`, message: 'add up to more than yes' }
    }
  }
}

function* flagProblems({ projects, flags }: Seed): Generator<Problem> {
  yield* repeated('flags', flags, ({ name }) => name, '.name')
  for (const [index, flag] of flags.entries()) {
    const { project, usage, seenApplications, environments = [], dependencies = [] } = flag
    const path = `flags[${index}]`
    if (!projects.some(({ id }) => id === project)) {
      yield { path: `${path}.project`, message: 'no such project' }
    }
    for (const [at, { feature }] of dependencies.entries()) {
      if (feature !== flag.name && flags.some(({ name }) => name === feature)) continue
      yield { path: `${path}.dependencies[${at}].feature`, message: 'no such other flag' }
    }
    yield* repeated(`${path}.environments`, environments, ({ name }) => name, '.name')
    yield* usageProblems(usage, `${path}.usage`)
    yield* repeated(`${path}.seenApplications`, seenApplications, (name) => name)
  }
}

function* unknownFlagProblems({ flags, unknownFlags = [] }: Seed): Generator<Problem> {
  yield* repeated('unknownFlags', unknownFlags, (row) => `${row.name} ${seriesOf(row)}`)
  for (const [index, { name }] of unknownFlags.entries()) {
    const known = flags.findIndex((flag) => flag.name === name)
    if (known !== -1) {
      yield { path: `unknownFlags[${index}].name`, message: `the same as flags[${known}].name` }
    }
  }
}

function refused(name: string, problem: Problem): FlagadmError {
  return new FlagadmError('usage', `${name}: ${describeProblem(problem)}`, {
    hint: 'a seed contains projects (id, mode) and flags (name, project, usage, seenApplications)',
  })
}

/**
 * The seed in a parsed YAML or JSON document.
 * @param name what to call the document in an error
 * @throws FlagadmError of kind `usage` about the first invalid field
 */
export function checkSeed(data: unknown, name: string): Seed {
  const checked = checkShape(seedSchema, data)
  if (checked.problem) throw refused(name, checked.problem)
  const seed = checked.data
  const [problem] = [...projectProblems(seed), ...flagProblems(seed), ...unknownFlagProblems(seed)]
  if (problem) throw refused(name, problem)
  return seed
}
