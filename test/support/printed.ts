import { Ajv } from 'ajv'
import { reportSchema } from '../docs/reports.ts'

const ajv = new Ajv({ strict: true, allowUnionTypes: true, strictRequired: false })
const validateError = ajv.compile(reportSchema('error'))
const validators = new Map([
  ['feature review', ajv.compile(reportSchema('review'))],
  ['feature history', ajv.compile(reportSchema('history'))],
])

function isJson(argv: readonly string[]): boolean {
  return argv.includes('--json') || argv.join(' ').includes('-o json ') || argv.at(-1) === 'json'
}

/** Checks what a command has printed as JSON against the schemas in `schemas/`. @throws an error for another document */
export function checkPrinted(
  argv: readonly string[],
  { stdout, stderr }: Record<'stdout' | 'stderr', string>,
): void {
  for (const line of stderr.split('\n')) {
    if (!line.startsWith('{"error":') || validateError(JSON.parse(line))) continue
    throw new Error(`not an error of its schema: ${line} ${JSON.stringify(validateError.errors)}`)
  }
  const validate = validators.get(argv.slice(0, 2).join(' '))
  if (!validate || !isJson(argv) || !stdout.startsWith('{')) return
  if (validate(JSON.parse(stdout))) return
  throw new Error(`not a document of its schema: ${JSON.stringify(validate.errors)}`)
}
