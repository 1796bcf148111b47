import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { Sandbox } from '../../src/sandbox/server.ts'
import { call, put, refusal, usage, withSandbox } from './support.ts'

function dial(sandbox: Sandbox): Socket {
  return connect(Number(new URL(sandbox.url).port), '127.0.0.1')
}

/** Sends text, leaves the connection open, and returns what the sandbox sends before it closes it. */
async function exchange(sandbox: Sandbox, text: string): Promise<string> {
  const socket = dial(sandbox)
  socket.write(text)
  let response = ''
  for await (const chunk of socket) response += chunk
  return response
}

function bodyOf(response: string): unknown {
  return JSON.parse(response.slice(response.indexOf('\r\n\r\n')))
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

test('a port in use fails the start with the system error', () =>
  withSandbox(async ({ url }) => {
    const port = Number(new URL(url).port)
    await expect(withSandbox(async () => {}, { port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    })
  }))

test('an empty host is refused, because it would open the sandbox to the network', async () => {
  await expect(withSandbox(async () => {}, { host: '' })).rejects.toMatchObject({
    kind: 'usage',
    message: '--host is empty',
    hint: 'use --host with an address such as 127.0.0.1',
  })
})

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

describe('the Host header', () => {
  const request = (host: string) =>
    `GET /api/admin/client-metrics/features/unused HTTP/1.1\r\n${host}Connection: close\r\n\r\n`
  const status = async (sandbox: Sandbox, host: string) =>
    Number((await exchange(sandbox, request(host))).split(' ')[1])

  test.each(['localhost', 'LOCALHOST:4242', '127.0.0.1:1', '127.1.2.3', '[::1]:4242'])(
    'may be %s',
    (host) =>
      withSandbox(async (sandbox) => {
        // No key was sent.
        expect(await status(sandbox, `Host: ${host}\r\n`)).toBe(401)
      }),
  )

  test.each([
    'evil.example',
    'evil.example:4242',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '10.0.0.1',
    '',
  ])('of another host, as sent after DNS rebinding, is refused: %j', (host) =>
    withSandbox(async (sandbox) => {
      const response = await exchange(sandbox, request(`Host: ${host}\r\n`))
      expect(response).toMatch(/^HTTP\/1\.1 421 Misdirected Request\r\n/)
      expect(bodyOf(response)).toEqual(
        refusal(
          421,
          'MisdirectedRequestError',
          'The Host header is not an address of the sandbox; use its address or localhost',
        ).body,
      )
    }),
  )

  test('is required', () =>
    withSandbox(async (sandbox) => {
      const response = await exchange(sandbox, 'GET / HTTP/1.0\r\n\r\n')
      expect(response).toMatch(/^HTTP\/1\.1 421 /)
    }))

  test.runIf(process.platform === 'linux')('can be the address of the connection', () =>
    withSandbox(
      async (sandbox) => {
        expect(await status(sandbox, 'Host: 127.0.0.1\r\n')).toBe(401)
        expect(await status(sandbox, 'Host: 0.0.0.0:1\r\n')).toBe(401)
        expect(await status(sandbox, 'Host: 192.0.2.1\r\n')).toBe(421)
      },
      { host: '0.0.0.0' },
    ),
  )
})
