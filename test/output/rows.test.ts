import { describe, expect, it } from 'vitest'
import { field, type RowField } from '../../src/output/fields.ts'
import type { RowFormat } from '../../src/output/formats.ts'
import { printRows } from '../../src/output/print.ts'
import type { RowReport } from '../../src/output/rows.ts'
import { openWriter } from '../support/writer.ts'

interface Row {
  flag: string
  app: string
  total?: number
  at?: string
  project: string
}

const fields: readonly RowField<Row>[] = [
  field.key('flag', 'Flag', ({ flag }) => flag),
  field.name('app', 'Application', ({ app }) => app),
  field.number('total', 'Total', ({ total }) => total, { total: 12 }),
  field.time('at', 'Last used', ({ at }) => at),
  field.word('project', 'Project', ({ project }) => project, { dropOrder: 1 }),
  field.data('length', ({ flag }) => flag.length),
]

const at = '2026-11-20T16:00:00Z'
const rows: Row[] = [
  { flag: 'dark-mode', app: 'a-service-with-a-long-name', total: 12, at, project: 'shop' },
  { flag: '=x', app: '東京 👩 "a", b|`c`', project: 'shop' },
]

async function shown(
  format: RowFormat,
  columns?: number,
  more: Partial<RowReport<Row>> = {},
): Promise<string> {
  const report = { rows, fields, nothing: 'No flags.', ...more }
  const { out, written } = openWriter(columns)
  await printRows(format, report, { out, messages: { warn() {} } })
  return written()
}

const incomplete = [{ message: '2 of 3 projects could not be read', names: ['a', 'b'] }]

it('Markdown leaves an unknown total empty', async () => {
  const unknown = fields.map((field) => (field.name === 'app' ? { ...field, total: '' } : field))
  expect(await shown('markdown', undefined, { fields: unknown })).toContain(
    '\n|  |  | **12** |  |  |\n',
  )
})

