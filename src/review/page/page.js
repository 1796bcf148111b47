// Opens rows of the table of a review, copies names, sorts and filters. The address has the order and the filters: #verdict=removable&sort=-Age.
;(() => {
  const find = (selector) => document.querySelector(selector)
  const table = find('table')
  const form = find('form')
  const status = find('[role=status]')
  const nothing = find('.nothing')
  const projects = find('.projects')
  const flags = find('section[aria-labelledby=flags]')
  const copyNames = find('#copy-names')
  const copyArchive = find('#copy-archive')
  const verdictLinks = Array.from(document.querySelectorAll('nav a'))
  const bodies = Array.from(table.tBodies)
  const size = bodies[0]?.rows.length ?? 0
  const headings = Array.from(table.tHead.rows[0].cells)
  const keyed = headings.filter(({ dataset }) => dataset.hasKeys !== undefined)
  const selects = Array.from(form.querySelectorAll('select:not([name=sort])'))
  const filters = ['verdict', ...selects.map(({ name }) => name), 'text']
  const compareText = new Intl.Collator('en', { numeric: true }).compare
  let shown = []
  let sorted = ''

  for (const heading of headings) heading.dataset.title = heading.textContent

  const element = (name, ...children) => {
    const made = document.createElement(name)
    made.append(...children)
    return made
  }

  const columnOf = (name) => headings.findIndex(({ dataset }) => dataset.name === name)
  const [flag, chart] = [columnOf('flag'), headings.findIndex(({ dataset }) => dataset.chart)]
  // Without the remark in the cell.
  const textIn = (row, column) => row.cells[column].firstChild?.textContent ?? ''
  const filterColumns = new Map(selects.map(({ name }) => [name, columnOf(name)]))

  const { service } = find('main').dataset
  const data = JSON.parse(find('script[type="application/json"]').textContent)
  const rows = bodies
    .flatMap((body) => Array.from(body.rows))
    .map((row, index) => ({
      ...data.rows[index],
      row,
      name: textIn(row, flag),
      verdict: row.classList[0],
      isChanged: row.classList.contains('changed'),
      values: new Map(Array.from(filterColumns, ([name, column]) => [name, textIn(row, column)])),
    }))
  const byRow = new Map(rows.map((one) => [one.row, one]))

  // Charts

  // A copy is made faster than a new element.
  const emptyChart = document.importNode(find('template').content.querySelector('svg'), true)

  /** The usage of each hour as a bar, on a line below the hours that the service has. */
  const chartOf = (shares) => {
    const bars = shares.map((share, hour) => (share > 0 ? `M${hour + 0.5} 100V${100 - share}` : ''))
    const made = emptyChart.cloneNode(true)
    const [axis, usage] = made.children
    made.setAttribute('viewBox', `0 0 ${shares.length} 100`)
    axis.setAttribute('d', `M${shares.lastIndexOf(null) + 1} 100H${shares.length}`)
    usage.setAttribute('d', bars.join(''))
    return made
  }

  // Open rows

  const lineOf = (line) => {
    if (!Array.isArray(line)) return element('li', data.texts[line])
    return element('li', ...line.map((number) => element('span', data.texts[number])))
  }

  /** The page of a flag in the service; undefined for one that is gone, if it has none that lasts, or the name would change its address. */
  const addressOf = ({ name, values, verdict }) => {
    const words = [values.get('project'), name]
    const isPlain = words.every((word) => /^[\w.~-]+$/.test(word))
    if (!service || !isPlain || verdict === 'gone') return undefined
    return `${service}/projects/${words.join('/features/')}`
  }

  const detailsOf = (one) => {
    const details = find('template').content.firstElementChild.cloneNode(true)
    details.querySelectorAll('section').forEach((section, index) => {
      const lines = one.details[index]
      section.hidden = lines.length === 0
      section.querySelector('ul').append(...lines.map(lineOf))
    })
    const chart = details.querySelector('figure')
    if (one.chart.length > 0) chart.firstElementChild.replaceWith(chartOf(one.chart))
    else chart.remove()
    const link = details.querySelector('a')
    const address = addressOf(one)
    if (address) link.href = address
    else link.remove()
    return details
  }

  const close = (one) => {
    one.open.remove()
    one.open = undefined
    one.button.setAttribute('aria-expanded', 'false')
  }

  const open = (one) => {
    one.open = detailsOf(one)
    one.row.after(one.open)
    one.button.setAttribute('aria-expanded', 'true')
    one.open.scrollIntoView({ block: 'nearest' })
    // Its details may not fit.
    one.row.scrollIntoView({ block: 'nearest' })
  }

  const emptyButton = document.createElement('button')
  emptyButton.type = 'button'
  emptyButton.setAttribute('aria-expanded', 'false')
  for (const one of rows) {
    one.button = emptyButton.cloneNode()
    one.button.textContent = one.name
    one.row.cells[flag].replaceChildren(one.button)
    if (one.chart.length > 0) one.row.cells[chart].prepend(chartOf(one.chart))
  }

  table.addEventListener('click', ({ target, detail }) => {
    const one = byRow.get(target.closest('tbody tr'))
    // A click that ends the selection of text opens nothing; Enter always does.
    const isSelection = detail > 0 && String(getSelection()) !== ''
    if (!one || isSelection) return
    if (one.open) close(one)
    else open(one)
  })

  // Order

  /** What a column is sorted by: numbers, of which a missing one is last, or its text. */
  const valuesOf = (some, column) => {
    const place = keyed.indexOf(headings[column])
    const sortValue = ({ row, keys }) => {
      return place < 0 ? row.cells[column].textContent : (keys[place] ?? Infinity)
    }
    return new Map(some.map((one) => [one, sortValue(one)]))
  }

  const compare = (a, b) => {
    if (a === b) return 0
    return typeof a === 'number' ? a - b : compareText(a, b)
  }

  /** Sorts rows by a column, `-Age` for the reverse order; without one, they keep their first order. */
  const sort = (some, by) => {
    sorted = by
    const isReverse = by.startsWith('-')
    const column = headings.findIndex(({ dataset }) => dataset.title === by.replace('-', ''))
    headings.forEach((heading, index) => {
      if (index !== column) heading.removeAttribute('aria-sort')
      else heading.setAttribute('aria-sort', isReverse ? 'descending' : 'ascending')
    })
    if (column < 0) return some
    const values = valuesOf(some, column)
    const order = some.toSorted((a, b) => compare(values.get(a), values.get(b)))
    return isReverse ? order.reverse() : order
  }

  // Filters

  const textOf = (one) => {
    const details = () => one.details.flat(2).map((number) => data.texts[number])
    one.text ??= [one.row.textContent, ...details()].join(' ').toLowerCase()
    return one.text
  }

  const isFound = (one, text) => !text || textOf(one).includes(text.toLowerCase())

  /** Whether a row has the values that these filters ask for. */
  const hasValues = (one, wanted, names) => {
    return names.every((name) => !wanted[name] || one.values.get(name) === wanted[name])
  }

  const hasVerdict = (one, verdict) => {
    return verdict === 'changed' ? one.isChanged : !verdict || one.verdict === verdict
  }

  /** Shows these rows in this order. The others leave the table, because to move or hide thousands of rows takes long. */
  const place = (order) => {
    shown = order
    const focused = document.activeElement
    bodies.forEach((body, index) => {
      const own = order
        .slice(index * size, (index + 1) * size)
        .flatMap((one) => (one.open ? [one.row, one.open] : [one.row]))
      const isSame =
        own.length === body.rows.length && own.every((row, at) => row === body.rows[at])
      if (!isSame) body.replaceChildren(...own)
      body.hidden = own.length === 0
    })
    // A row that is moved loses the focus.
    focused.focus()
  }

  // Without those that only the earlier review has.
  const flagsOf = (some) => some.filter(({ verdict }) => verdict !== 'gone')

  const linkOf = new Map(verdictLinks.map((link) => [link.dataset.verdict, link]))
  const wordsOf = (link) => link.querySelector('span').textContent

  const archivable = () => shown.filter(({ verdict }) => linkOf.get(verdict)?.dataset.archive)

  /** Says how many flags are shown, and what can be done with them. */
  const describe = (wanted) => {
    const count = flagsOf(shown).length
    const gone = shown.length - count
    const meaning = wanted.verdict ? linkOf.get(wanted.verdict)?.title : undefined
    const counts = `${count} of ${flagsOf(rows).length} flags${gone > 0 ? `, ${gone} gone` : ''}`
    status.textContent = meaning ? `${counts}: ${meaning}` : counts
    nothing.hidden = rows.length === 0 || shown.length > 0
    form.querySelector('[type=reset]').hidden = filters.every((name) => !wanted[name])
    // A page that is served without encryption may not copy.
    copyNames.hidden = !navigator.clipboard || count === 0
    copyArchive.hidden = !navigator.clipboard || archivable().length === 0
    copyNames.textContent = `Copy names (${count})`
    copyArchive.textContent = `Copy archive command (${archivable().length})`
  }

  // The bars of projects

  /** How many of these rows each verdict has. */
  const countVerdicts = (some) => {
    const counts = new Map(verdictLinks.map(({ dataset }) => [dataset.verdict, 0]))
    for (const { verdict, isChanged } of some) {
      counts.set(verdict, counts.get(verdict) + 1)
      if (isChanged) counts.set('changed', counts.get('changed') + 1)
    }
    counts.set('', flagsOf(some).length)
    return counts
  }

  const groupByProject = (some) => Map.groupBy(flagsOf(some), ({ values }) => values.get('project'))

  // Not the counts of all flags and of changed ones.
  const colouredLinks = verdictLinks.filter(({ className }) => className !== '')
  const firstVerdict = colouredLinks[0].dataset.verdict
  const byProject = groupByProject(rows)
  // Of names that are not flags.
  byProject.delete('')
  const most = Math.max(0, ...Array.from(byProject.values(), ({ length }) => length))

  const bars = Array.from(byProject, ([project, own]) => {
    const link = element('a', project)
    link.href = `#${new URLSearchParams({ project })}`
    const bar = element('span')
    bar.className = 'bar'
    bar.role = 'img'
    const text = element('span')
    const first = own.filter(({ verdict }) => verdict === firstVerdict).length
    return { project, link, bar, text, first, item: element('li', link, bar, text) }
  }).sort((a, b) => b.first - a.first || (a.project < b.project ? -1 : 1))
  const links = [...verdictLinks, ...bars.map(({ link }) => link)]

  /** Draws a part for each verdict; the whole bar is as long as its share of the most flags of a project. */
  const drawBar = ({ bar, text }, own, wanted) => {
    const counts = countVerdicts(own)
    const chosen = linkOf.get(wanted || firstVerdict) ?? linkOf.get('')
    const texts = []
    const parts = colouredLinks.map((link) => {
      const count = counts.get(link.dataset.verdict)
      if (count > 0) texts.push(`${count} ${wordsOf(link)}`)
      const part = element('span')
      part.className = link.className
      part.style.width = `${(count * 100) / most}%`
      const isOther = wanted && colouredLinks.includes(chosen) && link !== chosen
      part.style.opacity = isOther ? 0.25 : 1
      return part
    })
    bar.replaceChildren(...parts)
    bar.title = bar.ariaLabel = texts.join(', ')
    text.textContent = `${counts.get(chosen.dataset.verdict)} of ${counts.get('')} ${wordsOf(chosen)}`
  }

  const address = () => new URLSearchParams(location.hash.slice(1))

  /** The filters that a link sets. */
  const filtersOf = ({ hash }) => Array.from(new URLSearchParams(hash.slice(1)))

  /** Shows what the address asks for. */
  const show = () => {
    const parameters = address()
    const wanted = Object.fromEntries(
      [...filters, 'sort'].map((name) => [name, parameters.get(name) ?? '']),
    )
    for (const { name } of [...selects, form.elements.text, form.elements.sort]) {
      if (form.elements[name].value !== wanted[name]) form.elements[name].value = wanted[name]
    }
    const names = selects.map(({ name }) => name).filter((name) => name !== 'project')
    const found = rows.filter((one) => hasValues(one, wanted, names) && isFound(one, wanted.text))
    const counted = found.filter((one) => hasValues(one, wanted, ['project']))
    const chosen = counted.filter((one) => hasVerdict(one, wanted.verdict))
    const isChosen = new Set(chosen)
    for (const one of shown) if (one.open && !isChosen.has(one)) close(one)
    place(sort(chosen, wanted.sort))
    const counts = countVerdicts(counted)
    for (const link of links) {
      const [[name, value]] = filtersOf(link)
      if (wanted[name] === value) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
    }
    for (const link of verdictLinks) {
      link.querySelector('strong').textContent = counts.get(link.dataset.verdict)
    }
    const groups = groupByProject(found)
    for (const bar of bars) drawBar(bar, groups.get(bar.project) ?? [], wanted.verdict)
    describe(wanted)
  }

  /** Changes the address, with an entry in the history for each filter and order, but not for each letter of a search. */
  const change = (changes) => {
    const parameters = address()
    const isTyping = changes.text && parameters.has('text')
    for (const [name, value] of Object.entries(changes)) {
      if (value) parameters.set(name, value)
      else parameters.delete(name)
    }
    if (`${parameters}` === `${address()}`) return
    if (isTyping) history.replaceState(null, '', `#${parameters}`)
    else history.pushState(null, '', `#${parameters}`)
    // From the top of the table, which the controls stay above.
    const { top } = flags.getBoundingClientRect()
    if (top < 0) scrollBy(0, top)
    show()
  }

  const clear = () => change(Object.fromEntries(filters.map((name) => [name, ''])))

  for (const link of links) {
    link.addEventListener('click', (event) => {
      event.preventDefault()
      const isCurrent = link.hasAttribute('aria-current')
      const wanted = filtersOf(link).map(([name, value]) => [name, isCurrent ? '' : value])
      change(Object.fromEntries(wanted))
    })
  }
  for (const heading of headings) {
    const { title, greatestFirst } = heading.dataset
    const button = element('button', title)
    button.type = 'button'
    // The third click is for the first order.
    const orders = greatestFirst === undefined ? [title, `-${title}`] : [`-${title}`, title]
    button.addEventListener('click', () => {
      change({ sort: orders[orders.indexOf(sorted) + 1] ?? '' })
    })
    heading.replaceChildren(button)
  }
  if (table.querySelector('.chart')) {
    const caption = element('small', headings[chart].dataset.chart)
    // As the charts are, which it is about.
    caption.ariaHidden = 'true'
    headings[chart].prepend(caption)
  }
  for (const select of selects) {
    const values = new Set(rows.map((one) => one.values.get(select.name)).filter(Boolean))
    select.append(...[...values].sort().map((value) => element('option', value)))
  }
  form.addEventListener('input', ({ target }) => change({ [target.name]: target.value }))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    shown[0]?.button.focus()
  })
  form.addEventListener('reset', (event) => {
    event.preventDefault()
    clear()
  })
  nothing.querySelector('button').addEventListener('click', clear)
  addEventListener('hashchange', show)

  // Copying

  const copy = async (text, what) => {
    try {
      await navigator.clipboard.writeText(text)
      status.textContent = `Copied ${what}`
    } catch {
      status.textContent = 'The browser refused to copy'
    }
  }

  /** A command for each project; together they are one, of which a question cannot read the rest as its answer. */
  const archiveCommand = () => {
    const wordsOfFlag = ({ words, values, name }) => words ?? [values.get('project'), name]
    const needsFile = ({ verdict }) => 'needsFile' in linkOf.get(verdict).dataset
    const groups = Map.groupBy(archivable(), (one) => wordsOfFlag(one)[0])
    const commands = Array.from(groups, ([project, group]) => {
      const saved = group.find(needsFile)
      const { archive } = linkOf.get((saved ?? group[0]).verdict).dataset
      const file = saved ? ` --save-before archived-${project}.yaml` : ''
      const start = `${archive}${file} --project ${project}`
      const own = group.map((one) => wordsOfFlag(one)[1])
      const isLikeOption = own.some((name) => /^'?-/.test(name))
      return [start, ...(isLikeOption ? ['--'] : []), ...own].join(' ')
    })
    return commands.join(' &&\n')
  }

  copyNames.addEventListener('click', () => {
    const names = flagsOf(shown).map(({ name }) => `${name}\n`)
    copy(names.join(''), `names (${names.length})`)
  })
  copyArchive.addEventListener('click', () => {
    copy(archiveCommand(), `the archive command (${archivable().length})`)
  })

  // Keys

  /** Closes the open row that has the focus, or another one that is open; clears the filters if there is none, or in a filter. */
  const closeOrClear = (target) => {
    const own = shown.find((one) => one.button === target || one.open?.contains(target))
    const one = own?.open ? own : shown.find((other) => other.open)
    if (!one || form.contains(target)) return clear()
    close(one)
    if (own) own.button.focus()
  }

  addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    if (ctrlKey || metaKey || altKey) return
    if (key === 'Escape') closeOrClear(target)
    if (key !== '/' || target.matches('input')) return
    event.preventDefault()
    form.elements.text.focus()
  })

  if (bars.length > 0) {
    const isWide = matchMedia('(min-width: 84rem)').matches
    projects.querySelector('ul').append(...bars.map(({ item }) => item))
    // On a telephone, the flags come first; so they do if there are many projects.
    projects.open = isWide && bars.length <= 12
    projects.hidden = false
  }
  form.hidden = false
  show()
})()
