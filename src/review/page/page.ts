// The page of a review, whose script opens rows, sorts and filters.
import { groupBy } from '../../groups.ts'
import { type Html, html, printHtml } from './html.ts'
import { counted } from '../../output/incomplete.ts'
import script from './page.js?raw'
import style from './page.css?raw'
import {
  flagTable,
  type JudgedFlag,
  type Kind,
  kindOf,
  kindText,
  flagKinds,
  meaningOf,
  type PageRow,
} from './table.ts'
import type { Writer } from '../../output/text.ts'
import { timeText } from '../../output/time.ts'

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
  /** The review that this one is compared with. */
  earlier: { madeAt: number | undefined } | undefined
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
  yield html`<header>
<h1>${title}</h1>
<p>Feature flags of ${url === undefined ? name : html`<a href="${url}">${name}</a>`}. Usage ${span}.
Made at ${timeElement(now)}.</p>
${comparison(page)}
</header>
<main data-service="${url}">
${incompleteSection(page)}
${projectSection(page, out)}
<section aria-labelledby="flags">
<h2 id="flags" class="unseen">Flags</h2>
<div class="controls">
${kindLinks(page)}
${filterForm(page)}
</div>
`
  yield* flagTable(rows, page)
  yield html`<p class="nothing" hidden><span></span> <button type="button">Clear the filters</button></p>
</section>
</main>
`
}

const timeElement = (time: number) =>
  html`<time datetime="${new Date(time).toISOString()}">${timeText(time)}</time>`

/** The flags without those that only the earlier review has. */
function presentFlags<T extends JudgedFlag>(flags: readonly T[]): T[] {
  return flags.filter(({ verdict }) => verdict !== null)
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

/** The number of flags of each kind, in the order of the filters. */
function countKinds(flags: readonly JudgedFlag[]): { kind: Kind; count: number }[] {
  const groups = groupBy(flags, kindOf)
  return flagKinds.map((kind) => ({ kind, count: groups.get(kind)?.length ?? 0 }))
}

const alwaysShown: readonly Kind[] = ['removable', 'still-on', 'in-use', 'unclear', 'permanent']

/** How many flags of each kind the table has, as links that filter it. */
function kindLinks({ rows, earlier }: Page): Html {
  const changed = rows.filter(({ isChanged }) => isChanged).length
  const shown = countKinds(rows).filter(({ kind, count }) => {
    return count > 0 || alwaysShown.includes(kind)
  })
  const links = shown.map(({ kind, count }) => {
    return html`<li><a class="${kind}" href="#verdict=${kind}" title="${meaningOf(kind)}"><strong>${count}</strong> ${kindText(kind)}</a></li>
`
  })
  const changes = html`<li><a href="#verdict=changed" title="not what the earlier review had"><strong>${changed}</strong> changed</a></li>
`
  return html`<nav aria-label="Verdicts"><ul>
<li><a href="#verdict="><strong>${presentFlags(rows).length}</strong> all</a></li>
${earlier && changes}${links}</ul></nav>`
}

// The bars of more projects would take the place of the table.
const MAX_OPEN_PROJECTS = 12

/** A bar for each project, the one with the most removable flags first. */
function projectSection({ all }: Page, out: Writer) {
  const flags = presentFlags(all).filter(({ flag }) => flag)
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
${select('Project', 'All projects', ({ project }) => project)}
${select('Type', 'All types', ({ flag }) => flag?.type)}
<button type="reset">Clear</button>
<p role="status">${counted(presentFlags(rows).length, 'flag')}</p>
<button type="button" id="copy-names">Copy names</button>
<button type="button" id="copy-archive" data-command="${archive}">Copy archive command</button>
</form>`
}