describe('a table', () => {
  it.each([
    [14, 'rollout 10 → …'],
    [15, 'rollout 10 → …'],
    [16, 'rollout 10 → 100'],
    [12, 'rollout 10 …'],
  ])('in %i columns, does not cut a figure into another one', async (columns, shownChange) => {
    const changes: RowField<Row>[] = [field.text('change', 'Change', () => 'rollout 10 → 100')]
    const [, , cell] = (await shown('table', columns, { fields: changes })).split('\n')
    expect(cell).toBe(shownChange)
  })

  it('has the widths of its cells in a pipe', async () => {
    expect(
      await shown('table'),
    ).toBe(`Flag       Application                 Total  Last used             Project
───────────────────────────────────────────────────────────────────────────
dark-mode  a-service-with-a-long-name     12  2026-11-20 16:00 UTC  shop
=x         東京 👩 "a", b|\`c\`              —  —                     shop
───────────────────────────────────────────────────────────────────────────
                                          12
`)
  })

  it.each([
    [59_000, 'just now'],
    [47 * 3_600_000, '47 h ago'],
    [48 * 3_600_000, '2 d ago'],
  ])('shows a time of %i ms ago as %j', async (age, text) => {
    const now = Date.parse('2026-11-20T16:00:00Z') + age
    expect(await shown('table', undefined, { now })).toContain(`    12  ${text}`)
  })

  it('leaves out columns first, then cuts names, and reports that', async () => {
    const hint = 'not shown: Project (a wider terminal or a pipe shows all columns)'
    expect((await shown('table', 73)).trimEnd().split('\n').at(-1)).toBe(hint)
    expect(await shown('table', 53)).toBe(`Flag       Application    Total  Last used
─────────────────────────────────────────────────────
dark-mode  a-serv…g-name     12  2026-11-20 16:00 UTC
=x         東京 … b|\`c\`       —  —
─────────────────────────────────────────────────────
                             12

cut: Application; not shown: Project (a wider
terminal or a pipe shows all columns)
`)
  })

  it('keeps each row on one line on any terminal if its name stays distinct', async () => {
    for (let columns = 12; columns < 90; columns += 3) {
      const lines = (await shown('table', columns)).split('\n')
      const widths = lines.slice(0, 4).map(({ length }) => length)
      expect(Math.max(...widths)).toBeLessThanOrEqual(columns)
    }
  })

  it('puts columns back that fit, whatever their order', async () => {
    const word = (title: string, width: number, dropOrder?: number) =>
      field.word<Row>(undefined, title, () => 'x'.repeat(width), { dropOrder })
    const fields = [word('A', 10), word('Wide', 20, 2), word('Short', 8, 1)]
    const text = await shown('table', 24, { fields })
    expect(text.split('\n')[0]).toBe('A           Short')
  })

  it('shows names whole, over several lines, that would look the same', async () => {
    const names = ['regional', 'national'].map((kind) => `checkout-with-${kind}-fallback`)
    const rows = [...names, 'x'.repeat(30)].map((flag) => ({ flag, app: 'web', project: 'shop' }))
    const text = await shown('table', 20, { rows, fields: fields.slice(0, 2) })
    expect(text).toBe(`Flag       Applicat…
────────────────────
checkout-  web
with-regi
onal-fall
back
checkout-  web
with-nati
onal-fall
back
xxxx…xxxx  web

cut: Flag (a wider
terminal or a pipe
shows all columns)
`)
  })

  it('shows whole items of lists, or leaves the column out', async () => {
    const counts = ['compact 1,428,332', 'control 1,428', 'fuzzy 2,410,256', 'wide 12']
    const list = field.list<Row>('variants', 'Variants', () => counts, {
      items: ({ app }) => (app === 'web' ? counts : counts.slice(0, 2)),
      dropOrder: 1,
    })
    const rows = ['web', 'ios'].map((app) => ({ flag: app, app, project: 'shop' }))
    const fields = [field.key<Row>('flag', 'Flag', ({ flag }) => flag), list]
    const lines = async (width?: number) =>
      (await shown('table', width, { rows, fields })).split('\n').slice(2, 4)
    expect(await lines()).toEqual([
      'web   compact 1,428,332, control 1,428, fuzzy 2,410,256 and 1 more',
      'ios   compact 1,428,332, control 1,428',
    ])
    expect(await lines(65)).toEqual([
      'web   compact 1,428,332, control 1,428 and 2 more',
      'ios   compact 1,428,332, control 1,428',
    ])
    expect(await lines(34)).toEqual([
      'web   compact 1,428,332 and 3 more',
      'ios   compact 1,428,332 and 1 more',
    ])
    expect(await lines(33)).toEqual(['web', 'ios'])
  })

  it('does not cut a total that is wider than its rows', async () => {
    const total = field.number<Row>('total', 'T', () => 1, { total: 123_456_789 })
    const fields = [field.key<Row>('flag', 'Flag', ({ flag }) => flag), total]
    const rows = [{ flag: 'a-flag-with-a-long-name', app: 'web', project: 'shop' }]
    expect((await shown('table', 24, { rows, fields })).split('\n').slice(2, 5)).toEqual([
      'a-fla…-name            1',
      '────────────────────────',
      '             123,456,789',
    ])
  })

  it('leaves columns out in the order of their fields, the last one first, and then cuts the widest', async () => {
    const word = (title: string, dropOrder?: number) =>
      field.word<Row>(undefined, title, () => title.repeat(6), { dropOrder })
    const app = field.name<Row>(undefined, 'App', ({ app }) => app)
    const head = async (columns: number) => {
      const fields = [word('A'), app, word('B', 2), word('C', 1), word('D', 2)]
      const text = await shown('table', columns, { rows: rows.slice(0, 1), fields })
      const [table = '', note] = text.trimEnd().split('\n\n')
      const lines = table.split('\n').filter((line) => line.startsWith('A'))
      return [...lines, note?.replaceAll('\n', ' ')]
    }
    const remedy = '(a wider terminal or a pipe shows all columns)'
    expect((await head(57)).at(-1)).toBe(`not shown: C ${remedy}`)
    expect((await head(45)).at(-1)).toBe(`not shown: C, D ${remedy}`)
    expect((await head(37)).at(-1)).toBe(`not shown: B, C, D ${remedy}`)
    expect(await head(22)).toEqual([
      'A       App',
      'AAAAAA  a-servi…g-name',
      `cut: App; not shown: B, C, D ${remedy}`,
    ])
    expect(await head(14)).toEqual([
      'A       App',
      'AAAAAA  a-s…me',
      `cut: App; not shown: B, C, D ${remedy}`,
    ])
    expect(await head(13)).toEqual(['A', 'AAAAAA', `not shown: App, B, C, D ${remedy}`])
  })

  it.each([
    [
      ['mobile-booking-flow-1', 'mobile-booking-flow-2'],
      ['mobil…ow-1', 'mobil…ow-2'],
    ],
    [
      ['mobile-booking-flow', 'mobile-payment-flow'],
      ['mob…g-flow', 'mob…t-flow'],
    ],
  ])('cuts names where they stay distinct: %j', async (names, cut) => {
    const flag = field.key<Row>('flag', 'Flag', (row) => row.flag)
    const all = names.map((name): Row => ({ flag: name, app: '', project: '' }))
    const lines = (await shown('table', 10, { rows: all, fields: [flag] })).split('\n')
    expect(lines.slice(2, 4)).toEqual(cut)
  })

  it('cuts titles that are names before cells, and keeps them distinct', async () => {
    const fields = ['production-eu', 'production-us', 'development'].map((title) =>
      field.word<Row>(undefined, title, () => 'on', { isTitleName: true }),
    )
    const flag = field.key<Row>('flag', 'Flag', (row) => row.flag)
    const report = { rows: rows.slice(0, 1), fields: [flag, ...fields] }
    const [titles] = (await shown('table', 40, report)).split('\n')
    expect(titles).toBe('Flag       prod…-eu  prod…-us  developm…')
  })

  it('cuts a cell of a million characters in a pipe, too, and reports that', async () => {
    const long = { flag: 'a', app: 'x'.repeat(1_000_000), project: 'shop' }
    const text = await shown('table', undefined, { rows: [long] })
    const lines = text.trimEnd().split('\n')
    expect(lines[2]?.length).toBeLessThan(2100)
    expect(lines.at(-1)).toBe('cut: Application (JSON shows all)')
  })

  it('reports what is incomplete and how many rows are not shown', async () => {
    expect(
      await shown('table', undefined, {
        rows: [],
        beyondLimit: 2,
        incomplete,
        caption: 'Flags of shop',
      }),
    ).toBe(`Flags of shop

No flags.

2 rows, 0 shown
Incomplete: 2 of 3 projects could not be read (a, b)
`)
  })
})

