// Sorts and filters the table of a review, and keeps both in the address: #verdict=removable&sort=-Age.
;(() => {
  const table = document.querySelector('table')
  const form = document.querySelector('form')
  const status = document.querySelector('[role=status]')
  const body = table.tBodies[0]
  const links = document.querySelectorAll('a[href^="#"]')
  const headings = Array.from(table.tHead.rows[0].cells)
  const filters = ['verdict', 'project', 'type', 'text']
  const rows = Array.from(body.rows, (row) => ({ row, ...row.dataset }))
  const compareText = new Intl.Collator('en', { numeric: true }).compare
  const keys = new Map()
  let sorted = ''

  /** The values that a column is sorted by: numbers, or its text. */
  const keysOf = (column) => {
    if (keys.has(column)) return keys.get(column)
    const values = new Map()
    for (const { row } of rows) {
      const { dataset, textContent } = row.cells[column]
      const { key } = dataset
      values.set(row, key === undefined ? textContent : key === '' ? Infinity : Number(key))
    }
    keys.set(column, values)
    return values
  }

  const compare = (a, b) => {
    if (a === b) return 0
    return typeof a === 'number' ? a - b : compareText(a, b)
  }

  /** Puts the rows in the order of a column, `-Age` for the reverse one; without one, in the first order. */
  const sort = (by) => {
    if (by === sorted) return
    sorted = by
    const isReverse = by.startsWith('-')
    const column = headings.findIndex(({ dataset }) => dataset.title === by.replace('-', ''))
    const order = rows.map(({ row }) => row)
    if (column >= 0) {
      const values = keysOf(column)
      order.sort((a, b) => compare(values.get(a), values.get(b)))
      if (isReverse) order.reverse()
    }
    headings.forEach((heading, index) => {
      if (index !== column) heading.removeAttribute('aria-sort')
      else heading.setAttribute('aria-sort', isReverse ? 'descending' : 'ascending')
    })
    body.append(...order)
  }

  const textOf = (one) => {
    one.text ??= one.row.textContent.toLowerCase()
    return one.text
  }

  const filter = (wanted) => {
    const text = wanted.text.toLowerCase()
    let count = 0
    for (const one of rows) {
      const isShown =
        (!wanted.verdict || one.verdict === wanted.verdict) &&
        (!wanted.project || one.project === wanted.project) &&
        (!wanted.type || one.type === wanted.type) &&
        (!text || textOf(one).includes(text))
      if (one.row.hidden === isShown) one.row.hidden = !isShown
      if (isShown) count++
    }
    status.textContent =
      count === rows.length ? `${count} flags` : `${count} of ${rows.length} flags`
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
    filter(wanted)
    sort(parameters.get('sort') ?? '')
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
