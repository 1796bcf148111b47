import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { patientClock } from '../support/clock.ts'
import { flagadm, repositoryIn } from '../support/flagadm.ts'
import { ending, words } from '../support/text.ts'
import { jsonSchema } from '../docs/schemas.ts'
import { feature } from '../flags/service.ts'

const ajv = new Ajv({ strict: true, strictRequired: false })

const files = {
  ...repositoryIn('work'),
  'work/src/a.ts': `useFlag('dark-mode')
useFlag(Flags.Basket)
useFlag(name)
isEnabled('nope')
`,
  'work/src/flags.ts': "export enum Flags { Basket = 'checkout-new-basket' }\n",
  'work/src/x.py': 'x = "legacy-invoice-export"\n',
}

/** With a comment, no lookup is unresolved. */
const settled = {
  ...files,
  'work/src/a.ts': files['work/src/a.ts'].replace('(name)', '(name) // flagadm-ignore'),
}

const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n'

async function references(argv: readonly string[], own: Record<string, string> = files) {
  const scan = ['feature', 'references', '--scan', 'src']
  const { code, stdout, stderr } = await flagadm([...scan, ...argv], {
    files: own,
    clock: patientClock().clock,
  })
  return { code, stdout, stderr }
}

const none = { name: null, project: null, status: null }
const unchanged = { change: null, verdict: null }
const dark = {
  ...none,
  name: 'dark-mode',
  file: 'src/a.ts',
  line: 1,
  column: 10,
  kind: 'call',
  text: "useFlag('dark-mode')",
  inCode: true,
  ...unchanged,
}
const basket = {
  ...none,
  name: 'checkout-new-basket',
  file: 'src/a.ts',
  line: 2,
  column: 9,
  kind: 'constant',
  text: 'useFlag(Flags.Basket)',
  inCode: true,
  ...unchanged,
}
const nope = {
  ...none,
  name: 'nope',
  file: 'src/a.ts',
  line: 4,
  column: 12,
  kind: 'call',
  text: "isEnabled('nope')",
  inCode: true,
  ...unchanged,
}
const unresolved = {
  ...none,
  file: 'src/a.ts',
  line: 3,
  column: 1,
  kind: 'unresolved',
  text: 'useFlag(name)',
  inCode: null,
  ...unchanged,
}
/** What is read, of the repository in the folder `work`. */
const head = {
  readAt: '2026-11-20T16:00:00.000Z',
  service: null,
  repository: 'work',
  commit: null,
  committedAt: null,
  paths: ['src'],
  files: 3,
  unread: [],
  unresolved: 0,
}
const gap = '1 of 4 lookups could not be read'
const unreadPlace = `Incomplete: ${gap} (src/a.ts:3:1 useFlag(name))`

