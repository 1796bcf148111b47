import { homepage } from '../../package.json'
import { exitCodes } from '../../src/errors.ts'
import { listFields } from '../../src/flags/list.ts'
import { spanOf } from '../../src/flags/span.ts'
import { historyFields } from '../../src/history/history.ts'
import { findingKinds } from '../../src/naming/finding-kinds.ts'
import type { RowField } from '../../src/output/fields.ts'
import { projectFields } from '../../src/project/list.ts'
import { reviewFields } from '../../src/review/fields.ts'
import { usageFields } from '../../src/usage/fields.ts'
import { arrange } from '../../src/usage/rows.ts'
import { unknownFields } from '../../src/usage/unknown.ts'

type Properties = Record<string, object>

const text = { type: 'string' }
const integer = { type: 'integer' }
const flag = { type: 'boolean' }
const any = { type: 'object' }
const orNull = (type: string) => ({ type: [type, 'null'] })
const list = (items: object) => ({ type: 'array', items })
const names = list(text)

function object(required: Properties, optional: Properties = {}) {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
  }
}

/** The values of a field in JSON, where what its column shows decides about them; of other fields, they may be anything. */
const valueSchemas: Partial<Record<RowField<unknown>['kind'], object>> = {
  key: orNull('string'),
  number: orNull('number'),
  time: orNull('string'),
}

/** A row with the names of its fields, by the fields of several views: it has those that all of them have. */
function rowOf(...views: readonly (readonly Pick<RowField<never>, 'name' | 'kind'>[])[]) {
  const namesIn = views.map((fields) => new Set(fields.map(({ name }) => name)))
  const named = views
    .flat()
    .flatMap(({ name, kind }) => (name === undefined ? [] : [[name, kind] as const]))
  const schemas = (isRequired: boolean) =>
    named.flatMap(([name, kind]) =>
      namesIn.every((own) => own.has(name)) === isRequired
        ? [[name, valueSchemas[kind] ?? {}] as const]
        : [],
    )
  return object(Object.fromEntries(schemas(true)), Object.fromEntries(schemas(false)))
}

const incomplete = { incomplete: list(object({ message: text, names })) }

/** One document, or a document with those of several projects. */
function oneOrSeveral(one: ReturnType<typeof object>) {
  return { anyOf: [one, object({ projects: list(one) }, incomplete)] }
}

const times = { now: 0, firstHour: 0 }
const view = {
  isBrief: false,
  isRounded: false,
  isShort: false,
  owners: [],
  sort: 'verdict',
} as const
const reviewRow = rowOf(
  reviewFields(times, { ...view, withProjects: true, isCompared: false }),
  reviewFields(times, { ...view, withProjects: true, isCompared: true }),
)

const span = spanOf({ text: '1h', milliseconds: 3_600_000 }, 0)
const usageFacts = { fromOf: () => 0, isSingle: false, hasTotal: false, hasHours: false, now: 0 }
const usageRow = rowOf(
  usageFields(arrange([], {}), { ...usageFacts, span: undefined }),
  usageFields(arrange([], {}), { ...usageFacts, span, allProjects: true }),
  [{ name: 'readAt', kind: 'data' }, ...usageFields(arrange([], {}), { ...usageFacts, span })],
)

const error = {
  ...object(
    {
      kind: { enum: Object.keys(exitCodes).filter((kind) => kind !== 'done') },
      exitCode: integer,
      message: text,
    },
    {
      projectId: text,
      featureName: text,
      names,
      status: integer,
      name: text,
      id: text,
      details: names,
      hint: text,
    },
  ),
  additionalProperties: false,
}

const change = object({ projectId: text, baseUrl: text, dryRun: flag })
const request = object({ method: text, url: text }, { body: any })

/** What a command that changes something prints: the project, whether it was a dry run, and what became of it. */
function changeOf(required: Properties, optional: Properties = {}) {
  return object({ ...change.properties, ...required }, optional)
}

const part = { status: text }
const reason = { reason: text }
const switched = changeOf(
  {
    flags: list(
      object(
        { flag: text, environment: text, status: text, added: names, dependents: names },
        reason,
      ),
    ),
    undo: names,
  },
  { requests: list(request) },
)

const settingsChange = object({ field: text, from: {}, to: {} }, { inherited: flag })
const planned = object(
  { projectId: text, status: text },
  {
    changes: list(settingsChange),
    rule: object({}, { relation: text, flags: integer, breaking: names, undecided: names }),
    undeclared: names,
    warning: text,
    error,
  },
)
const plan = object(
  { baseUrl: text, projects: list(planned), summary: any },
  { undeclared: { type: ['array', 'null'], items: text }, ...incomplete },
)
const applied = object(
  { projectId: text, status: text, changes: list(settingsChange), verified: flag },
  { error },
)

const place = { file: text, line: integer, column: integer }
const rule = object({}, { pattern: text, example: text, description: text })
const finding = object(
  {
    code: { enum: Object.keys(findingKinds) },
    severity: { enum: ['error', 'warning', 'info'] },
    message: text,
  },
  { suggestion: text },
)
const violation = object(
  { name: text, reasons: names },
  { ...place, project: text, suggestion: text },
)
const effect = object({ witnesses: names, names, uses: list(object({ name: text })) })

