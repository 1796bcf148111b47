import { type Column, type Form, formOf } from '../../old/output/layout.ts'
import { NOTHING } from '../../old/output/phrases.ts'
import { joined, type Safe, safe, type Sanitizer } from '../../old/output/text.ts'

/** A name that rows have, such as that of a flag, its project or an application. */
export interface NameField<Row> {
  title: Safe
  /** A title for narrow terminals. */
  short?: Safe
  value(row: Row): string | undefined
}

function nameOf<Row>(row: Row, { value }: NameField<Row>, { text }: Sanitizer): Safe {
  const name = value(row)
  return name === undefined ? NOTHING : text(name)
}

/** A column for each name. The first one has the labels of totals. */
export function nameColumns<Row>(
  rows: readonly Row[],
  fields: readonly NameField<Row>[],
  labels: readonly Safe[],
  sanitizer: Sanitizer,
  indent = safe``,
): Column[] {
  return fields.map((field, index) => {
    const { title, short = title } = field
    const indented = (text: Safe) => (index === 0 ? safe`${indent}${text}` : text)
    const show = (row: Row) => indented(nameOf(row, field, sanitizer))
    const totals = index === 0 ? labels : []
    const form = (text: Safe) => formOf(indented(text), rows, show, totals)
    return { elastic: true, forms: [form(title), form(short)] }
  })
}

/** The names as lines above their rows, for when columns would be too narrow. */
export function namesAbove<Row>(
  rows: readonly Row[],
  fields: readonly NameField<Row>[],
  labels: readonly Safe[],
  sanitizer: Sanitizer,
): Form {
  const titles = fields.map(({ title }) => title)
  const namesIn = (row: Row) => fields.map((field) => nameOf(row, field, sanitizer))
  return formOf(joined(titles, ', '), rows, (row) => joined(namesIn(row), ', '), labels)
}
