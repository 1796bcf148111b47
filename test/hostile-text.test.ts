import { describe, expect, test } from 'vitest'
import { patientClock } from './support/clock.ts'
import { environment, flagadm, type World } from './support/flagadm.ts'
import { documentFor, runs } from './support/operations.ts'
import { loadCommands } from './support/program.ts'
import { anyJson, serve } from './support/server.ts'

const KEY = '*:*.0f1e2d3c4b5a69788796a5b4c3d2e1f0'

/** The forms in which a key is masked. */
const keyForms = [
  KEY,
  encodeURIComponent(KEY),
  encodeURIComponent(KEY).replaceAll('*', '%2A'),
  Buffer.from(KEY).toString('base64'),
  Buffer.from(KEY).toString('hex'),
  Buffer.from(KEY).toString('hex').toUpperCase(),
  KEY.slice(4),
]

/** Texts from outside that a terminal or a CI runner would act on, or that contain the key. */
const texts = {
  'a CI command of GitHub': '::add-mask::#####',
  'CI commands after a blank': ' ::stop-commands::##vso[task.setvariable variable=PATH]x',
  'escape sequences, marks of direction and width':
    'a\u001b]0;title\u0007\u001b[31m\u009b1m\u007f\u202eb\u2066c\u200bd\u2028e\u00ade',
  'line breaks and formats': 'a\r\n::error::b\n##[group]c\td`|<b>&amp;@me=1+1;"\',\\{{x}}${y}',
  'forms of the key': keyForms.join(' '),
}

/** A service that puts a text into every field of its responses. */
async function repeating(text: string): Promise<string> {
  const record = { appName: text, environment: text, timestamp: text, yes: 1, no: 0 }
  const usage = { ...record, variants: { [text]: 1 } }
  const strategy = { name: text, title: text, parameters: { rollout: text }, segments: [1] }
  const strategies = [strategy]
  const place = { name: text, enabled: true, lastSeenAt: text, environment: text }
  const environments = [{ ...place, strategies, defaultStrategy: strategy }]
  const event = { type: text, createdAt: text, createdBy: text, project: text, environment: text }
  const events = [
    {
      ...event,
      id: 1,
      featureName: text,
      summary: text,
      preData: { a: text },
      data: { [text]: [text] },
    },
    { ...event, id: 2, type: 'feature-strategy-add', data: strategy },
  ]
  const flag = { name: 'f', type: text, createdAt: text, lastSeenAt: text, environments }
  const seen = { appName: text, environments: [{ environment: text, seenAt: text }] }
  const document = {
    ...flag,
    project: text,
    archived: false,
    children: [text],
    lifecycle: { stage: text },
    maturity: text,
    environment: text,
    health: text,
    dependencies: [{ feature: text }],
    lastHourUsage: [usage],
    seenApplications: [text],
    data: [usage],
    events,
    segments: [{ id: 1, name: text }],
    features: [flag, { ...flag, name: text }],
    unknownFlags: [{ name: text, lastSeenAt: text, reports: [seen] }],
    projects: [{ id: text, name: text, mode: text, lastReportedFlagUsage: text }],
    mode: text,
    linkTemplates: [{ title: text, urlTemplate: text }],
    featureNaming: { pattern: 'x', example: text, description: text },
    user: { username: text, type: text, secret: KEY },
    permissions: [{ permission: text, project: text, environment: text }],
  }
  // The fields that only the example of an operation has.
  const exampleOf = (path: string): object =>
    JSON.parse(JSON.stringify(documentFor('GET', path) ?? {}), (_, value) =>
      typeof value === 'string' ? text : value,
    )
  const { url } = await serve((response, { method, url: path }) =>
    method === 'GET'
      ? anyJson(response, 200, {
          ...exampleOf(path),
          ...document,
          version: path.endsWith('ui-config') ? text : 1,
        })
      : anyJson(response, 400, {
          name: text,
          message: text,
          id: text,
          details: [{ message: text }],
        }),
  )
  return url
}

