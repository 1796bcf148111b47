import { expect, it } from 'vitest'
import { environment, flagadm } from '../support/flagadm.ts'
import { daysAgo, feature } from './service.ts'
import { json, serve } from '../support/server.ts'

const on = { production: { on: true } }

it('a list of flags that were not seen says from where nothing is reported', async () => {
  const projects = { silent: { a: on }, shop: { b: { production: { on: true, seen: 1 } } } }
  const silence = 'Incomplete: production of project silent reports no usage'
  const { stdout } = await feature(['list', '--all-projects', '--never-seen'], projects)
  expect(stdout).toContain(silence)
  const since = await feature(['list', '--all-projects', '--not-seen-for', '7d'], projects)
  expect(since.stdout).toContain(silence)
  expect((await feature(['list', '--all-projects'], projects)).stdout).not.toContain('Incomplete')
})

it('doctor shows when a flag was last seen, and where it is silent', async () => {
  const features = ['staging', 'production'].map((name, index) => ({
    name: `flag-${index}`,
    environments: [
      { name, type: 'production', enabled: true, lastSeenAt: index === 0 ? null : daysAgo(0.1) },
    ],
  }))
  const { url } = await serve((response, { url }) => {
    if (url === '/health') return json(response, 200, { health: 'GOOD' })
    if (url === '/api/admin/projects') return json(response, 200, { projects: [{ id: 'shop' }] })
    if (url.endsWith('/shop/features')) return json(response, 200, { features })
    return json(response, 404, { message: 'not found' })
  })
  const { stdout } = await flagadm(['doctor'], { env: environment(url) })
  expect(stdout).toMatch(
    /✓ usage +last seen .* ago in production of shop; silent for 30 d: staging of shop\n/,
  )
})

it('nothing is called silent where the service does not report when flags were seen', async () => {
  const seen = undefined
  const projects = { old: { a: { production: { on: true, seen } }, b: { production: { seen } } } }
  const list = await feature(['list', '--project', 'old', '--never-seen'], projects)
  expect(list.stdout).not.toContain('reports no usage')
})

it('a flag that is on where the service does not report sightings is unclear', async () => {
  const own = { production: { on: true, seen: undefined }, lastSeenAt: daysAgo(40) }
  const argv = ['review', 'a', '--project', 'old', '--json']
  const world = { isSilent: true, isFaulty: true, hours: 49 }
  const { stdout } = await feature(argv, { old: { a: own } }, world)
  const { flags, incomplete } = JSON.parse(stdout)
  expect(incomplete).toBe(undefined)
  expect(flags[0].reasons[0]).toBe('the service does not report when flags were seen in production')
})

it('a sighting of a flag without an environment shows that usage arrives', async () => {
  const projects = {
    old: {
      a: { production: { seen: null } },
      b: { production: { seen: null }, lastSeenAt: daysAgo(1) },
    },
  }
  const argv = ['review', 'a', '--project', 'old', '--json']
  const world = { isSilent: true, isFaulty: true }
  const { stdout } = await feature(argv, projects, world)
  expect(JSON.parse(stdout).flags[0].verdict).toBe('removable')
})

it.each([
  ['has no list of projects', undefined, [], 'no list of flags could be read'],
  ['does not show a list of flags', [{ id: 'shop' }], undefined, 'no list of flags could be read'],
  [
    'does not report where flags were seen',
    [{ id: 'shop' }],
    [{ name: 'a', environments: [{ name: 'production', enabled: true }] }],
    'the service does not report where flags were seen',
  ],
  ['has seen no flag', [{ id: 'shop' }], [], 'no flag was seen'],
])('doctor of a service that %s says so', async (_, projects, features, text) => {
  const { url } = await serve((response, { url }) => {
    if (url === '/health') return json(response, 200, { health: 'GOOD' })
    if (url === '/api/admin/projects' && projects) return json(response, 200, { projects })
    if (url.endsWith('/features') && features) return json(response, 200, { features })
    return json(response, 404, { message: 'not found' })
  })
  const { stdout } = await flagadm(['doctor'], { env: environment(url) })
  expect(stdout).toContain(`— usage          ${text}\n`)
})

it('usage of a flag with only zeros says that nothing is reported from where it is on', async () => {
  const argv = ['usage', 'a', '--project', 'silent', '--since', '24h']
  const silence = 'Incomplete: production of project silent reports no usage'
  const alone = await feature(argv, { silent: { a: on } })
  expect(alone.stdout).toContain(silence)
  const named = await feature(['usage', 'a', '--since', '24h'], { silent: { a: on } })
  expect(named.stdout).toContain(silence)
  const reported = { silent: { a: on, b: { production: { seen: 1 } } } }
  expect((await feature(argv, reported)).stdout).not.toContain(silence)
})
