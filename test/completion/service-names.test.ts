import { describe, expect, it } from 'vitest'
import { patientClock } from '../support/clock.ts'
import { CANARY, environment, flagadm, type World } from '../support/flagadm.ts'
import { sandboxOf } from '../support/sandbox.ts'
import { json, serve } from '../support/server.ts'

/** The candidates for the last word, without the line with what else to complete. */
async function offered(words: readonly string[], world: World): Promise<string[]> {
  const { code, stdout, stderr } = await flagadm(['complete', '--', ...words], world)
  expect([code, stderr, stdout.endsWith(':\n')]).toEqual([0, '', true])
  return stdout
    .slice(0, -2)
    .split('\n')
    .filter(Boolean)
    .map((line) => line.replace(/\t$/, ''))
}

const usage = ['feature', 'usage']

function flagsOf(project: string, ...names: string[]) {
  return names.map((name) => ({ name, project, usage: [], seenApplications: [] }))
}

function service(log: string[] = []) {
  const projects = ['checkout', 'default'].map((id) => ({ id, mode: 'open' as const }))
  const flags = [...flagsOf('checkout', 'banner', 'basket'), ...flagsOf('default', 'dark-mode')]
  return sandboxOf(projects, { seed: { projects, flags }, log: (line) => log.push(line) })
}

describe('flagadm complete offers from the service', () => {
  it.each([
    ['ids of projects', ['project', 'settings', 'get', ''], ['checkout', 'default']],
    ['ids that are not given yet', ['project', 'settings', 'get', 'default', ''], ['checkout']],
    ['ids after an option', ['feature', 'list', '--project', 'ch'], ['checkout']],
    ['ids after =', [...usage, '--project=d'], ['--project=default']],
    ['names of flags', [...usage, 'b'], ['banner', 'basket']],
    ['names that are not given yet', [...usage, 'banner', 'b'], ['basket']],
    ['flags of a project', [...usage, '--project', 'default', ''], ['dark-mode']],
    ['flags of all projects', [...usage, '--project', '*', 'd'], ['dark-mode']],
    ['flags to find in source code', ['feature', 'references', 'd'], ['dark-mode']],
    ['flags to list', ['feature', 'list', '--name', 'ba'], ['banner', 'basket']],
    ['no flags as names to check', ['naming', 'check', ''], []],
  ])('%s', async (_what, words, names) => {
    const { env } = await service()
    expect(await offered(words, { env })).toEqual(names)
  })

  it('with the profile and the options of the command line', async () => {
    const { url, keys } = await service()
    const profile = `profiles:\n  a:\n    baseUrl: http://127.0.0.1:1\n    apiKeyEnv: KEY\n`
    const files = {
      'home/.config/flagadm/config.yaml': profile.replace('127.0.0.1:1', url.slice(7)),
    }
    expect(await offered(['-p', 'a', ...usage, 'd'], { files, env: { KEY: keys.full } })).toEqual([
      'dark-mode',
    ])
    const env = { FLAGADM_API_KEY: keys.full }
    expect(await offered(['--base-url', url, ...usage, 'd'], { env })).toEqual(['dark-mode'])
    expect(await offered(['-p', 'sandbox', ...usage, 'dark'], {})).toEqual(['dark-mode'])
  })

  it('nothing if it does not answer in time', async () => {
    const { url, received } = await serve(() => {})
    const env = environment(url)
    expect(await offered([...usage, ''], { env })).toEqual([])
    expect(received.map((request) => request.url)).toEqual(['/api/admin/projects'])
    const { clock } = patientClock()
    expect(await offered(['project', 'settings', 'get', ''], { env, clock })).toEqual([])
  })

  it('nothing if the list of a single project does not arrive in time', async () => {
    const projects = ['a', 'b'].map((id) => ({ id, name: id }))
    const { url } = await serve((response, request) => {
      if (request.url.endsWith('/projects')) return json(response, 200, { version: 1, projects })
      if (request.url.includes('/a/')) return json(response, 200, { features: [{ name: 'one' }] })
      return undefined
    })
    expect(await offered([...usage, ''], { env: environment(url) })).toEqual([])
  })

  it.each([
    ['an error', 401, '{}'],
    ['another error', 503, '{}'],
    ['no JSON', 200, '<html>'],
    ['the wrong shape', 200, '{"projects":[{}]}'],
  ])('nothing if it answers with %s, and asks only once', async (_what, status, body) => {
    const { url, received } = await serve((response) => json(response, status, body))
    expect(await offered([...usage, ''], { env: environment(url) })).toEqual([])
    expect(received.length).toBe(1)
  })

  it('no flags of more than 20 projects', async () => {
    const projects = Array.from({ length: 21 }, (_, id) => ({
      id: `p${id}`,
      mode: 'open' as const,
    }))
    const sandbox = await sandboxOf(projects)
    expect(await offered([...usage, ''], sandbox)).toEqual([])
    expect(sandbox.requests()).toEqual(['GET /api/admin/projects 200'])
  })

  it('no names that could have a meaning in a shell', async () => {
    const names = [
      ...['a\nb', 'a\u001b[31m', 'a\tb', 'a b', '$(touch x)', '`id`', 'a;b', "a'b", 'a"b', 'a\\b'],
      ...['--config=evil.yaml', '-rf', '~root', '*', 'a*', '(a)', 'a!b', '../a', 'a/b', ''],
      ...['\u202ea', '\u3164', 'é', 'a'.repeat(101)],
    ]
    const projects = [...names, 'fine'].map((id) => ({ id, name: id }))
    const { url } = await serve((response) => json(response, 200, { version: 1, projects }))
    const env = environment(url)
    expect(await offered(['project', 'settings', 'get', ''], { env })).toEqual(['fine'])
    const features = [...names, 'fine'].map((name) => ({ name }))
    const flags = await serve((response) => json(response, 200, { version: 2, features }))
    const words = [...usage, '--project', 'x', '']
    expect(await offered(words, { env: environment(flags.url) })).toEqual(['fine'])
  })
})

