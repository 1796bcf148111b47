// The page of a review, whose script opens rows, sorts and filters.
import { shellWord } from '../../shell.ts'
import type { RowField } from '../../output/fields.ts'
import { counted } from '../../output/incomplete.ts'
import type { Writer } from '../../output/text.ts'
import { timeText } from '../../output/time.ts'
import type { ListedRow } from '../comparison.ts'
import { projectOf } from '../order.ts'
import { factsOfVerdict, type Verdict, verdictText } from '../verdicts.ts'
import { type Html, html, printHtml } from './html.ts'
import script from './page.js?raw'
import style from './page.css?raw'
import { columnsOf, type FlagTable, styleOf, tableMarkup, type TableRow } from './table.ts'
import { hoursText } from './views.ts'

/** A review of flags. Times are in milliseconds since the epoch. */
export interface Page {
  /** `Review of 3 projects` */
  title: string
  /** Without a URL if the service is gone when the page is read. */
  service: { url: string | undefined; name: string }
  /** What the usage covers: `since 2026-11-18 17:00 UTC (47h 10m)` */
  span: string
  firstHour: number
  now: number
  /** The review that this one is compared with. */
  earlier: { madeAt: number | undefined } | undefined
  /** All flags, also those without a row. */
  all: readonly ListedRow[]
  rows: readonly ListedRow[]
  /** Those that can be counted. */
  verdicts: readonly Verdict[]
  fields: readonly RowField<ListedRow>[]
  /** What the page lacks, as sentences. */
  incomplete: readonly string[]
  /** How flags with a verdict are archived. */
  archive: ReadonlyMap<Verdict, ArchiveCommand>
}

interface ArchiveCommand {
  /** Without a project and names. */
  command: string
  /** Whether it also needs the name of a file for `--save-before`. */
  needsFile: boolean
}

export function printPage(page: Page, out: Writer): void {
  const { title, service, rows, fields, now } = page
  const table = {
    columns: columnsOf(fields, rows, now),
    fields,
    rows: rows.map(tableRow),
    hours: hoursText(page),
  }
  const document = {
    title: `${title} on ${service.name}`,
    style: style + styleOf(table),
    script,
  }
  printHtml(document, bodyOf(page, table), out)
}

function* bodyOf(page: Page, table: FlagTable<ListedRow>): Generator<Html> {
  const { title, service, span, now } = page
  const { url, name } = service
  const projects = new Set(presentFlags(page.rows).map(projectOf).filter(Boolean))
  yield html`<header>
<h1>${title}</h1>
<p>On ${url === undefined ? name : html`<a href="${url}">${name}</a>`}, ${span}, read at ${timeElement(now)}</p>
${comparison(page)}
</header>
<main data-service="${url}">
${incompleteSection(page)}
<section aria-labelledby="flags">
<h2 id="flags" class="unseen">Flags</h2>
<div class="controls">
${verdictLinks(page)}
${filterForm(page, table)}
</div>
<details class="projects" hidden>
<summary>${counted(projects.size, 'project')}</summary>
<ul></ul>
</details>
`
  yield* tableMarkup(table)
  yield html`<p class="nothing" hidden>No flags match the filters. <button type="button">Clear the filters</button></p>
</section>
</main>
`
}

const timeElement = (time: number) =>
  html`<time datetime="${new Date(time).toISOString()}">${timeText(time)}</time>`

/** The flags without those that only the earlier review has. */
const presentFlags = (flags: readonly ListedRow[]) =>
  flags.filter(({ verdict }) => verdict !== null)

function tableRow(row: ListedRow): TableRow<ListedRow> {
  const { name, verdict, isChanged = false } = row
  const texts = [projectOf(row), name]
  const words = texts.map(shellWord)
  const isQuoted = words.some((word, index) => word !== texts[index])
  return { row, verdict: verdict ?? 'gone', isChanged, words: isQuoted ? words : undefined }
}

