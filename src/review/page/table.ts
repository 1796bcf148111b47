// The table on the page of a review: a row for each flag, and what the script shows of one that is open.
import { cellText, inColumnOrder, type PageView, type RowField } from '../../output/fields.ts'
import { type Html, html } from './html.ts'

interface Column<Row> {
  field: RowField<Row>
  view: PageView<Row>
  title: string
  /** Its texts, one for each row. */
  cells: readonly string[]
}

/** A row as the table shows it. */
export interface TableRow<Row> {
  row: Row
  /** The word for its verdict in the address of the page. */
  verdict: string
  isChanged: boolean
  /** Its project and its name as words of a command, if they are written in another way there. */
  words?: readonly string[] | undefined
}

export interface FlagTable<Row> {
  columns: readonly Column<Row>[]
  fields: readonly RowField<Row>[]
  rows: readonly TableRow<Row>[]
  /** The hours that charts are of. */
  hours: string
}

/** The fields that open rows show, and how. */
function detailsOf<Row>(fields: readonly RowField<Row>[]) {
  return fields.flatMap(({ page }) =>
    page?.details ? [{ ...page.details, chart: page.chart }] : [],
  )
}

/** The fields that are columns, but for those that no row has. */
export function columnsOf<Row>(
  fields: readonly RowField<Row>[],
  rows: readonly Row[],
  now: number,
): Column<Row>[] {
  const columns = inColumnOrder(fields).flatMap((field) => {
    const { page: view } = field
    const title = view?.title ?? field.title
    if (!view || title === undefined) return []
    const textOf = (row: Row) => (view.cell ? view.cell(row) : cellText(field, row, now)) ?? ''
    return [{ field, view, title, cells: rows.map(textOf) }]
  })
  return columns.filter(({ cells }) => cells.some((text) => text !== ''))
}

/** The length of the longest of these texts. */
const longest = (texts: readonly string[]) =>
  texts.reduce((most, { length }) => Math.max(most, length), 0)

// Beyond that, a text has two lines or is cut.
const MAX_NAME = 12
const MAX_WORD = 20

/** The longest name has two lines, if they are not too long; the column is as wide as they need. */
function keyWidth(longestName: number): string {
  const lineOf = (length: number) => length * 0.64 + 2
  const line = Math.min(lineOf(longestName), Math.max(18, lineOf(longestName / 2 + 6)), 28)
  return `minmax(10rem, min(${line.toFixed(1)}em, 40vw - 18rem))`
}

/** The width of a column on a wide screen, as a track of a grid. */
function widthOf<Row>(column: Column<Row>, { rows }: FlagTable<Row>): string {
  const { field, view, title, cells } = column
  const texts = [...cells, ...rows.map(({ row }) => view.note?.(row) ?? '')]
  // With the arrow beside a title.
  const digits = Math.max(title.length + 2.5, longest(texts))
  switch (field.kind) {
    case 'key':
      return keyWidth(longest(texts))
    case 'text':
      return 'minmax(8rem, 3fr)'
    case 'name':
      return `minmax(${Math.min(digits, MAX_NAME)}ch, 1fr)`
    default: {
      const text = `${Math.min(digits, MAX_WORD)}ch`
      if (view.chart) return `calc(${text} + 4.75rem)`
      return field.style ? `calc(${text} + 1.25rem)` : text
    }
  }
}

/** The class of the cells of a column: how it looks, or its name, by which narrow screens show its title. */
function classOf<Row>({ field: { name, kind, style } }: Column<Row>): string | undefined {
  if (style) return 'badge'
  return kind === 'key' || kind === 'text' ? kind : name
}

/** The part of the style that depends on the fields: the widths of columns, and the titles beside cells on narrow screens. */
export function styleOf<Row>(table: FlagTable<Row>): string {
  const { columns } = table
  const widths = columns.map((column) => widthOf(column, table))
  const titles = columns.map((column) => `.${classOf(column)} { --title: "${column.title} " }\n`)
  return `table { --columns: ${widths.join(' ')} }\n${titles.join('')}`
}

/** The title of a column, with what the script has to know of it. */
function headingOf<Row>(column: Column<Row>, hours: string): Html {
  const { field, view, title } = column
  return html`<th scope="col" class="${classOf(column)}${view.chart && ' figure'}" data-name="${field.name}"${
    view.key && html` data-has-keys`
  }${view.isGreatestFirst && html` data-greatest-first`}${
    view.chart && html` data-chart="${hours}"`
  }>${title}</th>`
}

/** A chart without usage, which the script draws, with its caption. */
const chartFigure = (hours: string) =>
  html`<figure><svg class="chart" preserveAspectRatio="none" aria-hidden="true"><path class="axis"/><path/></svg><figcaption>each hour ${hours}</figcaption></figure>`

// A browser skips groups of rows that are not in view.
const GROUP = 25

/** The table, in parts, and the data of its rows for the script. */
export function* tableMarkup<Row>(table: FlagTable<Row>): Generator<Html> {
  const { columns, fields, rows, hours } = table
  const details = detailsOf(fields)
  const classes = columns.map(classOf)
  const rowOf = ({ row, verdict, isChanged }: TableRow<Row>, place: number) => {
    const cells = columns.map(({ field, view, cells: { [place]: text } }, index) => {
      const note = view.note?.(row)
      const shown = field.style ? html`<b class="${field.style(row)}">${text}</b>` : text
      return html`<td class="${classes[index]}${view.chart && ' figure'}">${shown}${note && html`<small>${note}</small>`}</td>`
    })
    return html`<tr class="${verdict}${isChanged && ' changed'}">${cells}</tr>`
  }
  yield html`<table aria-labelledby="flags">
<thead><tr>${columns.map((column) => headingOf(column, hours))}</tr></thead>
`
  for (let start = 0; start < rows.length; start += GROUP) {
    // A line break between rows would be a node of its own, and thousands of them make sorting slow.
    const group = rows.slice(start, start + GROUP)
    yield html`<tbody>${group.map((row, index) => rowOf(row, start + index))}</tbody>
`
  }
  yield html`</table>
<template><tr class="details"><td colspan="${columns.length}">${details.map(({ title, chart }) => {
    return html`<section><h3>${title}</h3>${chart && chartFigure(hours)}<ul></ul></section>`
  })}<a>Open in the service</a></td></tr></template>
<script type="application/json">{"rows":[`
  const texts = new Map<string, number>()
  const numberOf = (text: string) => {
    const number = texts.get(text) ?? texts.size
    texts.set(text, number)
    return number
  }
  let separator: Html | undefined
  for (const { row, words } of rows) {
    const data = {
      keys: columns.flatMap(({ view: { key } }) => (key ? [key(row) ?? null] : [])),
      chart: details.flatMap(({ chart }) => chart?.(row) ?? []),
      details: details.map(({ lines }) => {
        return lines(row).map((line) =>
          typeof line === 'string' ? numberOf(line) : line.map(numberOf),
        )
      }),
      words,
    }
    yield html`${separator}${{ json: data }}`
    separator = html`,\n`
  }
  // Most texts are about many flags, so rows have their numbers.
  yield html`],
"texts":${{ json: [...texts.keys()] }}}</script>
`
}
