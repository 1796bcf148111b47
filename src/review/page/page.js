// Opens rows of the table of a review, copies names, sorts and filters. The address has the order and the filters: #verdict=removable&sort=-Age.
;(() => {
  const table = document.querySelector('table')
  const form = document.querySelector('form')
  const status = document.querySelector('[role=status]')
  const nothing = document.querySelector('.nothing')
  const flags = document.querySelector('section[aria-labelledby=flags]')
  const links = Array.from(document.querySelectorAll('a[href^="#"]'))
  const copyNames = document.querySelector('#copy-names')
  const copyArchive = document.querySelector('#copy-archive')
  const { service } = document.querySelector('main').dataset
  const texts = document.querySelector('#texts').textContent.split('\n')
  const bodies = Array.from(table.tBodies)
  const size = bodies[0]?.rows.length ?? 0
  const headings = Array.from(table.tHead.rows[0].cells)
  const columnOf = (title) => headings.findIndex((heading) => heading.dataset.title === title)
  const filters = ['verdict', 'project', 'type', 'text']
  const compareText = new Intl.Collator('en', { numeric: true }).compare
  const keys = new Map()
  let shown = []
  let sorted = ''

  for (const heading of headings) heading.dataset.title = heading.textContent

  const element = (name, ...children) => {
    const made = document.createElement(name)
    made.append(...children)
    return made
  }

  const textsOf = (numbers) => (numbers ? numbers.split(' ').map((number) => texts[number]) : [])

  const [flag, project, type, usage] = ['Flag', 'Project', 'Type', 'Usage'].map(columnOf)
  const [on, reason] = ['On in', 'Reason'].map(columnOf)
  const rows = bodies.flatMap((body) =>
    Array.from(body.rows, (row) => ({
      row,
      keys: row.dataset.keys.split(' '),
      name: row.cells[flag].textContent,
      verdict: row.classList[0],
      isChanged: row.classList.contains('changed'),
      project: row.cells[project].textContent,
      // Without the mark of a stale flag.
      type: row.cells[type].firstChild.textContent,
    })),
  )
  const byRow = new Map(rows.map((one) => [one.row, one]))

  // Charts

  const BAR = 2
  const HEIGHT = 20

  const svg = (name, attributes, ...children) => {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name)
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
    made.append(...children)
    return made
  }

  /** The usage of each hour as a bar, on a line below the hours that the service has. */
  const chartOf = (hours) => {
    const start = hours.lastIndexOf('-') + 1
    const bars = Array.from(hours, (digit, hour) => {
      const height = parseInt(digit, 36)
      return height > 0 ? `M${hour * BAR + 1} ${HEIGHT - 1}v-${height}` : ''
    })
    return svg(
      'svg',
      {
        class: 'chart',
        viewBox: `0 0 ${hours.length * BAR} ${HEIGHT}`,
        preserveAspectRatio: 'none',
        'aria-hidden': 'true',
      },
      svg('path', { class: 'axis', d: `M${start * BAR} ${HEIGHT - 0.5}H${hours.length * BAR}` }),
      svg('path', { d: bars.join('') }),
    )
  }

  // Open rows

  const section = (title, ...children) => element('section', element('h3', title), ...children)
  const listOf = (items) => element('ul', ...items.map((item) => element('li', item)))

  const environmentList = (environments) => {
    const lines = environments.split(',').map((numbers) => {
      return element('li', ...textsOf(numbers).map((text) => element('span', text)))
    })
    const list = element('ul', ...lines)
    list.className = 'environments'
    return list
  }

  /** The page of a flag in the service; undefined for one that is gone, if it has none that lasts, or the name would change its address. */
  const linkOf = ({ name, project, verdict }) => {
    const isPlain = [name, project].every((word) => /^[\w.~-]+$/.test(word))
    if (!service || !isPlain || verdict === 'gone') return undefined
    const link = element('a', 'Open in the service')
    link.href = `${service}/projects/${project}/features/${name}`
    return link
  }

  const detailsOf = (one) => {
    const [reasons, environments, usage, about] = one.row.dataset.details.split(';')
    const { hours } = one.row.dataset
    const link = linkOf(one)
    const facts = [...textsOf(about), ...(link ? [link] : [])]
    const figures = listOf(textsOf(usage))
    const cell = element(
      'td',
      element(
        'div',
        section('Reasons', listOf([one.row.cells[reason].textContent, ...textsOf(reasons)])),
        section(one.name, listOf(facts)),
      ),
    )
    if (environments) cell.append(section('Environments', environmentList(environments)))
    const chart = hours ? [chartOf(hours), element('small', `Chart: ${table.dataset.hours}`)] : []
    cell.append(section('Usage', ...chart, figures))
    cell.colSpan = headings.length
    const details = element('tr', cell)
    details.className = 'details'
    return details
  }

  const close = (one) => {
    one.details.remove()
    one.details = undefined
    one.button.setAttribute('aria-expanded', 'false')
  }

  const open = (one) => {
    one.details = detailsOf(one)
    one.row.after(one.details)
    one.button.setAttribute('aria-expanded', 'true')
    one.details.scrollIntoView({ block: 'nearest' })
    // Its details may not fit.
    one.row.scrollIntoView({ block: 'nearest' })
  }

  for (const one of rows) {
    const text = element('span', one.name)
    one.button = element('button', text)
    one.button.type = 'button'
    one.button.setAttribute('aria-expanded', 'false')
    one.row.cells[flag].replaceChildren(one.button)
    // What may be marked.
    one.texts = [text, ...[project, on, reason].map((column) => one.row.cells[column])]
    const { hours } = one.row.dataset
    if (hours) one.row.cells[usage].prepend(chartOf(hours))
  }

  // The longest name has two lines, if they are not too long; the column is as wide as they need.
  const MAX_LINE = 28
  const lineOf = (length) => length * 0.64 + 2
  const longest = Math.max(0, ...rows.map(({ name }) => name.length))
  const line = Math.min(lineOf(longest), Math.max(18, lineOf(longest / 2 + 6)), MAX_LINE)
  table.style.setProperty('--flag-column', `min(${line}em, 40vw - 16rem)`)
  // Beside a chart and below its title, the most digits are in one line.
  const digits = Math.max(0, ...rows.map(({ row }) => row.cells[usage].textContent.length))
  table.style.setProperty('--usage-column', `max(10rem, 5rem + ${digits * 0.6}em)`)

  table.addEventListener('click', ({ target, detail }) => {
    const one = byRow.get(target.closest('tbody tr'))
    // A click that ends the selection of text opens nothing; Enter is no such click.
    const isSelection = detail > 0 && String(getSelection()) !== ''
    if (!one || isSelection) return
    if (one.details) close(one)
    else open(one)
  })

  // Order

  /** The values that a column is sorted by: numbers, or its text. */
  const keysOf = (column) => {
    if (keys.has(column)) return keys.get(column)
    const { key } = headings[column].dataset
    const values = new Map()
    for (const one of rows) {
      if (key === undefined) values.set(one, one.row.cells[column].textContent)
      else values.set(one, one.keys[key] === '-' ? Infinity : Number(one.keys[key]))
    }
    keys.set(column, values)
    return values
  }

  const compare = (a, b) => {
    if (a === b) return 0
    return typeof a === 'number' ? a - b : compareText(a, b)
  }

  /** The rows by a column, `-Age` for the reverse order; without one, in their first order. */
  const sort = (by) => {
    sorted = by
    const isReverse = by.startsWith('-')
    const column = columnOf(by.replace('-', ''))
    headings.forEach((heading, index) => {
      if (index !== column) heading.removeAttribute('aria-sort')
      else heading.setAttribute('aria-sort', isReverse ? 'descending' : 'ascending')
    })
    if (column < 0) return rows
    const values = keysOf(column)
    const order = rows.toSorted((a, b) => compare(values.get(a), values.get(b)))
    return isReverse ? order.reverse() : order
  }

  // Filters

  const textOf = (one) => {
    if (one.text === undefined) {
      const numbers = one.row.dataset.details.match(/\d+/g) ?? []
      const details = numbers.map((number) => texts[number])
      one.text = `${one.row.textContent} ${details.join(' ')}`.toLowerCase()
    }
    return one.text
  }

  /** Whether a row passes the filters besides the one for the verdict. */
  const isWanted = (one, { project, type, text }) =>
    (!project || one.project === project) &&
    (!type || one.type === type) &&
    (!text || textOf(one).includes(text.toLowerCase()))

  /** Marks what the search has found in the cells of a row; an empty text removes the marks. */
  const mark = (one, pattern) => {
    if (!pattern && !one.isMarked) return
    one.isMarked = pattern !== undefined
    for (const cell of one.texts) {
      const parts = pattern ? cell.textContent.split(pattern) : [cell.textContent]
      cell.replaceChildren(
        ...parts.map((part, index) => (index % 2 ? element('mark', part) : part)),
      )
    }
  }

  const patternOf = (text) => {
    return text ? new RegExp(`(${text.replace(/\W/g, '\\$&')})`, 'i') : undefined
  }

  const hasVerdict = (one, { verdict }) => {
    return verdict === 'changed' ? one.isChanged : !verdict || one.verdict === verdict
  }

  /** Shows rows in this order. The groups of the table are filled anew, with what is shown first. */
  const place = (order) => {
    shown = order.filter(({ row }) => !row.hidden)
    const placed = [...shown, ...order.filter(({ row }) => row.hidden)]
    const focused = document.activeElement
    bodies.forEach((body, index) => {
      const own = placed.slice(index * size, (index + 1) * size)
      body.append(...own.flatMap(({ row, details }) => (details ? [row, details] : [row])))
      body.hidden = index * size >= shown.length
    })
    // A row that is moved loses the focus.
    focused.focus()
  }

  // Without those that only the earlier review has.
  const flagsOf = (some) => some.filter(({ verdict }) => verdict !== 'gone')

  const counted = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`

  const removable = () => {
    return shown.filter(({ verdict }) => verdict === 'removable' || verdict === 'still-on')
  }

  const nothingText = ({ verdict, project, type, text }) => {
    if (text)
      return `No flags match “${text}”${verdict || project || type ? ' and the other filters' : ''}.`
    if (project || type) return 'No flags match the filters.'
    return `No flags are ${verdict.replaceAll('-', ' ')}.`
  }

  /** Says how many flags are shown, and what can be done with them. */
  const describe = (wanted) => {
    const chosen = links.find(({ hash }) => wanted.verdict && hash === `#verdict=${wanted.verdict}`)
    const count = flagsOf(shown).length
    const gone = shown.length - count
    const total = flagsOf(rows).length
    const all = counted(total, 'flag')
    const present = count === total ? all : `${count} of ${all}`
    const counts = gone > 0 ? `${present}, ${gone} gone` : present
    status.textContent = chosen ? `${counts}: ${chosen.title}` : counts
    nothing.hidden = rows.length === 0 || shown.length > 0
    nothing.firstElementChild.textContent = nothingText(wanted)
    form.querySelector('[type=reset]').hidden = filters.every((name) => !wanted[name])
    // A page that is served without encryption may not copy.
    copyNames.hidden = !navigator.clipboard || count === 0
    copyArchive.hidden = !navigator.clipboard || removable().length === 0
    copyNames.textContent = `Copy ${counted(count, 'name')}`
    copyArchive.textContent = `Copy archive command (${removable().length})`
  }

  const address = () => new URLSearchParams(location.hash.slice(1))

  /** The filters that a link sets. */
  const filtersOf = ({ hash }) => Array.from(new URLSearchParams(hash.slice(1)))

  /** Shows what the address asks for. */
  const show = () => {
    const parameters = address()
    const wanted = Object.fromEntries(filters.map((name) => [name, parameters.get(name) ?? '']))
    for (const name of ['project', 'type', 'text']) {
      if (form.elements[name].value !== wanted[name]) form.elements[name].value = wanted[name]
    }
    const counts = { '': 0, changed: 0 }
    for (const one of rows) {
      const isCounted = isWanted(one, wanted)
      one.row.hidden = !isCounted || !hasVerdict(one, wanted)
      if (one.row.hidden && one.details) close(one)
      if (!isCounted) continue
      counts[''] += one.verdict === 'gone' ? 0 : 1
      counts.changed += one.isChanged ? 1 : 0
      counts[one.verdict] = (counts[one.verdict] ?? 0) + 1
    }
    place(sort(parameters.get('sort') ?? ''))
    const pattern = patternOf(wanted.text)
    for (const one of rows) mark(one, one.row.hidden ? undefined : pattern)
    for (const link of links) {
      const [[name, value]] = filtersOf(link)
      if (wanted[name] === value) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
      if (name === 'verdict') link.querySelector('strong').textContent = counts[value] ?? 0
    }
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

  const clear = () => change({ verdict: '', project: '', type: '', text: '' })

  for (const link of links) {
    link.addEventListener('click', (event) => {
      event.preventDefault()
      const isCurrent = link.hasAttribute('aria-current')
      const wanted = filtersOf(link).map(([name, value]) => [name, isCurrent ? '' : value])
      change(Object.fromEntries(wanted))
    })
  }
  for (const heading of headings) {
    const { title } = heading.dataset
    const button = element('button', title)
    button.type = 'button'
    const [first, second] = [title, `-${title}`]
    // The third click is for the first order. Of usage, the most is asked for.
    const orders = title === 'Usage' ? [second, first] : [first, second]
    button.addEventListener('click', () => {
      change({ sort: orders[orders.indexOf(sorted) + 1] ?? '' })
    })
    heading.replaceChildren(button)
  }
  if (table.querySelector('.chart')) {
    const caption = element('small', table.dataset.hours)
    // As the charts are, which it is about.
    caption.ariaHidden = 'true'
    headings[usage].prepend(caption)
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

  /** A word of a command, in quotation marks if a shell would change it. */
  const shellWord = (word) => {
    return /^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
  }

  /** A command for each project; together they are one, of which a question cannot read the rest as its answer. */
  const archiveCommand = () => {
    const names = new Map()
    for (const { name, project } of removable()) {
      const own = names.get(project) ?? []
      own.push(name)
      names.set(project, own)
    }
    const commands = Array.from(names, ([project, own]) => {
      const words = own.some((name) => name.startsWith('-')) ? ['--', ...own] : own
      const given = [project, ...words].map(shellWord).join(' ')
      return `${copyArchive.dataset.command} --project ${given}`
    })
    return commands.join(' &&\n')
  }

  copyNames.addEventListener('click', () => {
    const names = flagsOf(shown).map(({ name }) => `${name}\n`)
    copy(names.join(''), counted(names.length, 'name'))
  })
  copyArchive.addEventListener('click', () => {
    copy(archiveCommand(), `the command for ${counted(removable().length, 'flag')}`)
  })

  // Keys

  /** Closes the open row that has the focus, or another one that is open; clears the filters if there is none, or in a filter. */
  const closeOrClear = (target) => {
    const isOpen = ({ details }) => details
    const own = shown.find(({ button, details }) => button === target || details?.contains(target))
    const one = own?.details ? own : shown.find(isOpen)
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

  table.addEventListener('keydown', (event) => {
    const index = shown.findIndex(({ button }) => button === event.target)
    const next = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      Home: 0,
      End: shown.length - 1,
    }[event.key]
    if (next === undefined || index < 0) return
    event.preventDefault()
    shown[next]?.button.focus()
  })

  form.elements.text.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    shown[0]?.button.focus()
  })

  // On a telephone, the flags come first.
  const projects = document.querySelector('details')
  if (projects && matchMedia('(max-width: 43.99rem)').matches) projects.open = false
  form.hidden = false
  show()
})()
