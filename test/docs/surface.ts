import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { exitCodes } from '../../src/errors.ts'
import { settings } from '../../src/help/environment.ts'
import { type HelpDocument, type HelpOption, helpSchema } from '../../src/help/schema.ts'
import { flagadm } from '../support/flagadm.ts'
import { root } from './pages.ts'

async function help(path: string): Promise<HelpDocument> {
  const { stdout } = await flagadm(['help', ...path.split(' ').slice(1), '--json'])
  return v.parse(helpSchema, JSON.parse(stdout))
}

function optionText(option: HelpOption): string {
  const { name, short, type, required, repeatable, choices, default: value } = option
  return [
    name,
    short && `(${short})`,
    type,
    choices?.join('|'),
    required && 'required',
    repeatable && 'repeatable',
    value !== undefined && `default ${value}`,
  ]
    .filter(Boolean)
    .join(' ')
}

function commandLines({ path, arguments: args, options, formats }: HelpDocument): string[] {
  return [
    path,
    ...args.map(
      ({ name, type, required, variadic }) =>
        `${path} <${name}> ${type}${required ? ' required' : ''}${variadic ? ' repeatable' : ''}`,
    ),
    ...options
      .filter(({ name }) => name !== '--help')
      .map((option) => `${path} ${optionText(option)}`)
      // The order of help is for people.
      .sort(),
    ...formats.map(({ option = '', formats }) =>
      `${path} ${option} -o ${formats.join('|')}`.replace('  ', ' '),
    ),
  ]
}

interface Schema {
  type?: string
  const?: unknown
  enum?: unknown[]
  required?: string[]
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  items?: Schema
  anyOf?: Schema[]
}

/** The fields of a schema, with `*` for names that the user chooses and `[]` for the items of a list. */
function fields(schema: Schema, path: string): string[] {
  const { properties = {}, additionalProperties, items, anyOf = [], required = [] } = schema
  const values = schema.enum ?? ('const' in schema ? [schema.const] : undefined)
  const own = schema.type ?? (values && 'value')
  return [
    ...(own === undefined ? [] : [[path, own, values?.join('|')].filter(Boolean).join(' ')]),
    ...Object.entries(properties).flatMap(([name, one]) =>
      fields(one, `${path}.${name}${required.includes(name) ? '' : '?'}`),
    ),
    ...(typeof additionalProperties === 'object' ? fields(additionalProperties, `${path}.*`) : []),
    ...(items ? fields(items, `${path}[]`) : []),
    ...anyOf.flatMap((one) => fields(one, path)),
  ]
}

function schemaLines(): string[] {
  return readdirSync(join(root, 'schemas')).flatMap((name) => {
    const schema: Schema = JSON.parse(readFileSync(join(root, 'schemas', name), 'utf8'))
    return fields(schema, name.replace('.schema.json', ''))
  })
}

/** Everything that scripts and configuration files depend on, in one line each, without texts for people. */
export async function surface(): Promise<string> {
  const program = await help('flagadm')
  const commands = await Promise.all(program.commands.map(({ path }) => help(path)))
  const variables = settings.flatMap(({ variables = [] }) => variables)
  const sections = [
    Object.entries(exitCodes).map(([kind, [code]]) => `exit code ${code} ${kind}`),
    variables.map((variable) => `variable ${variable}`),
    ...[program, ...commands].map(commandLines),
    [...new Set(schemaLines())],
  ]
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`
}
