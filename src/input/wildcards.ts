/**
 * Tests whether a name matches one of the patterns; without patterns, every name does.
 * @param patterns names in which `*` matches any text
 */
export function matcherOf(patterns: readonly string[] = []): (name: string | undefined) => boolean {
  if (patterns.length === 0) return () => true
  const escaped = (text: string) => text.replace(/[\\^$.+?()[\]{}|]/g, '\\$&')
  const sources = patterns.map((pattern) => pattern.split(/\*+/).map(escaped).join('.*'))
  const expression = new RegExp(`^(?:${sources.join('|')})$`, 's')
  return (name) => name !== undefined && expression.test(name)
}
