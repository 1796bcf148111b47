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

/** The parts of a value, each with its key and its schema; undefined for a part that may be anything. */
function partsOf(value: unknown, schema: Schema) {
  if (Array.isArray(value)) {
    return value.map((item, index) => ({ key: `${index}`, part: item, schema: schema.items }))
  }
  const { properties = {}, additionalProperties } = schema
  return Object.entries(isObject(value) ? value : {}).map(([key, part]) => {
    const other = additionalProperties === true ? undefined : additionalProperties
    return { key, part, schema: Object.hasOwn(properties, key) ? properties[key] : other }
  })
}

/**
 * The first difference of a value from a schema; undefined if there is none. A property may always be missing.
 * @param definitions what a `$ref` refers to, by its last part
 */
export function differenceOf(
  value: unknown,
  schema: Schema,
  definitions: Record<string, Schema> = {},
  path = '',
): string | undefined {
  const { $ref, oneOf, anyOf, type = [], nullable, enum: values, format } = schema
  if ($ref !== undefined) {
    const definition = definitions[$ref.replace(/.*\//, '')] ?? {}
    return differenceOf(value, definition, definitions, path)
  }
  const choices = oneOf ?? anyOf
  if (choices) {
    const differences = choices.map((choice) => differenceOf(value, choice, definitions, path))
    return differences.includes(undefined) ? undefined : differences[0]
  }
  if (value === null && nullable) return undefined
  const types = [type].flat()
  if (types.length > 0 && !types.some((one) => hasType(value, one))) {
    return `${path} is ${typeOf(value)}, not ${types.join(' or ')}`
  }
  if (values && !values.includes(value)) return `${path} is none of ${values.join(', ')}`
  if (format === 'date-time' && !TIME.test(`${value}`)) return `${path} is not a time`
  for (const { key, part, schema: expected = {} } of partsOf(value, schema)) {
    const place = `${path}/${key}`
    const difference = expected
      ? differenceOf(part, expected, definitions, place)
      : `${place} is unknown`
    if (difference) return difference
  }
  return undefined
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