describe('the names that lookups use', () => {
  it('are a table by default', async () => {
    expect(await references([])).toEqual({
      code: 0,
      stdout: `Flag                 Place          Kind      Text
───────────────────────────────────────────────────────────────────
checkout-new-basket  src/a.ts:2:9   constant  useFlag(Flags.Basket)
dark-mode            src/a.ts:1:10  call      useFlag('dark-mode')
nope                 src/a.ts:4:12  call      isEnabled('nope')

3 names, 3 places; 3 files read
${unreadPlace}
`,
      stderr: '',
    })
  })

  it('are Markdown with a marker', async () => {
    const { stdout } = await references(['-o', 'markdown', '--limit', '1'])
    expect(stdout).toMatch(/^<!-- flagadm feature references -->\n\| Flag \|/)
  })

  it('report with github how many rows --limit leaves out', async () => {
    const { stdout } = await references(['-o', 'github', '--limit', '1'])
    expect(stdout).toContain('\n::notice title=limit::3 rows, 1 shown\n')
  })

  it('are one JSON document', async () => {
    const { stdout } = await references(['--json'])
    expect(JSON.parse(stdout)).toEqual({
      ...head,
      unresolved: 1,
      references: [basket, dark, nope, unresolved],
      incomplete: [{ message: gap, names: ['src/a.ts:3:1 useFlag(name)'] }],
    })
  })

  const objects = [
    basket,
    dark,
    nope,
    unresolved,
    { incomplete: [{ message: gap, names: ['src/a.ts:3:1 useFlag(name)'] }] },
  ]
  const records = [
    'name,project,status,file,line,column,kind,text,inCode,change,verdict',
    'checkout-new-basket,,,src/a.ts,2,9,constant,useFlag(Flags.Basket),true,,',
    "dark-mode,,,src/a.ts,1,10,call,useFlag('dark-mode'),true,,",
    "nope,,,src/a.ts,4,12,call,isEnabled('nope'),true,,",
    ',,,src/a.ts,3,1,unresolved,useFlag(name),,,',
  ]
  const annotations = `::notice file=src/a.ts,line=2,col=9,title=reference::checkout-new-basket: constant
::notice file=src/a.ts,line=1,col=10,title=reference::dark-mode: call
::notice file=src/a.ts,line=4,col=12,title=reference::nope: call
::notice file=src/a.ts,line=3,col=1,title=unresolved::could not be read
::warning title=incomplete::${gap} (src/a.ts:3:1 useFlag(name))
`

  it.each([
    ['jsonl', objects.map((one) => `${JSON.stringify(one)}\n`).join(''), ''],
    ['csv', records.map((one) => `${one}\r\n`).join(''), ''],
    ['github', annotations, ''],
    ['names', 'checkout-new-basket\ndark-mode\nnope\n', `warning: ${unreadPlace}\n`],
  ])('are %s', async (format, stdout, stderr) => {
    expect(await references(['-o', format])).toEqual({
      code: 0,
      stdout,
      stderr,
    })
  })

  it('have the candidates of a constant with several values', async () => {
    const { stdout } = await references(['--json'], {
      ...repositoryIn('work'),
      'work/src/a.ts': 'isEnabled(Flags.A)\n',
      'work/src/b.ts': "enum Flags { A = 'x' }\n",
      'work/src/c.ts': "enum Flags { A = 'y' }\n",
    })
    expect(JSON.parse(stdout).references[0].status).toBe('one of x, y')
  })

  it('are reported as missing, with the option that adds functions', async () => {
    const { stdout, stderr } = await references([], {
      ...repositoryIn('work'),
      'work/src/a.ts': "on('x')",
    })
    expect({ stdout, stderr }).toEqual({
      stdout: 'No flag names.\n\n0 names, 0 places; 1 file read\n',
      stderr:
        'note: no lookup of a flag in 1 file; --call, or scan: { calls: [isOn] } in .flagadmrc, adds functions that take a flag name\n',
    })
  })

  it('are reported as missing, with the function that the code calls like one', async () => {
    const { stderr } = await references([], {
      ...repositoryIn('work'),
      'work/src/a.ts': "service.getFlagValue('new-ui') || service.getFlagValue(Flags.NewBasket)\n",
      'work/src/b.rb': 'FeatureFlag.active?(:c)\n',
      'work/src/c.ts':
        "setFlag('new-ui'); setFlag('one'); setFlag('two')\ngetFlagValue('dark-mode')\n",
    })
    expect(stderr).toBe(
      'note: no lookup of a flag in 3 files; if getFlagValue takes the name of a flag, add to .flagadmrc: scan: { calls: [getFlagValue] }\n',
    )
  })

  it('can be limited', async () => {
    const { stdout } = await references(['--reverse', '--limit', '1'])
    expect(stdout).toContain('nope  src/a.ts:4:12')
    expect(stdout).toContain('3 rows, 1 shown\n')
  })
})

