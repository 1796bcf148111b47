import { expect, test } from 'vitest'
import { environment, flagadm } from '../support/flagadm.ts'
import { serve } from '../support/server.ts'

/** Runs flagadm against a web server that has a page for every path, with the status 404. */
async function onWebServer(argv: readonly string[], type = 'text/html; charset=utf-8') {
  const { url } = await serve((response) => {
    response.writeHead(404, { 'Content-Type': type }).end('<!doctype html><h1>Not found</h1>')
  })
  const { code, stderr, stdout } = await flagadm(argv, { env: environment(url) })
  return { code, output: (stdout + stderr).replaceAll(url, 'http://service') }
}

test.each([
  ['feature usage some-flag'],
  ['feature usage some-flag --since 48h'],
  ['feature list --project default'],
  ['feature review --project default'],
  ['project list'],
  ['project settings get default'],
  ['project settings set default --mode open --yes'],
  ['naming lint --project default'],
  ['naming check a --project default'],
])('%s explains a page with 404 as a wrong address', async (line) => {
  const { code, output } = await onWebServer(line.split(' '))
  expect(code).toBe(8)
  expect(output).toMatch(/404: http:\/\/service\/api\/\S+ returned an HTML page instead of JSON/)
  expect(output).toContain('check the base URL: its path prefix may be missing or wrong')
})

test('a 404 without a page means that something does not exist', async () => {
  const { code } = await onWebServer(['feature', 'usage', 'some-flag'], 'text/plain')
  expect(code).toBe(6)
})
