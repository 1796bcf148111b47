// The table on the page of a review: a line for each flag, and what the script shows of one that is open.
import { timeOf } from '../../input/time.ts'
import { factsOfVerdict, type Verdict, verdicts } from '../verdicts.ts'
import { type Html, html } from './html.ts'
import { counted, listed } from '../../output/incomplete.ts'
import { groupDigits } from '../../output/numbers.ts'
import { type Place, positionText } from '../../output/problems.ts'
import {
  ageText,
  agoText,
  HOUR_MS,
  type LastUse,
  lastUseText,
  lastUseTime,
  timeText,
} from '../../output/time.ts'

/** What the page calls a flag: its verdict, but removable flags that are on are apart. */
export type Kind = Verdict | 'still-on' | 'gone'

const [first = 'removable', ...others] = verdicts
const entryOf = (verdict: Verdict) => [verdict, factsOfVerdict(verdict).meaning] as const
const kindMeanings = new Map<Kind, string>([
  entryOf(first),
  ['still-on', 'removable, but on where no SDK asked for it: check why'],
  ...others.map(entryOf),
  ['gone', 'only the earlier review has it'],
])
export const meaningOf = (kind: Kind) => kindMeanings.get(kind)
export const flagKinds: readonly Kind[] = [...kindMeanings.keys()]

/** A flag with its verdict. */
export interface JudgedFlag {
  /** Null for a flag that only the earlier review has. */
  verdict: Verdict | null
  /** The verdict of the earlier review, if there is one; null for a flag that it does not have. */
  before?: Verdict | null | undefined
  /** Whether that is another one, or known to be none. */
  isChanged?: boolean | undefined
  /** Whether it is removable but on. */
  isOn?: boolean | undefined
  /** Undefined for a name of none. */
  flag: FlagFacts | undefined
}

interface FlagFacts {
  projectId: string
  type: string | undefined
  stale: boolean | undefined
  createdAt: string | undefined
}

interface PageEnvironment {
  name: string | null
  enabled: boolean | null
  /** Null for never, undefined if the service does not report it. */
  lastSeenAt: string | null | undefined
  /** The evaluations; null if they could not be read. */
  yes: number | null
  no: number | null
}

/** What is known about a flag, or about a name of none. Times are in milliseconds since the epoch, or as the service wrote them. */
export interface PageRow extends JudgedFlag {
  /** What verdicts are sorted by. */
  rank: number
  name: string
  /** The project of the flag, also of one that is gone; empty for a name of none. */
  project: string
  environments: readonly PageEnvironment[]
  /** Undefined if it could not be read. */
  usage?: PageUsage | undefined
  /** The decisive one first. */
  reasons: readonly string[]
  /** Who created the flag, if that is known. */
  createdBy?: string | undefined
  /** Undefined if no code was searched. Texts without places say why it may be there. */
  code: PageCode | undefined
}

interface PageCode {
  places?: readonly Place[] | undefined
  /** Each with the number of its places, and the first one. */
  repositories?: readonly { name: string; places: number; place: Place }[] | undefined
  texts: readonly string[]
}

interface PageUsage {
  totals: { enabled: number; disabled: number }
  isUsed: boolean
  /** Why the figures may be too low, as sentences. */
  doubts: readonly string[]
  /** Undefined without usage; without a time if that cannot be read. */
  lastUse: { use: LastUse | undefined } | undefined
  /** The evaluations in each hour. */
  hourly: readonly number[]
  /** The start of the first hour that the service has. */
  from: number | undefined
}

/** The times that a table is about, in milliseconds since the epoch. */
interface TableTimes {
  firstHour: number
  now: number
}

export function kindOf({ verdict, isOn }: JudgedFlag): Kind {
  if (verdict === 'removable' && isOn) return 'still-on'
  return verdict ?? 'gone'
}

/** A kind for people: `in use`. */
export const kindText = (kind: Kind) => kind.replaceAll('-', ' ')

/** Texts that rows refer to by number, because most of them are about many flags. */
class SharedTexts {
  readonly #numbers = new Map<string, number>()

  numberOf(text: string): number {
    const number = this.#numbers.get(text) ?? this.#numbers.size
    this.#numbers.set(text, number)
    return number
  }

  numbersOf(texts: readonly string[]): string {
    return texts.map((text) => this.numberOf(text)).join(' ')
  }

  all(): Iterable<string> {
    return this.#numbers.keys()
  }
}

/** A column of the table. */
interface Column {
  title: string
  cell(row: PageRow): Html | string | undefined
  /** What the script sorts by, if it is not the text; undefined comes last. */
  key?(row: PageRow): number | undefined
}

// A cell without a value.
const NONE = '–'

