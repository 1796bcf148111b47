import { describe, expect, test } from 'vitest'
import { formats } from '../src/old/output/formats.ts'
import { patientClock } from './support/clock.ts'
import { environment, flagadm, withoutCaption } from './support/flagadm.ts'
import { runs } from './support/operations.ts'
import { json, serve } from './support/server.ts'

const usageFormats = ['table', 'json', 'jsonl', 'csv', 'markdown', 'openmetrics']
const usage = ['feature', 'usage', 'f']
const hourlyGate = ['--since', '2h', '--expect', 'unused']
const set = ['project', 'settings', 'set', 'p', '--no-verify', '--no-read', '--mode', 'open']

/** A service that puts a text into every field of its responses except the name of the flag. */
async function repeating(text: string) {
  const record = { appName: text, environment: text, timestamp: text, yes: 1, no: 0 }
  const document = {
    maturity: text,
    lastHourUsage: [{ ...record, variants: { [text]: 1 } }],
    seenApplications: [text],
    data: [{ ...record, variants: { [text]: 1 } }],
    features: [
      { name: text, type: text, createdAt: text, environments: [{ name: text, lastSeenAt: text }] },
    ],
    unknownFlags: [
      {
        name: text,
        lastSeenAt: text,
        reports: [{ appName: text, environments: [{ environment: text, seenAt: text }] }],
      },
    ],
    projects: [{ id: text, name: text, mode: text, lastReportedFlagUsage: text }],
    mode: text,
    linkTemplates: [{ title: text, urlTemplate: text }],
    environments: [{ environment: text }],
    featureNaming: { pattern: 'x', example: text, description: text },
  }
  const { url } = await serve((response, { method }) =>
    method === 'GET'
      ? json(response, 200, document)
      : json(response, 400, { name: text, message: text, id: text, details: [text] }),
  )
  return url
}

const everyFormat = [...new Set(Object.values(formats).flatMap((choice) => choice.formats))]

/** The command lines of all commands that call the service, in every format. */
const calling = Object.entries(runs)
  .map(([command, { argv }]) => [...command.split(' ').slice(1), ...argv])
  .filter((argv) => argv.includes('sandbox') && argv.includes('-p'))
  .map((argv) => argv.slice(0, argv.indexOf('-p')))
  .flatMap((argv) => everyFormat.map((format) => [...argv, '-o', format]))

/** Further command lines that show a text on stdout or stderr. */
function showing(text: string): string[][] {
  const check = ['naming', 'check', '--pattern', 'a', '--', text]
  const pattern = `pattern:${text}`
  const list = ['--names-from', 'names']
  const settings = ['project', 'settings']
  const documents = ['-f', 'flags.json', '--no-verify']
  const plan = [...settings, 'plan', ...documents]
  return [
    ...calling,
    ...usageFormats.map((format) => [...usage, '-o', format]),
    ['feature', 'usage', ...['a', 'b', 'c', 'd'], '-o', 'table'],
    ...usageFormats.map((format) => [...usage, '--since', '2h', '-o', format]),
    [...usage, '--since', '2h', '--by', 'hour', '-o', 'openmetrics'],
    ...['text', 'json', 'markdown', 'junit'].map((format) => [
      ...usage,
      ...hourlyGate,
      '-o',
      format,
    ]),
    ['feature', 'usage', '--project', 'p', '-o', 'csv'],
    ['feature', 'usage', '--project', 'p', '--', `${text}x`],
    ...formats.list.formats.flatMap((format) => [
      ['feature', 'list', '--all-projects', '-o', format],
      ['feature', 'list', '--unknown', '-o', format],
    ]),
    ...formats.review.formats.map((format) => [
      'feature',
      'review',
      '--all-projects',
      '-o',
      format,
    ]),
    ['feature', 'list', '--project', 'p', '--environment', 'x'],
    ['naming', 'check', '--project', 'p'],
    ['naming', 'check', '--available', '--project', 'p', 'x'],
    ['feature', 'usage', '--', text],
    [...usage, '--expect', 'unused', '--for', '0'],
    [...usage, '--expect', 'unused', '--for', '0', '--json'],
    [...usage, '--watch', '--count', '1'],
    ...formats.settingsGet.formats.map((format) => [...settings, 'get', 'p', 'q', '-o', format]),
    ...formats.plan.formats.map((format) => [...plan, '--strict', '-o', format]),
    [...plan, '-f', 'names'],
    ...formats.textOrJson.formats.map((format) => [
      ...settings,
      'apply',
      '--yes',
      ...documents,
      '-o',
      format,
    ]),
    ...formats.textOrJson.formats.map((format) => [
      ...[...settings, 'export', 'p', '--dir', `./${encodeURIComponent(text)}`, '-o', format],
    ]),
    [...settings, 'set', 'p', '--file', 'settings.json', '--no-verify', '--dry-run'],
    set,
    [...set, '--json'],
    [...set, '--naming-description', `a\n${text}\n ${text}`, '--dry-run'],
    [...set, '--naming-description', text, '--dry-run', '--json'],
    ...['text', 'json', 'jsonl', 'gitlab', 'junit', 'sarif'].map((f) => ['-o', f, ...check]),
    ...['text', 'json', 'gitlab', 'sarif'].map((f) => [
      ...['naming', 'lint', '-o', f, '--pattern', 'a'],
      ...[`--example=${text}`, `--description=${text}`],
    ]),
    ...['text', 'json'].map((f) => [
      ...['naming', 'diff', '-o', f, '--from', 'pattern:a', '--to', 'pattern:.*', ...list],
    ]),
    ['naming', 'diff', '--from', pattern, '--to', pattern, ...list],
    [...usage, `--sort=${text}`],
    [...usage, `--${text}`],
    [...usage, `--profile=${text}`],
    [text],
  ]
}

