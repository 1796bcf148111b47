/** Reads something once, when it is first needed. */
export function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let reading: Promise<Value> | undefined
  return () => {
    reading ??= read()
    return reading
  }
}
