import { isLegalName } from '../../input/flag-names.ts'
import { type Binding, SELF } from './bindings.ts'
import type { Expression } from './expressions.ts'
import { Declarations, type NearestFirst } from './nearest.ts'
import { ANY_TEXT, anyOf, joinedTexts, type PartialText } from './partial-texts.ts'
import type { FilePosition } from '../files/positions.ts'
import { languageOf } from '../languages/of-file.ts'

/** A value that an expression can have, where the first character of its literal is. */
export interface ResolvedValue extends FilePosition {
  name: string
  /** Whether a name was resolved. */
  isConstant: boolean
}

/** The values of an expression. */
interface Resolution {
  values: ResolvedValue[]
  /** Whether a part of the expression has no known value. */
  isPartial: boolean
  /** The values of a name that has more than one. */
  candidates: string[]
}

/** Where an expression is. */
interface Scope {
  file: string
  /** Whether the file imports or declares the object of a name. */
  hasOwner: boolean
}

// A constant by its form, whose object need not be known.
const CONSTANT = /^[A-Z_]/
// More characters than the name of a flag has.
const MAX_NAME = 100
// More constants than refer to each other in a row.
const MAX_DEPTH = 50

function resolved(values: ResolvedValue[]): Resolution {
  return { values, isPartial: false, candidates: [] }
}

function unresolved(candidates: string[] = []): Resolution {
  return { values: [], isPartial: true, candidates }
}

/** Finds the values of expressions. */
export class Resolver {
  readonly #bindings: Declarations<Binding>
  /** What is known of names in files, or in progress, because constants may refer to each other. */
  readonly #resolutions = new Map<string, Resolution>()
  readonly #texts = new Map<string, readonly PartialText[]>()

  /** @param bindings those of all files */
  constructor(bindings: Iterable<Binding>, nearestFirst: NearestFirst) {
    this.#bindings = new Declarations(nearestFirst)
    for (const binding of bindings) this.#bindings.add(binding.name, binding)
  }

  resolve(expression: Expression, scope: Scope, depth = 0): Resolution {
    if (depth > MAX_DEPTH) return unresolved()
    const each = (parts: readonly Expression[]) =>
      parts.map((part) => this.resolve(part, scope, depth + 1))
    switch (expression.kind) {
      case 'literal': {
        const { value: name, file, line, column } = expression
        return resolved(name === '' ? [] : [{ name, file, line, column, isConstant: false }])
      }
      case 'choice':
        return oneOf(each(expression.parts))
      case 'join':
        return joinedValue(each(expression.parts))
      case 'name':
        return this.#resolveName(expression.path, scope, depth)
      default:
        return unresolved()
    }
  }

  #resolveName(path: readonly string[], scope: Scope, depth: number): Resolution {
    return once(this.#resolutions, nameIn(path, scope), unresolved(), () => {
      for (const bindings of this.#bindingsOf(path, scope)) {
        const result = this.#valuesOf(bindings, scope, depth)
        if (result.values.length > 0 || result.candidates.length > 0) return result
      }
      return unresolved()
    })
  }

  /** The bindings that a name may have, the likeliest first. */
  *#bindingsOf(path: readonly string[], scope: Scope): Generator<readonly Binding[]> {
    const last = path.length - 1
    const groupsOf = (word = '') => this.#bindings.seenFrom(scope.file, word)
    for (let index = last; index >= 0; index--) {
      const word = path[index] ?? ''
      yield chosenIn(groupsOf(word), path, index, scope)
      // A member such as `.name` belongs to the constant before it.
      if (CONSTANT.test(word)) break
    }
    // `flags.newUi`, where `flags` is a module.
    const owner = path[last - 1]
    const isKnown =
      owner !== undefined &&
      (scope.hasOwner || path.slice(0, last).some((word) => CONSTANT.test(word))) &&
      !SELF.test(owner)
    if (!isKnown) return
    const [nearest = []] = groupsOf(path[last])
      .map(loose)
      .filter((group) => group.length > 0)
    yield nearest
  }

  /** The texts that an expression without a known value may have, as far as they are known. */
  textsOf(expression: Expression, scope: Scope, depth = 0): readonly PartialText[] {
    if (depth > MAX_DEPTH) return [ANY_TEXT]
    const each = (parts: readonly Expression[]) =>
      parts.map((part) => this.textsOf(part, scope, depth + 1))
    switch (expression.kind) {
      case 'literal':
        return [[expression.value]]
      case 'choice':
        return anyOf(each(expression.parts))
      case 'join':
        return joinedTexts(each(expression.parts))
      case 'name':
        return this.#textsOfName(expression.path, scope, depth)
      default:
        return [ANY_TEXT]
    }
  }

  #textsOfName(path: readonly string[], scope: Scope, depth: number): readonly PartialText[] {
    return once(this.#texts, nameIn(path, scope), [ANY_TEXT], () => {
      const all = [...this.#bindingsOf(path, scope)]
      const nearest = all.find((bindings) => bindings.length > 0) ?? []
      const texts = nearest.map(({ value, file }) =>
        value ? this.textsOf(value, { file, hasOwner: true }, depth + 1) : [ANY_TEXT],
      )
      return anyOf(texts)
    })
  }

  /** The value of the bindings of one name, if they agree. */
  #valuesOf(bindings: readonly Binding[], scope: Scope, depth: number): Resolution {
    const byName = new Map<string, ResolvedValue>()
    let isPartial = bindings.length === 0
    for (const { value, file } of bindings) {
      const result = value ? this.resolve(value, { file, hasOwner: true }, depth + 1) : unresolved()
      if (result.isPartial && file === scope.file) isPartial = true
      for (const value of result.values) {
        if (isLegalName(value.name) && !byName.has(value.name)) byName.set(value.name, value)
      }
    }
    const values = [...byName.values()]
    // Bindings that disagree, not one with several values.
    const isUnclear = bindings.length > 1 && values.length > 1
    if (values.length === 0 || isPartial || isUnclear) {
      return unresolved(values.map(({ name }) => name))
    }
    return resolved(values.map((value) => ({ ...value, isConstant: true })))
  }
}

