import type { ChalkInstance } from 'chalk'
import { textWidth, wrapText } from './width.ts'

/**
 * The name of a flag with facts in parentheses; on a narrow terminal one below the other.
 * @param name the name, safe to print
 */
export function heading(
  name: string,
  facts: readonly string[],
  width: number | undefined,
  style: ChalkInstance,
): string {
  if (facts.length === 0) return style.bold(name)
  const about = `(${facts.join(', ')})`
  if (width === undefined || textWidth(name) + 1 + textWidth(about) <= width) {
    return `${style.bold(name)} ${style.dim(about)}`
  }
  const [names, lines] = [wrapText(name, width), wrapText(about, width)]
  return [...names.map((line) => style.bold(line)), ...lines.map((line) => style.dim(line))].join(
    '\n',
  )
}
