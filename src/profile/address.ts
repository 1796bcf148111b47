import { FlagadmError } from '../errors.ts'
import { isLoopback } from '../input/values.ts'

const withoutScheme = /^(localhost|[\w-]+(?:\.[\w-]+)+|\[::1\])(?::\d{1,5})?(?:\/[\w./-]*)?$/
const apiSuffix = /\/api(\/(admin|client))?\/?$/

function parse(text: string, from: string): URL {
  if (URL.canParse(text) && /^https?:/.test(new URL(text).protocol)) return new URL(text)
  // `host:port` parses as a URL whose scheme is `host:`.
  const [, host] = withoutScheme.exec(text) ?? []
  const full = host && `${isLoopback(host) ? 'http' : 'https'}://${text}`
  // Other text is not shown, because it may be an API key given by mistake.
  const value = full ? `'${text}' is ` : ''
  throw new FlagadmError('configuration', `${from}: ${value}not an http or https address`, {
    hint: `write it in full, for example ${full ?? 'https://flags.example.com'}`,
  })
}

/**
 * Checks the address of a service (`base_url` of the specification) and returns it without a
 * trailing slash.
 * @param from where the address was given, for errors
 * @throws a configuration error if the address is malformed or unsafe for a key
 */
export function checkAddress(text: string, from: string, allowHttp: boolean | undefined): string {
  const url = parse(text, from)
  const refuse = (what: string, hint: string): never => {
    throw new FlagadmError('configuration', `${from}: ${what}`, { hint })
  }
  const plain = `${url.origin}${url.pathname}`.replace(/\/+$/, '')
  if (url.username || url.password)
    refuse('an address must not contain a user name or password', `use ${plain}`)
  if (/[?#]/.test(text)) {
    refuse('an address must not contain a query or fragment', `use ${plain}`)
  }
  if (apiSuffix.test(url.pathname)) {
    refuse(`${plain} already contains the path of the API`, `use ${plain.replace(apiSuffix, '')}`)
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !allowHttp) {
    const hint =
      'use https, or --allow-http (allowHttp: true in the profile) in a network you trust'
    refuse(`${plain} would send the API key unencrypted`, hint)
  }
  return plain
}
