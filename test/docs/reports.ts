import { homepage } from '../../package.json'
import { exitCodes } from '../../src/errors.ts'
import { historyFields } from '../../src/history/history.ts'
import type { RowField } from '../../src/output/fields.ts'
import { reviewFields } from '../../src/review/fields.ts'

/** The address of a schema in the repository. */
function schemaAddress(name: string): string {
  const repository = homepage.replace('//github.com/', '//raw.githubusercontent.com/')
  return `${repository.replace('#readme', '')}/main/schemas/${name}.schema.json`
}

const text = { type: 'string' }
const names = { type: 'array', items: text }
const orNull = (...types: readonly string[]) => ({ type: [...types, 'null'] })

/** The values of a field in JSON, where what its column shows decides about them; of other fields, they may be anything. */
const valueSchemas: Partial<Record<RowField<unknown>['kind'], object>> = {
  key: orNull('string'),
  number: orNull('number'),
}

/** A row with the names of its fields, all of which it has. */
function rowSchema(fields: readonly Pick<RowField<never>, 'name' | 'kind'>[]): object {
  const named = fields.flatMap(({ name, kind }) =>
    name === undefined ? [] : [[name, valueSchemas[kind] ?? {}] as const],
  )
  return {
    type: 'object',
    properties: Object.fromEntries(named),
    required: named.map(([name]) => name),
  }
}

const incomplete = {
  type: 'array',
  items: {
    type: 'object',
    properties: { message: text, names },
    required: ['message', 'names'],
  },
}

/** The schema of a document with rows. @param head what is before them */
function documentSchema(head: Record<string, object>, rows: string, row: object): object {
  return {
    type: 'object',
    properties: { ...head, [rows]: { type: 'array', items: row }, incomplete },
    required: [...Object.keys(head), rows],
  }
}

const errorSchema = {
  type: 'object',
  properties: {
    kind: { enum: Object.keys(exitCodes).filter((kind) => kind !== 'done') },
    exitCode: { type: 'integer' },
    projectId: text,
    featureName: text,
    names,
    status: { type: 'integer' },
    name: text,
    id: text,
    message: text,
    details: names,
    hint: text,
  },
  required: ['kind', 'exitCode', 'message'],
  additionalProperties: false,
}

const reviewRow = rowSchema(
  reviewFields(
    { now: 0, firstHour: 0 },
    {
      withProjects: true,
      isBrief: false,
      isRounded: false,
      isShort: false,
      isCompared: false,
      sort: 'verdict',
    },
  ),
)

/** What commands print with `--json`; a command, and the schema of its document. */
export const reports: Record<string, { title: string; schema: object }> = {
  error: {
    title: 'Error of flagadm, on stderr with --json',
    schema: { type: 'object', properties: { error: errorSchema }, required: ['error'] },
  },
  review: {
    title: 'What flagadm feature review --json prints',
    schema: documentSchema(
      { service: text, selection: { type: 'object' }, totals: { type: 'array' } },
      'flags',
      reviewRow,
    ),
  },
  history: {
    title: 'What flagadm feature history --json prints',
    schema: documentSchema({ since: text }, 'changes', rowSchema(historyFields([], {}))),
  },
}

/** The JSON Schema (draft 7) of what a command prints. */
export function reportSchema(name: string): object {
  const { title, schema } = reports[name] ?? {}
  const $schema = 'http://json-schema.org/draft-07/schema#'
  return { $schema, $id: schemaAddress(name), title, ...schema }
}