describe('known names', () => {
  it('are searched for as text, with the line of each place', async () => {
    const { stdout } = await references(
      ['legacy-invoice-export', 'dark-mode', 'none', '--json'],
      settled,
    )
    expect(JSON.parse(stdout)).toEqual({
      ...head,
      references: [
        { ...dark, kind: 'text' },
        {
          ...none,
          name: 'legacy-invoice-export',
          file: 'src/x.py',
          line: 1,
          column: 6,
          kind: 'text',
          text: 'x = "legacy-invoice-export"',
          inCode: true,
          ...unchanged,
        },
        {
          ...none,
          name: 'none',
          status: 'not in the code',
          file: null,
          line: null,
          column: null,
          kind: null,
          text: null,
          inCode: false,
          ...unchanged,
        },
      ],
    })
  })

  it.each([
    ['--project checkout -o names', 'checkout-new-basket\n'],
    ['*-new-* --project checkout -o csv', '\r\ncheckout-new-basket,checkout,,src/flags.ts,'],
    // V10
    ['checkout-one-page --project checkout', 'not in the code; archived in project checkout'],
  ])('may be those of a project: %j', async (argv, text) => {
    const { stdout } = await references([...words(argv), '-p', 'sandbox'], settled)
    expect(stdout).toContain(text)
  })

  it('may be patterns only with a project', async () => {
    expect(ending(await references(['a*']))).toBe(
      "2 error: 'a*' contains '*', which requires a project\nhint: use --project <id> or --all-projects\n",
    )
  })
})

