import { readdir, readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { join } from '../../src/paths.ts'
import { environment, flagadm, makeFolder } from '../support/flagadm.ts'
import { hostileTexts } from '../support/hostile-settings.ts'
import { json, serve } from '../support/server.ts'
import { ending } from '../support/text.ts'

const odd = ['a', 'b.c', '~', 'Ü', 'null', '1', '__proto__', 'constructor', 'toString', 'x y']
const ids = [...odd, ...Array.from({ length: 10 }, (_, index) => `p${index}`)]

// YAML can hold every character but NUL and half a surrogate pair, which the service cannot store either.
const characters = fc.oneof(
  fc.constantFrom(...Array.from({ length: 0x9f }, (_, code) => String.fromCodePoint(code + 1))),
  fc.constantFrom('\u2028', '\u2029', '\ufeff', '\u202e', '\u{e0001}', '😀', ' ', '\n', '#', ':'),
  fc
    .integer({ min: 1, max: 0x10ffff })
    .map((code) => String.fromCodePoint(code))
    .filter((one) => !/\p{Cs}/u.test(one)),
)
const text = fc.oneof(
  fc.string({ unit: characters, maxLength: 12 }),
  fc.constantFrom('', ...hostileTexts),
)
const settings = fc.record({
  mode: fc.constantFrom('open', 'protected', 'private'),
  featureNaming: fc.record({ pattern: text, example: text, description: text }),
  linkTemplates: fc.array(
    fc.record({ title: fc.option(text, { nil: undefined }), urlTemplate: text }),
    { maxLength: 9 },
  ),
})

/** A service that stores everything; what is left out is cleared, as on the real one. */
async function serviceOf(stored: Map<string, object>) {
  const { url } = await serve((response, { method, url: path, body }) => {
    if (path.endsWith('/projects')) {
      return json(response, 200, { projects: ids.map((id) => ({ id })) })
    }
    if (path.endsWith('/features')) return json(response, 200, { features: [] })
    const id = decodeURIComponent(/projects\/([^/]+)/.exec(path)?.[1] ?? '')
    const initial = { mode: 'open', featureNaming: {}, linkTemplates: [] }
    if (method !== 'PUT') return json(response, 200, { ...initial, ...stored.get(id) })
    stored.set(id, { ...stored.get(id), linkTemplates: [], ...JSON.parse(body) })
    return response.writeHead(200).end()
  })
  return { env: environment(url) }
}

const command = ['project', 'settings']

/** The files of an export. */
async function exported(world: { env: Record<string, string> }, folder: string, name: string) {
  const dir = join(folder, name)
  const argv = [...command, 'export', '--all-projects', '--dir', dir]
  expect(await flagadm(argv, world)).toMatchObject({ code: 0, stderr: '' })
  const files = (await readdir(dir)).sort()
  return Promise.all(files.map(async (file) => [file, await readFile(join(dir, file), 'utf8')]))
}

// Each run has 20 projects, so FUZZ_RUNS=500 tries 10,000 settings.
const numRuns = Number(process.env.FUZZ_RUNS ?? 3)
const timeout = 30_000 + 4_000 * numRuns

test('export, apply, export again and undo lose nothing', { timeout }, async () => {
  const projects = fc.tuple(...ids.map(() => settings))
  const original = new Map<string, object>()
  const copy = new Map<string, object>()
  const from = await serviceOf(original)
  const to = await serviceOf(copy)
  await fc.assert(
    fc.asyncProperty(projects, async (values) => {
      for (const [index, id] of ids.entries()) original.set(id, values[index] ?? {})
      copy.clear()
      const folder = makeFolder()
      const files = await exported(from, folder, 'first')
      const dir = join(folder, 'first')
      const apply = [...command, 'apply', '-f', dir, '--yes', '--no-verify']
      expect(ending(await flagadm(apply, to))).toBe('0 ')
      expect(await exported(to, folder, 'second')).toEqual(files)
      // What is saved before a change restores it.
      const nothing = { mode: 'private', featureNaming: null, linkTemplates: null }
      const reset = JSON.stringify({ projects: Object.fromEntries(ids.map((id) => [id, nothing])) })
      const before = join(folder, 'before.yaml')
      const change = [...command, 'apply', '-f', 'reset.json', '--yes', '--save-before', before]
      const world = { ...to, files: { 'work/reset.json': reset } }
      expect((await flagadm(change, world)).code).toBe(0)
      const undo = [...command, 'apply', '--plan', before, '--yes', '--no-verify']
      expect(ending(await flagadm(undo, to))).toBe('0 ')
      expect(await exported(to, folder, 'third')).toEqual(files)
    }),
    { numRuns },
  )
})

/** Settings of which projects often have the same, also with their own id; ids are short, so that texts have them by chance. */
const likely = fc.record({
  mode: fc.constantFrom('open', 'private'),
  featureNaming: fc.record({
    pattern: fc.constantFrom('', '[a-z]+', '<id>-[a-z]+', '<id>{project}', '{project}'),
    example: fc.constantFrom('', 'a-a', '<id>-a', '<id>'),
    description: fc.constantFrom('', 'a', '<id>: a', '$&<id>'),
  }),
  linkTemplates: fc.constantFrom([], [{ urlTemplate: '{project}' }], [{ urlTemplate: '<id>' }]),
})

test('a document with what projects share changes nothing', { timeout }, async () => {
  const stored = new Map<string, object>()
  const world = await serviceOf(stored)
  await fc.assert(
    fc.asyncProperty(fc.tuple(...ids.map(() => likely)), async (values) => {
      for (const [index, id] of ids.entries()) {
        const text = JSON.stringify(values[index]).replaceAll('<id>', () => id)
        stored.set(id, JSON.parse(text))
      }
      const get = [...command, 'get', '--all-projects', '--common', '-o', 'yaml']
      const { stdout } = await flagadm(get, world)
      const plan = [...command, 'plan', '-f', 'common.yaml', '--no-verify', '--strict']
      const files = { 'work/common.yaml': stdout }
      const outcome = await flagadm([...plan, '--fail-on-change'], { ...world, files })
      expect([outcome.code, outcome.stderr]).toEqual([0, ''])
      expect(outcome.stdout).toContain('20 projects: 0 would change, 20 unchanged\n')
    }),
    { numRuns },
  )
})
