import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { homepage, version } from '../../package.json'
import { safeText } from '../../src/output/escapes.ts'
import type { ReportFormat } from '../../src/output/formats.ts'
import { printReport } from '../../src/output/print.ts'
import { type Problem, sentence } from '../../src/output/problems.ts'
import { problemFields, type ProblemReport } from '../../src/output/report.ts'
import { codePoint } from '../support/text.ts'
import { openWriter } from '../support/writer.ts'

const kinds = [
  { id: 'naming', description: 'the name breaks the rule' },
  { id: 'anchor', description: 'an anchor that the service adds' },
  { id: 'no-example', description: 'the rule has no example' },
]

const error = { code: 'naming', severity: 'error' } as const

const mismatch: Problem = {
  ...error,
  message: 'does not match the rule',
  name: 'NewUi',
  suggestion: 'new-ui',
  file: 'src/a.ts',
  line: 3,
  column: 12,
}
const tooLong: Problem = {
  ...error,
  message: 'is too long',
  name: 'x',
  file: 'src/a.ts',
  line: 120,
  column: 5,
}
const anchor: Problem = {
  code: 'anchor',
  severity: 'warning',
  message: 'the service adds ^',
  file: 'my/a rule.yaml',
  line: 2,
}
const noExample: Problem = {
  code: 'no-example',
  severity: 'info',
  message: 'an example helps people',
}

/** One problem of each severity, two of one file. */
const items = [mismatch, tooLong, anchor, noExample]

/** Texts that an attacker could put into a name or a path to deceive the reader of a report. */
const hostile = [
  '\u001b[31mred\u001b[0m\u0007',
  'two\r\nlines\u2028three',
  '##[group]owned',
  ' ::stop-commands::owned',
  '%0A::warning file=x::owned',
  'a,b:c;d=e',
  '::error::owned',
  '###vso[task.setvariable variable=PATH]owned',
  ']]><!--</failure>&amp;"\'',
  '😀\u{e0041}',
  '\u0000\ufffe\uffff\ud800',
  '[click](https://evil.example) {0}',
  '\u202egpj\u200b\ufeff',
]

const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code))
const parts = fc.array(fc.oneof(fc.constantFrom(...hostile), unit), { maxLength: 6 })
const text = fc.oneof(
  fc.constantFrom(...hostile),
  fc.string({ unit: codePoint }),
  parts.map((some) => some.join('')),
)
const count = fc.integer({ min: 1, max: 100_000 })

/** Any problems, mostly hostile ones. */
const anyItems: fc.Arbitrary<Problem[]> = fc.array(
  fc.record(
    {
      code: fc.constantFrom('naming', 'no-compile'),
      severity: fc.constantFrom('error', 'warning', 'info'),
      message: text.filter((message) => message !== ''),
      name: text,
      suggestion: text,
      file: text.filter((path) => path !== '' && !path.startsWith('./')),
      line: count,
      column: count,
    },
    { requiredKeys: ['code', 'severity', 'message'] },
  ),
  { maxLength: 8 },
)

/** Text that a CI log must not contain: it moves the cursor, reorders or hides text, or is a command. */
const dangerous = /(?!\n)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Cs}\u2800]|##/u

const title = 'flagadm naming check'
const fallbackPath = 'flagadm.yaml'
const { out } = openWriter()

/** What a report of problems prints. */
async function printed(
  format: ReportFormat,
  problems: readonly Problem[],
  columns?: number,
  more: Partial<ProblemReport> = {},
): Promise<string> {
  const { out, written } = openWriter(columns)
  const fields = Object.values(problemFields)
  const about = { title, incomplete: [], json: {}, fields, kinds, fallbackPath }
  const streams = { out, messages: { warn() {} }, host: { cwd: '/' } }
  await printReport(format, { ...about, ...more, groups: [{ problems }] }, streams)
  return written()
}

async function junitErrors(...reports: string[]): Promise<string[]> {
  const schema = readFileSync(new URL('schemas/junit.xsd', import.meta.url), 'utf8')
  const xml = reports.map((contents, index) => ({ fileName: `${index}.xml`, contents }))
  const { errors } = await validateXML({ xml, schema })
  return errors.map(({ rawMessage }) => rawMessage)
}

const ajv = new Ajv({ strict: false, unicodeRegExp: false })
addFormats.default(ajv)