describe('--unreferenced', () => {
  it('shows known names that are nowhere', async () => {
    const argv = ['dark-mode', 'none', '--unreferenced']
    expect((await references(argv, settled)).stdout).toBe(`Flag  Status
─────────────────────
none  not in the code

1 name, 0 places; 3 files read
`)
    expect((await references([...argv, '-o', 'names'], settled)).stdout).toBe('none\n')
    expect((await references(['dark-mode', '--unreferenced'])).stdout).toMatch(/^All known names /)
  })

  it('mentions another spelling where the code has no lookups', async () => {
    const own = {
      ...repositoryIn('work'),
      'work/src/a.ts': 'if (process.env.FF_LEGACY_INVOICE_EXPORT) run()\n',
      'work/src/b.ts': 'on(flags.darkMode)\n',
    }
    const argv = ['dark-mode', 'legacy-invoice-export', 'none', 'other-mode', '--unreferenced']
    expect((await references(argv, own)).stdout).toBe(`Flag                   Status
───────────────────────────────────────────────────────────────────────────────
dark-mode              not in the code (darkMode at src/b.ts:1)
legacy-invoice-export  not in the code (FF_LEGACY_INVOICE_EXPORT at src/a.ts:1)
none                   not in the code
other-mode             not in the code

4 names, 0 places; 2 files read
`)
    const withLookup = { ...own, 'work/src/c.ts': "isEnabled('dark-mode')\n" }
    expect((await references(argv, withLookup)).stdout).not.toContain('FF_')
  })

  it('reads the flags of the service without names', async () => {
    const argv = ['--unreferenced', '--project', 'default', '-o', 'names', '-p', 'sandbox']
    expect((await references(argv, settled)).stdout).toBe(
      'billing-statements\nmaintenance-banner\nsearch-autocomplete\n',
    )
  })

  it('calls a name unclear that a text may be composed to', async () => {
    const own = { ...settled, 'work/src/c.ts': 'const x = `${app}-export-v2`\n' }
    const composed = ['my-export-v2', '--fail-on', 'unreferenced', '-o', 'names']
    expect(await references(composed, own)).toMatchObject({ code: 0, stdout: '' })
    const argv = ['my-export-v2', 'none', '--unreferenced']
    expect(await references([...argv, '-o', 'names'], own)).toEqual({
      code: 0,
      stdout: 'none\n',
      stderr: 'warning: left out because they may be in the code: my-export-v2\n',
    })
    expect((await references([...argv, '-o', 'csv'], own)).stdout).toContain(
      'my-export-v2,,unclear: a composed text may be its name,src/c.ts,1,12,composed,const x = `${app}-export-v2`,,,\r\n',
    )
  })

  it('calls all names unclear if a file could not be read', async () => {
    const own = { ...settled, 'work/src/c.bin': pointer }
    const argv = ['none', '--unreferenced']
    expect(await references([...argv, '-o', 'names', '--fail-on', 'unread'], own)).toEqual({
      code: 9,
      stdout: '',
      stderr:
        'warning: left out because they may be in the code: none\n' +
        'warning: Incomplete: 1 file could not be read (src/c.bin: Git LFS pointer)\n' +
        'error: unread: src/c.bin\n',
    })
    expect((await references([...argv, '--fail-on', 'unreferenced'], own)).stderr).toBe(
      'error: inconclusive: none may or may not be in the code\nhint: the status of each has the reason\n',
    )
    const { stdout } = await references([...argv, '--json'], own)
    expect(JSON.parse(stdout).references).toMatchObject([
      { name: 'none', status: 'unclear: 1 file could not be read', file: null },
      { name: null, status: 'Git LFS pointer', file: 'src/c.bin', kind: 'unread' },
    ])
    expect((await references([...argv, '-o', 'csv'], own)).stdout).toContain(
      ',,Git LFS pointer,src/c.bin,,,unread,,,,\r\n',
    )
  })

  it('calls all names unclear if nothing is known of a lookup', async () => {
    const argv = ['none', 'dark-mode', '--unreferenced']
    expect((await references(argv)).stdout).toBe(`Flag  Status
─────────────────────────────────────────────
none  unclear: some lookups could not be read

1 name, 0 places; 3 files read
Incomplete: 1 of 4 lookups could not be read, in src/a.ts:3:1, so flags that the code does not contain are unclear
`)
  })

  const wrapper = 'class Reader { get(name) { return client.isEnabled(name) } }\n'
  const unclear = 'unclear: some lookups could not be read'
  const absent = 'not in the code'

  it.each([
    ['without an option', `${wrapper}service.get("x")`, [], unclear],
    ['with --call', `${wrapper}service.get("x")`, ['--call', 'get'], absent],
    ['without a pattern', 'isEnabled(Flags.of("x"), context)', [], unclear],
    [
      'with --match',
      'isEnabled(Flags.of("x"), context)',
      ['--match', 'of\\("(?<flag>\\w+)'],
      absent,
    ],
    ['with --match elsewhere', 'isEnabled(a);of("x")', ['--match', 'of\\("(?<flag>\\w+)'], unclear],
    ['with a comment', 'isEnabled(name) // flagadm-ignore', [], absent],
    ['without the file', 'isEnabled(name)', ['--scan', '!src/a.ts'], `${absent} (1 file excluded)`],
  ])('settles lookups as the search for lookups does: %s', async (_, text, argv, status) => {
    const own = { ...repositoryIn('work'), 'work/src/a.ts': text, 'work/src/b.ts': '' }
    const { stdout } = await references(['none', '-o', 'csv', ...argv], own)
    expect(stdout.split('\r\n')[1]?.split(',')[2]).toBe(status)
  })

  it.each([
    ['`new-${kind}`', 'new-design'],
    ["'new-' + kind + '-x'", 'new-design-x'],
    ["kind ? 'other' : `${AREA}-${kind}`", 'new-design'],
    ['text', 'design-v2'],
    ['`${kind}-${kind}`', 'new-design'],
    ['AREA + DESIGN', 'new-design'],
  ])('calls the names unclear that a lookup of %s may have', async (argument, name) => {
    const own = {
      ...repositoryIn('work'),
      'work/src/a.ts': `const text = \`design\${version}\`
const AREA = 'new'
const DESIGN = kind ? '-design' : '-x'
isEnabled(${argument})
`,
    }
    const argv = [name, 'nodash', '--unreferenced', '-o', 'jsonl']
    const { stdout } = await references(argv, own)
    const rows = stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
    expect(rows).toMatchObject([
      { name, status: expect.stringMatching(/^unclear: a (?:composed text|lookup) may be/) },
      { name: 'nodash', status: 'not in the code' },
    ])
  })
})

