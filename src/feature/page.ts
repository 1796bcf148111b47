import { FlagadmError } from '../errors.ts'
import { timeOf } from '../input/time.ts'
import { type Html, type HtmlTemplate, htmlTemplate, printPage } from '../output/html.ts'
import { counted, type Incomplete, listed } from '../output/incomplete.ts'
import { groupDigits } from '../output/numbers.ts'
import { byCodeUnit } from '../output/order.ts'
import type { Writer } from '../output/text.ts'
import type { Connection } from '../service/connection.ts'
import { type Counts, type ProjectCounts, projectOf, shownVerdicts } from './counts.ts'
import type { UsageEvidence } from './evidence.ts'
import script from './page.js?raw'
import style from './page.css?raw'
import { ageText, durationText, HOUR_MS, hourOf, type Span, spanText, timeText } from './span.ts'
import { codeTies, optionValue, rankOf, type Row, type Verdict, verdicts } from './verdict.ts'

/** What the page of a review shows. */
export interface ReviewPage {
  connection: Pick<Connection, 'baseUrl' | 'target'>
  /** The projects, as in `3 projects`. */
  scope: string
  span: Span
  /** The start of the first hour with figures. */
  from: number | undefined
  notSeenFor: number
  rows: readonly Row[]
  /** Of all flags, also of those without a row. */
  counts: Counts
  totals: readonly ProjectCounts[]
  incomplete: readonly Incomplete[]
}

/** Prints the page of a review as HTML, whose script only sorts and filters. */
export function printReviewPage(page: ReviewPage, out: Writer): void {
  const html = htmlTemplate(out)
  const title = `Review of ${page.scope} on ${page.connection.target}`
  printPage({ title, style, script, body: bodyOf(page, html, out) }, html, out)
}

function* bodyOf(page: ReviewPage, html: HtmlTemplate, out: Writer): Generator<Html> {
  yield html`${header(page, html)}
<main>
${incompleteSection(page, html)}
${verdictSection(page, html)}
${page.totals.length > 0 && projectSection(page, html, out)}
<section aria-labelledby="flags">
<h2 id="flags">Flags</h2>
${filterForm(page.rows, html)}
<p role="status">${counted(page.rows.length, 'flag')}</p>
`
  yield* table(page, html)
  yield html`</section>
</main>
`
}

function header({ connection, scope, span, from }: ReviewPage, html: HtmlTemplate): Html {
  const { baseUrl, target } = connection
  return html`<header>
<h1>Review of ${scope}</h1>
<p>Feature flags of <a href="${baseUrl}">${target}</a>. Usage ${spanText(span, from)}.
Made at ${timeElement(span.now, timeText(span.now), html)}.</p>
</header>`
}

function timeElement(time: number, text: string, html: HtmlTemplate): Html {
  return html`<time datetime="${new Date(time).toISOString()}" title="${timeText(time)}">${text}</time>`
}

/** What the page lacks, at its top. */
function incompleteSection({ incomplete, rows, counts }: ReviewPage, html: HtmlTemplate) {
  const items = incomplete.map(
    ({ message, names }) => html`<li>${message}${names.length > 0 && ` (${listed(names)})`}</li>`,
  )
  const isPart = rows.length < counts.flags
  const part = `The table has ${rows.length} of ${counted(counts.flags, 'flag')}, because --verdict or --limit left out others`
  if (items.length === 0 && !isPart) return undefined
  return html`<section class="incomplete" aria-labelledby="incomplete">
<h2 id="incomplete">Incomplete</h2>
<ul>${items}${isPart && html`<li>${part}</li>`}</ul>
</section>`
}

function meanings({ span, notSeenFor }: ReviewPage): Record<Verdict, string> {
  return {
    removable: `no usage, and not seen for ${durationText(notSeenFor)}: can go`,
    'in use': `used or seen in the last ${durationText(span.asked)}`,
    unclear: 'something is not known: see the reasons',
    permanent: 'kill switches and permissions stay',
    archived: 'archived already',
    'not a flag': 'the service has no such flag',
  }
}

/** How many flags have each verdict, as links that filter the table. */
function verdictSection(page: ReviewPage, html: HtmlTemplate): Html {
  const { counts } = page
  const meaning = meanings(page)
  const cards = shownVerdicts(counts).map(
    (
      verdict,
    ) => html`<li><a class="card ${optionValue(verdict)}" href="#verdict=${optionValue(verdict)}">
<strong>${counts[verdict]}</strong> <span class="name">${verdict}</span> <small>${meaning[verdict]}</small></a></li>`,
  )
  return html`<nav aria-label="Verdicts"><ul class="cards">
<li><a class="card" href="#"><strong>${counts.flags}</strong> <span class="name">${counts.flags === 1 ? 'flag' : 'flags'}</span> <small>all verdicts</small></a></li>
${cards}
</ul></nav>`
}

