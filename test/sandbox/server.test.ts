import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import type { Sandbox } from '../../src/sandbox/server.ts'
import { call, put, usage, withSandbox } from './support.ts'

function dial(sandbox: Sandbox): Socket {
  return connect(Number(new URL(sandbox.url).port), '127.0.0.1')
}

test('the log has a line for each request, without the key', async () => {
  const lines: string[] = []
  let changes = 0
  await withSandbox(
    async (sandbox) => {
      await put(sandbox, 'default', { mode: 'protected' })
      await put(sandbox, 'default', { mode: 'closed' })
      await usage(sandbox, 'unused?key=secret')
      await call(sandbox, 'GET', '/%1b', { key: null })
    },
    { log: (line) => lines.push(line), onChange: () => changes++ },
  )
  expect([lines, changes]).toEqual([
    [
      'PUT /api/admin/projects/default/settings 200',
      'PUT /api/admin/projects/default/settings 400',
      'GET /api/admin/client-metrics/features/unused 200',
      'GET /%1b 401',
    ],
    1,
  ])
})

test('the keys are fixed and look like the keys of the service', () =>
  withSandbox(async ({ keys }) => {
    expect(keys).toEqual({
      full: '*:*.5a9db0c500000000000000000000000000000000f011acce55',
      none: '*:*.5a9db0c500000000000000000000000000000000dead10cced',
    })
  }))

test('each sandbox keeps its own settings', () =>
  withSandbox(async (first) => {
    await put(first, 'default', { mode: 'private' })
    await withSandbox(async (second) => {
      expect(second.project('default')?.mode).toBe('open')
    })
    expect(first.project('default')?.mode).toBe('private')
    expect(first.project('nowhere')).toBeUndefined()
  }))

test('the address has the host and the chosen port', () =>
  withSandbox(async ({ url }) => {
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/)
  }))

test('an IPv6 address is in brackets', () =>
  withSandbox(
    async (sandbox) => {
      expect(sandbox.url).toMatch(/^http:\/\/\[::1\]:\d+$/)
      expect(await usage(sandbox, 'unused')).toMatchObject({ status: 200 })
    },
    { host: '::1' },
  ))

test('a port in use fails the start', () =>
  withSandbox(async ({ url }) => {
    const port = Number(new URL(url).port)
    await expect(withSandbox(async () => {}, { port })).rejects.toMatchObject({
      kind: 'usage',
      cause: { code: 'EADDRINUSE' },
    })
  }))

test('an empty host is this machine, and never the network', () =>
  withSandbox(
    async ({ url }) => {
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:/)
    },
    { host: '' },
  ))

test('closing drops a connection whose request is half sent, and can be repeated', () =>
  withSandbox(async (sandbox) => {
    const socket = dial(sandbox)
    socket.write('PUT /api/admin/projects/default/settings HTTP/1.1\r\nHost: a\r\n')
    socket.write('Expect: 100-continue\r\nContent-Length: 50\r\n\r\n{')
    await once(socket, 'data')
    // The sandbox would respond with 408 if it waited for the rest of the request.
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    const closed = new Promise((resolve) => socket.on('error', () => {}).on('close', resolve))
    await sandbox.close()
    await closed
    await sandbox.close()
    expect(text).toBe('')
    await expect(usage(sandbox, 'unused')).rejects.toThrow('fetch failed')
  }))

test('the sandbox continues after a client disconnects during its request', () =>
  withSandbox(async (sandbox) => {
    const head = 'PUT /api/admin/projects/default/settings HTTP/1.1\r\nHost: a\r\n'
    for (const rest of ['', 'Content-Length: 50\r\n\r\n{', 'Content-Length: 999999\r\n\r\n{']) {
      const socket = dial(sandbox)
      socket.write(head + rest, () => socket.resetAndDestroy())
      await once(socket, 'close')
    }
    expect(await usage(sandbox, 'unused')).toMatchObject({ status: 200 })
  }))