it('--unreferenced says nothing of flags of a project that could not be read', async () => {
  const argv = ['references', '--scan', 'src', '--unreferenced', '--all-projects']
  const seed = { shop: { 'dark-mode': {} }, forbidden: {} }
  const { code, stdout } = await feature(argv, seed, { files })
  expect(code).toBe(10)
  expect(stdout).toMatch(/^All names that could be read are in the code\.\n/)
})

describe('--unknown', () => {
  it('shows names in the code that are not flags, and marks archived ones', async () => {
    const own = { ...files, 'work/src/b.ts': "isEnabled('checkout-one-page')" }
    const { code, stdout } = await references(['--unknown', '-o', 'csv', '-p', 'sandbox'], own)
    expect([code, stdout.split('\r\n').slice(1, 3)]).toEqual([
      0,
      [
        "checkout-one-page,,archived in project checkout,src/b.ts,1,12,call,isEnabled('checkout-one-page'),true,,",
        "nope,,not a flag of any project that the service lists,src/a.ts,4,12,call,isEnabled('nope'),true,,",
      ],
    ])
  })

  it('lists lookups of production that could not be read, and the line that makes them readable', async () => {
    const on =
      'export function isFlagOn(key) {\n  const name = prefix(key)\n  return isEnabled(name)\n}\n'
    const own = {
      ...repositoryIn('work'),
      'work/src/on.ts': on,
      'work/src/other.ts': on.replace('isFlagOn', 'isOn'),
      'work/src/on.test.ts': 'isEnabled(a)\nisEnabled(b)\n',
      'work/src/use.ts': "isFlagOn('x')\n",
    }
    const { stdout, stderr } = await references(['--scan', 'src'], own)
    const line = 'scan: { calls: [isFlagOn, isOn] }'
    expect(stderr).toBe(
      `note: if callers of these functions give the name, add to .flagadmrc: ${line}\n`,
    )
    expect(stdout).toContain(
      'Incomplete: 4 of 4 lookups could not be read, 2 in tests (src/on.ts:3:10 isEnabled(name) and 1 more)\n',
    )
    const configured = await references(['--scan', 'src', '--scan', '!src/other.ts'], {
      ...own,
      'work/.flagadmrc': `${line}\n`,
    })
    expect(configured.stdout).toContain(
      'Incomplete: 2 of 3 lookups could not be read, 2 in tests\n',
    )
    expect(configured.stdout).toContain("isFlagOn('x')")
  })

  describe('names functions of the project that are called like lookups, and are none', () => {
    // A hook that asks the project's own server, beside lookups of an SDK.
    const own = {
      ...repositoryIn('work'),
      'work/src/sdk.ts': "import { useFlag } from '@unleash/proxy-client-react'\nuseFlag('a')\n",
      'work/src/hook.ts':
        'export const useTeamFlag = (team, name) => useQuery(() => get(team, name))\n',
      'work/src/one.ts': "useTeamFlag(team, 'one') && useTeamFlag(team, Flags.TWO)\n",
      'work/src/two.ts': "const { enabled } = useTeamFlag(\n  team,\n  'three',\n)\n",
      'work/src/flags.ts': "export const Flags = { TWO: 'two' }\n",
    }
    const line = 'scan: { calls: [useTeamFlag:2] }'
    const hint = `note: calls of useTeamFlag are not read as lookups\nnote: if callers of these functions give the name, add to .flagadmrc: ${line}\n`

    it('with the line that makes their names readable', async () => {
      expect(await references(['--scan', 'src'], own)).toMatchObject({ stderr: hint })
      const { stdout, stderr } = await references(['--scan', 'src', '-o', 'names'], {
        ...own,
        'work/.flagadmrc': `${line}\n`,
      })
      expect({ stdout, stderr }).toEqual({ stdout: 'a\none\nthree\ntwo\n', stderr: '' })
    })

    it('together with those around lookups that could not be read', async () => {
      const { stderr } = await references(['--scan', 'src'], {
        ...own,
        'work/src/sdk.ts': "useFlag('a')\nfunction isFlagOn(key) { return useFlag(prefix(key)) }\n",
      })
      expect(stderr).toContain('scan: { calls: [useTeamFlag:2, isFlagOn] }\n')
    })

    const twice = "useTeamFlag(team, 'one')\n"
    it.each<[string, Record<string, string>]>([
      ['of a library', { 'work/src/hook.ts': '' }],
      [
        'beside lookups of an SDK, of which it chooses one',
        { 'work/src/hook.ts': `useFlag('a')\n${own['work/src/hook.ts']}` },
      ],
      ['called with fewer than three names', { 'work/src/two.ts': twice }],
      [
        'called in one file',
        {
          'work/src/one.ts': `${own['work/src/one.ts']}${own['work/src/two.ts']}`,
          'work/src/two.ts': '',
        },
      ],
      [
        'called in tests',
        { 'work/src/two.ts': '', 'work/src/two.test.ts': own['work/src/two.ts'] },
      ],
      [
        'that a pattern covers',
        {
          'work/src/one.ts': "useTeamFlag('one') && useTeamFlag('two')\n",
          'work/src/two.ts': "useTeamFlag('three')\n",
          'work/.flagadmrc': 'scan: { match: ["useTeamFlag..(?<flag>[a-z]+)"] }\n',
        },
      ],
    ])('but none %s', async (_, files) => {
      const { stderr } = await references(['--scan', 'src'], { ...own, ...files })
      expect(stderr).not.toContain('useTeamFlag')
    })

    it('but none that changes flags', async () => {
      const renamed = Object.entries(own).map(([path, text]) => [
        path,
        text.replaceAll('useTeamFlag', 'setTeamFlag'),
      ])
      expect(await references(['--scan', 'src'], Object.fromEntries(renamed))).toMatchObject({
        stderr: '',
      })
    })

    it('also where nothing is a lookup', async () => {
      const { stderr } = await references(['--scan', 'src'], { ...own, 'work/src/sdk.ts': '' })
      expect(stderr).toBe(
        `note: no lookup of a flag in 5 files; if useTeamFlag takes the name of a flag, add to .flagadmrc: ${line}\n`,
      )
    })
  })

  it('says if the code looks up no names', async () => {
    const own = { ...repositoryIn('work'), 'work/src/a.ts': '' }
    const { stdout } = await references(['--unknown', '-p', 'sandbox'], own)
    expect(stdout.split('\n')[0]).toBe('The code looks up no names.')
  })

  it('is incomplete, with exit code 10, if a project could not be read', async () => {
    const argv = ['references', '--scan', 'src', '--unknown', '--all-projects']
    const { code, stdout } = await feature(argv, { shop: {}, forbidden: {} }, { files })
    expect({ code, incomplete: stdout.match(/^Incomplete.*/gm) }).toEqual({
      code: 10,
      incomplete: ['Incomplete: 1 of 2 projects could not be read (forbidden)', unreadPlace],
    })
    expect(stdout).toContain(
      'not a flag of the projects that could be read; 1 project could not be',
    )
    const list = await feature([...argv, '-o', 'names'], { shop: {}, forbidden: {} }, { files })
    expect(list.stdout).toBe('')
  })

  it('does not pass a check for a name that may be a flag', async () => {
    const argv = [
      'references',
      '--scan',
      'src',
      '--unknown',
      '--all-projects',
      '--fail-on',
      'unknown',
    ]
    const { code, stderr } = await feature(argv, { default: {} }, { files, searches: 0 })
    expect([code, stderr]).toEqual([
      9,
      expect.stringContaining(
        'error: inconclusive: dark-mode, checkout-new-basket, nope may or may not be flags\n',
      ),
    ])
  })

  it('reports a project that does not exist', async () => {
    expect((await references(['--unknown', '--project', 'nope', '-p', 'sandbox'])).code).toBe(6)
  })
})