/** Command lines that show a text. Other commands run as in `runs`, but with the service that repeats the text. */
function linesOf(text: string): Record<string, readonly (readonly string[])[]> {
  const rule = ['--pattern', 'a', `--example=${text}`, `--description=${text}`]
  const file = ['-f', 'flags.json', '--no-verify']
  return {
    api: [['x'], ['--', text]],
    completion: [['bash'], [text]],
    doctor: [[]],
    help: [[text], ['environment']],
    'feature archive': [
      ['f', '--project', 'p', '--yes'],
      ['f', '--project', 'p', '--force', '--dry-run'],
      ['--project', 'p', '--', text],
    ],
    'feature history': [
      ['f'],
      ['--all-projects'],
      ['--all-projects', `--author=${text}`, `--environment=${text}`],
      ['--project', 'p', `--change=${text}`],
      ['--', text],
    ],
    'feature off': [
      ['f', `--project=${text}`, `--environment=${text}`, '--dry-run'],
      ['f', '--project', 'p', `--environment=${text}`, '--yes'],
      ['--project', 'p', '-e', 'x', '--yes', '--', text],
      ['-e', 'x', '--', text],
    ],
    'feature on': [['f', `--project=${text}`, `--environment=${text}`, '--add-strategy', '--yes']],
    'feature list': [['--project', 'p'], ['--all-projects'], ['--project', 'p', '-e', 'none']],
    'feature references': [
      ['--scan', '.'],
      ['--scan', '.', '--project', 'p'],
      ['--scan', '.', '--project', 'p', '--unreferenced'],
      ['--scan', '.', '--', text],
    ],
    'feature review': [
      ['--all-projects'],
      ['--project', 'p', '--scan', '.'],
      ['--project', 'p', '--references-from', 'references.json'],
      ['--', 'f', text],
    ],
    'feature usage': [
      ['f'],
      ['f', '--since', '2h', '--by', 'hour'],
      ['f', '--group-by', 'variant'],
      ['--all-projects'],
      ['--', text],
      ['f', `--sort=${text}`],
      ['f', `--${text}`],
      ['f', `--profile=${text}`],
    ],
    'naming check': [
      ['--pattern', 'a', '--', text],
      ['--pattern', 'a', '--names-from', 'names'],
      ['--pattern', 'a', '--scan', '.'],
      ['--project', 'p'],
      ['--available', '--project', 'p', 'x'],
    ],
    'naming diff': [
      ['--from-pattern', 'a', '--pattern', '.*', '--names-from', 'names'],
      [`--from-pattern=${text}`, `--pattern=${text}`],
      ['--project', 'p', '--pattern', 'a'],
    ],
    'naming lint': [rule, [`--pattern=${text}`], ['--project', 'p']],
    'profile add': [
      [text, '--base-url', 'https://a.test', '--api-key-env', 'A', '--no-check'],
      ['x', `--base-url=${text}`, `--api-key-env=${text}`, '--no-check'],
    ],
    'profile check': [[], [text]],
    'profile list': [[]],
    'profile remove': [['--yes', '--', text]],
    'profile show': [[], ['--', text]],
    'profile use': [['--', text]],
    'project list': [[], ['--project', 'p'], ['--project', `${text}*`]],
    'project settings apply': [
      [...file, '--yes'],
      [...file, '--dry-run'],
      ['--plan', 'flags.json'],
    ],
    'project settings export': [
      ['p', '--dir', 'out'],
      ['p', '--dir', `./${encodeURIComponent(text)}`],
      ['--all-projects', '--dir', 'out'],
    ],
    'project settings get': [['p'], ['p', 'q'], ['--all-projects']],
    'project settings plan': [file, [...file, '--strict', '--check-names'], ['-f', 'names']],
    'project settings set': [
      ['p', '--no-verify', '--no-read', '--mode', 'open'],
      ['p', '--no-verify', `--mode=${text}`, '--yes'],
      ['p', '--no-verify', '--pattern', 'a', `--description=${text}`, '--dry-run'],
      ['p', '--file', 'settings.json', '--no-verify', '--dry-run'],
    ],
    sandbox: [
      ['--seed', 'names'],
      ['--port', text],
    ],
  }
}

/** The words after a command in the lines of this test. */
function wordsAfter(path: string, text: string): readonly (readonly string[])[] {
  const { argv = [] } = runs[`flagadm ${path}`] ?? {}
  return linesOf(text)[path] ?? [argv.filter((word) => word !== '-p' && word !== 'sandbox')]
}