async function shown(text: string, env: (url: string) => Record<string, string>) {
  const url = await repeating(text)
  const outputs: string[] = []
  const document = {
    mode: `${text} `,
    featureNaming: { pattern: 'x', example: null, description: `a\n${text}` },
    linkTemplates: [{ title: text, urlTemplate: 'u' }],
  }
  for (const argv of showing(text)) {
    const { stdout, stderr } = await flagadm(argv, {
      env: env(url),
      files: {
        'work/names': text,
        'work/flags.json': JSON.stringify({ projects: { p: document, [text]: document } }),
        'work/settings.json': JSON.stringify(document),
      },
      clock: patientClock().clock,
    })
    outputs.push(stdout, stderr)
  }
  return outputs
}

/** The start of the commands that annotate a run, which flagadm itself prints. */
const annotation = /^::(?:notice|warning|error) title=[^:\n]*::/gm

describe('no output contains a command for a CI runner', () => {
  test.each(['::add-mask::#####', ' ::stop-commands::##vso[task.setvariable variable=PATH]x'])(
    'from the text %j',
    async (text) => {
      for (const output of await shown(text, (url) => environment(url))) {
        expect(output.replaceAll(annotation, '')).not.toMatch(/##|^\s*::/m)
      }
    },
  )
})

describe('no line that is wrapped for a terminal begins with a command', () => {
  test.each(['a ::error::b', `${'a'.repeat(16)}::error::b`, '\u6771 ::x'.repeat(9)])(
    'from the text %j',
    async (text) => {
      const url = await repeating(text)
      for (const argv of [usage, [...usage, text], [...usage, '--watch', '--count', '1'], set]) {
        for (const columns of [12, 20, 40]) {
          const world = { env: environment(url), columns, clock: patientClock().clock }
          const { stdout, stderr } = await flagadm([...argv, '--no-color'], world)
          const lines = `${stdout}${stderr}`.replaceAll(/\u001b\[[?\d]*[A-Za-z]/g, '\n')
          expect(lines).not.toMatch(/^\s*::/m)
        }
      }
    },
  )
})

describe('a key is masked', () => {
  test('before any format escapes the characters in it', async () => {
    const secret = 'part-of-the-key'
    const signs = ['|', '"', '&', '<', "'", '`', '##', ';=', '\\', '%', ',', '$&']
    const key = `*:*.${signs.map((sign) => `${secret}${sign}`).join('')}x`
    for (const output of await shown(key, (url) => environment(url, key))) {
      expect(output).not.toContain(secret)
    }
  })

  test('in JSON that escapes it', async () => {
    const key = '*:*.part|of-the-key'
    const escaped = key.replaceAll(/./g, (unit) => `\\u00${unit.charCodeAt(0).toString(16)}`)
    const text = `{"lastHourUsage":[],"${escaped}":"a ${escaped}\\/"}`
    const { url } = await serve((response) => json(response, 200, text))
    const { stdout } = await flagadm([...usage, '--json'], { env: environment(url, key) })
    expect(stdout).toBe('{"lastHourUsage":[],"[redacted]":"a [redacted]/"}\n')
  })
})

test('the lines of a description cannot begin with a command', async () => {
  const { url } = await serve((response) => response.end())
  const description = 'first\n::error::second\n  ##[group]third'
  const argv = [...set, '--naming-pattern', 'a', '--naming-description', description, '-q']
  const { stdout } = await flagadm(argv, { env: environment(url) })
  expect(stdout).toBe(`Updated project p on ${url}
  mode         open
  pattern      a
  description  first
               :\\x3aerror::second
                 #\\x23[group]third
`)
})

test('a name in the first column of a table cannot be a command', async () => {
  const url = await repeating('::error::x')
  const { stdout } = await flagadm(usage, { env: environment(url) })
  expect(stdout.split('\n')[6]).toMatch(/^:\\x3aerror::x +:\\x3aerror::x +1 +0 /)
})

test('right-to-left names do not reorder the figures beside them', async () => {
  const url = await repeating('\u05d0\u05d1')
  const name = '\u2068\u05d0\u05d1\u2069'
  const argv = ['feature', 'usage', '\u05d0\u05d1', '--no-color']
  const { stdout } = withoutCaption(await flagadm(argv, { env: environment(url), columns: 100 }))
  expect(stdout).toBe(`${name} (in the current clock hour, maturity ${name})

Application  Environment  Enabled  Disabled  Total              Share  Variants  Reported
─────────────────────────────────────────────────────────────────────────────────────────
${name}           ${name}                 1         0      1  ██████████ 100.0%  ${name} 1      ${name}
─────────────────────────────────────────────────────────────────────────────────────────
Total                           1         0      1  ██████████ 100.0%
`)
  const gate = [
    'feature',
    'usage',
    '\u05d0\u05d1',
    '--expect',
    'unused',
    '--for',
    '0',
    '-o',
    'markdown',
  ]
  expect((await flagadm(gate, { env: environment(url) })).stdout).toContain(
    `| \`${name}\` | ✗ failed`,
  )
  const diff = ['naming', 'diff', '--from', 'pattern:a', '--to', 'pattern:.*', '-o', 'markdown']
  const world = { files: { 'work/names': '\u05d0\u05d1' } }
  const { stdout: list } = await flagadm([...diff, '--names-from', 'names'], world)
  expect(list).toContain(`- \`${name}\``)
  const csv = await flagadm([...usage, '-o', 'jsonl'], { env: environment(url) })
  expect(csv.stdout).not.toContain('\u2068')
})
