import { isIPv6 } from 'node:net'
import { isLoopback } from '../input/values.ts'

/** An IP address as it appears in a URL; IPv4 addresses mapped to IPv6 as IPv4. */
export function urlHost(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  return isIPv6(plain) ? `[${plain}]` : plain
}

/**
 * Whether a `Host` header names the sandbox: a loopback name, the host that it was told to listen on
 * or the address that the connection was made to. A web page whose domain resolves to this machine
 * (DNS rebinding) sends the name of that domain.
 */
export function isOwnHost(header: string, host: string, localAddress: string): boolean {
  const name = header.replace(/:\d*$/, '').toLowerCase()
  return (
    isLoopback(name) ||
    name === urlHost(host).toLowerCase() ||
    name === urlHost(localAddress).toLowerCase()
  )
}
