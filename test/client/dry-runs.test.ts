import { describe, expect, test } from 'vitest'
import { flagadm } from '../support/flagadm.ts'
import { writes } from '../support/operations.ts'
import { serve } from '../support/server.ts'

describe.each(writes)('a dry run of %s', (_name, { argv, request }) => {
  const { method, path, body } = request

  /** Runs it with an address but without a key. */
  async function dryRun(...more: string[]) {
    const server = await serve((response) => response.writeHead(500).end())
    const env = { FLAGADM_BASE_URL: server.url }
    const command = argv.filter((arg) => arg !== '--quiet' && arg !== '--yes')
    const outcome = await flagadm([...command, '--dry-run', ...more], { env })
    return { ...outcome, ...server }
  }

  test('shows the request and sends nothing', async () => {
    const { code, stdout, stderr, url, received } = await dryRun()
    expect([code, received]).toEqual([0, []])
    expect(stdout).toContain(`${method} ${url}${path}\n`)
    expect(stdout.replaceAll(/\s/g, '')).toContain(body)
    expect(stderr).toMatch(/(?:^|\n)note: dry run: nothing was sent\n$/)
  })

  test('shows the request in JSON', async () => {
    const { code, stdout, url, received } = await dryRun('--json')
    expect([code, received]).toEqual([0, []])
    const shown = { dryRun: true, method, url: url + path, body: JSON.parse(body) }
    expect(JSON.parse(stdout)).toMatchObject(shown)
  })
})
