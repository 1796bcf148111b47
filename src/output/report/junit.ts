import { safeText } from '../text.ts'
import { position, type ReportItem, sentence } from './item.ts'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

// The characters that XML forbids are visible escapes already.
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

/**
 * A JUnit report: a test case for each item, which fails when the item is an error. Without items
 * there is one case that passes: CI servers take an empty report for a mistake.
 * @param suite the name of the test suite
 */
export function junitReport(items: readonly ReportItem[], suite: string): string {
  const nothing = `    <testcase${attributes({ name: 'no findings', classname: suite })}/>`
  const cases = items.length > 0 ? items.map((item) => testCase(item, suite)) : [nothing]
  const failures = items.filter(({ severity }) => severity === 'error').length
  const counts = { tests: cases.length, failures, errors: 0 }
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes(counts)}>`,
    `  <testsuite${attributes({ name: suite, ...counts })}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
  ]
  return `${lines.join('\n')}\n`
}