/** A bar for each project, the one with the most removable flags first. */
function projectSection({ totals }: ReviewPage, html: HtmlTemplate, out: Writer): Html {
  const most = Math.max(1, ...totals.map(({ flags }) => flags))
  const sorted = totals.toSorted(
    (a, b) => b.removable - a.removable || byCodeUnit(a.project, b.project),
  )
  const items = sorted.map((counts) => {
    const { project, flags, removable } = counts
    // As it is in the row, of which the script knows only printable text.
    const filter = `#${new URLSearchParams({ project: out.rendered([project]) })}`
    return html`<li><a href="${filter}">${project}</a>
${bar(counts, most, html)}
<span>${removable} of ${flags} removable</span></li>`
  })
  return html`<section aria-labelledby="projects">
<h2 id="projects">Projects</h2>
<ul class="projects">${items}</ul>
</section>`
}

/** The verdicts of a project as parts of a bar, which is as long as its share of the most flags. */
function bar(counts: ProjectCounts, most: number, html: HtmlTemplate): Html {
  let x = 0
  const parts = verdicts.map((verdict) => {
    const width = (counts[verdict] * 100) / most
    const part = html`<rect class="${optionValue(verdict)}" x="${x.toFixed(2)}" width="${width.toFixed(2)}" height="10"/>`
    x += width
    return width > 0 && part
  })
  const text = verdicts
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict) => `${counts[verdict]} ${verdict}`)
  return html`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" role="img"><title>${text.join(', ')}</title>${parts}</svg>`
}

/** A column of the table. */
interface Column {
  title: string
  cell(row: Row): Html
  /** What the script sorts by, if it is not the text; undefined comes last. */
  key?(row: Row): number | undefined
}

function columnsOf(page: ReviewPage, html: HtmlTemplate): Column[] {
  const { now } = page.span
  const columns: Column[] = [
    { title: 'Verdict', cell: (row) => verdictCell(row, html), key: rankOf },
    { title: 'Project', cell: (row) => html`${projectOf(row) || '–'}` },
    { title: 'Flag', cell: (row) => flagCell(row, page, html) },
    { title: 'Type', cell: (row) => typeCell(row, html) },
    {
      title: 'Age',
      cell: ({ evidence }) => agoCell(timeOf(evidence.flag?.createdAt), now, '', html),
      key: ({ evidence }) => negative(timeOf(evidence.flag?.createdAt)),
    },
    { title: 'Environments', cell: (row) => environmentCell(row, page, html), key: seenKey },
    {
      title: 'Usage',
      cell: (row) => usageCell(row, page, html),
      key: ({ evidence: { usage } }) =>
        usage instanceof FlagadmError ? undefined : usage.totals.enabled + usage.totals.disabled,
    },
    { title: 'Reasons', cell: (row) => listCell(reasonsOf(row), html) },
  ]
  if (page.rows.every(({ evidence }) => evidence.code === undefined)) return columns
  return [...columns, { title: 'Code', cell: (row) => codeCell(row, html) }]
}

const negative = (number: number | undefined) => (number === undefined ? undefined : -number)

/** When a flag was last seen: the one seen least recently comes first. */
function seenKey({ evidence: { flag } }: Row): number | undefined {
  const times = flag?.environments.map(({ lastSeenAt }) => timeOf(lastSeenAt) ?? 0)
  return times && Math.max(0, ...times)
}

// A browser skips groups of rows that are not in view.
const GROUP = 25

function* table(page: ReviewPage, html: HtmlTemplate): Generator<Html> {
  const { rows } = page
  const columns = columnsOf(page, html)
  yield html`<table aria-labelledby="flags" class="${columns.length > 8 && 'with-code'}">
<thead><tr>${columns.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead>
`
  for (let start = 0; start < rows.length; start += GROUP) {
    const group = rows.slice(start, start + GROUP)
    yield html`<tbody>${group.map((row) => tableRow(row, columns, html))}</tbody>
`
  }
  yield html`</table>
`
}

function tableRow(row: Row, columns: readonly Column[], html: HtmlTemplate): Html {
  const { verdict, evidence } = row
  const cells = columns.map(({ cell, key }) => {
    return key ? html`<td data-key="${key(row)}">${cell(row)}</td>` : html`<td>${cell(row)}</td>`
  })
  // A line break between rows would be a node of its own, and thousands of them make sorting slow.
  return html`<tr
data-verdict="${optionValue(verdict)}" data-project="${projectOf(row)}" data-type="${evidence.flag?.type}">${cells}</tr>`
}

/** Hidden until the script shows it. */
function filterForm(rows: readonly Row[], html: HtmlTemplate): Html {
  const select = (name: string, options: ReadonlyMap<string, string>) => {
    const items = Array.from(
      options,
      ([value, text]) => html`<option value="${value}">${text}</option>`,
    )
    return html`<label>${name} <select name="${name.toLowerCase()}"><option value="">all</option>${items}</select></label>`
  }
  const sameText = (texts: readonly (string | undefined)[]) => {
    const known = texts.flatMap((text) => text || [])
    return new Map(known.sort(byCodeUnit).map((text) => [text, text]))
  }
  return html`<form hidden role="search" aria-label="Filter the flags">
${select('Verdict', new Map(rows.map(({ verdict }) => [optionValue(verdict), verdict])))}
${select('Project', sameText(rows.map(projectOf)))}
${select('Type', sameText(rows.map(({ evidence }) => evidence.flag?.type)))}
<label>Text <input type="search" name="text" autocomplete="off" spellcheck="false"></label>
<button type="reset">Show all</button>
</form>`
}

