import { refuseUsage } from '../errors.ts'

// Parsing YAML and the search for duplicate keys take quadratic time.
export const MAX_CHARACTERS = 1_000_000
export const MAX_ENTRIES = 10_000
// Real documents have about 10. Deep ones overflow the stack.
export const MAX_LEVELS = 100

/**
 * @param most characters, which may be more for a file whose JSON is read without YAML
 * @throws a usage error for the text of a file that is written to be read back, and is too large for that
 */
export function refuseUnreadable(
  path: string,
  text: string,
  entries: number,
  most = MAX_CHARACTERS,
): void {
  if (text.length <= most && entries <= MAX_ENTRIES) return
  refuseUsage(`${path} would be too large to be read again`, 'change fewer at once')
}