const value = object(
  { value: text, origin: object({ kind: text, name: text }, { line: integer }) },
  { kind: text, problem: text },
)

interface Report {
  /** What it is; by default, what the command prints. */
  title?: string
  /** The document of `--json`; several of them are one on each line. */
  document: object
  /** A line of `-o jsonl`, whose last one may be what is incomplete. */
  row?: object
}

const ofRows = (head: Properties, rows: string, row: object): Report => ({
  document: object({ ...head, [rows]: list({ $ref: '#/definitions/row' }) }, incomplete),
  row,
})

/** What commands print, by their words after `feature`. Documents of the service are as it sends them. */
export const reports: Record<string, Report> = {
  error: { title: 'Error of flagadm, on stderr with --json', document: object({ error }) },
  list: {
    document: {
      anyOf: [
        object({ features: list(object({ name: text })) }),
        object({ project: text, flags: object({ features: list(object({ name: text })) }) }),
      ],
    },
    row: rowOf(listFields([], undefined, true)),
  },
  usage: {
    document: {
      anyOf: [
        object({ lastHourUsage: list(any) }),
        object({ data: list(any) }),
        object({ flag: text, usage: object({ data: list(any) }) }, { project: orNull('string') }),
      ],
    },
    row: usageRow,
  },
  review: ofRows({ service: text, selection: any, totals: list(any) }, 'flags', reviewRow),
  history: ofRows({ since: text }, 'changes', rowOf(historyFields([], {}))),
  unknown: {
    document: object({
      unknownFlags: { anyOf: [list(object({ name: text })), { type: 'null' }] },
      archivedFlags: list(object({ name: text, project: text, archivedAt: text })),
    }),
    row: rowOf(unknownFields(true)),
  },
  archive: {
    document: changeOf(
      {
        flags: list(
          object(
            { flag: text, status: text },
            { verdict: text, reasons: names, on: names, dependsOn: names },
          ),
        ),
      },
      { ...request.properties, undo: text, restored: names, notRestored: names },
    ),
  },
  revive: {
    document: changeOf(
      {
        flags: list(
          object(
            {
              flag: text,
              ...part,
              dependencies: list(object({ feature: text, ...part }, reason)),
              environments: list(object({ environment: text, ...part }, reason)),
            },
            reason,
          ),
        ),
      },
      { requests: list(request) },
    ),
  },
  off: { document: switched },
  on: { document: switched },
  'project-list': {
    document: object({ projects: list(object({ id: text })) }),
    row: rowOf(projectFields),
  },
  'project-settings-set': {
    document: changeOf(
      { settings: any, changed: flag, sent: orNull('object') },
      {
        ...request.properties,
        body: orNull('object'),
        verified: flag,
        before: any,
        after: any,
      },
    ),
  },
  'project-settings-plan': { document: plan },
  'project-settings-apply': { document: { anyOf: [applied, plan] } },
  'naming-lint': {
    document: oneOrSeveral(
      object(
        { rule, findings: list(finding), accepts: names, rejects: names },
        { project: text, ...incomplete },
      ),
    ),
  },
  'naming-check': {
    document: object(
      { checked: integer, violations: list(violation), ignored: integer, staleAllowed: names },
      {
        rule,
        undecided: list(violation),
        available: flag,
        unresolved: integer,
        lookups: integer,
        unresolvedPlaces: list(object({ text }, place)),
        projects: list(any),
        ...incomplete,
      },
    ),
    row: {
      anyOf: [violation, object({ code: text, severity: text, message: text, file: text }, place)],
    },
  },
  'naming-diff': {
    document: oneOrSeveral(
      object(
        { relation: text, newlyAccepted: effect, newlyRejected: effect },
        { project: text, reason: text, compared: integer, undecided: any, ...incomplete },
      ),
    ),
  },
  'profile-list': {
    document: list(
      object({ name: text, file: text }, { baseUrl: text, apiKey: text, default: text }),
    ),
  },
  'profile-show': { document: { type: 'object', additionalProperties: value } },
  'profile-check': {
    document: object({
      ok: flag,
      exitCode: integer,
      checks: list(
        object(
          { name: text, status: { enum: ['ok', 'failed', 'skipped'] }, message: text },
          { hint: text, exitCode: integer },
        ),
      ),
      missing: list(object({ name: text, reason: text })),
    }),
  },
}

/** The JSON Schema (draft 7) of what a command prints. */
export function reportSchema(name: string): object {
  const { title, document = {}, row } = reports[name] ?? {}
  const repository = homepage.replace('//github.com/', '//raw.githubusercontent.com/')
  const words = /^(?:project|naming|profile)-/.test(name)
    ? name.replaceAll('-', ' ')
    : `feature ${name}`
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: `${repository.replace('#readme', '')}/main/schemas/${name}.schema.json`,
    title: title ?? `What flagadm ${words} --json prints`,
    ...document,
    ...(row && { definitions: { row } }),
  }
}