/** The key of a name where it is used. */
function nameIn(path: readonly string[], { file, hasOwner }: Scope): string {
  return [file, hasOwner, ...path].join('\n')
}

/** What is known of a key, found once; while it is in progress, nothing is. */
function once<Known>(all: Map<string, Known>, key: string, nothing: Known, find: () => Known) {
  const before = all.get(key)
  if (before !== undefined) return before
  all.set(key, nothing)
  const known = find()
  all.set(key, known)
  return known
}

function oneOf(parts: readonly Resolution[]): Resolution {
  return {
    values: parts.flatMap(({ values }) => values),
    isPartial: parts.some(({ isPartial }) => isPartial) || parts.length === 0,
    candidates: parts.flatMap(({ candidates }) => candidates),
  }
}

function joinedValue(parts: readonly Resolution[]): Resolution {
  const [first] = parts[0]?.values ?? []
  if (!first || parts.some(({ values, isPartial }) => isPartial || values.length !== 1)) {
    return unresolved()
  }
  const name = parts.map(({ values }) => values[0]?.name ?? '').join('')
  // Constants that are joined repeatedly could become very long.
  if (name.length > MAX_NAME) return unresolved()
  return resolved([
    { ...first, name, isConstant: parts.some(({ values }) => values[0]?.isConstant) },
  ])
}

/** All bindings of a member. */
function loose(all: readonly Binding[]): readonly Binding[] {
  return all.filter(({ value }) => value && (value.kind !== 'literal' || isLegalName(value.value)))
}

/** Whether a file is a module, or in a package, with a name. */
function inModule(file: string, name: string): boolean {
  return languageOf(file).moduleOf?.(file) === name
}

/** The bindings of a word that apply in a file, of the nearest group that has some. */
function chosenIn(
  groups: readonly (readonly Binding[])[],
  path: readonly string[],
  index: number,
  scope: Scope,
): readonly Binding[] {
  const [owner, word = '', property] = [path[index - 1], path[index], path[index + 1]]
  for (const group of groups) {
    const bindings = chosen(group.filter(isDirect), owner, scope)
    if (bindings.length > 0) return bindings
  }
  for (const group of groups) {
    const bindings = inTables(group, owner, property)
    if (bindings.length > 0) return bindings
  }
  const isSelf = owner !== undefined && SELF.test(owner)
  if (isSelf || !CONSTANT.test(word)) return []
  return (
    groups.map((group) => loose(group.filter(isDirect))).find((bindings) => bindings.length > 0) ??
    []
  )
}

function isDirect({ property }: Binding): boolean {
  return property === undefined
}

/** The values that a table has for a member, if it is clear which property of the member is meant. */
function inTables(
  all: readonly Binding[],
  owner: string | undefined,
  property: string | undefined,
): readonly Binding[] {
  const isOwner = (binding: Binding) =>
    binding.owner === undefined || owner === '.' || binding.owner === owner
  const ofOwner = all.filter((binding) => !isDirect(binding) && isOwner(binding))
  const named = ofOwner.filter((binding) => binding.property === property)
  if (named.length > 0) return named
  return new Set(ofOwner.map((binding) => binding.property)).size === 1 ? ofOwner : []
}

function chosen(
  all: readonly Binding[],
  owner: string | undefined,
  scope: Scope,
): readonly Binding[] {
  const isOwn = ({ file }: Binding) => file === scope.file
  const constants = all.filter(({ kind, value }) => kind === 'assigned' && value)
  const members = all.filter(({ value }) => value)
  if (owner !== undefined && SELF.test(owner)) return members.filter(isOwn)
  if (owner === '.') return members.filter(({ kind }) => kind === 'member')
  const groups =
    owner === undefined
      ? [all.filter((binding) => isOwn(binding) && binding.kind === 'assigned'), constants]
      : [
          constants.filter(({ file }) => inModule(file, owner)),
          members.filter((binding) => binding.owner === owner),
        ]
  return groups.find((group) => group.length > 0) ?? []
}
