import { describe, expect, it } from 'vitest'
import { flagadm, repositoryIn } from '../support/flagadm.ts'

const files = {
  'work/src/a.ts': `useFlag('dark-mode')
useFlag(Flags.Basket)
useFlag(name)
isEnabled('nope')
`,
  'work/src/flags.ts': "export enum Flags { Basket = 'checkout-new-basket' }\n",
  'work/src/x.py': 'x = "legacy-invoice-export"\n',
}

async function references(argv: readonly string[], columns?: number) {
  const scan = ['feature', 'references', '--scan', 'src']
  const { code, stdout, stderr } = await flagadm([...scan, ...argv], {
    files,
    ...(columns && { columns }),
  })
  return { code, stdout, stderr }
}

const dark = { file: 'src/a.ts', line: 1, column: 10, kind: 'call', text: "useFlag('dark-mode')" }
const basket = {
  file: 'src/a.ts',
  line: 2,
  column: 9,
  kind: 'constant',
  text: 'useFlag(Flags.Basket)',
}
const nope = { file: 'src/a.ts', line: 4, column: 12, kind: 'call', text: "isEnabled('nope')" }
const mention = {
  file: 'src/x.py',
  line: 1,
  column: 6,
  kind: 'mention',
  text: 'x = "legacy-invoice-export"',
}
const unresolved = { file: 'src/a.ts', line: 3, column: 1, text: 'useFlag(name)', candidates: [] }

describe('all names', () => {
  it('are a table by default', async () => {
    expect(await references([])).toEqual({
      code: 0,
      stdout: `Flag                 Place          Kind      Text
───────────────────────────────────────────────────────────────────
checkout-new-basket  src/a.ts:2:9   constant  useFlag(Flags.Basket)
dark-mode            src/a.ts:1:10  call      useFlag('dark-mode')
nope                 src/a.ts:4:12  call      isEnabled('nope')

1 of 4 lookups could not be read:

Place         Text
───────────────────────────
src/a.ts:3:1  useFlag(name)

3 names, 3 references; 3 files scanned
`,
      stderr: '',
    })
  })

  it('are below their names if the terminal is too narrow for both', async () => {
    const { stdout } = await references(['--no-color'], 60)
    expect(stdout).toContain(`Flag
Place          Kind      Text
──────────────────────────────────────────────
checkout-new-basket
src/a.ts:2:9   constant  useFlag(Flags.Basket)
dark-mode
src/a.ts:1:10  call      useFlag('dark-mode')
`)
  })

  it('are without their texts if the terminal is narrower still', async () => {
    const { stdout } = await references(['--no-color'], 45)
    expect(stdout).toContain(`Flag                 Place          Kind
────────────────────────────────────────────
checkout-new-basket  src/a.ts:2:9   constant
dark-mode            src/a.ts:1:10  call
`)
  })

  it('are one JSON document', async () => {
    const { stdout } = await references(['--json'])
    expect(JSON.parse(stdout)).toEqual({
      names: [
        { name: 'checkout-new-basket', references: [basket] },
        { name: 'dark-mode', references: [dark] },
        { name: 'nope', references: [nope] },
      ],
      unresolved: [unresolved],
      skipped: [],
      files: 3,
    })
  })

  it('are JSON Lines', async () => {
    const { stdout } = await references(['-o', 'jsonl'])
    expect(
      stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { name: 'checkout-new-basket', ...basket },
      { name: 'dark-mode', ...dark },
      { name: 'nope', ...nope },
      { unresolved },
      { incomplete: { lookups: [{ unread: 1, of: 4 }] } },
    ])
  })

  it('are CSV', async () => {
    expect((await references(['-o', 'csv'])).stdout.split('\r\n')).toEqual([
      'name,file,line,column,kind,text',
      'checkout-new-basket,src/a.ts,2,9,constant,useFlag(Flags.Basket)',
      "dark-mode,src/a.ts,1,10,call,useFlag('dark-mode')",
      "nope,src/a.ts,4,12,call,isEnabled('nope')",
      ',src/a.ts,3,1,unresolved,useFlag(name)',
      '',
    ])
  })

  it('are Markdown', async () => {
    expect((await references(['-o', 'markdown'])).stdout).toBe(`| Flag | Place | Kind | Text |
| --- | --- | --- | --- |
| \`checkout-new-basket\` | \`src/a.ts:2:9\` | constant | \`useFlag(Flags.Basket)\` |
| \`dark-mode\` | \`src/a.ts:1:10\` | call | \`useFlag('dark-mode')\` |
| \`nope\` | \`src/a.ts:4:12\` | call | \`isEnabled('nope')\` |

1 of 4 lookups could not be read:

| Place | Text |
| --- | --- |
| \`src/a.ts:3:1\` | \`useFlag(name)\` |

3 names, 3 references; 3 files scanned
`)
  })

  it('are annotations', async () => {
    expect(
      (await references(['-o', 'github'])).stdout,
    ).toBe(`::notice file=src/a.ts,line=2,col=9,title=reference::checkout-new-basket: constant
::notice file=src/a.ts,line=1,col=10,title=reference::dark-mode: call
::notice file=src/a.ts,line=4,col=12,title=reference::nope: call
::warning title=unresolved::1 of 4 lookups could not be read
::notice file=src/a.ts,line=3,col=1,title=unresolved::could not be read
`)
  })

  it('are a list', async () => {
    expect(await references(['-o', 'names'])).toEqual({
      code: 0,
      stdout: 'checkout-new-basket\ndark-mode\nnope\n',
      stderr: 'note: 1 of 4 lookups could not be read\n',
    })
  })
})

