import fc from 'fast-check'
import { test } from 'vitest'
import { environment, flagadm } from '../support/flagadm.ts'
import { json, serve } from '../support/server.ts'
import { hostileText } from './hostile.ts'
import { almost, almostArray, almostObject, anyString, jsonText } from './json.ts'
import { expectSound, kindOf } from './sound.ts'

const settings = ['project', 'settings']

const id = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', '..', '\ud800', '__proto__') },
  { weight: 1, arbitrary: hostileText },
)
const mode = fc.constantFrom('"open"', '"protected"', '"private"', '"evil"', '""')
const pattern = fc.oneof(anyString, fc.constantFrom('"a-[a-z]+"', '"(["', '"{project}-.*"', 'null'))
const rule = almostObject({ pattern, example: anyString, description: anyString })
const link = almostObject({ title: anyString, urlTemplate: anyString })
const part = almostObject({ mode, featureNaming: rule, linkTemplates: almostArray(link) })

/** Documents of several projects, as JSON. */
const projects = fc
  .array(fc.tuple(id, almost(part)), { maxLength: 4 })
  .map((all) => `{${all.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`)

/** Text that YAML takes for something else. */
const yaml = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...['projects:', ' a:', '  featureNaming:', '   pattern: ', '  mode: open', 'defaults:'],
        ...[
          '- ',
          ': ',
          '&a ',
          '*a',
          '<<: *a',
          '!!binary ',
          '!!set ',
          '? ',
          '|\n',
          '>-\n',
          '"\\ud800"',
        ],
        ...[
          '\n',
          '\r\n',
          '\t',
          '# x',
          '[',
          ']',
          '{',
          '}',
          "'",
          '"',
          '---\n',
          '...\n',
          '%YAML 1.1\n',
        ],
      ),
      hostileText,
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''))

/** A service that stores nothing that it is sent, and sends what it likes. */
async function serviceOf() {
  const service = await serve((response, { method, url }) => {
    if (method === 'PUT') return response.writeHead(200).end()
    if (url.endsWith('/projects')) return json(response, 200, { projects: [{ id: 'a' }] })
    if (url.endsWith('/features')) return json(response, 200, { features: [] })
    const featureNaming = { pattern: 'a|b', example: null, description: null }
    return json(response, 200, { mode: 'open', featureNaming, linkTemplates: [] })
  })
  const run = async (argv: readonly string[], text: string) => {
    const files = { 'work/f': text, 'work/f.json': text }
    const env = { ...environment(service.url), FLAGADM_RETRIES: '0' }
    expectSound(await flagadm([...settings, ...argv], { env, files }), kindOf(argv))
  }
  return { run, url: service.url }
}

const options = fc.constantFrom([], ['--no-verify'], ['--json'], ['--no-verify', '--json'])
const file = fc.constantFrom('f', 'f.json')

test('documents with mistakes are planned, applied or refused', async () => {
  const { run } = await serviceOf()
  const whole = almostObject({ projects, defaults: part })
  const document = fc.oneof({ weight: 6, arbitrary: whole }, jsonText, yaml)
  await fc.assert(
    fc.asyncProperty(document, part, file, options, async (text, one, name, more) => {
      await run(['plan', '-f', name, '--strict', '--check-names', ...more], text)
      await run(['apply', '-f', name, '--yes', '--save-before', 'before', ...more], text)
      await run(['set', 'a', '-f', name, '--yes', ...more], one)
      await run(['set', 'a', '-f', name, '--dry-run', ...more], text)
    }),
  )
})

test('plans with mistakes are applied or refused', async () => {
  const { run, url } = await serviceOf()
  const project = almostObject({
    projectId: id.map((text) => JSON.stringify(text)),
    stored: fc.oneof(fc.constant('{"mode":"open"}'), part),
    wanted: part,
  })
  const plan = almostObject({
    version: fc.constant('1'),
    service: fc.constant(JSON.stringify(url)),
    projects: almostArray(project),
  })
  const text = fc.oneof({ weight: 6, arbitrary: plan }, jsonText, yaml)
  await fc.assert(
    fc.asyncProperty(text, file, options, async (kept, name, more) => {
      await run(['apply', '--plan', name, '--yes', '--save-before', 'before', ...more], kept)
      await run(['apply', '--plan', name, '--dry-run', ...more], kept)
    }),
  )
})

test('arguments that are not Unicode are refused or shown', async () => {
  const { run } = await serviceOf()
  const text = fc.oneof(fc.constantFrom('\ud800', 'a\udfff'), hostileText)
  await fc.assert(
    fc.asyncProperty(text, options, async (word, more) => {
      await run(['get', ...more.filter((one) => one === '--json'), '--', word, 'a'], '')
      await run(['export', '--dir', 'out', '--', word], '')
      await run(['set', '--mode', 'open', ...more, '--', word], '')
      await run(['set', 'a', `--description=${word}`, '--yes', ...more], '')
    }),
  )
})
