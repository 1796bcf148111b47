import { Document, visit } from 'yaml'
import type { Redactor } from './redact.ts'
import { safeText, safeYaml } from './escapes.ts'
import type { Writer } from './text.ts'

/**
 * Data as a YAML document that is safe to print and has the same value when it is read. Texts are never folded; blank ones
 * and those that are not safe to print are within double quotes.
 */
export function yamlText(data: object, { redactAll }: Redactor): string {
  const document = new Document(redactAll(data), {
    compat: 'yaml-1.1',
    aliasDuplicateObjects: false,
  })
  visit(document, {
    Scalar(_key, scalar) {
      const { value } = scalar
      if (typeof value !== 'string') return
      // In a block, the library would write blanks so that they are read as another text.
      const isUnsafe = value.split('\n').some((line) => safeText(line) !== line)
      // PyYAML refuses `=`, which YAML 1.1 has a type of its own for.
      if (/^(?:\s+|=)$/.test(value) || isUnsafe) scalar.type = 'QUOTE_DOUBLE'
    },
  })
  const text = document.toString({
    lineWidth: 0,
    doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY,
  })
  return safeYaml(text)
}

export function printYaml(data: object, { out, redactor }: { out: Writer; redactor: Redactor }) {
  out.raw(yamlText(data, redactor))
}
