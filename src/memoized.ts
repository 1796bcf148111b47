/** A function that makes the value of each key only once, such as the text of a name that many rows have. */
export function memoized<Key, Value extends NonNullable<unknown>>(
  make: (key: Key) => Value,
): (key: Key) => Value {
  const values = new Map<Key, Value>()
  return (key) => {
    const known = values.get(key)
    if (known !== undefined) return known
    const value = make(key)
    values.set(key, value)
    return value
  }
}
