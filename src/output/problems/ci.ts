import { safeText } from '../escapes.ts'
import { position, type ReportItem, sentence } from './text.ts'

const commands = { error: 'error', warning: 'warning', info: 'notice' } as const

// Safe text has no line breaks to escape.
function escapeData(text: string): string {
  return text.replaceAll('%', '%25')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

function annotation(item: ReportItem): string {
  const { file, line, column: col, code: title } = item
  const properties = Object.entries({ file, line, col, title })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${escapeProperty(safeText(String(value)))}`)
  return `::${commands[item.severity]} ${properties.join(',')}::${escapeData(sentence(item))}\n`
}

/**
 * Workflow commands of GitHub Actions, one per line: each annotates a line of a file, or the run if
 * the item has no file.
 */
export function githubReport(items: readonly ReportItem[]): string {
  return items.map(annotation).join('')
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

// safeText has already escaped the characters that XML forbids.
function escapeXml(text: string): string {
  return safeText(text).replace(/[&<>"]/g, (character) => entities[character] ?? character)
}

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('')
}

function outcome(item: ReportItem): string {
  const where = [item.file, position(item)].filter(Boolean).join(':')
  const text = where ? `${where}: ${sentence(item)}` : sentence(item)
  if (item.severity !== 'error') {
    return `<system-out>${escapeXml(`${item.severity}: ${text}`)}</system-out>`
  }
  const failure = attributes({ message: sentence(item), type: item.code })
  return `<failure${failure}>${escapeXml(text)}</failure>`
}

function testCase(item: ReportItem, suite: string): string {
  const subject = item.name ?? item.code
  const place = position(item)
  const name = place ? `${subject} (${place})` : subject
  const head = attributes({ name, classname: item.file ?? suite })
  return `    <testcase${head}>${outcome(item)}</testcase>`
}

function propertyLines(properties: Record<string, string>): string[] {
  const lines = Object.entries(properties).map(
    ([name, value]) => `      <property${attributes({ name, value })}/>`,
  )
  return lines.length === 0 ? [] : ['    <properties>', ...lines, '    </properties>']
}

/**
 * A JUnit report: a test case for each item, which fails if the item is an error. Without items there
 * is one passing case, because CI servers reject an empty report.
 * @param suite the name of the test suite
 * @param properties what else describes the run
 */
export function junitReport(
  items: readonly ReportItem[],
  suite: string,
  properties: Record<string, string> = {},
): string {
  const nothing = `    <testcase${attributes({ name: 'no findings', classname: suite })}/>`
  const cases = items.length > 0 ? items.map((item) => testCase(item, suite)) : [nothing]
  const failures = items.filter(({ severity }) => severity === 'error').length
  const counts = { tests: cases.length, failures, errors: 0 }
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes(counts)}>`,
    `  <testsuite${attributes({ name: suite, ...counts })}>`,
    ...propertyLines(properties),
    ...cases,
    '  </testsuite>',
    '</testsuites>',
  ]
  return `${lines.join('\n')}\n`
}