function columnsOf(rows: readonly PageRow[], { now }: TableTimes): Column[] {
  const minutesSince = (time: number | undefined) =>
    time === undefined ? undefined : Math.floor((now - time) / 60_000)
  const columns: Column[] = [
    { title: 'Verdict', cell: verdictCell, key: ({ rank }) => rank },
    { title: 'Flag', cell: ({ name }) => name },
    { title: 'Project', cell: ({ project }) => project || NONE },
    { title: 'Type', cell: typeCell },
    {
      title: 'Age',
      cell: ({ flag }) => {
        const created = timeOf(flag?.createdAt)
        return created === undefined ? NONE : ageText(now - created)
      },
      key: ({ flag }) => minutesSince(timeOf(flag?.createdAt)),
    },
    {
      title: 'On in',
      cell: onCell,
      key: ({ environments }) => environments.filter(({ enabled }) => enabled).length,
    },
    {
      title: 'Last seen',
      cell: (row) => seenCell(row, now),
      key: (row) => minutesSince(lastSeen(row)),
    },
    {
      title: 'Usage',
      cell: ({ usage }) => usageCell(usage),
      key: ({ usage }) => usage && usage.totals.enabled + usage.totals.disabled,
    },
    { title: 'Reason', cell: ({ reasons }) => reasons[0] },
  ]
  if (rows.every(({ code }) => code === undefined)) return columns
  return [...columns, { title: 'Code', cell: codeCell }]
}

function verdictCell(row: PageRow): Html {
  const { before, isChanged } = row
  const change = isChanged && (before ? `was ${kindText(before)}` : 'new')
  return html`<b>${kindText(kindOf(row))}</b>${change && html` <small>${change}</small>`}`
}

function typeCell({ flag }: PageRow): Html {
  return html`${flag?.type ?? NONE}${flag?.stale && html`<small> (stale)</small>`}`
}

function onCell({ environments }: PageRow): string {
  const on = environments.filter(({ enabled }) => enabled)
  if (on.length > 0) return on.map(({ name }) => name ?? NONE).join(', ')
  if (environments.length === 0) return NONE
  return environments.every(({ enabled }) => enabled === false) ? 'off' : 'unclear'
}

/** When a flag was last seen in any environment; undefined if that is not known, or never. */
function lastSeen({ environments }: PageRow): number | undefined {
  const times = environments.flatMap(({ lastSeenAt }) => timeOf(lastSeenAt) ?? [])
  return times.length > 0 ? Math.max(...times) : undefined
}

function seenCell(row: PageRow, now: number): string {
  const time = lastSeen(row)
  if (time !== undefined) return agoText(now - time)
  if (row.environments.length === 0) return NONE
  return row.environments.every(({ lastSeenAt }) => lastSeenAt === null) ? 'never' : 'unclear'
}

function usageCell(usage: PageUsage | undefined): string {
  if (!usage) return NONE
  if (!usage.isUsed) return usage.doubts.length > 0 ? 'unclear' : 'none'
  // A service may send counts of variants alone, or counts that cancel each other out.
  const count = usage.totals.enabled + usage.totals.disabled
  return count > 0 ? groupDigits(count) : 'used'
}

/** Where the code has a flag: `src/shop.ts:1`, and of other repositories `web: src/shop.ts:1`. */
function placeTexts({ places = [], repositories = [] }: PageCode): string[] {
  const own = places.map(({ file, line }) => positionText({ file, line }))
  const others = repositories.map(({ name, place: { file, line } }) => {
    return `${name}: ${positionText({ file, line })}`
  })
  return [...own, ...others]
}

function codeCell({ code }: PageRow): string {
  if (!code) return NONE
  const { places = [], repositories = [] } = code
  const count = repositories.reduce((sum, one) => sum + one.places, places.length)
  if (count > 0) return counted(count, 'place')
  return code.texts.length > 0 ? 'unclear' : 'none found'
}

/** `30 m ago (2026-11-20 15:40 UTC)` */
function exactly(time: number, now: number): string {
  return `${agoText(now - time)} (${timeText(time)})`
}

function evaluationsText(yes: number | null, no: number | null): string {
  if (yes === null || no === null) return 'evaluations not known'
  return yes + no === 0 ? 'no evaluations' : `${groupDigits(yes)} yes, ${groupDigits(no)} no`
}

/** `production`, `on`, `seen 30 m ago (2026-11-20 15:40 UTC)`, `7,300 yes, 0 no` */
function environmentTexts(environment: PageEnvironment, now: number): string[] {
  const { name, enabled, lastSeenAt, yes, no } = environment
  const time = timeOf(lastSeenAt)
  const unseen = lastSeenAt === null ? 'never seen' : 'when it was seen is not known'
  return [
    name ?? NONE,
    enabled === null ? 'state unknown' : enabled ? 'on' : 'off',
    time === undefined ? unseen : `seen ${exactly(time, now)}`,
    evaluationsText(yes, no),
  ]
}

/** The hours that charts are of: `last 48 h` */
function hoursOf({ firstHour, now }: TableTimes): string {
  return `last ${Math.floor((now - firstHour) / HOUR_MS) + 1} h`
}

