/** Whether a name matches a pattern. Not a regular expression, because that may take exponential time. */
function matches(pattern: string, name: string): boolean {
  const [first = '', ...parts] = pattern.split('*')
  const last = parts.pop()
  if (last === undefined) return name === pattern
  if (!name.startsWith(first)) return false
  let end = first.length
  for (const part of parts) {
    const start = name.indexOf(part, end)
    if (start < 0) return false
    end = start + part.length
  }
  return name.length - last.length >= end && name.endsWith(last)
}

/**
 * Tests whether a name matches one of the patterns; without patterns, every name does.
 * @param patterns names in which `*` matches any text
 */
export function matcherOf(patterns: readonly string[] = []): (name: string | undefined) => boolean {
  if (patterns.length === 0) return () => true
  return (name) => name !== undefined && patterns.some((pattern) => matches(pattern, name))
}