it('shows names given with their mentions, and those without a reference', async () => {
  const argv = ['legacy-invoice-export', 'dark-mode', 'none', '--json']
  const { stdout } = await references(argv)
  expect(JSON.parse(stdout)).toMatchObject({
    names: [
      { name: 'dark-mode', references: [dark] },
      { name: 'legacy-invoice-export', references: [mention] },
      { name: 'none', references: [] },
    ],
  })
})

it('shows the candidates of a constant with several values', async () => {
  const { stdout } = await flagadm(['feature', 'references', '--scan', '.'], {
    files: {
      'work/a.ts': 'isEnabled(Flags.A)\n',
      'work/b.ts': "enum Flags { A = 'x' }\n",
      'work/c.ts': "enum Flags { A = 'y' }\n",
    },
  })
  expect(stdout).toBe(`No flag names.

1 of 1 lookup could not be read:

Place     Text                One of
────────────────────────────────────
a.ts:1:1  isEnabled(Flags.A)  x, y

0 names, 0 references; 3 files scanned
`)
})

describe('with a service', () => {
  it('--unknown shows names that are not flags', async () => {
    const { code, stdout } = await references(['--unknown', '-o', 'csv', '-p', 'sandbox'])
    expect(code).toBe(0)
    expect(stdout.split('\r\n').slice(1, 2)).toEqual(["nope,src/a.ts,4,12,call,isEnabled('nope')"])
  })

  it('--unreferenced shows flags that the code does not contain', async () => {
    const argv = ['--unreferenced', '--project', 'default', '-o', 'names', '-p', 'sandbox']
    const { stdout } = await references(argv)
    expect(stdout).toContain('maintenance-banner\n')
    expect(stdout).not.toMatch(/^(?:dark-mode|legacy-invoice-export)$/m)
  })

  it('--project shows the flags of the project', async () => {
    const argv = ['--project', 'checkout', '-o', 'names', '-p', 'sandbox']
    expect((await references(argv)).stdout).toBe('checkout-new-basket\n')
  })

  it('reports a project that does not exist', async () => {
    const { code } = await references(['--unknown', '--project', 'nope', '-p', 'sandbox'])
    expect(code).toBe(6)
  })
})

it('--unreferenced has no columns for places', async () => {
  const table = await references(['dark-mode', 'none', '--unreferenced'])
  expect(table.stdout.split('\n').slice(0, 3)).toEqual(['Flag', '────', 'none'])
  const markdown = await references(['dark-mode', 'none', '--unreferenced', '-o', 'markdown'])
  expect(markdown.stdout.split('\n').slice(0, 3)).toEqual(['| Flag |', '| --- |', '| `none` |'])
})