/** @param hasProfiles whether there is a configuration, which is refused for its names: only for commands about profiles */
function filesWith(text: string, hasProfiles: boolean): Record<string, string> {
  const document = {
    mode: `${text} `,
    featureNaming: { pattern: 'x', example: null, description: `a\n${text}` },
    linkTemplates: [{ title: text, urlTemplate: 'u' }],
  }
  const references = {
    readAt: '2026-11-20T16:00:00Z',
    service: text,
    repository: text,
    commit: text,
    committedAt: null,
    paths: [text],
    files: 1,
    unread: [{ file: text, reason: text }],
    unresolved: 1,
    references: [{ name: 'f', inCode: true, file: text, line: 1, column: 1 }],
  }
  const profiles = { [text]: { baseUrl: 'https://a.test', apiKeyEnv: text } }
  return {
    'work/names': text,
    'work/flags.json': JSON.stringify({ projects: { p: document, [text]: document } }),
    'work/settings.json': JSON.stringify(document),
    'work/references.json': JSON.stringify(references),
    'work/code.ts': `isEnabled(${JSON.stringify(text)}); isEnabled('f') // ${text}`,
    ...(hasProfiles && {
      'home/.config/flagadm/config.json': JSON.stringify({ profiles, defaultProfile: text }),
    }),
  }
}

const { all } = await loadCommands()
const leaves = all.filter(({ command }) => command.commands.length === 0)

// What flagadm itself prints: annotations, headings of Markdown, and styles on a terminal.
const ANNOTATION = /^::(?:notice|warning|error) [a-z]+=[^:\n]*::/gm
const HEADING = /^### /gm
const STYLE = /\u001b\[\d+m/g

/** @param where stdout as a pipe or a terminal */
async function expectSafe(argv: readonly string[], world: World, isTerminal: boolean) {
  const { stdout, stderr } = await flagadm(argv, world)
  const label = JSON.stringify(argv)
  const outputs = isTerminal
    ? [stdout, stderr].map((text) => text.replaceAll(STYLE, ''))
    : [stdout, stderr]
  for (const output of outputs) {
    const own = output.replaceAll(ANNOTATION, '').replaceAll(HEADING, '')
    expect(own, label).not.toMatch(/##|^\s*::/m)
    // The isolates around right-to-left words are ours; JSON and CSV have line breaks of their own.
    expect(own, label).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/)
    expect(own, label).not.toMatch(/[\u200b\u202a-\u202e\u2028\u2029\u00ad]/)
    expect(own, label).not.toMatch(/\r(?!\n)/)
    for (const form of keyForms) expect(own.includes(form), `${label} shows ${form}`).toBe(false)
  }
}

describe.each(Object.entries(texts))('%s', (_, text) => {
  test.each(leaves.map(({ path, formats }) => [path.replace('flagadm ', ''), formats] as const))(
    'is harmless in what %s prints, in every format',
    async (path, formats) => {
      const env = { ...environment(await repeating(text), KEY), FLAGADM_RETRIES: '0' }
      const files = filesWith(text, path.startsWith('profile'))
      for (const line of wordsAfter(path, text)) {
        // The sandbox serves until it is interrupted.
        const ending = path === 'sandbox' ? { signal: AbortSignal.abort() } : {}
        const world = { env, files, clock: patientClock().clock, ...ending }
        const words = [...path.split(' '), ...line]
        const at = words.includes('--') ? words.indexOf('--') : words.length
        for (const format of formats) {
          await expectSafe(words.toSpliced(at, 0, '-o', format), world, false)
        }
        const terminal = { ...world, columns: 60, talksToTerminal: true }
        await expectSafe(words.toSpliced(at, 0, '--color', 'always'), terminal, true)
      }
    },
  )
})

test('right-to-left names do not reorder the figures beside them', async () => {
  const url = await repeating('\u05d0\u05d1')
  const { stdout } = await flagadm(['feature', 'usage', 'f'], { env: environment(url) })
  expect(stdout).toContain('\u2068\u05d0\u05d1\u2069')
  const csv = await flagadm(['feature', 'usage', 'f', '-o', 'csv'], { env: environment(url) })
  expect(csv.stdout).not.toContain('\u2068')
})