describe('flagadm complete sends no request', () => {
  const own = 'home/.config/flagadm/config.yaml'
  const ids = ['project', 'settings', 'get', '']

  async function requestsWith(files: (url: string) => Record<string, string>, words = ids) {
    const { url, received } = await serve((response) => json(response, 200, { projects: [] }))
    const env = { KEY: CANARY }
    expect(await offered(words, { files: files(url), env })).toEqual([])
    return received.length
  }

  const mine = (url: string) => `profiles:\n  a:\n    baseUrl: ${url}\n    apiKeyEnv: KEY\n`
  const theirs = (url: string) => `profiles:\n  b:\n    baseUrl: ${url}\n    apiKey: project-key\n`

  it('unless the profile is fine', async () => {
    expect(await requestsWith((url) => ({ [own]: mine(url) }))).toBe(1)
  })

  it.each<[string, (url: string) => Record<string, string>, string[]]>([
    [
      'with a profile that a repository chose',
      (url) => ({ [own]: mine(url), 'work/.flagadmrc': 'profile: a\n' }),
      ids,
    ],
    [
      'with a profile that a repository defines',
      (url) => ({ 'work/.flagadmrc': theirs(url) }),
      ids,
    ],
    [
      'with a profile that a repository defines, even if it is given',
      (url) => ({ 'work/.flagadmrc': theirs(url) }),
      ['-p', 'b', ...ids],
    ],
    [
      'if the file of a repository is malformed',
      (url) => ({ [own]: mine(url), 'work/.flagadmrc': 'profile: [' }),
      ids,
    ],
    [
      'if a command would have to run for the key',
      (url) => ({
        [own]: `profiles:\n  a:\n    baseUrl: ${url}\n    apiKeyCommand: [echo, some-key]\n`,
      }),
      ids,
    ],
    [
      'with a key file of the command line',
      (url) => ({ [own]: mine(url), 'work/key': CANARY }),
      ['--api-key-file', 'key', ...ids],
    ],
    ['for a static list', (url) => ({ [own]: mine(url) }), ['sandbox', '--no-such']],
  ])('%s', async (_what, files, words) => {
    expect(await requestsWith(files, words)).toBe(0)
  })
})
