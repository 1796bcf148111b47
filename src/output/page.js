// Sorts and filters the table of a review, and keeps both in the address: #verdict=removable&sort=-Age.
;(() => {
  const table = document.querySelector('table')
  const form = document.querySelector('form')
  const status = document.querySelector('[role=status]')
  const bodies = Array.from(table.tBodies)
  const links = document.querySelectorAll('a[href^="#"]')
  const headings = Array.from(table.tHead.rows[0].cells)
  const filters = ['verdict', 'project', 'type', 'text']
  const rows = bodies.flatMap((body) => Array.from(body.rows, (row) => ({ row, ...row.dataset })))
  const size = bodies[0]?.rows.length ?? 0
  const compareText = new Intl.Collator('en', { numeric: true }).compare
  const keys = new Map()
  let sorted = ''

  /** The values that a column is sorted by: numbers, or its text. */
  const keysOf = (column) => {
    if (keys.has(column)) return keys.get(column)
    const values = new Map()
    for (const one of rows) {
      const { dataset, textContent } = one.row.cells[column]
      const { key } = dataset
      values.set(one, key === undefined ? textContent : key === '' ? Infinity : Number(key))
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
    const column = headings.findIndex(({ dataset }) => dataset.title === by.replace('-', ''))
    headings.forEach((heading, index) => {
      if (index !== column) heading.removeAttribute('aria-sort')
      else heading.setAttribute('aria-sort', isReverse ? 'descending' : 'ascending')
    })
    if (column < 0) return rows
    const values = keysOf(column)
    const order = rows.toSorted((a, b) => compare(values.get(a), values.get(b)))
    return isReverse ? order.reverse() : order
  }

  const textOf = (one) => {
    one.text ??= one.row.textContent.toLowerCase()
    return one.text
  }

  const isShown = (one, { verdict, project, type, text }) =>
    (!verdict || one.verdict === verdict) &&
    (!project || one.project === project) &&
    (!type || one.type === type) &&
    (!text || textOf(one).includes(text.toLowerCase()))

  /** Shows rows in this order. The groups of the table are filled anew, with what is shown first. */
  const place = (order, wanted) => {
    for (const one of rows) one.row.hidden = !isShown(one, wanted)
    const shown = order.filter(({ row }) => !row.hidden)
    const placed = [...shown, ...order.filter(({ row }) => row.hidden)].map(({ row }) => row)
    bodies.forEach((body, index) => {
      body.append(...placed.slice(index * size, (index + 1) * size))
      body.hidden = index * size >= shown.length
    })
    const all = rows.length === 1 ? '1 flag' : `${rows.length} flags`
    status.textContent = shown.length === rows.length ? all : `${shown.length} of ${all}`
  }

  const address = () => new URLSearchParams(location.hash.slice(1))

  /** Shows what the address asks for. */
  const show = () => {
    const parameters = address()
    const wanted = {}
    for (const name of filters) {
      wanted[name] = parameters.get(name) ?? ''
      if (form.elements[name].value !== wanted[name]) form.elements[name].value = wanted[name]
    }
    place(sort(parameters.get('sort') ?? ''), wanted)
    for (const link of links) {
      if (link.hash === location.hash) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
    }
  }

  /** Changes the address without another entry in the history. */
  const change = (changes) => {
    const parameters = address()
    for (const [name, value] of Object.entries(changes)) {
      if (value) parameters.set(name, value)
      else parameters.delete(name)
    }
    history.replaceState(null, '', `#${parameters}`)
    show()
  }

  for (const heading of headings) {
    const title = heading.textContent
    const button = document.createElement('button')
    button.textContent = title
    button.addEventListener('click', () => change({ sort: sorted === title ? `-${title}` : title }))
    heading.dataset.title = title
    heading.replaceChildren(button)
  }
  form.addEventListener('input', ({ target }) => change({ [target.name]: target.value }))
  form.addEventListener('submit', (event) => event.preventDefault())
  form.addEventListener('reset', (event) => {
    event.preventDefault()
    change({ verdict: '', project: '', type: '', text: '' })
  })
  addEventListener('hashchange', show)
  form.hidden = false
  show()
})()
