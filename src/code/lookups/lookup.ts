/** Where a function takes the name of a flag. */
export interface Lookup {
  /** 0-based; undefined for a function that takes it by label only. */
  index?: number
  /** The label of the argument, the property of an object or of a component. */
  key?: string
  /** The member of the argument that has the name. */
  member?: string
  /** Whether the flag is the object that a method is called on: `Flags.NEW_UI.isOn()`. */
  isReceiver?: boolean
  /** Whether the members of an object, or of what a function returns, are flags. */
  hasMembers?: boolean
  /** The object or type that it must be called on. */
  owner?: string
  /** Whether the index is assumed, because the configuration has none. */
  isDefault?: boolean
  /** How to recognize a call, for the functions of the SDKs. */
  sdk?: Sdk
}

/**
 * - `plain`: a function that only SDKs of flags have.
 * - `context`: the flag follows a context.
 * - `annotation`: after `@`, or as a component.
 * - `all`: a function without arguments that returns all flags.
 * - `evaluation`: a function of definitions and a context that returns all flags.
 */
type Sdk = 'plain' | 'context' | 'annotation' | 'all' | 'evaluation'
