import fc from 'fast-check'
import type { Problem } from '../../../src/output/problems.ts'
import {
  printReport,
  type ProblemFormat,
  problemFields,
  type Report,
} from '../../../src/output/report.ts'
import { codePoint } from '../../support/text.ts'
import { openWriter } from '../../support/writer.ts'

/** Texts that an attacker could put into a name or a path to deceive the reader of a report. */
export const hostile = [
  '\u001b[31mred\u001b[0m\u0007',
  'two\r\nlines\u2028three',
  '::error::owned',
  ' ::stop-commands::owned',
  '%0A::warning file=x::owned',
  '##[group]owned',
  '###vso[task.setvariable variable=PATH]owned',
  'a,b:c;d=e',
  '\u202egpj.exe\u200b\ufeff',
  ']]><!--</failure>&amp;"\'',
  '\u0000\ufffe\uffff\ud800',
  '[click](https://evil.example) {0}',
  '😀\u{e0041}',
]

const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code))
const text = fc.oneof(
  fc.constantFrom(...hostile),
  fc.string({ unit: codePoint }),
  fc
    .array(fc.oneof(fc.constantFrom(...hostile), unit), { maxLength: 6 })
    .map((parts) => parts.join('')),
)
const count = fc.integer({ min: 1, max: 100_000 })

/** Any items, mostly hostile ones. */
export const anyItems: fc.Arbitrary<Problem[]> = fc.array(
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
export const dangerous =
  /(?!\n)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Cs}\u2800]|##/u

/** One item of each severity, two of one file. */
export const items: Problem[] = [
  {
    code: 'naming',
    severity: 'error',
    message: 'does not match the rule',
    name: 'NewUi',
    suggestion: 'new-ui',
    file: 'src/a.ts',
    line: 3,
    column: 12,
  },
  {
    code: 'naming',
    severity: 'error',
    message: 'is too long',
    name: 'x',
    file: 'src/a.ts',
    line: 120,
    column: 5,
  },
  {
    code: 'redundant-anchor',
    severity: 'warning',
    message: 'the service adds ^ itself',
    file: 'rules/my rule.yaml',
    line: 2,
  },
  { code: 'no-example', severity: 'info', message: 'an example helps people who create a flag' },
]

/** What a report of problems prints. */
export async function printed(
  format: ProblemFormat,
  problems: readonly Problem[],
  { columns, ...more }: Partial<Report> & { columns?: number } = {},
): Promise<string> {
  const { out, written } = openWriter(columns)
  const report: Report = {
    title: 'flagadm naming check',
    results: [{ problems }],
    incomplete: [],
    json: {},
    fields: Object.values(problemFields),
    fallbackPath: 'flagadm.yaml',
    ...more,
  }
  await printReport(format, report, out)
  return written()
}
