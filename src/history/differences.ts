// What differs between the two documents of an event.
import { groupBy } from '../groups.ts'
import { isObject } from '../input/json.ts'

export interface Difference {
  /** The names of the fields, from the outside to the inside. */
  path: readonly string[]
  before: unknown
  after: unknown
}

// They change with every change.
const ignored = new Set(['updatedAt', 'lastSeenAt'])

/** Whether the items of a list are compared one by one: objects are, values are one whole. */
function isListOfObjects(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.some((item) => isObject(item) || Array.isArray(item))
}

/** The fields of a value that are compared one by one; undefined if it is one whole. */
function partsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (isObject(value)) return value
  return isListOfObjects(value) ? Object.fromEntries(Object.entries(value)) : undefined
}

/** Whether a value has nothing: fields that are missing, null or empty are the same. */
function isEmpty(value: unknown): boolean {
  if (value == null || value === '') return true
  const size = isObject(value) ? Object.keys(value).length : Array.isArray(value) ? value.length : 1
  return size === 0
}

/** The fields in which two documents differ. */
export function differencesOf(
  before: unknown,
  after: unknown,
  path: readonly string[] = [],
): Difference[] {
  if (isEmpty(before) && isEmpty(after)) return []
  const [from, to] = [partsOf(before), partsOf(after)]
  const isWhole = (!from && !isEmpty(before)) || (!to && !isEmpty(after)) || (!from && !to)
  if (isWhole) {
    const isSame = JSON.stringify(before) === JSON.stringify(after)
    return isSame ? [] : [{ path, before, after }]
  }
  const keys = new Set([...Object.keys(from ?? {}), ...Object.keys(to ?? {})])
  return [...keys]
    .filter((key) => !ignored.has(key))
    .flatMap((key) => differencesOf(from?.[key], to?.[key], [...path, key]))
}

// Longer values are hard to compare; JSON has the documents.
const MAX_CHARACTERS = 60

function valueText(value: unknown): string {
  if (isEmpty(value)) return 'none'
  const isList = Array.isArray(value) && value.every((item) => typeof item !== 'object')
  const text = isList
    ? value.join(', ')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text
}

const isName = (part: string) => !/^\d+$/.test(part)

/** `rollout 25 → 100`; fields with the same name have their whole path. */
export function differenceTexts(differences: readonly Difference[]): string[] {
  const nameOf = ({ path }: Difference) => path.findLast(isName) ?? ''
  const byName = groupBy(differences, nameOf)
  return differences.map((one) => {
    const name = nameOf(one)
    const isUnique = byName.get(name)?.length === 1
    const label = isUnique ? name : one.path.join('.')
    return `${label} ${valueText(one.before)} → ${valueText(one.after)}`.trim()
  })
}
