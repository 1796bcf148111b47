// The page of a review, whose script only sorts and filters.
import { timeOf } from '../input/time.ts'
import { type Html, html, printHtml } from './html.ts'
import { counted, listed } from './incomplete.ts'
import { groupDigits } from './numbers.ts'
import script from './page.js?raw'
import style from './page.css?raw'
import { type Place, positionText } from './problems.ts'
import type { Writer } from './text.ts'
import {
  ageText,
  agoText,
  HOUR_MS,
  type LastUse,
  lastUseText,
  lastUseTime,
  timeText,
} from './time.ts'

/** The verdicts in their order, and what they mean. */
const meanings = {
  removable: 'not used, and not seen for long: can go',
  'in-use': 'used or seen in the span',
  unclear: 'something is not known: see the reasons',
  permanent: 'kill switches and permissions stay',
  archived: 'archived already',
  'not-a-flag': 'the service has no such flag',
}
type Verdict = keyof typeof meanings
const verdicts = Object.keys(meanings) as Verdict[]

/** How many flags there are, and how many with each verdict. */
type Counts = { flags: number } & Record<Verdict, number>

/** What is known about a flag, or about a name of none. Times are in milliseconds since the epoch, or as the service wrote them. */
interface PageRow {
  /** Null for a flag that only the earlier review has. */
  verdict: Verdict | null
  /** The verdict of the earlier review, if there is one; null for a flag that is new. */
  before?: Verdict | null | undefined
  /** What verdicts are sorted by. */
  rank: number
  /** Whether it is removable but on. */
  isOn?: boolean | undefined
  name: string
  flag:
    | {
        projectId: string
        type: string | undefined
        stale: boolean | undefined
        createdAt: string | undefined
      }
    | undefined
  environments: readonly {
    name: string | null
    enabled: boolean | null
    /** Null for never, undefined if the service does not report it. */
    lastSeenAt: string | null | undefined
  }[]
  /** Undefined if it could not be read. */
  usage?: PageUsage | undefined
  reasons: readonly string[]
  /** Who created the flag, if that is known. */
  createdBy?: string | undefined
  /** Undefined if no code was searched. Texts without places say why it may be there. */
  code: PageCode | undefined
}

