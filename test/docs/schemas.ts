import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { homepage } from '../../package.json'
import { referencesSchema } from '../../src/review/references-file.ts'
import { configurationSchema } from '../../src/profile/configuration-schema.ts'
import { seedSchema } from '../../src/sandbox/seed.ts'
import { planSchema } from '../../src/settings/plan-file.ts'
import { settingsDocumentSchema } from '../../src/service/settings-document.ts'

/** The settings of one project, or those of several. */
const settingsSchema = v.union([
  settingsDocumentSchema,
  v.strictObject({
    service: v.exactOptional(v.pipe(v.string(), v.description('address of the service'))),
    defaults: v.exactOptional(settingsDocumentSchema),
    projects: v.record(v.string(), v.nullable(settingsDocumentSchema)),
  }),
])

export const schemaNames = ['configuration', 'settings', 'plan', 'references', 'seed'] as const
export type SchemaName = (typeof schemaNames)[number]

interface Source {
  title: string
  schema: v.GenericSchema
  /** A line of `-o jsonl`. */
  row?: v.GenericSchema
}

const sources: Record<SchemaName, Source> = {
  configuration: { title: 'Configuration of flagadm', schema: configurationSchema },
  settings: { title: 'Project settings for flagadm', schema: settingsSchema },
  plan: { title: 'Plan that flagadm has kept', schema: planSchema },
  references: {
    title: 'References that flagadm has found',
    schema: referencesSchema,
    row: referencesSchema.entries.references.item,
  },
  seed: { title: 'Seed of the flagadm sandbox', schema: seedSchema },
}

/** The address of a schema in the repository. */
export function addressOf(name: SchemaName): string {
  const repository = homepage.replace('//github.com/', '//raw.githubusercontent.com/')
  return `${repository.replace('#readme', '')}/main/schemas/${name}.schema.json`
}

/** Allows `$schema` in a document, which the program removes before it checks the rest. */
function allowSchemaField(schema: JsonSchema): JsonSchema {
  if (schema.anyOf) return { ...schema, anyOf: schema.anyOf.map(allowNested) }
  const $schema = {
    type: 'string',
    description: 'the schema of this document, for editors',
  } as const
  return { ...schema, properties: { $schema, ...schema.properties } }
}

function allowNested(schema: JsonSchema | boolean): JsonSchema | boolean {
  return typeof schema === 'boolean' ? schema : allowSchemaField(schema)
}

function generatedFrom(schema: v.GenericSchema): JsonSchema {
  return toJsonSchema(schema, {
    target: 'draft-07',
    typeMode: 'output',
    // Checks that only code can express; the program reports what violates them.
    ignoreActions: ['check'],
    overrideAction: ({ valibotAction, jsonSchema }) =>
      valibotAction.type === 'safe_integer' ? { ...jsonSchema, type: 'integer' } : undefined,
  })
}

/** The JSON Schema (draft 7) of a document, from the schema with which the program checks it. */
export function jsonSchema(name: SchemaName): JsonSchema {
  const { title, schema, row } = sources[name]
  const { $schema = '', ...rest } = allowSchemaField(generatedFrom(schema))
  const document = { $schema, $id: addressOf(name), title, ...rest }
  if (!row) return document
  const { $schema: _, ...definition } = generatedFrom(row)
  return { ...document, definitions: { row: definition } }
}