function usageTexts(usage: PageUsage | undefined, { firstHour, now }: TableTimes): string[] {
  if (!usage) return ['not known']
  const { totals, isUsed, lastUse, hourly, from } = usage
  if (!isUsed) return [usageCell(usage)]
  const use = lastUse?.use
  const when = use ? `${lastUseText(use, now)} (${lastUseTime(use)})` : 'at an unknown time'
  const texts = [evaluationsText(totals.enabled, totals.disabled), `last used ${when}`]
  const most = Math.max(0, ...hourly)
  if (most > 0) {
    const peak = timeText(firstHour + hourly.indexOf(most) * HOUR_MS)
    texts.push(`at most ${groupDigits(most)} in an hour, from ${peak}`)
  } else if (from !== undefined) {
    const hours = hoursOf({ firstHour: Math.max(firstHour, from), now })
    texts.push(`no evaluations in the ${hours}`)
  }
  return texts
}

function aboutTexts({ flag, createdBy, code, reasons }: PageRow, now: number): string[] {
  const created = timeOf(flag?.createdAt)
  const texts: string[] = []
  if (flag) {
    const type = flag.type === undefined ? '' : `, type ${flag.type}`
    texts.push(`project ${flag.projectId}${type}${flag.stale ? ', stale' : ''}`)
  }
  if (created !== undefined) {
    texts.push(`created ${exactly(created, now)}${createdBy ? ` by ${createdBy}` : ''}`)
  }
  const places = code ? placeTexts(code) : []
  const isReason = code?.texts.some((text) => reasons.includes(text))
  if (places.length > 0 && !isReason) texts.push(`in the code: ${listed(places, 5)}`)
  return texts
}

// The script draws bars of this height, in pixels.
const HEIGHT = 18

/** The height of a bar for each hour as a digit of base 36; `-` for hours that the service does not have. */
function hoursText({ hourly, from }: PageUsage, firstHour: number): string {
  const most = Math.max(1, ...hourly)
  const missing = Math.max(0, ((from ?? firstHour) - firstHour) / HOUR_MS)
  return hourly
    .map((count, hour) => {
      if (hour < missing) return '-'
      const height = Math.round((count * HEIGHT) / most)
      return Math.max(count > 0 ? 1 : 0, height).toString(36)
    })
    .join('')
}

// A browser skips groups of rows that are not in view.
const GROUP = 25

/** The table, in parts, and the texts that its rows refer to. */
export function* flagTable(rows: readonly PageRow[], times: TableTimes): Generator<Html> {
  const columns = columnsOf(rows, times)
  const texts = new SharedTexts()
  const hasCode = columns.some(({ title }) => title === 'Code')
  yield html`<table aria-labelledby="flags" class="${hasCode && 'with-code'}" data-hours="${hoursOf(times)}">
<thead><tr>${headings(columns)}</tr></thead>
`
  for (let start = 0; start < rows.length; start += GROUP) {
    const group = rows.slice(start, start + GROUP)
    yield html`<tbody>${group.map((row) => tableRow(row, columns, texts, times))}</tbody>
`
  }
  yield html`</table>
<pre id="texts" hidden>`
  for (const text of texts.all()) yield html`${text}\n`
  yield html`</pre>
`
}

/** The titles of columns; of those with keys, also the place of theirs among the keys of a row. */
function headings(columns: readonly Column[]): Html[] {
  const withKeys = columns.filter(({ key }) => key)
  return columns.map((column) => {
    const place = withKeys.indexOf(column)
    return html`<th scope="col"${place >= 0 && html` data-key="${place}"`}>${column.title}</th>`
  })
}

/**
 * A row with its keys, and the numbers of the texts that it shows when it is open: the reasons but the first one, which is in its
 * cell, the environments, separated by commas, the usage, and what else is known.
 */
function tableRow(
  row: PageRow,
  columns: readonly Column[],
  texts: SharedTexts,
  times: TableTimes,
): Html {
  const { usage, reasons, environments } = row
  const keys = columns.flatMap(({ key }) => (key ? (key(row) ?? '-') : []))
  const lines = environments.map((one) => texts.numbersOf(environmentTexts(one, times.now)))
  const details = [
    texts.numbersOf(reasons.slice(1)),
    lines.join(),
    texts.numbersOf(usageTexts(usage, times)),
    texts.numbersOf(aboutTexts(row, times.now)),
  ]
  const hasHours = usage?.isUsed && usage.hourly.some((count) => count > 0)
  const hours = hasHours && html` data-hours="${hoursText(usage, times.firstHour)}"`
  const cells = columns.map(({ cell }) => html`<td>${cell(row)}</td>`)
  // A line break between rows would be a node of its own, and thousands of them make sorting slow.
  return html`<tr class="${kindOf(row)}${row.isChanged && ' changed'}" data-keys="${keys.join(' ')}" data-details="${details.join(';')}"${hours}>${cells}</tr>`
}
