import { readFile, readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { version } from '../../package.json' with { type: 'json' }
import { join } from '../../src/paths.ts'
import { environment, flagadm, temporaryFolder } from '../support/flagadm.ts'
import { sandboxOf } from '../support/sandbox.ts'
import { json, serve } from '../support/server.ts'
import { ending } from '../support/text.ts'
import { checkout, plain } from './seed.ts'

const exported = ['project', 'settings', 'export']
const schema = `# yaml-language-server: $schema=https://raw.githubusercontent.com/flagadm/flagadm/v${version}/schemas/settings.schema.json\n`

describe('settings export', () => {
  test('writes a document per project, which plan finds unchanged', async () => {
    const sandbox = await sandboxOf([checkout, plain()])
    const dir = join(await temporaryFolder(), 'new/flags')
    const { code, stdout } = await flagadm([...exported, '--all-projects', '--dir', dir], sandbox)
    expect([code, stdout]).toEqual([0, `Exported 2 projects to ${dir}\n`])
    expect((await readdir(dir)).sort()).toEqual(['checkout.yaml', 'plain.yaml'])
    expect(await readFile(join(dir, 'checkout.yaml'), 'utf8')).toBe(`${schema}projects:
  checkout:
    mode: protected
    featureNaming:
      pattern: checkout-[a-z]+
      example: checkout-a
      description: |-
        One
        two
    linkTemplates:
      - title: Issue
        urlTemplate: https://t.test/
`)
    const plan = ['project', 'settings', 'plan', '-f', dir, '--strict', '--fail-on-change']
    expect((await flagadm(plan, sandbox)).code).toBe(0)
    const applied = await flagadm(['project', 'settings', 'apply', '-f', dir], sandbox)
    expect([applied.code, sandbox.writes()]).toEqual([0, []])
  })

  test('writes nothing if two files would have one name where case is ignored', async () => {
    const sandbox = await sandboxOf(['Foo', 'bar', 'foo'].map(plain))
    const dir = join(await temporaryFolder(), 'flags')
    for (const more of [[], ['--force']]) {
      const argv = [...exported, '--all-projects', '--dir', dir, ...more]
      expect(ending(await flagadm(argv, sandbox))).toBe(
        '2 error: the files of Foo, foo differ only in upper and lower case\n' +
          'hint: nothing was written; export them to different folders, because some systems ignore case\n',
      )
    }
    await expect(readdir(dir)).rejects.toThrow('ENOENT')
  })

  test('percent-encodes ids and leaves other files alone', async () => {
    const ids = ['team a/b', '.hidden', 'a*b', 'Ü', '100%', 'a:b']
    const sandbox = await sandboxOf(ids.map(plain))
    const mine = { 'README.md': 'mine', 'x.yaml': 'mine', 'Ü.yaml': 'mine' }
    const folder = await temporaryFolder({ ...mine, 'a%3Ab.yaml': 'old' })
    const { code, stdout } = await flagadm(
      [...exported, '--all-projects', '--dir', folder, '--json', '--force'],
      sandbox,
    )
    const encoded = ['%2Ehidden', '100%25', 'a%2Ab', 'a%3Ab', 'team%20a%2Fb', '%C3%9C']
    expect([code, JSON.parse(stdout).files.map(({ file }: { file: string }) => file)]).toEqual([
      0,
      encoded.map((name) => join(folder, `${name}.yaml`)),
    ])
    expect(await readFile(join(folder, 'a%3Ab.yaml'), 'utf8')).toBe(
      `${schema}projects:\n  a:b:\n    mode: open\n`,
    )
    const names = [...encoded.map((name) => `${name}.yaml`), ...Object.keys(mine)]
    expect((await readdir(folder)).sort()).toEqual(names.sort())
    expect(await readFile(join(folder, 'x.yaml'), 'utf8')).toBe('mine')
  })

  test('exports the projects that can be read', async () => {
    const { url } = await serve((response, { url: path }) =>
      path.includes('/b/')
        ? json(response, 403, { message: 'no' })
        : json(response, 200, { mode: 'open', featureNaming: {}, linkTemplates: [] }),
    )
    const argv = [...exported, 'a', 'b', '--dir', 'flags']
    expect(await flagadm(argv, { env: environment(url) })).toMatchObject({
      code: 10,
      stdout: 'Exported 1 project to flags\n',
      stderr:
        'error: project b: 403: no\nhint: use a key that has this permission\nerror: 1 of 2 projects could not be read\n',
    })
  })

  test('reports projects that cannot be read also if files differ', async () => {
    const { url } = await serve((response, { url: path }) =>
      path.includes('/b/')
        ? json(response, 403, { message: 'no' })
        : json(response, 200, { mode: 'open', featureNaming: {}, linkTemplates: [] }),
    )
    const world = { env: environment(url), files: { 'work/flags/a.yaml': 'projects: {}\n' } }
    const { code, stderr } = await flagadm([...exported, 'a', 'b', '--dir', 'flags'], world)
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /^error: project b: 403: no\nhint: .*\nerror: 1 file would be overwritten/,
      ),
    ])
  })

  test('reports a folder that cannot be created', async () => {
    const sandbox = await sandboxOf([plain()])
    const argv = [...exported, 'plain', '--dir', 'flags']
    expect(ending(await flagadm(argv, { ...sandbox, files: { 'work/flags': '' } }))).toBe(
      '2 error: --dir: cannot create flags: a file with this name exists\nhint: check the path and its permissions\n',
    )
  })

  test('makes no folder if the project cannot be read', async () => {
    const sandbox = await sandboxOf([checkout])
    const folder = await temporaryFolder()
    const { code } = await flagadm([...exported, 'chekout', '--dir', join(folder, 'new')], sandbox)
    expect([code, await readdir(folder)]).toEqual([6, []])
  })
})