function verdictCell({ verdict, isOn }: Row, html: HtmlTemplate): Html {
  return html`<span class="badge ${optionValue(verdict)}">${verdict}${isOn && ' (on)'}</span>`
}

/** The name of a flag, linked to its page of the service. */
function flagCell({ evidence }: Row, { connection }: ReviewPage, html: HtmlTemplate): Html {
  const { flag, name } = evidence
  if (!flag) return html`${name}`
  const path = `projects/${encodeURIComponent(flag.projectId)}/features/${encodeURIComponent(name)}`
  return html`<a href="${connection.baseUrl}/${path}">${name}</a>`
}

function typeCell({ evidence: { flag } }: Row, html: HtmlTemplate): Html {
  return html`${flag?.type ?? '–'}${flag?.stale && html` <span class="note">stale</span>`}`
}

function agoCell(time: number | undefined, now: number, ago: string, html: HtmlTemplate): Html {
  return time === undefined ? html`–` : timeElement(time, `${ageText(now - time)}${ago}`, html)
}

function environmentCell({ evidence: { flag } }: Row, { span }: ReviewPage, html: HtmlTemplate) {
  const items = (flag?.environments ?? []).map(({ name, enabled, lastSeenAt }) => {
    const time = timeOf(lastSeenAt)
    const state = enabled === undefined ? 'state unknown' : enabled ? 'on' : 'off'
    const unseen = lastSeenAt === null ? 'never seen' : 'last seen unknown'
    const seen = time === undefined ? unseen : html`seen ${agoCell(time, span.now, ' ago', html)}`
    return html`<li>${name} <span class="state ${enabled && 'on'}">${state}</span> <span class="note">${seen}</span></li>`
  })
  return items.length === 0 ? html`–` : html`<ul>${items}</ul>`
}

function usageCell({ evidence: { usage } }: Row, { span }: ReviewPage, html: HtmlTemplate): Html {
  if (usage instanceof FlagadmError) return html`could not be read`
  const { isUsed, totals, lastUsed, from } = usage
  if (!isUsed) return html`${from === undefined ? '–' : 'none'}`
  const total = totals.enabled + totals.disabled
  // A service may send counts of variants alone, or counts that cancel each other out.
  const text = total > 0 ? groupDigits(total) : 'used'
  const isNow = lastUsed !== undefined && lastUsed >= hourOf(span.now)
  const when = isNow
    ? 'used this hour'
    : html`last used ${agoCell(lastUsed, span.now, ' ago', html)}`
  return html`${sparkline(usage, span, html)}<div>${text}</div><div class="note">${when}</div>`
}

const BAR = 2
const HEIGHT = 20

/** The usage of each hour as a bar, on a line below the hours that the service covers. */
function sparkline({ hourly, from }: UsageEvidence, { firstHour }: Span, html: HtmlTemplate): Html {
  const most = Math.max(1, ...hourly)
  const bars = hourly.map((count, hour) => {
    if (count <= 0) return ''
    const height = Math.max(1, Math.round((count * (HEIGHT - 2)) / most))
    return `M${hour * BAR + BAR / 2} ${HEIGHT - 1}v-${height}`
  })
  const width = hourly.length * BAR
  const start = Math.max(0, (((from ?? firstHour) - firstHour) / HOUR_MS) * BAR)
  const peak = firstHour + hourly.indexOf(most) * HOUR_MS
  const text = hourly.includes(most)
    ? `hourly usage, at most ${groupDigits(most)}, in the hour from ${timeText(peak)}`
    : 'hourly usage'
  return html`<svg class="spark" viewBox="0 0 ${width} ${HEIGHT}" role="img"><title>${text}</title><path class="axis" d="M${start} ${HEIGHT - 0.5}H${width}"/><path d="${bars.join('')}"/></svg>`
}

function listCell(texts: readonly string[], html: HtmlTemplate): Html {
  return html`<ul>${texts.map((text) => html`<li>${text}</li>`)}</ul>`
}

/** The reasons without the places in code, which have a column. */
function reasonsOf({ reasons, evidence: { code } }: Row): readonly string[] {
  const own = code && code.places.length > 0 ? codeTies(code) : []
  return reasons.filter((reason) => !own.includes(reason))
}

const MAX_PLACES = 5

function codeCell({ evidence: { code } }: Row, html: HtmlTemplate): Html {
  if (!code) return html`–`
  if (code.places.length === 0) return html`none found`
  const places = code.places.map(({ file, line }) => `${file}:${line}`)
  const more = places.length - MAX_PLACES
  return listCell(more > 0 ? [...places.slice(0, MAX_PLACES), `and ${more} more`] : places, html)
}
