// Ours, because loading the global classes (undici) takes as long as a request.

type HeadersInit = ConstructorParameters<typeof Headers>[0]

/** Headers in memory. Names must be in lower case. */
export class HeaderMap implements Headers {
  readonly #values = new Map<string, string>()

  constructor(init: HeadersInit = {}) {
    const entries = Array.isArray(init) || init instanceof HeaderMap ? init : Object.entries(init)
    for (const [name = '', value = ''] of entries) this.set(name, String(value))
  }

  get = (name: string) => this.#values.get(name) ?? null
  has = (name: string) => this.#values.has(name)
  set = (name: string, value: string) => void this.#values.set(name, value)
  append = this.set
  delete = (name: string) => void this.#values.delete(name)
  getSetCookie = () => []
  keys = () => this.#values.keys()
  values = () => this.#values.values()
  entries = () => this.#values.entries();
  [Symbol.iterator] = this.entries
  forEach = (use: (value: string, name: string, headers: Headers) => void) => {
    for (const [name, value] of this.#values) use(value, name, this)
  }
}

const onlyText = () => Promise.reject(new Error('the body can only be read as text'))

/** A response whose body is read with `text`. */
export class TextResponse implements Response {
  readonly status: number
  readonly ok: boolean
  readonly headers: Headers
  readonly text: () => Promise<string>
  /** Null, so that ofetch leaves the reading to the caller. */
  readonly body = null
  readonly bodyUsed = false
  readonly statusText = ''
  readonly type = 'default'
  readonly url = ''
  readonly redirected = false
  readonly json = onlyText
  readonly blob = onlyText
  readonly formData = onlyText
  readonly arrayBuffer = onlyText

  constructor(status: number, headers: Headers, text: () => Promise<string>) {
    this.status = status
    this.ok = status >= 200 && status < 300
    this.headers = headers
    this.text = text
  }

  clone = () => this
}
