// The page of a review, whose script opens rows, sorts and filters.
import { groupBy } from '../groups.ts'
import { type Html, html, printHtml } from './html.ts'
import { counted } from './incomplete.ts'
import script from './page.js?raw'
import style from './page.css?raw'
import {
  flagTable,
  type JudgedFlag,
  type Kind,
  kindOf,
  kindText,
  flagKinds,
  meanings,
  type PageRow,
} from './page-table.ts'
import type { Writer } from './text.ts'
import { timeText } from './time.ts'

/** A review of flags. Times are in milliseconds since the epoch. */
export interface Page {
  /** `Review of 3 projects` */
  title: string
  /** Without a URL if the service is gone when the page is read. */
  service: { url: string | undefined; name: string }
  /** What the usage covers. */
  span: string
  firstHour: number
  now: number
  /** All flags, also those without a row. */
  all: readonly JudgedFlag[]
  rows: readonly PageRow[]
  /** What the page lacks, as sentences. */
  incomplete: readonly string[]
  /** The command that archives flags, without a project and names. */
  archive: string
}

/** Prints a review as a page. */
export function printPage(page: Page, out: Writer): void {
  const title = `${page.title} on ${page.service.name}`
  printHtml({ title, style, script }, bodyOf(page, out), out)
}

function* bodyOf(page: Page, out: Writer): Generator<Html> {
  const { title, service, span, now, rows } = page
  const { url, name } = service
  const madeAt = html`<time datetime="${new Date(now).toISOString()}">${timeText(now)}</time>`
  yield html`<header>
<h1>${title}</h1>
<p>Feature flags of ${url === undefined ? name : html`<a href="${url}">${name}</a>`}. Usage ${span}.
Made at ${madeAt}.</p>
</header>
<main data-service="${url}">
${incompleteSection(page)}
${projectSection(page, out)}
<section aria-labelledby="flags">
<h2 id="flags" class="unseen">Flags</h2>
<div class="controls">
${kindLinks(rows)}
${filterForm(page)}
</div>
`
  yield* flagTable(rows, page)
  yield html`<p class="nothing" hidden><button type="button">0 of ${rows.length}: clear the filters</button></p>
</section>
</main>
`
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

/** The number of flags of each kind, in the order of the filters. */
function countKinds(flags: readonly JudgedFlag[]): { kind: Kind; count: number }[] {
  const groups = groupBy(flags, kindOf)
  return flagKinds.map((kind) => ({ kind, count: groups.get(kind)?.length ?? 0 }))
}

const alwaysShown: readonly Kind[] = ['removable', 'still-on', 'in-use', 'unclear', 'permanent']

/** How many flags of each kind the table has, as links that filter it. */
function kindLinks(rows: readonly PageRow[]): Html {
  const shown = countKinds(rows).filter(({ kind, count }) => {
    return count > 0 || alwaysShown.includes(kind)
  })
  const links = shown.map(({ kind, count }) => {
    return html`<li><a class="${kind}" href="#verdict=${kind}" title="${meanings[kind]}"><strong>${count}</strong> ${kindText(kind)}</a></li>
`
  })
  return html`<nav aria-label="Verdicts"><ul>
<li><a href="#verdict="><strong>${rows.length}</strong> all</a></li>
${links}</ul></nav>`
}

// The bars of more projects would take the place of the table.
const MAX_OPEN_PROJECTS = 12

/** A bar for each project, the one with the most removable flags first. */
function projectSection({ all }: Page, out: Writer) {
  const flags = all.filter(({ flag }) => flag)
  const byProject = groupBy(flags, ({ flag }) => flag?.projectId ?? '')
  const projects = Array.from(byProject, ([project, own]) => {
    const counts = countKinds(own).filter(({ count }) => count > 0)
    const removable = own.filter(({ verdict }) => verdict === 'removable').length
    return { project, flags: own.length, removable, counts }
  })
  if (projects.length === 0) return undefined
  const most = Math.max(...projects.map((one) => one.flags))
  const items = projects
    .sort((a, b) => b.removable - a.removable || (a.project < b.project ? -1 : 1))
    .map(({ project, removable, counts, ...one }) => {
      // As it is in the row, of which the script knows only printable text.
      const filter = `#${new URLSearchParams({ project: out.rendered([project]) })}`
      return html`<li><a href="${filter}">${project}</a>
${bar(counts, most)}
<span>${removable} of ${one.flags} removable</span></li>`
    })
  const isOpen = projects.length <= MAX_OPEN_PROJECTS
  return html`<details${isOpen && ' open'}>
<summary>${counted(projects.length, 'project')}</summary>
<ul class="projects">${items}</ul>
</details>`
}

/** The flags of a project as parts of a bar, which is as long as its share of the most flags. */
function bar(counts: readonly { kind: Kind; count: number }[], most: number): Html {
  let x = 0
  const parts = counts.map(({ kind, count }) => {
    const width = (count * 100) / most
    x += width
    return html`<rect class="${kind}" x="${(x - width).toFixed(2)}" width="${width.toFixed(2)}" height="10"/>`
  })
  const text = counts.map(({ kind, count }) => `${count} ${kindText(kind)}`).join(', ')
  return html`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" role="img"><title>${text}</title>${parts}</svg>`
}

/** Hidden until the script shows it. */
function filterForm({ rows, archive }: Page): Html {
  const select = (
    title: string,
    everything: string,
    textOf: (row: PageRow) => string | undefined,
  ) => {
    const values = [...new Set(rows.map(textOf))].flatMap((value) => value || [])
    const options = values.sort().map((value) => html`<option>${value}</option>`)
    return html`<select name="${title.toLowerCase()}" aria-label="${title}"><option value="">${everything}</option>${options}</select>`
  }
  return html`<form hidden role="search" aria-label="Filter the flags">
<input type="search" name="text" aria-label="Search" placeholder="Search ( / )" autocomplete="off" spellcheck="false">
${select('Project', 'All projects', ({ flag }) => flag?.projectId)}
${select('Type', 'All types', ({ flag }) => flag?.type)}
<button type="reset">Clear</button>
<p role="status">${counted(rows.length, 'flag')}</p>
<button type="button" id="copy-names">Copy names</button>
<button type="button" id="copy-archive" data-command="${archive}">Copy archive command</button>
</form>`
}
