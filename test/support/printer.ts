import { createPrinter } from '../../src/old/output/printer.ts'
import { createRedactor } from '../../src/redact.ts'

/** A printer without colours, for any width, that knows no secrets. */
export const plain = createPrinter(createRedactor())
