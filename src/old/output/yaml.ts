import { Document, visit } from 'yaml'
import { safeLines, safeYaml } from '../../output/escapes.ts'
import { formatted, type Safe, type Sanitizer } from './text.ts'

/** Puts those texts of a document within double quotes for which a test returns true. */
function quote(document: Document, isQuoted: (text: string) => boolean): void {
  visit(document, {
    Scalar(_key, scalar) {
      const { value } = scalar
      if (typeof value === 'string' && isQuoted(value)) scalar.type = 'QUOTE_DOUBLE'
    },
  })
}

function isBlank(text: string): boolean {
  return /^\s+$/.test(text)
}

/**
 * Puts texts that consist of blanks and line breaks within double quotes: in a block, the library would
 * write them so that they are read as another text.
 */
export function quoteBlanks(document: Document): void {
  quote(document, isBlank)
}

/**
 * Data as a YAML document that is safe to print and has the same value when it is read. Texts are
 * never folded; those that are not safe to print are within double quotes.
 */
export function yamlReport(data: object, { masked }: Sanitizer): Safe {
  const document = new Document(masked(data), { compat: 'yaml-1.1', aliasDuplicateObjects: false })
  quote(document, (text) => isBlank(text) || safeLines(text) !== text)
  const text = document.toString({
    lineWidth: 0,
    doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY,
  })
  return formatted(safeYaml(text))
}
