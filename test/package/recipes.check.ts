import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { defaultSeed } from '../../src/sandbox/default-seed.ts'
import { root } from '../docs/pages.ts'
import { type Comment, jobs, reviewRepositories, runJob, type World } from '../support/recipes.ts'
import { sandboxOf } from '../support/sandbox.ts'

const MARKER = '<!-- flagadm plan '

/** Comments of which the plan is neither the first nor the last. */
const comments = (): Comment[] => [
  { id: 1, body: `> ${MARKER}quoted -->`, user: { type: 'User' } },
  { id: 7, body: `${MARKER}http://old -->\nold`, user: { type: 'Bot' } },
  { id: 9, body: 'Coverage: 80 %', user: { type: 'Bot' } },
]

const program = join(inject('folder'), 'node_modules/.bin/flagadm')

/** Runs a job by name with a sandbox, in a checkout with a change of the settings of checkout. */
async function run(name: string, world: Partial<World> = {}) {
  const sandbox = await sandboxOf([], { seed: defaultSeed, frozen: false })
  const files = {
    'src/basket.ts': await readFile(join(root, 'examples/src/basket.ts'), 'utf8'),
    'flags/checkout.yaml': 'projects: { checkout: { mode: open } }\n',
    ...world.files,
  }
  const service = { url: sandbox.url, key: sandbox.keys.full }
  return { ...(await runJob(name, { program, service, ...world, files })), sandbox }
}

it('docs/ci.md has the recipes for GitHub and GitLab', () => {
  const [github, gitlab] = [true, false].map((isGitHub) =>
    Object.keys(jobs).filter((name) => 'steps' in (jobs[name] ?? {}) === isGitHub),
  )
  expect(github).toEqual([
    'names',
    'flags',
    'plan',
    'apply',
    'review',
    'finished',
    'changes',
    'references',
    'all-repositories',
    'usage',
  ])
  expect(gitlab).toEqual([
    'flag-names',
    'request-flags',
    'settings-plan',
    'settings-apply',
    'pages',
    'flag-references',
    'flag-review',
    'flag-usage',
  ])
})

const added = { 'src/tips.ts': "client.isEnabled('Tips')\nclient.isEnabled('checkout-tips')\n" }

describe('names in a pull request', () => {
  it('are annotated on GitHub if the branch has added them', async () => {
    const { code, log } = await run('names', { changes: added })
    expect(code, log).toBe(9)
    expect(log).toContain(
      '::error file=src/tips.ts,line=1,col=19,title=naming::Tips: does not match',
    )
    expect(log).not.toContain('dark-mode')
  })

  it('are a report of code quality on GitLab', async () => {
    const { code, kept, read } = await run('flag-names', { changes: added })
    expect(code).toBe(9)
    const report: { location: { path: string } }[] = JSON.parse(await read(kept[0] ?? ''))
    expect(report.map(({ location }) => location.path)).toEqual(['src/tips.ts'])
  })

  it.each(['names', 'flag-names'])('pass in the job %s if there are none', async (name) => {
    const { code, log } = await run(name, { changes: { 'README.md': 'x' } })
    expect(code, log).toBe(0)
    expect(log).toContain('note: no name was added to the code since ')
  })
})

describe.each(['flags', 'request-flags'])('the flags of a pull request, in the job %s', (name) => {
  const marker = '<!-- flagadm feature references -->\n'

  it('are a comment', async () => {
    const changes = { ...added, 'src/basket.ts': "client.isEnabled('checkout-new-basket')\n" }
    const { code, api, log } = await run(name, { changes })
    expect([code, api.comments.length], log).toEqual([0, 1])
    const body = api.comments[0]?.body ?? ''
    expect(body.startsWith(marker)).toBe(true)
    const rows = body.split('\n').filter((line) => line.startsWith('| `'))
    expect(rows.map((row) => row.split(' | ').slice(0, 4).join(' | '))).toEqual([
      '| `Tips` | added |  | ',
      '| `checkout-tips` | added |  | ',
      '| `dark-mode` | removed | `default` | in use',
    ])
  })

  it('replace the comment of the last run, also without changes', async () => {
    const last = { id: 7, body: `${marker}old`, user: { type: 'Bot' } }
    const { code, api } = await run(name, { comments: [last] })
    expect(code).toBe(0)
    expect(api.comments).toEqual([
      { ...last, body: expect.stringContaining('No names were added to the code or removed') },
    ])
  })

  it('have no comment if there are none', async () => {
    const { code, api, log } = await run(name)
    expect([code, api.comments], log).toEqual([0, []])
  })
})

describe.each(['plan', 'settings-plan'])('the plan as a comment, in the job %s', (name) => {
  it('is written once', async () => {
    const { code, api, log } = await run(name)
    expect([code, api.comments.length], log).toEqual([0, 1])
    expect(api.comments[0]?.body).toMatch(/^<!-- flagadm plan [^]*mode {9}protected → open/)
  })

  it('replaces the one with the marker, and no other', async () => {
    // GitLab refuses to change the comment of someone else, and GitHub does not.
    const forged = { id: 3, body: `${MARKER}forged -->`, user: { type: 'User' } }
    const others = name === 'plan' ? [forged] : []
    const existing = [...others, ...comments()]
    const { code, api, kept, read, sandbox } = await run(name, { comments: existing })
    const [first, plan, last] = comments()
    const body = api.comments.at(-2)?.body
    expect([code, api.comments]).toEqual([0, [...others, first, { ...plan, body }, last]])
    expect(body).toContain(`${MARKER}${sandbox.url} -->\n`)
    expect(kept).toEqual(['plan.json'])
    expect(JSON.parse(await read('plan.json')).service).toBe(sandbox.url)
  })
})

