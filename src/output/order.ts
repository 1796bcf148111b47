/** Compares items by the first key that differs; text by code unit, in every locale. An item without the key comes first. */
export function orderBy<Item>(...keys: ((item: Item) => string | number | null | undefined)[]) {
  return (a: Item, b: Item): number => {
    for (const keyOf of keys) {
      const x = keyOf(a) ?? ''
      const y = keyOf(b) ?? ''
      if (x !== y) return x < y ? -1 : 1
    }
    return 0
  }
}
