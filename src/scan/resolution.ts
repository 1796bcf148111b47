import { type Binding, isLegalName } from './code/bindings.ts'
import type { Expression } from './code/expressions.ts'
import type { Group } from './code/languages.ts'

/** A binding and the file that contains it. */
export interface PlacedBinding extends Binding {
  file: number
  group: Group
}

/** A value that an expression can have. */
export interface Value {
  name: string
  /** Where the first character of the literal is. */
  file: number
  offset: number
  line: number
  column: number
  /** Whether a name was resolved. */
  isConstant: boolean
}

/** The values of an expression. */
export interface Resolution {
  values: Value[]
  /** Whether a part of the expression has no known value. */
  isPartial: boolean
  /** The values of a name that has more than one. */
  candidates: string[]
}

const SELF = /^(?:this|self|Self|static|cls|__MODULE__)$/
// A constant by its form, whose object need not be known.
const CONSTANT = /^[A-Z_]/
const MAX_DEPTH = 5

/** Finds the values of expressions with the bindings of all files. */
export function createResolver(bindings: ReadonlyMap<string, readonly PlacedBinding[]>) {
  interface Place {
    file: number
    group: Group
    /** Whether the file imports or declares the object of a name. */
    hasOwner: boolean
  }
  const none = (candidates: string[] = []): Resolution => ({
    values: [],
    isPartial: true,
    candidates,
  })

  const resolve = (expression: Expression, place: Place, depth = 0): Resolution => {
    if (depth > MAX_DEPTH) return none()
    switch (expression.kind) {
      case 'literal': {
        const { value: name, offset, line = 0, column = 0 } = expression
        if (name === '') return { values: [], isPartial: false, candidates: [] }
        const value = { name, file: place.file, offset, line, column, isConstant: false }
        return { values: [value], isPartial: false, candidates: [] }
      }
      case 'choice': {
        const parts = expression.parts.map((part) => resolve(part, place, depth + 1))
        return {
          values: parts.flatMap(({ values }) => values),
          isPartial: parts.some(({ isPartial }) => isPartial) || parts.length === 0,
          candidates: parts.flatMap(({ candidates }) => candidates),
        }
      }
      case 'join':
        return join(expression.parts.map((part) => resolve(part, place, depth + 1)))
      case 'name':
        return resolveName(expression.path, place, depth)
      default:
        return none()
    }
  }

  const join = (parts: readonly Resolution[]): Resolution => {
    const [first] = parts[0]?.values ?? []
    if (!first || parts.some(({ values, isPartial }) => isPartial || values.length !== 1))
      return none()
    const name = parts.map(({ values }) => values[0]?.name ?? '').join('')
    const isConstant = parts.some(({ values }) => values[0]?.isConstant)
    return { values: [{ ...first, name, isConstant }], isPartial: false, candidates: [] }
  }

  const resolveName = (path: readonly string[], place: Place, depth: number): Resolution => {
    const last = path.length - 1
    for (let index = last; index >= 0; index--) {
      const word = path[index] ?? ''
      const found = chosen(word, path[index - 1], place)
      const result = valuesOf(found, depth, place)
      if (result.values.length > 0 || result.candidates.length > 0) return result
      // A member such as `.name` belongs to the constant before it.
      if (CONSTANT.test(word)) break
    }
    // `flags.newUi`, where `flags` is a module.
    const owner = path[last - 1]
    const isKnown =
      owner !== undefined &&
      (place.hasOwner || owner === '.' || CONSTANT.test(owner)) &&
      !SELF.test(owner)
    return isKnown ? valuesOf(loose(path[last] ?? '', place), depth, place) : none()
  }

  const inGroup = (word: string, { group }: Place) =>
    (bindings.get(word) ?? []).filter((one) => one.group === group)

  /** The bindings of a member, whatever declares it. */
  const loose = (word: string, place: Place): readonly PlacedBinding[] => {
    const all = inGroup(word, place)
    const direct = all.filter((one) => one.kind !== 'branch' && one.value)
    const legal = direct.filter(
      ({ value }) => value?.kind !== 'literal' || isLegalName(value.value),
    )
    return legal.length > 0 ? legal : all.filter((one) => one.kind === 'branch')
  }

  /** The bindings that a name or a member can have here. */
  const chosen = (
    word: string,
    owner: string | undefined,
    place: Place,
  ): readonly PlacedBinding[] => {
    const all = inGroup(word, place)
    const own = all.filter((one) => one.file === place.file)
    if (owner === undefined) {
      const assigned = (one: PlacedBinding) => one.kind === 'assigned'
      if (own.some(assigned)) return own.filter(assigned)
      const elsewhere = all.filter((one) => assigned(one) && one.value)
      if (elsewhere.length > 0) return elsewhere
      return CONSTANT.test(word) ? loose(word, place) : []
    }
    if (SELF.test(owner)) return own.filter((one) => one.kind !== 'branch' && one.value)
    const owned = all.filter((one) => one.owner === owner && one.kind !== 'branch' && one.value)
    if (owned.length > 0) return owned
    return CONSTANT.test(word) ? loose(word, place) : []
  }

  const valuesOf = (found: readonly PlacedBinding[], depth: number, place: Place): Resolution => {
    const byName = new Map<string, Value>()
    let isPartial = found.length === 0
    for (const { value, file, group } of found) {
      const result = value && resolve(value, { file, group, hasOwner: true }, depth + 1)
      if ((!result || result.isPartial) && file === place.file) isPartial = true
      for (const one of result?.values ?? []) {
        if (isLegalName(one.name) && !byName.has(one.name)) byName.set(one.name, one)
      }
    }
    const values = [...byName.values()]
    const isChoice = found.length === 1 && found[0]?.value?.kind === 'choice'
    if (values.length === 0 || isPartial || (values.length > 1 && !isChoice)) {
      return none(values.map(({ name }) => name))
    }
    return {
      values: values.map((one) => ({ ...one, isConstant: true })),
      isPartial: false,
      candidates: [],
    }
  }

  return resolve
}
