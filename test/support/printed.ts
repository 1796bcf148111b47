import { existsSync, readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'

const ajv = new Ajv({ strict: true, allowUnionTypes: true, strictRequired: false })
const schemas = new URL('../../schemas/', import.meta.url)
const known = new Map<string, ValidateFunction | undefined>()

/** The validator of a schema in `schemas/`, or of a row in it; undefined without one. Few tests need many of them. */
function validatorOf(name: string, part = ''): ValidateFunction | undefined {
  const key = name + part
  if (!known.has(key)) {
    const file = new URL(`${name}.schema.json`, schemas)
    const schema = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
    if (schema && !ajv.getSchema(schema.$id)) ajv.addSchema(schema)
    known.set(key, schema && ajv.getSchema(schema.$id + part))
  }
  return known.get(key)
}

/** Commands whose schema is that of another one, or of a document that they write for others. */
const others: Record<string, string> = {
  doctor: 'profile-check',
  'project-settings-get': 'settings',
}

/** The name of the schema of a command. */
function schemaName(argv: readonly string[]): string {
  const end = argv.findIndex((word) => word.startsWith('-'))
  const words = end < 0 ? argv : argv.slice(0, end)
  const [group, command = '', third = ''] = words
  if (group === 'feature') return command
  const length = `${group} ${command}` === 'project settings' ? 3 : 2
  const name = [group, command, third].slice(0, length).filter(Boolean).join('-')
  return others[name] ?? others[group ?? ''] ?? name
}

function formatOf(argv: readonly string[]): string | undefined {
  const [, format] = / (?:-o|--output)[ =]?(\w+)(?= |$)/.exec(argv.join(' ')) ?? []
  return format ?? (argv.includes('--json') ? 'json' : undefined)
}

function check(validate: ValidateFunction, text: string): void {
  if (validate(JSON.parse(text))) return
  const errors = JSON.stringify(validate.errors?.slice(0, 5))
  throw new Error(`not as its schema in schemas/ (npm run docs): ${errors}\n${text.slice(0, 500)}`)
}

function isDocument(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '')

/** Checks the JSON that a command has printed against the schemas in `schemas/`. @throws an error for another document */
export function checkPrinted(
  argv: readonly string[],
  { stdout, stderr }: Record<'stdout' | 'stderr', string>,
): void {
  const error = validatorOf('error')
  for (const line of linesOf(stderr)) {
    if (error && line.startsWith('{"error":')) check(error, line)
  }
  const format = formatOf(argv)
  if (!/^[[{]/.test(stdout) || argv.includes('--help')) return
  const name = schemaName(argv)
  const document = format === 'json' ? validatorOf(name) : undefined
  const row = format === 'jsonl' ? validatorOf(name, '#/definitions/row') : undefined
  // Several documents are one on each line.
  const documents = isDocument(stdout) ? [stdout] : linesOf(stdout)
  if (document) for (const text of documents) check(document, text)
  const rows = linesOf(stdout).filter((line) => !line.startsWith('{"incomplete":'))
  if (row) for (const text of rows) check(row, text)
}
