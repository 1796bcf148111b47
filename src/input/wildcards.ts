/** A test for names. A regular expression with several `.*` could take exponential time. */
function testOf(pattern: string): (name: string) => boolean {
  const [head = '', ...rest] = pattern.split('*')
  const tail = rest.pop()
  if (tail === undefined) return (name) => name === pattern
  return (name) => {
    if (!name.startsWith(head)) return false
    let from = head.length
    for (const part of rest) {
      const found = name.indexOf(part, from)
      if (found === -1) return false
      from = found + part.length
    }
    return name.length - tail.length >= from && name.endsWith(tail)
  }
}

/**
 * Tests whether a name matches one of the patterns; without patterns, every name does.
 * @param patterns names in which `*` matches any text
 */
export function matcherOf(patterns: readonly string[] = []): (name: string | undefined) => boolean {
  if (patterns.length === 0) return () => true
  const tests = patterns.map(testOf)
  return (name) => name !== undefined && tests.some((matches) => matches(name))
}