async function gitlab(problems: readonly Problem[]) {
  const issues: { fingerprint: string; location: { path: string } }[] = JSON.parse(
    await printed('gitlab', problems),
  )
  return issues
}

interface Log {
  runs: {
    results: { locations: { physicalLocation: { artifactLocation: { uri: string } } }[] }[]
  }[]
}

// The published schema, from the package of Microsoft's SARIF SDK.
const sarifSchema = createRequire(import.meta.url).resolve(
  '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json',
)
// Ajv supports only later drafts of JSON Schema; without these two fields it accepts this schema.
const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(sarifSchema, 'utf8'))
const isSarif = ajv.compile<Log>(schema)

async function sarif(problems: readonly Problem[]): Promise<Log> {
  const log: unknown = JSON.parse(await printed('sarif', problems))
  if (!isSarif(log)) throw new Error(JSON.stringify(isSarif.errors))
  return log
}

async function uris(problems: readonly Problem[]): Promise<(string | undefined)[]> {
  const results = (await sarif(problems)).runs.flatMap((run) => run.results)
  return results.map(({ locations }) => locations[0]?.physicalLocation.artifactLocation.uri)
}

describe('text', () => {
  it('groups problems by file in columns, and stacks them on a narrow terminal', async () => {
    const wide = `src/a.ts
   3:12  error  NewUi  does not match the rule  did you mean new-ui
  120:5  error  x      is too long

my/a rule.yaml
  2  warning  the service adds ^

  info  an example helps people
`
    expect(await printed('text', items)).toBe(wide)
    expect(await printed('text', items, 67)).toBe(wide)
    expect(await printed('text', items, 66)).toBe(`src/a.ts
  3:12  error  NewUi
    does not match the rule
    did you mean new-ui
  120:5  error  x
    is too long

my/a rule.yaml
  2  warning  the service adds ^

  info  an example helps people
`)
  })

  it('aligns wide characters, and shows hostile names and paths by visible escapes', async () => {
    const report = await printed('text', [
      { ...error, message: 'm', suggestion: 's', name: '旗旗' },
      { ...error, message: 'm', suggestion: 's', name: 'flag-a' },
      { ...error, message: 'm', name: '\u001b[2J\n::error::x', file: '::error::owned', line: 1 },
      { ...error, message: 'm', name: '##vso[x]', file: ' ::warning::x\u202e', line: 1 },
    ])
    expect(report).toBe(`  error  旗旗    m  did you mean s
  error  flag-a  m  did you mean s

:\\x3aerror::owned
  1  error  \\x1b[2J\\x0a::error::x  m

 :\\x3awarning::x\\u202e
  1  error  #\\x23vso[x]  m
`)
  })
})

test('github annotates lines of files, and the run for a problem without a file', async () => {
  const file = 'a,line=1::b%2C\r\n.ts'
  const name = '\u001b[31m%0A\n::add-mask::x'
  expect(
    await printed('github', [...items, { ...error, message: 'm', name, file, line: 7 }]),
  ).toBe(`::error file=src/a.ts,line=3,col=12,title=naming::NewUi: does not match the rule; did you mean new-ui
::error file=src/a.ts,line=120,col=5,title=naming::x: is too long
::warning file=my/a rule.yaml,line=2,title=anchor::the service adds ^
::notice title=no-example::an example helps people
::error file=a%2Cline=1%3A%3Ab%252C\\x0d\\x0a.ts,line=7,title=naming::\\x1b[31m%250A\\x0a::add-mask::x: m
`)
})

test('markdown has a table only of problems, with the columns that have values', async () => {
  const table = await printed('markdown', [noExample])
  expect(table.split('\n').filter((line) => line.startsWith('|'))).toHaveLength(3)
  expect(table).not.toContain('Place')
  expect(await printed('markdown', [])).not.toContain('|')
})

test('markdown leaves problems out that a comment has no room for', async () => {
  const many = Array.from({ length: 1500 }, (_, index): Problem => {
    return { ...error, message: 'does not match the rule', name: `name-${index}` }
  })
  const text = await printed('markdown', many)
  expect(text.length).toBeGreaterThan(64_800)
  expect(text.length).toBeLessThanOrEqual(65_000)
  expect(text).toMatch(
    /\n\n\d+ more lines left out, because a comment has no room for them \(-o json has all\)\n$/,
  )
})

