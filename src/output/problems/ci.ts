import { position, type ReportItem, sentence } from './text.ts'
import { formatted, joined, type Safe, safe, type Sanitizer } from '../text.ts'

const commands = { error: 'error', warning: 'warning', info: 'notice' } as const

// Safe text has no line breaks to escape.
function escapeData(text: Safe): string {
  return text.replaceAll('%', '%25')
}

function escapeProperty(text: Safe): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

function annotation(item: ReportItem, sanitizer: Sanitizer): Safe {
  const { file, line, column: col, code: title } = item
  const properties = Object.entries({ file, line, col, title })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${escapeProperty(sanitizer.text(String(value)))}`)
  const message = escapeData(sentence(item, sanitizer))
  return formatted(`::${commands[item.severity]} ${properties.join(',')}::${message}\n`)
}

/**
 * Workflow commands of GitHub Actions, one per line: each annotates a line of a file, or the run if
 * the item has no file.
 */
export function githubReport(items: readonly ReportItem[], sanitizer: Sanitizer): Safe {
  return joined(items.map((item) => annotation(item, sanitizer)))
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

// Safe text has none of the characters that XML forbids.
function escapeXml(text: Safe): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character)
}

function attributes(values: Record<string, string | number>, { text }: Sanitizer): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(text(`${value}`))}"`)
    .join('')
}

function outcome(item: ReportItem, sanitizer: Sanitizer): string {
  const { text } = sanitizer
  const message = sentence(item, sanitizer)
  const where = [item.file, position(item)].filter(Boolean).join(':')
  const content = where ? safe`${text(where)}: ${message}` : message
  if (item.severity === 'warning') {
    return `<skipped${attributes({ message }, sanitizer)}>${escapeXml(content)}</skipped>`
  }
  if (item.severity !== 'error') {
    return `<system-out>${escapeXml(safe`${text(item.severity)}: ${content}`)}</system-out>`
  }
  const failure = attributes({ message, type: item.code }, sanitizer)
  return `<failure${failure}>${escapeXml(content)}</failure>`
}

function testCase(item: ReportItem, suite: string, sanitizer: Sanitizer): string {
  const subject = item.name ?? item.code
  const place = position(item)
  const name = place ? `${subject} (${place})` : subject
  const head = attributes({ name, classname: item.file ?? item.project ?? suite }, sanitizer)
  return `    <testcase${head}>${outcome(item, sanitizer)}</testcase>`
}

function propertyLines(properties: Record<string, string>, sanitizer: Sanitizer): string[] {
  const lines = Object.entries(properties).map(
    ([name, value]) => `      <property${attributes({ name, value }, sanitizer)}/>`,
  )
  return lines.length === 0 ? [] : ['    <properties>', ...lines, '    </properties>']
}

/**
 * A JUnit report: a test case for each item, which fails if the item is an error and is skipped if it
 * is a warning. Without items there
 * is one passing case, because CI servers reject an empty report.
 * @param suite the name of the test suite
 * @param properties what else describes the run
 */
export function junitReport(
  items: readonly ReportItem[],
  suite: string,
  sanitizer: Sanitizer,
  properties: Record<string, string> = {},
): Safe {
  const none = attributes({ name: 'no findings', classname: suite }, sanitizer)
  const cases =
    items.length > 0
      ? items.map((item) => testCase(item, suite, sanitizer))
      : [`    <testcase${none}/>`]
  const failures = items.filter(({ severity }) => severity === 'error').length
  const skipped = items.filter(({ severity }) => severity === 'warning').length
  const counts = { tests: cases.length, failures, errors: 0 }
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes(counts, sanitizer)}>`,
    `  <testsuite${attributes({ name: suite, ...counts, skipped }, sanitizer)}>`,
    ...propertyLines(properties, sanitizer),
    ...cases,
    '  </testsuite>',
    '</testsuites>',
  ]
  return formatted(`${lines.join('\n')}\n`)
}