describe('other formats', () => {
  it('markdown has code spans for names, and plain figures and times', async () => {
    expect(
      await shown('markdown', undefined, { incomplete, marker: 'flags', caption: 'of @me' }),
    ).toBe(
      [
        '<!-- flagadm flags -->',
        'of `@me`',
        '',
        '| Flag | Application | Total | Last used | Project |',
        '| --- | --- | ---: | --- | --- |',
        '| `dark-mode` | `a-service-with-a-long-name` | 12 | 2026-11-20 16:00 UTC | shop |',
        '| `=x` | `東京 👩 "a", b\\x7c\\x60c\\x60` |  |  | shop |',
        '|  |  | **12** |  |  |',
        '',
        'Incomplete: 2 of 3 projects could not be read (a, b)',
        '',
      ].join('\n'),
    )
  })

  it('markdown leaves rows out that a comment has no room for', async () => {
    const many = Array.from({ length: 2000 }, (_, index): Row => {
      return { flag: `f${index}`, app: 'web', total: 1, at, project: 'shop' }
    })
    const report = { rows: many, below: ['2000 flags'], incomplete }
    const text = await shown('markdown', undefined, report)
    expect(text.length).toBeGreaterThan(64_800)
    expect(text.length).toBeLessThanOrEqual(65_000)
    const lines = text.split('\n')
    const table = lines.filter((line) => line.startsWith('| `f'))
    expect(lines.slice(-8)).toEqual([
      '|  |  | **12** |  |  |',
      '',
      `${2000 - table.length} more rows left out, because a comment has no room for them (-o jsonl has all)`,
      '',
      '2000 flags',
      '',
      'Incomplete: 2 of 3 projects could not be read (a, b)',
      '',
    ])
  })

  it('csv neutralises formulas and quotes cells', async () => {
    expect((await shown('csv')).split('\r\n')).toEqual([
      'flag,app,total,at,project,length',
      `dark-mode,a-service-with-a-long-name,12,${at},shop,9`,
      `'=x,"東京 👩 ""a"", b|\`c\`",,,shop,2`,
      '',
    ])
    const row = { flag: 'a;=1', app: ' @x', project: '-b' }
    expect(await shown('csv', undefined, { rows: [row] })).toContain("\r\na;'=1, '@x,,,-b,4\r\n")
  })

  it('tsv escapes tabs and line breaks, neutralises formulas, and quotes nothing', async () => {
    const row = { flag: 'a\tb', app: 'c\nd, =e', project: '=f' }
    expect(await shown('tsv', undefined, { rows: [row] })).toBe(
      "flag\tapp\ttotal\tat\tproject\tlength\na\\x09b\tc\\x0ad, '=e\t\t\t'=f\t3\n",
    )
  })

  it('tsv has cells that readers with quotes or other separators do not take for others', async () => {
    const counts = field.data<Row>('counts', () => ({ 'b,=1;+1': 1, list: ['x', -1] }))
    const row = { flag: '"a', app: '"=b"', project: ' "c"' }
    expect(await shown('tsv', undefined, { rows: [row], fields: [...fields, counts] })).toBe(
      'flag\tapp\ttotal\tat\tproject\tlength\tcounts\n' +
        `\\x22a\t\\x22'=b"\t\t\t \\x22c"\t2\t{"b,\\u003d1;\\u002b1":1,"list":["x",-1]}\n`,
    )
  })

  it('a field that is appended to data can be a column before another one', async () => {
    const owner = field.word<Row>('owner', 'Owner', () => 'ada', { before: 'total' })
    const report = { rows: rows.slice(0, 1), fields: [...fields, owner] }
    const [titles] = (await shown('table', undefined, report)).split('\n')
    expect(titles?.trim().split(/ {2,}/)).toEqual([
      'Flag',
      'Application',
      'Owner',
      'Total',
      'Last used',
      'Project',
    ])
    expect(await shown('csv', undefined, report)).toContain(
      'flag,app,total,at,project,length,owner',
    )
  })

  it('json and jsonl have the same fields, null for nothing, and what is incomplete', async () => {
    const json = { head: { projects: 3 }, rows: 'flags' }
    const document = JSON.parse(await shown('json', undefined, { incomplete, json }))
    const lines = (await shown('jsonl', undefined, { incomplete })).trimEnd().split('\n')
    const objects = lines.map((line) => JSON.parse(line))
    expect(document).toEqual({
      projects: 3,
      flags: objects.slice(0, 2),
      incomplete,
    })
    expect(objects[2]).toEqual({ incomplete })
    expect(objects[1]).toEqual({
      flag: '=x',
      app: rows[1]?.app,
      total: null,
      at: null,
      project: 'shop',
      length: 2,
    })
  })

  it('names are the first field, each once', async () => {
    expect(await shown('names', undefined, { rows: [...rows, ...rows] })).toBe('dark-mode\n=x\n')
  })
})
