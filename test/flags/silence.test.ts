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

it('usage of a flag with only zeros says that nothing is reported from where it is on', async () => {
  const argv = ['usage', 'a', '--project', 'silent', '--since', '24h']
  const silence = 'Incomplete: production of project silent reports no usage'
  const alone = await feature(argv, { silent: { a: on } })
  expect(alone.stdout).toContain(silence)
  const reported = { silent: { a: on, b: { production: { seen: 1 } } } }
  expect((await feature(argv, reported)).stdout).not.toContain(silence)
})