it('--unreferenced needs no service for names given', async () => {
  const { code, stdout } = await references(['dark-mode', 'none', '--unreferenced', '-o', 'names'])
  expect([code, stdout]).toEqual([0, 'none\n'])
})

describe('--fail-on', () => {
  it.each([
    [['unresolved'], '1 of 4 lookups could not be read'],
    [
      ['unknown', '-p', 'sandbox'],
      '1 name in the code is not a flag of any project that the service lists',
    ],
    [['unreferenced', 'a', 'dark-mode'], '1 known name is not in the code'],
    [
      ['unresolved,unreferenced', 'a'],
      '1 of 4 lookups could not be read; 1 known name is not in the code',
    ],
    [
      ['unreferenced', '--fail-on', 'unresolved', 'a'],
      '1 known name is not in the code; 1 of 4 lookups could not be read',
    ],
    [['unresolved,unreferenced', 'dark-mode'], '1 of 4 lookups could not be read'],
  ])('%j exits with 9', async (argv, message) => {
    const { code, stderr } = await references(['--fail-on', ...argv])
    expect([code, stderr]).toEqual([9, `error: ${message}\n`])
  })

  it.each([[['unknown', 'dark-mode', '-p', 'sandbox']], [['unreferenced', 'dark-mode']]])(
    '%j exits with 0 without any',
    async (argv) => {
      expect((await references(['--fail-on', ...argv])).code).toBe(0)
    },
  )

  it('refuses an unknown value of --fail-on', async () => {
    const { code, stdout, stderr } = await references(['--fail-on', 'unresolved,missing'])
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      "error: --fail-on: unknown value 'missing'\nhint: choose one of unresolved, unknown, unreferenced\n",
    ])
  })

  it('makes errors of annotations', async () => {
    const argv = ['--fail-on', 'unknown', '--unknown', '-o', 'github', '-p', 'sandbox']
    expect((await references(argv)).stdout).toBe(
      `::error file=src/a.ts,line=4,col=12,title=unknown::nope: not a flag of any project that the service lists
::warning title=unresolved::1 of 4 lookups could not be read
::notice file=src/a.ts,line=3,col=1,title=unresolved::could not be read
`,
    )
  })
})

describe('--call', () => {
  const code = {
    'work/src/recipes.ts': "export const recipes = { drawer: 'app.drawer.enabled' }\n",
    'work/src/a.ts': `const on = (area) => isEnabled(\`app.\${area}.enabled\`)
on('drawer')
if (recipes.drawer) {}
if (recipes[area]) {}
`,
  }
  const scan = ['feature', 'references', '--scan', 'src', '-o', 'jsonl']

  it('never reports parts of names that are composed at run time', async () => {
    expect(
      (await flagadm(scan, { files: code })).stdout,
    ).toBe(`{"unresolved":{"file":"src/a.ts","line":1,"column":22,"text":"isEnabled(\`app.\${area}.enabled\`)","candidates":[]}}
{"incomplete":{"lookups":[{"unread":1,"of":1}]}}
`)
  })

  it('makes the members of an object flags with .*', async () => {
    const { stdout } = await flagadm([...scan, '--call', 'recipes.*'], { files: code })
    expect(
      stdout,
    ).toBe(`{"name":"drawer","file":"src/a.ts","line":3,"column":13,"kind":"call","text":"recipes.drawer"}
{"unresolved":{"file":"src/a.ts","line":1,"column":22,"text":"isEnabled(\`app.\${area}.enabled\`)","candidates":[]}}
{"unresolved":{"file":"src/a.ts","line":4,"column":5,"text":"recipes[area]","candidates":[]}}
{"incomplete":{"lookups":[{"unread":2,"of":3}]}}
`)
  })
})

it('reports a file with more lookups than people write as not read', async () => {
  const many = { 'work/src/a.ts': "isEnabled('x');".repeat(20_001) }
  const { code, stdout, stderr } = await flagadm(
    ['feature', 'references', '--scan', 'src', '-o', 'names', '-v'],
    { files: { ...repositoryIn('work'), ...many } },
  )
  expect([code, stdout, stderr]).toEqual([
    0,
    '',
    'warning: not read: src/a.ts (too many lookups)\ndebug: src/a.ts: not read: too many lookups\n',
  ])
})
