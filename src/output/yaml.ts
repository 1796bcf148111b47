import { Document, type Scalar, visit } from 'yaml'
import { safeLines, safeYaml } from './escapes.ts'
import { formatted, type Safe, type Sanitizer } from './text.ts'

/**
 * Puts texts that consist of blanks and line breaks within double quotes: in a block, the library would
 * write them so that they are read as another text.
 */
export function quoteBlanks(document: Document): void {
  visit(document, {
    Scalar(_key, scalar) {
      if (isBlank(scalar)) scalar.type = 'QUOTE_DOUBLE'
    },
  })
}

function isBlank({ value }: Scalar): boolean {
  return typeof value === 'string' && /^\s+$/.test(value)
}

/**
 * Data as a YAML document that is safe to print and has the same value when it is read. Texts are
 * never folded; those that are not safe to print are within double quotes.
 */
export function yamlReport(data: object, { masked }: Sanitizer): Safe {
  const document = new Document(masked(data), { compat: 'yaml-1.1', aliasDuplicateObjects: false })
  visit(document, {
    Scalar(_key, scalar) {
      const { value } = scalar
      if (typeof value === 'string' && safeLines(value) !== value) scalar.type = 'QUOTE_DOUBLE'
    },
  })
  quoteBlanks(document)
  const text = document.toString({
    lineWidth: 0,
    doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY,
  })
  return formatted(safeYaml(text))
}