describe('gitlab', () => {
  it('has an issue for each problem, with the fallback path where there is no file', async () => {
    expect(await printed('gitlab', [mismatch])).toBe(
      '[{"description":"NewUi: does not match the rule; did you mean new-ui","check_name":"naming","fingerprint":"872813b8c556b02076d11e8ea85fcc232645e8e673ab9b00159c28b174b87511","severity":"major","location":{"path":"src/a.ts","lines":{"begin":3}}}]\n',
    )
    expect(await gitlab([anchor, noExample])).toMatchObject([
      { severity: 'minor', location: { path: 'my/a rule.yaml', lines: { begin: 2 } } },
      { severity: 'info', location: { path: 'flagadm.yaml', lines: { begin: 1 } } },
    ])
    const name = '\u001b[31m\n##[group]'
    const report = await printed('gitlab', [{ ...error, message: 'm', name, file: name }])
    expect(report).toContain('"description":"\\\\x1b[31m\\\\x0a#\\\\x23[group]: m"')
    expect(report).toContain('"path":"\\u001b[31m\\n#\\u0023[group]"')
  })

  it('keeps the fingerprint of a problem when lines or problems are added above it', async () => {
    const moved = items.map((item) => (item.line ? { ...item, line: item.line + 10 } : item))
    const fingerprints = async (all: Problem[]) =>
      (await gitlab(all)).map(({ fingerprint }) => fingerprint)
    expect(await fingerprints(moved)).toEqual(await fingerprints(items))
    const unnamed = ['a', 'b'].map((message) => ({ ...error, message }))
    const reversed = (await fingerprints(unnamed)).reverse()
    expect(await fingerprints(unnamed.toReversed())).toEqual(reversed)
  })
})