interface PageCode {
  places?: readonly Place[] | undefined
  repositories?: readonly { name: string; place: Place }[] | undefined
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

/** A review of flags. Times are in milliseconds since the epoch. */
export interface Page {
  /** `Review of 3 projects` */
  title: string
  service: { url: string; name: string }
  /** What the usage covers. */
  span: string
  firstHour: number
  now: number
  /** Of all flags, also of those without a row. */
  counts: Counts
  projects: readonly (Counts & { project: string })[]
  rows: readonly PageRow[]
  /** What the page lacks, as sentences. */
  incomplete: readonly string[]
}

/** Prints a review as a page. */
export function printPage(page: Page, out: Writer): void {
  const title = `${page.title} on ${page.service.name}`
  printHtml({ title, style, script }, bodyOf(page, out), out)
}

function* bodyOf(page: Page, out: Writer): Generator<Html> {
  const { title, service, span, now, rows } = page
  yield html`<header>
<h1>${title}</h1>
<p>Feature flags of <a href="${service.url}">${service.name}</a>. Usage ${span}.
Made at ${timeElement(now, timeText(now))}.</p>
</header>
<main>
${incompleteSection(page)}
${verdictSection(page)}
${page.projects.length > 0 && projectSection(page, out)}
<section aria-labelledby="flags">
<h2 id="flags">Flags</h2>
${filterForm(rows)}
<p role="status">${counted(rows.length, 'flag')}</p>
`
  yield* table(page)
  yield html`</section>
</main>
`
}

function timeElement(time: number, text: string, title = timeText(time)): Html {
  return html`<time datetime="${new Date(time).toISOString()}" title="${title}">${text}</time>`
}

/** What the page lacks, at its top. */
function incompleteSection({ incomplete, rows, counts }: Page) {
  const part = `The table has ${rows.length} of ${counted(counts.flags, 'flag')}, because --verdict or --limit left out others`
  const items = rows.length < counts.flags ? [...incomplete, part] : incomplete
  if (items.length === 0) return undefined
  return html`<section class="incomplete" aria-labelledby="incomplete">
<h2 id="incomplete">Incomplete</h2>
<ul>${items.map((text) => html`<li>${text}</li>`)}</ul>
</section>`
}

/** A verdict in the address and as a class. */
const wordOf = (verdict: Verdict | null) => verdict ?? 'gone'

/** A verdict for people: `in use`. */
const textOf = (verdict: Verdict | null) => wordOf(verdict).replaceAll('-', ' ')

/** How many flags have each verdict, as links that filter the table. */
function verdictSection({ counts }: Page): Html {
  const shown = verdicts.filter((verdict, index) => index < 4 || counts[verdict] > 0)
  const cards = shown.map((verdict) => {
    const word = wordOf(verdict)
    return html`<li><a class="card ${word}" href="#verdict=${word}">
<strong>${counts[verdict]}</strong> <span class="name">${textOf(verdict)}</span> <small>${meanings[verdict]}</small></a></li>`
  })
  return html`<nav aria-label="Verdicts"><ul class="cards">
<li><a class="card" href="#"><strong>${counts.flags}</strong> <span class="name">${counts.flags === 1 ? 'flag' : 'flags'}</span> <small>all verdicts</small></a></li>
${cards}
</ul></nav>`
}

/** A bar for each project, the one with the most removable flags first. */
function projectSection({ projects }: Page, out: Writer): Html {
  const most = Math.max(1, ...projects.map(({ flags }) => flags))
  const items = projects
    .toSorted((a, b) => b.removable - a.removable)
    .map(({ project, ...counts }) => {
      // As it is in the row, of which the script knows only printable text.
      const filter = `#${new URLSearchParams({ project: out.rendered([project]) })}`
      return html`<li><a href="${filter}">${project}</a>
${bar(counts, most)}
<span>${counts.removable} of ${counts.flags} removable</span></li>`
    })
  return html`<section aria-labelledby="projects">
<h2 id="projects">Projects</h2>
<ul class="projects">${items}</ul>
</section>`
}

/** The verdicts of a project as parts of a bar, which is as long as its share of the most flags. */
function bar(counts: Counts, most: number): Html {
  const shown = verdicts.filter((verdict) => counts[verdict] > 0)
  let x = 0
  const parts = shown.map((verdict) => {
    const width = (counts[verdict] * 100) / most
    x += width
    return html`<rect class="${wordOf(verdict)}" x="${(x - width).toFixed(2)}" width="${width.toFixed(2)}" height="10"/>`
  })
  const text = shown.map((verdict) => `${counts[verdict]} ${textOf(verdict)}`).join(', ')
  return html`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" role="img"><title>${text}</title>${parts}</svg>`
}

/** Hidden until the script shows it. */
function filterForm(rows: readonly PageRow[]): Html {
  const filters: Record<string, (row: PageRow) => string | undefined> = {
    Verdict: ({ verdict }) => wordOf(verdict),
    Project: ({ flag }) => flag?.projectId,
    Type: ({ flag }) => flag?.type,
  }
  const selects = Object.entries(filters).map(([name, filterOf]) => {
    const values = [...new Set(rows.map(filterOf))].flatMap((value) => value || [])
    const options = values.sort().map((value) => html`<option>${value}</option>`)
    return html`<label>${name} <select name="${name.toLowerCase()}"><option value="">all</option>${options}</select></label>
`
  })
  return html`<form hidden role="search" aria-label="Filter the flags">
${selects}<label>Text <input type="search" name="text" autocomplete="off" spellcheck="false"></label>
<button type="reset">Show all</button>
</form>`
}

/** A column of the table. */
interface Column {
  title: string
  cell(row: PageRow): Html
  /** What the script sorts by, if it is not the text; undefined comes last. */
  key?(row: PageRow): number | undefined
}

function columnsOf({ service, rows, firstHour, now }: Page): Column[] {
  const age = (time: number | undefined) =>
    time === undefined ? html`–` : timeElement(time, ageText(now - time))
  const ago = (time: number) => timeElement(time, agoText(now - time))
  const columns: Column[] = [
    { title: 'Verdict', cell: (row) => verdictCell(row), key: ({ rank }) => rank },
    { title: 'Project', cell: ({ flag }) => html`${flag?.projectId || '–'}` },
    { title: 'Flag', cell: (row) => flagCell(row, service.url) },
    { title: 'Type', cell: ({ flag }) => html`${flag?.type ?? '–'}${flag?.stale && ' (stale)'}` },
    {
      title: 'Age',
      cell: ({ flag, createdBy }) =>
        html`${age(timeOf(flag?.createdAt))}${createdBy && html`<div class="note">by ${createdBy}</div>`}`,
      key: ({ flag }) => -(timeOf(flag?.createdAt) ?? Number.NEGATIVE_INFINITY),
    },
    { title: 'Environments', cell: (row) => environmentCell(row, ago), key: seenKey },
    {
      title: 'Usage',
      cell: ({ usage }) => usageCell(usage, firstHour, now),
      key: ({ usage }) => usage && usage.totals.enabled + usage.totals.disabled,
    },
    { title: 'Reasons', cell: (row) => reasonCell(row) },
  ]
  if (rows.every(({ code }) => code === undefined)) return columns
  return [...columns, { title: 'Code', cell: (row) => codeCell(row) }]
}

/** When a flag was last seen: the one seen least recently comes first. */
function seenKey({ environments }: PageRow): number | undefined {
  const times = environments.map(({ lastSeenAt }) => timeOf(lastSeenAt) ?? 0)
  return times.length > 0 ? Math.max(...times) : undefined
}

// A browser skips groups of rows that are not in view.
const GROUP = 25

function* table(page: Page): Generator<Html> {
  const { rows } = page
  const columns = columnsOf(page)
  yield html`<table aria-labelledby="flags" class="${columns.length > 8 && 'with-code'}">
<thead><tr>${columns.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead>
`
  for (let start = 0; start < rows.length; start += GROUP) {
    const group = rows.slice(start, start + GROUP)
    yield html`<tbody>${group.map((row) => tableRow(row, columns))}</tbody>
`
  }
  yield html`</table>
`
}

function tableRow(row: PageRow, columns: readonly Column[]): Html {
  const cells = columns.map(({ cell, key }) => {
    return key ? html`<td data-key="${key(row)}">${cell(row)}</td>` : html`<td>${cell(row)}</td>`
  })
  // A line break between rows would be a node of its own, and thousands of them make sorting slow.
  return html`<tr
data-verdict="${wordOf(row.verdict)}" data-project="${row.flag?.projectId}" data-type="${row.flag?.type}">${cells}</tr>`
}

function verdictCell({ verdict, isOn, before }: PageRow): Html {
  const change = before === null ? 'new' : before !== verdict && before && `was ${textOf(before)}`
  return html`<span class="badge ${isOn ? 'on' : wordOf(verdict)}">${textOf(verdict)}${isOn && ' (on)'}</span>${change && html`<div class="note">${change}</div>`}`
}

/** The reasons without the places in code, which have a column. */
function reasonCell({ reasons }: PageRow): Html {
  return html`${reasons.filter((reason) => !reason.startsWith('in the code')).join('; ')}`
}

/** The name of a flag, linked to its page of the service. A URL cannot have half a surrogate pair. */
function flagCell({ flag, name }: PageRow, baseUrl: string): Html {
  if (!flag || /\p{Cs}/u.test(flag.projectId + name)) return html`${name}`
  const path = `projects/${encodeURIComponent(flag.projectId)}/features/${encodeURIComponent(name)}`
  return html`<a href="${baseUrl}/${path}">${name}</a>`
}

function environmentCell({ environments }: PageRow, ago: (time: number) => Html): Html {
  const items = environments.map(({ name, enabled, lastSeenAt }) => {
    const time = timeOf(lastSeenAt)
    const state = enabled === null ? 'state unknown' : enabled ? 'on' : 'off'
    const unseen = lastSeenAt === null ? 'not seen' : 'when it was seen is not known'
    const seen = time === undefined ? unseen : html`seen ${ago(time)}`
    return html`<li>${name ?? '–'} <span class="state ${enabled === true && 'on'}">${state}</span> <span class="note">${seen}</span></li>`
  })
  return items.length === 0 ? html`–` : html`<ul>${items}</ul>`
}

function usageCell(usage: PageUsage | undefined, firstHour: number, now: number): Html {
  if (!usage) return html`–`
  const { totals, isUsed, doubts, lastUse } = usage
  if (!isUsed) return doubts.length > 0 ? html`unclear` : html`none`
  const use = lastUse?.use
  const when = use
    ? timeElement(use.time, lastUseText(use, now), lastUseTime(use))
    : 'at an unknown time'
  // A service may send counts of variants alone, or counts that cancel each other out.
  const count = totals.enabled + totals.disabled
  const total = count > 0 ? groupDigits(count) : 'used'
  return html`${sparkline(usage, firstHour)}<div>${total}</div><div class="note">last used ${when}</div>`
}

const BAR = 2
const HEIGHT = 20

/** The usage of each hour as a bar, on a line below the hours that the service covers. */
function sparkline({ hourly, from }: PageUsage, firstHour: number): Html {
  const most = Math.max(1, ...hourly)
  const bars = hourly.map((count, hour) => {
    const height = Math.max(1, Math.round((count * (HEIGHT - 2)) / most))
    return count > 0 ? `M${hour * BAR + BAR / 2} ${HEIGHT - 1}v-${height}` : ''
  })
  const width = hourly.length * BAR
  const start = Math.max(0, (((from ?? firstHour) - firstHour) / HOUR_MS) * BAR)
  const peak = timeText(firstHour + hourly.indexOf(most) * HOUR_MS)
  const text = hourly.includes(most)
    ? `hourly usage, at most ${groupDigits(most)}, in the hour from ${peak}`
    : 'hourly usage'
  return html`<svg class="spark" viewBox="0 0 ${width} ${HEIGHT}" role="img"><title>${text}</title><path class="axis" d="M${start} ${HEIGHT - 0.5}H${width}"/><path d="${bars.join('')}"/></svg>`
}

function codeCell({ code }: PageRow): Html {
  if (!code) return html`–`
  const { places = [], repositories = [] } = code
  const own = places.map(({ file, line }) => positionText({ file, line }))
  const others = repositories.map(({ name, place: { file, line } }) => {
    return `${name}: ${positionText({ file, line })}`
  })
  const none = code.texts.length > 0 ? 'unclear' : 'none found'
  return html`${listed([...own, ...others], 5) || none}`
}