/** How many flags have changed since the earlier review. */
function comparison({ earlier, all }: Page) {
  if (!earlier) return undefined
  const { madeAt } = earlier
  const changed = all.filter(({ isChanged }) => isChanged)
  const isNew = changed.filter(({ before }) => before === null)
  const gone = all.length - presentFlags(all).length
  const parts: string[] = []
  if (isNew.length > 0) parts.push(`${isNew.length} new`)
  if (gone > 0) parts.push(`${gone} gone`)
  return html`<p>Compared with ${madeAt === undefined ? 'an earlier review' : html`the review of ${timeElement(madeAt)}`}:
${changed.length} changed${parts.length > 0 && ` (${parts.join(', ')})`}.</p>`
}

/** What the page lacks, at its top. */
function incompleteSection({ incomplete, rows, all }: Page) {
  const part = `The table has ${rows.length} of ${counted(all.length, 'flag')}, because --verdict or --limit left out others`
  const items = rows.length < all.length ? [...incomplete, part] : incomplete
  if (items.length === 0) return undefined
  return html`<section class="incomplete" aria-labelledby="incomplete">
<h2 id="incomplete">Incomplete</h2>
<ul>${items.map((text) => html`<li>${text}</li>`)}</ul>
</section>`
}

/** A link that shows the flags with one verdict. */
interface VerdictLink {
  word: string
  text: string
  meaning: string
  looks: string
  count: number
  archive?: ArchiveCommand | undefined
}

/** The verdicts that are counted, in the order of the table of verdicts. */
function countedVerdicts({ rows, verdicts, archive }: Page): VerdictLink[] {
  const styles: string[] = []
  return [...verdicts, null].flatMap((verdict) => {
    const count = rows.filter((row) => row.verdict === verdict).length
    const facts =
      verdict === null
        ? { meaning: 'only the earlier review has it', style: 'dim', isAlwaysCounted: false }
        : factsOfVerdict(verdict)
    const { meaning, style, isAlwaysCounted } = facts
    if (count === 0 && !isAlwaysCounted) return []
    // In a bar, verdicts of the same colour differ by their shades.
    const shade = styles.filter((other) => other === style).length
    styles.push(style)
    return [
      {
        word: verdict ?? 'gone',
        text: verdictText(verdict),
        meaning,
        looks: `${style} shade-${shade}`,
        count,
        archive: verdict === null ? undefined : archive.get(verdict),
      },
    ]
  })
}

/** How many flags of each verdict the table has, as links that filter it. */
function verdictLinks(page: Page): Html {
  const { rows, earlier } = page
  const changed = rows.filter(({ isChanged }) => isChanged).length
  const links = countedVerdicts(page).map(({ word, text, meaning, looks, count, archive }) => {
    return html`<li><a class="${looks}" href="#verdict=${word}" data-verdict="${word}" title="${meaning}"${archive && html` data-archive="${archive.command}"${archive.needsFile && html` data-needs-file`}`}><strong>${count}</strong> <span>${text}</span></a></li>
`
  })
  const changes = html`<li><a href="#verdict=changed" data-verdict="changed" title="not what the earlier review had"><strong>${changed}</strong> <span>changed</span></a></li>
`
  return html`<nav aria-label="Verdicts"><ul>
<li><a href="#verdict=" data-verdict=""><strong>${presentFlags(rows).length}</strong> <span>all</span></a></li>
${earlier && changes}${links}</ul></nav>`
}

/** Hidden until the script shows it, which adds the values of filters. */
function filterForm({ rows }: Page, { columns }: FlagTable<ListedRow>): Html {
  const filters = columns.flatMap(({ field, view: { unfiltered }, title }) => {
    if (unfiltered === undefined) return []
    return html`<select name="${field.name}" aria-label="${title}"><option value="">${unfiltered}</option></select>
`
  })
  const orders = columns.map(({ title }) => {
    return html`<option value="${title}">${title} ↑</option><option value="-${title}">${title} ↓</option>`
  })
  return html`<form hidden role="search" aria-label="Filter the flags">
<input type="search" name="text" aria-label="Search" placeholder="Search ( / )" autocomplete="off" spellcheck="false">
${filters}<select name="sort" aria-label="Sort by"><option value="">Sort by</option>${orders}</select>
<button type="reset">Clear</button>
<p role="status">${counted(presentFlags(rows).length, 'flag')}</p>
<button type="button" id="copy-names">Copy names</button>
<button type="button" id="copy-archive">Copy archive command</button>
</form>`
}
