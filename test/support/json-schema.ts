import { isObject } from '../../src/input/json.ts'

/** The part of JSON Schema, in the dialect of OpenAPI 3.0, that the documents of Unleash need. */
export interface Schema {
  $ref?: string
  oneOf?: readonly Schema[]
  anyOf?: readonly Schema[]
  /** One of these; by default any. */
  type?: string | readonly string[]
  nullable?: boolean
  enum?: readonly unknown[]
  format?: string
  properties?: Record<string, Schema>
  /** The values of properties that are not listed; false if there are no others. */
  additionalProperties?: Schema | boolean
  /** The items of a list; false if it is always empty. */
  items?: Schema | false
}

/** The keywords that `differenceOf` reads. */
export const KEYWORDS: ReadonlySet<string> = new Set<keyof Schema>([
  '$ref',
  'oneOf',
  'anyOf',
  'type',
  'nullable',
  'enum',
  'format',
  'properties',
  'additionalProperties',
  'items',
])

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function hasType(value: unknown, type: string): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeOf(value) === type
}

function hasOneType(value: unknown, types: Schema['type']): boolean {
  if (types === undefined) return true
  if (typeof types === 'string') return hasType(value, types)
  return types.length === 0 || types.some((type) => hasType(value, type))
}

/** The schema of a part of a value; undefined for a part that may be anything, false for an unknown one. */
function partSchema(value: unknown, key: string, schema: Schema): Schema | false | undefined {
  if (Array.isArray(value)) return schema.items
  const { properties = {}, additionalProperties } = schema
  if (Object.hasOwn(properties, key)) return properties[key]
  return additionalProperties === true ? undefined : additionalProperties
}

/** The difference of a part of a value, or a deeper one, with its path. */
function partDifference(
  value: object,
  schema: Schema,
  definitions: Record<string, Schema>,
): string | undefined {
  for (const [key, part] of Object.entries(value)) {
    // JSON has no such property.
    if (part === undefined && !Array.isArray(value)) continue
    const expected = partSchema(value, key, schema)
    const difference =
      expected === false ? ' is unknown' : expected && differenceOf(part, expected, definitions)
    // The path is only put together for a difference, because most documents have none.
    if (difference) return `/${key}${difference}`
  }
  return undefined
}

/**
 * The first difference of a value from a schema, after its path; undefined if there is none. A property may always be
 * missing.
 * @param definitions what a `$ref` refers to, by its last part
 */
export function differenceOf(
  value: unknown,
  schema: Schema,
  definitions: Record<string, Schema> = {},
): string | undefined {
  const { $ref, oneOf, anyOf, type, nullable, enum: values, format } = schema
  if ($ref !== undefined) {
    const definition = definitions[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {}
    return differenceOf(value, definition, definitions)
  }
  const choices = oneOf ?? anyOf
  if (choices) {
    const differences = choices.map((choice) => differenceOf(value, choice, definitions))
    return differences.includes(undefined) ? undefined : differences[0]
  }
  if (value === null && nullable) return undefined
  if (!hasOneType(value, type)) return ` is ${typeOf(value)}, not ${[type].flat().join(' or ')}`
  if (values && !values.includes(value)) return ` is none of ${values.join(', ')}`
  if (format === 'date-time' && !TIME.test(`${value}`)) return ' is not a time'
  const isWhole = typeof value === 'object' && value !== null
  return isWhole ? partDifference(value, schema, definitions) : undefined
}

/** A schema of values like these: with the types, properties and items that one of them has. */
export function schemaLike(values: readonly unknown[]): Schema {
  const objects = values.filter(isObject)
  const keys = new Set(objects.flatMap(Object.keys))
  const items = values.filter(Array.isArray).flat()
  const properties = [...keys].map((key) => {
    return [key, schemaLike(objects.filter((one) => key in one).map((one) => one[key]))]
  })
  return {
    type: [...new Set(values.map(typeOf))],
    properties: Object.fromEntries(properties),
    additionalProperties: false,
    items: items.length > 0 && schemaLike(items),
  }
}
