import { expect, onTestFinished } from 'vitest'
import type { Seed } from '../../src/sandbox/seed.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts'

export const smallSeed: Seed = {
  projects: [
    { id: 'default', mode: 'open' },
    {
      id: 'checkout',
      mode: 'protected',
      featureNaming: { pattern: 'checkout-.+', example: 'checkout-pay', description: 'Team first' },
    },
    { id: 'team a/b', mode: 'open' },
  ],
  flags: [
    {
      name: 'checkout-pay',
      project: 'checkout',
      usage: [
        {
          appName: 'web-shop',
          environment: 'production',
          timestamp: '2026-02-01T09:00:00.000Z',
          yes: 900,
          no: 100,
          variants: { blue: 450, green: 450 },
        },
        { appName: 'mobile-ios', environment: 'staging', yes: 12, no: 0, variants: { blue: 5 } },
        { appName: 'web-shop', environment: 'staging', yes: 0, no: 7 },
      ],
      seenApplications: ['web-shop', 'mobile-ios', 'back-office'],
    },
    { name: 'unused', project: 'default' },
    { name: 'über/flag', project: 'default' },
  ],
}

interface Call {
  /** Null sends no header. */
  key?: string | null
  type?: string | null
  body?: string | Uint8Array
}

/** A sandbox that is closed after the test, and requests to it. */
export async function open(options: Partial<SandboxOptions> = {}) {
  const sandbox: Sandbox = await startSandbox({
    host: '127.0.0.1',
    port: 0,
    seed: smallSeed,
    frozen: false,
    now: () => Date.parse('2026-03-02T10:20:00Z'),
    log: () => {},
    ...options,
  })
  onTestFinished(() => sandbox.close())

  /** Sends a request; returns the status, content type and body of the response. */
  async function call(method: string, path: string, given: Call = {}) {
    const { key = sandbox.keys.full, type = 'application/json', body } = given
    const response = await fetch(`${sandbox.url}${path}`, {
      method,
      headers: {
        ...(key !== null && { Authorization: key }),
        ...(type !== null && { 'Content-Type': type }),
      },
      ...(body !== undefined && { body }),
    })
    const text = await response.text()
    const contentType = response.headers.get('content-type')
    return { status: response.status, contentType, body: text ? JSON.parse(text) : null }
  }

  return {
    ...sandbox,
    call,
    /** The body of a successful read. */
    async read(path: string) {
      const { status, body } = await call('GET', `/api/admin/${path}`)
      expect(status).toBe(200)
      return body
    },
    /** Updates the settings of a project. */
    put(project: string, settings: unknown) {
      const body = JSON.stringify(settings)
      return call('PUT', `/api/admin/projects/${project}/settings`, { body })
    },
  }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A refusal with this status, name and message. */
export function refusal(status: number, name: string, message: string) {
  const body = { id: expect.stringMatching(uuid), name, message }
  return { status, contentType: 'application/json', body }
}

export const done = { status: 200, contentType: null, body: null }