it('has in JSON the service, unread files and the number of unresolved lookups', async () => {
  const argv = ['references', '--scan', 'src', '--project', 'shop', '--json']
  const own = { ...files, 'work/src/b.bin': pointer }
  const { stdout } = await feature(argv, { shop: { 'dark-mode': {}, old: {} } }, { files: own })
  const read = JSON.parse(stdout)
  expect(read).toMatchObject({
    service: 'http://service',
    unread: [{ file: 'src/b.bin', reason: 'Git LFS pointer' }],
    unresolved: 1,
  })
  const schema = JSON.parse(JSON.stringify(jsonSchema('references')))
  expect(ajv.validate(schema, read), ajv.errorsText()).toBe(true)
})

describe('--fail-on', () => {
  it.each([
    ['unresolved', 'unresolved: src/a.ts:3:1'],
    ['unknown --unknown -p sandbox', 'unknown: nope'],
    [
      'unknown,unresolved --unknown --project checkout -p sandbox',
      'unknown: dark-mode, nope; unresolved: src/a.ts:3:1',
    ],
    ['unreferenced a dark-mode', 'unreferenced: a'],
    ['unresolved --fail-on unread', 'unresolved: src/a.ts:3:1'],
  ])('%j exits with 9', async (argv, message) => {
    const own = argv.startsWith('unreferenced') ? settled : files
    const outcome = await references(['--fail-on', ...words(argv)], own)
    expect(ending(outcome)).toBe(`9 error: ${message}\n`)
  })

  it.each([[['unreferenced', 'dark-mode']], [['unread']]])(
    '%j exits with 0 without any',
    async (argv) => {
      expect((await references(['--fail-on', ...argv])).code).toBe(0)
    },
  )

  it.each([
    ['unknown', ['dark-mode'], '--unknown', 'add --unknown'],
    ['unresolved', ['dark-mode'], 'a search without known names', 'leave out names and projects'],
    ['unreferenced', [], '--unreferenced', 'add --unreferenced'],
    ['unresolved', ['--removed-since', 'HEAD'], '--added-since', 'add --added-since'],
  ])('%s is refused where nothing searches for it', async (kind, argv, needed, hint) => {
    const { code, stderr } = await references(['--fail-on', kind, ...argv])
    const message = `error: --fail-on ${kind} requires ${needed}\nhint: ${hint}\n`
    expect([code, stderr]).toEqual([2, message])
  })

  it('makes errors of annotations', async () => {
    const argv = ['--fail-on', 'unknown', '--unknown', '-o', 'github', '-p', 'sandbox']
    expect((await references(argv)).stdout).toContain(
      '::error file=src/a.ts,line=4,col=12,title=unknown::nope: not a flag of any project that the service lists\n',
    )
  })
})

it.each([
  [
    ['--unknown', '--unreferenced'],
    '--unreferenced, --unknown and --removed-since cannot be combined',
  ],
  [['a', '--unknown'], '--unknown cannot be combined with names'],
])('%j is refused', async (argv, message) => {
  expect(ending(await references(argv))).toContain(`2 error: ${message}\nhint: `)
})

it('notes a folder without a repository, and the files that ! leaves out', async () => {
  const { stderr } = await flagadm(
    ['feature', 'references', '--scan', 'src', '--scan', '!src/x.ts', 'dark-mode'],
    { files: { 'work/src/a.ts': 'dark-mode', 'work/src/x.ts': '' } },
  )
  expect(stderr).toMatch(
    /^note: 1 file excluded\nnote: \S+\/work\/src is not in a git repository, so no file is ignored\n$/,
  )
})

it('makes the members of an object flags with --call', async () => {
  const own = { ...repositoryIn('work'), 'work/src/a.ts': 'if (recipes.drawer) {}\n' }
  expect((await references(['--call', 'recipes.*', '-o', 'names'], own)).stdout).toBe('drawer\n')
})
