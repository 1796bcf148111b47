import { Document, visit } from 'yaml'
import { safeLines, safeYaml } from './text.ts'

/**
 * Data as a YAML document that is safe to print and has the same value when it is read. Texts are
 * never folded; those that are not safe to print are within double quotes.
 */
export function yamlReport(data: object): string {
  const document = new Document(data, { compat: 'yaml-1.1', aliasDuplicateObjects: false })
  visit(document, {
    Scalar(_key, scalar) {
      const { value } = scalar
      if (typeof value === 'string' && safeLines(value) !== value) scalar.type = 'QUOTE_DOUBLE'
    },
  })
  const text = document.toString({
    lineWidth: 0,
    doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY,
  })
  return safeYaml(text)
}