describe.each(['apply', 'settings-apply'])('the job %s', (name) => {
  const planOf = async () => {
    const { read, sandbox } = await run('plan')
    return (await read('plan.json')).replace(sandbox.url, 'http://service')
  }

  it('applies the plan of the merged request, and keeps the previous settings', async () => {
    const { code, log, kept, read, sandbox } = await run(name, { plan: await planOf() })
    expect(code, log).toBe(0)
    expect(sandbox.project('checkout')?.mode).toBe('open')
    expect(kept).toEqual(['before.yaml'])
    expect(await read('before.yaml')).toContain('mode: protected')
  })

  it('fails without a plan', async () => {
    const { code, sandbox } = await run(name, { plan: '' })
    expect(code).not.toBe(0)
    expect(sandbox.writes()).toEqual([])
  })
})

describe.each([
  ['review', 'site'],
  ['pages', 'public'],
])('the weekly report, in the job %s', (name, folder) => {
  it('is a page', async () => {
    const { code, log, kept, read } = await run(name)
    expect(code, log).toBe(0)
    expect(new Set(kept)).toEqual(new Set([folder]))
    // With the places in the code.
    expect(await read(`${folder}/index.html`)).toMatch(/^<!doctype html>[^]*src\/basket\.ts:6/i)
    const summary = await read('summary')
    expect(summary.includes('checkout-expres-pay')).toBe(name === 'review')
  })
})

describe('the finished flags, in the job finished', () => {
  const task =
    /^- \[ \] `mobile-new-navigation`: keep on · project mobile · ask `ada@shop\.example` · since /m

  it('are an issue', async () => {
    const { code, log, api } = await run('finished')
    expect(code, log).toBe(0)
    expect(api.comments).toEqual([{ id: 100, body: expect.stringMatching(task) }])
  })

  it('replace the text of the issue that there is', async () => {
    const { code, log, api } = await run('finished', { comments: [{ id: 7, body: 'old' }] })
    expect(code, log).toBe(0)
    expect(api.comments).toEqual([{ id: 7, body: expect.stringMatching(task) }])
  })
})

describe('the weekly changes, in the job changes', () => {
  it('are kept for the next week, and have no issues in the first one', async () => {
    const { code, log, kept, read, api } = await run('changes')
    expect(code, log).toBe(0)
    expect(kept).toEqual(['review.json'])
    expect(JSON.parse(await read('review.json')).flags).toHaveLength(15)
    expect(api.comments).toEqual([])
  })

  it('are in the summary, and a flag that has become removable has an issue', async () => {
    const { read, sandbox } = await run('changes')
    const review = (await read('review.json')).replace(sandbox.url, 'http://service')
    const last = review.replace('"verdict":"removable"', '"verdict":"unclear"')
    const outcome = await run('changes', { review: last })
    expect(outcome.code, outcome.log).toBe(0)
    expect(await outcome.read('summary')).toContain(
      '| `legacy-invoice-export` | `default` | removable | unclear |',
    )
    expect(outcome.api.comments).toEqual([
      { id: 100, body: expect.stringMatching(/^default: no usage in 30 d; /) },
    ])
    const unchanged = await run('changes', { review })
    expect(await unchanged.read('summary')).toContain('No changes.')
    expect(unchanged.api.comments).toEqual([])
  })
})

describe.each([
  ['references', 'all-repositories'],
  ['flag-references', 'flag-review'],
] as const)('the code of all repositories, with the jobs %s and %s', (upload, review) => {
  const play = async (code: readonly string[]) => {
    const sandbox = await sandboxOf([], { seed: defaultSeed, frozen: false })
    const service = { url: sandbox.url, key: sandbox.keys.full }
    return { service, ...(await reviewRepositories([upload, review], code, { program, service })) }
  }

  it('has a flag in one of them, or in none', async () => {
    const found = await play(['', '', "isEnabled('legacy-invoice-export')"])
    expect(found.code, found.log).toBe(0)
    expect(found.kept).toEqual(['review.html'])
    expect(await found.read('review.html')).toContain(
      '<td class="text">in the code of repository-2 (src/flags.ts:1)</td><td class="references">1 place</td>',
    )
    const none = await play(['', "isEnabled('dark-mode')"])
    expect(await none.read('review.html')).toContain('"not in the code of 5 repositories"')
  })

  it('fails without the file of one', async () => {
    const { references, service } = await play([])
    const [first = '', ...others] = Object.keys(references)
    const known = Object.fromEntries(others.map((id) => [id, references[id] ?? '']))
    // Without a run, and with an empty upload or without one.
    for (const references of [known, { ...known, [first]: '' }]) {
      const outcome = await runJob(review, { program, service, references })
      expect(outcome.code, outcome.log).not.toBe(0)
      expect(await outcome.read('review.html').catch(() => '')).toBe('')
    }
  })
})

it.each(['usage', 'flag-usage'])('the job %s pushes the usage', async (name) => {
  const { code, log, api } = await run(name)
  expect(code, log).toBe(0)
  expect(api.pushed).toMatch(/^# TYPE feature_flag_evaluations gauge\n[^]*# EOF\n$/)
})
