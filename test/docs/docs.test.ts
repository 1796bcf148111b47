import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { parse } from 'yaml'
import { anchorOf, blocksOf, type Page, pages, root, runExample, withoutCode } from './pages.ts'
import { llms, skill } from './assistant.ts'
import { withParts } from './generated.ts'
import { reference } from './reference.ts'

const OUTDATED = 'is out of date; run `npm run docs` and commit the result'

test('the reference, the guides for assistants and the report of the sandbox are those of the program', async () => {
  const review = 'flagadm feature review --all-projects -p sandbox -o markdown'
  const generated = {
    'docs/reference.md': await reference(),
    'examples/report.md': (await runExample(review)).stdout,
    'llms.txt': await llms(),
    'skills/flagadm/SKILL.md': await skill(),
  }
  for (const [path, text] of Object.entries(generated)) {
    await expect(text, `${path} ${OUTDATED}`).toMatchFileSnapshot(join(root, path))
  }
})

/** A `console` block with the current output below each command. */
async function transcript(code: string): Promise<string> {
  let text = ''
  for (const [, line = ''] of code.matchAll(/^\$ (.+)$/gm)) {
    const { stdout, stderr } = await runExample(line)
    text += `$ ${line}\n${stdout}${stderr}`
  }
  return text
}

const handwritten = pages.filter(({ path }) => path !== 'docs/reference.md')

it.each(handwritten)(
  '$path has the tables of the program, and what its commands print',
  async (page) => {
    const { path, text } = page
    let fresh = ''
    for (const part of withParts(text).split(/^(```console\n[^]*?^```$)/m)) {
      const [, code] = /^```console\n([^]*)```$/.exec(part) ?? []
      fresh += code === undefined ? part : `\`\`\`console\n${await transcript(code)}\`\`\``
    }
    await expect(fresh, `${path} ${OUTDATED}`).toMatchFileSnapshot(join(root, path))
  },
)

function headingsOf(text: string): string[] {
  return [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)
}

function anchorsOf(path: string): string[] {
  return headingsOf(readFileSync(join(root, path), 'utf8')).map(anchorOf)
}

function brokenLinks({ path, text }: Page): string[] {
  const links = [...withoutCode(text).matchAll(/\]\((?!\w+:)([^)]+)\)/g)].map(
    ([, link = '']) => link,
  )
  return links.filter((link) => {
    const [file = '', anchor] = link.split('#')
    const target = file === '' ? path : join(dirname(path), file)
    if (!existsSync(join(root, target))) return true
    return anchor !== undefined && !anchorsOf(target).includes(anchor)
  })
}

it.each(pages)('every link in $path leads to an existing file and heading', (page) => {
  expect(brokenLinks(page)).toEqual([])
})

it('the README links every page in docs/, and only the reference links the specification', () => {
  const readme = pages.find(({ path }) => path === 'README.md')?.text
  const unlinked = pages.filter(
    ({ path }) => path.startsWith('docs/') && !readme?.includes(`(${path}`),
  )
  expect(unlinked.map(({ path }) => path)).toEqual(['docs/specification.md'])
  const linking = pages.filter(({ text }) => /\]\([^)]*specification\.md/.test(text))
  expect(linking.map(({ path }) => path)).toEqual(['docs/reference.md'])
})

function scriptsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(scriptsOf)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) =>
    key === 'run' && typeof part === 'string' ? [part] : scriptsOf(part),
  )
}

const workflows = readdirSync(join(root, '.github/workflows')).map((name) => ({
  name,
  text: readFileSync(join(root, '.github/workflows', name), 'utf8'),
}))

describe('recipes and workflows', () => {
  const jobs = pages
    .flatMap(blocksOf)
    .filter(({ language }) => language === 'yaml')
    .map(({ code }) => code)
  const all = [...jobs, ...workflows.map(({ text }) => text)]

  it('never interpolate an expression into a shell script', () => {
    const scripts = all.flatMap((text) => scriptsOf(parse(text)))
    expect(scripts.length).toBeGreaterThan(10)
    expect(scripts.filter((script) => script.includes('${{'))).toEqual([])
  })

  it('pin every action to a commit', () => {
    const uses = all.flatMap((text) => text.match(/(?<=uses: ).+/g) ?? [])
    expect(uses.length).toBeGreaterThan(10)
    // The last is a placeholder, because a commit cannot contain its own hash.
    const pinned =
      /^(?:actions\/[\w-]+@[\da-f]{40} # v[\d.]+|\.\/\.github\/workflows\/ci\.yml|flagadm\/\S+@<commit>)$/
    expect(uses.filter((one) => !pinned.test(one))).toEqual([])
  })

  it.each(workflows)('$name may only read the repository', ({ text }) => {
    expect(parse(text).permissions).toEqual({ contents: 'read' })
  })
})

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => readFileSync(join(root, 'src', path), 'utf8'))
  .join('\n')

const errors = readFileSync(join(root, 'docs/errors.md'), 'utf8').match(
  /(?<=^\| )[^|]*`.*?(?= \|)/gm,
)

it.each(errors ?? [])('an error of docs/errors.md is one of the program: %s', (cell) => {
  const texts = [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, text = '']) => text.split('…'))
  const own = texts
    .map((text) => text.replaceAll(/^\W+|\W+$/g, ''))
    .filter((text) => /\D{4}/.test(text))
  expect(own.filter((text) => !sources.includes(text))).toEqual([])
})

test('what an assistant reads has at most 2,000 words', async () => {
  expect((await skill()).split(/\s+/).length).toBeLessThanOrEqual(2000)
})

test('examples/naming.yaml is the file in the README', () => {
  const readme = pages.find(({ path }) => path === 'README.md')
  const blocks = readme ? blocksOf(readme).map(({ code }) => code) : []
  expect(blocks).toContain(readFileSync(`${root}/examples/naming.yaml`, 'utf8'))
})