describe('export to a folder with files', () => {
  const commented = `# The team decided this.
projects:
  checkout: # the shop
    linkTemplates: [{urlTemplate: 'https://t.test/', title: Issue}]
    featureNaming:
      description: "One\\ntwo"
      pattern: 'checkout-[a-z]+'
      example: checkout-a
    mode: protected
`
  const different = {
    'another value': 'projects: {plain: {mode: private}}',
    'less than the service has': 'projects: {plain: {}}',
    'another project': 'projects: {other: {mode: open}}',
    'an unknown field': 'projects: {plain: {mode: open, owner: me}}',
    'invalid YAML': 'projects: [',
  }

  /** Exports both projects to a folder, called F in the output, with the file of one of them. */
  async function exportOver(id: string, text: string, ...argv: string[]) {
    const sandbox = await sandboxOf([checkout, plain()])
    const folder = await temporaryFolder({ [`${id}.yaml`]: text })
    const all = [...exported, '--all-projects', '--dir', folder, ...argv]
    const { code, stdout, stderr } = await flagadm(all, sandbox)
    const now = await readFile(join(folder, `${id}.yaml`), 'utf8')
    const [out, error] = [stdout, stderr].map((one) => one.replaceAll(folder, 'F'))
    return { code, stdout: out, stderr: error, now, names: (await readdir(folder)).sort() }
  }

  test.each([
    ['the fields in another order, with comments', 'checkout', commented],
    [
      'null for what is not set',
      'plain',
      'projects: {plain: {mode: open, featureNaming: null, linkTemplates: null}}',
    ],
    [
      'a schema, in JSON',
      'plain',
      '{"$schema": "s.json", "projects": {"plain": {"mode": "open"}}}',
    ],
  ])('leaves one that has %s', async (_what, id, text) => {
    expect(await exportOver(id, text)).toEqual({
      code: 0,
      stdout: 'Exported 2 projects to F, 1 unchanged\n',
      stderr: '',
      now: text,
      names: ['checkout.yaml', 'plain.yaml'],
    })
  })

  test.each(Object.entries(different))('refuses to overwrite one that has %s', async (_, text) => {
    expect(await exportOver('plain', text)).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'error: 1 file would be overwritten: F/plain.yaml\n' +
        'hint: nothing was written; use --force to overwrite them, or another folder\n',
      now: text,
      names: ['plain.yaml'],
    })
  })

  test('overwrites it with --force, but leaves what has not changed', async () => {
    expect(await exportOver('plain', different['another value'], '--force')).toMatchObject({
      code: 0,
      stdout: 'Exported 2 projects to F\n',
      now: `${schema}projects:\n  plain:\n    mode: open\n`,
    })
    expect((await exportOver('checkout', commented, '--force')).now).toBe(commented)
  })

  test('reports as JSON which files it wrote', async () => {
    const { stdout = '' } = await exportOver('checkout', commented, '--json')
    expect(JSON.parse(stdout).files).toEqual([
      { projectId: 'checkout', file: 'F/checkout.yaml', status: 'unchanged' },
      { projectId: 'plain', file: 'F/plain.yaml', status: 'written' },
    ])
  })

  test('refuses to replace a folder', async () => {
    const sandbox = await sandboxOf([plain()])
    const world = { ...sandbox, files: { 'work/flags/plain.yaml/x': '' } }
    const argv = [...exported, '--all-projects', '--dir', 'flags', '--force']
    const { code, stderr } = await flagadm(argv, world)
    expect([code, stderr.split('\n')[0]]).toEqual([
      2,
      'error: flags/plain.yaml is neither a regular file nor a link to one',
    ])
  })
})