describe('junit', () => {
  it('has a case for each problem, which fails for an error and is skipped for a warning', async () => {
    const name = ']]><!--</failure>&amp;"\'\u0000\ufffe'
    const problem = { ...error, message: 'm', name, file: '##[group]\u001b[0m\ud800.ts' }
    const report = await printed('junit', [...items, problem])
    expect(report).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="5" failures="3" errors="0">
  <testsuite name="flagadm naming check" tests="5" failures="3" errors="0" skipped="1">
    <testcase name="NewUi (3:12)" classname="src/a.ts"><failure message="NewUi: does not match the rule; did you mean new-ui" type="naming">src/a.ts:3:12: NewUi: does not match the rule; did you mean new-ui</failure></testcase>
    <testcase name="x (120:5)" classname="src/a.ts"><failure message="x: is too long" type="naming">src/a.ts:120:5: x: is too long</failure></testcase>
    <testcase name="anchor (2)" classname="my/a rule.yaml"><skipped message="the service adds ^">my/a rule.yaml:2: the service adds ^</skipped></testcase>
    <testcase name="no-example" classname="flagadm naming check"><system-out>info: an example helps people</system-out></testcase>
    <testcase name="]]&gt;&lt;!--&lt;/failure&gt;&amp;amp;&quot;'\\x00\\ufffe" classname="#\\x23[group]\\x1b[0m\\ud800.ts"><failure message="]]&gt;&lt;!--&lt;/failure&gt;&amp;amp;&quot;'\\x00\\ufffe: m" type="naming">#\\x23[group]\\x1b[0m\\ud800.ts: ]]&gt;&lt;!--&lt;/failure&gt;&amp;amp;&quot;'\\x00\\ufffe: m</failure></testcase>
  </testsuite>
</testsuites>
`)
  })
})

describe('sarif', () => {
  it('has rules and results of one run', async () => {
    const place = (uri: string, startLine: number, startColumn?: number) => [
      { physicalLocation: { artifactLocation: { uri }, region: { startLine, startColumn } } },
    ]
    // GitHub's rules for code scanning require all three of them.
    const rule = (id: string, text: string) => {
      return { id, shortDescription: { text }, fullDescription: { text }, help: { text } }
    }
    expect(await sarif(items)).toEqual({
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: {
            driver: {
              name: 'flagadm',
              semanticVersion: version,
              informationUri: homepage,
              rules: [
                rule('naming', 'the name breaks the rule'),
                rule('anchor', 'an anchor that the service adds'),
                rule('no-example', 'the rule has no example'),
              ],
            },
          },
          columnKind: 'utf16CodeUnits',
          results: [
            {
              ruleId: 'naming',
              ruleIndex: 0,
              level: 'error',
              message: { text: 'NewUi: does not match the rule; did you mean new-ui' },
              locations: place('src/a.ts', 3, 12),
            },
            {
              ruleId: 'naming',
              ruleIndex: 0,
              level: 'error',
              message: { text: 'x: is too long' },
              locations: place('src/a.ts', 120, 5),
            },
            {
              ruleId: 'anchor',
              ruleIndex: 1,
              level: 'warning',
              message: { text: 'the service adds ^' },
              locations: place('my/a%20rule.yaml', 2),
            },
            {
              ruleId: 'no-example',
              ruleIndex: 2,
              level: 'note',
              message: { text: 'an example helps people' },
              locations: place('flagadm.yaml', 1),
            },
          ],
        },
      ],
    })
  })

  it.each([
    ['a:b/c%41.ts', 'a%3Ab/c%2541.ts'],
    ['\u001b[31m\n\u202e.ts', '%1B%5B31m%0A%E2%80%AE.ts'],
  ])('refers to the file %j by %s', async (file, uri) => {
    expect(await uris([{ ...error, message: 'm', file }])).toEqual([uri])
  })

  it('shows a name that looks like a link as text', async () => {
    const name = '[click](https://evil.example) [a-z]{2}'
    const report = await printed('sarif', [{ ...error, message: 'm', name }])
    expect(report).toContain('"text":"\\\\[click](https://evil.example) [a-z]{2}: m"')
  })
})

// As the runner does: ActionCommand.cs of actions/runner.
function unescaped(text: string): string {
  const plain = text.replaceAll('%0D', '\r').replaceAll('%0A', '\n')
  return plain.replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%25', '%')
}

describe('any problems', () => {
  it('have a line in text and for GitHub, from which the runner reads path and message', async () => {
    await fc.assert(
      fc.asyncProperty(anyItems, async (any) => {
        // Right-to-left words are isolated.
        const text = (await printed('text', any)).replace(/[\u2068\u2069]/g, '')
        const files = new Set(any.map(({ file }) => file))
        const headings = [...files].filter((file) => file !== undefined).length
        expect(text.split('\n')).toHaveLength(any.length + headings + Math.max(1, files.size))
        expect(text).not.toMatch(/^\s*::/m)
        const github = await printed('github', any)
        const lines = github.split('\n').slice(0, -1)
        expect(lines).toHaveLength(any.length)
        for (const [index, item] of any.entries()) {
          const [, properties = '', message = ''] =
            /^::(?:error|warning|notice) (.*?)::(.*)$/.exec(lines[index] ?? '') ?? []
          const file = /^file=([^,]*),/.exec(properties)?.[1]
          expect(file && unescaped(file)).toBe(item.file && safeText(item.file))
          expect(message.replaceAll('%25', '%')).toBe(sentence(item, out))
        }
        expect(text + github).not.toMatch(dangerous)
      }),
    )
  })

  it('are valid for GitLab and in SARIF, with their files and unique fingerprints', async () => {
    await fc.assert(
      fc.asyncProperty(anyItems, async (any) => {
        const twice = [...any, ...any]
        const paths = twice.map(({ file = fallbackPath }) => file)
        const issues = await gitlab(twice)
        expect(issues.map(({ location }) => location.path)).toEqual(paths)
        expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(twice.length)
        const decoded = (await uris(twice)).map((uri) => uri && decodeURIComponent(uri))
        expect(decoded).toEqual(paths.map((path) => path.replace(/\p{Cs}/gu, '\ufffd')))
        expect((await printed('gitlab', any)) + (await printed('sarif', any))).not.toMatch(
          dangerous,
        )
      }),
    )
  })

  it('are valid in JUnit, with a case for each', async () => {
    const fooling = hostile.map((text) => ({ ...error, message: text, name: text, file: text }))
    const sampled = [items, [], fooling, ...fc.sample(anyItems, 50)]
    const reports: string[] = []
    for (const any of sampled) {
      reports.push(await printed('junit', any, undefined, { properties: { a: 'b' } }))
    }
    for (const [index, report] of reports.entries()) {
      const any = sampled[index] ?? []
      expect(report).not.toMatch(dangerous)
      const errors = any.filter(({ severity }) => severity === 'error')
      expect(report.split('<testcase ')).toHaveLength(1 + Math.max(1, any.length))
      expect(report.split('<failure ')).toHaveLength(1 + errors.length)
    }
    expect(await junitErrors(...reports)).toEqual([])
  })
})
