import { type Blocks, inBlocks } from '../blocks.ts'
import { lineAndColumn, type ReportItem, sentence } from './text.ts'
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

type Attributes = Record<string, string | number>

/** A start tag without its `>`. */
function openTag(name: string, attributes: Attributes, { text }: Sanitizer): string {
  const values = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeXml(text(`${value}`))}"`,
  )
  return `<${name}${values.join('')}`
}

/** @param content already escaped; undefined for an empty element */
function element(
  name: string,
  attributes: Attributes,
  sanitizer: Sanitizer,
  content?: string,
): string {
  const start = openTag(name, attributes, sanitizer)
  return content === undefined ? `${start}/>` : `${start}>${content}</${name}>`
}

function outcome(item: ReportItem, sanitizer: Sanitizer): string {
  const { severity, code, file } = item
  const message = sentence(item, sanitizer)
  const where = [file, lineAndColumn(item)].filter(Boolean).join(':')
  const content = where ? safe`${sanitizer.text(where)}: ${message}` : message
  switch (severity) {
    case 'error':
      return element('failure', { message, type: code }, sanitizer, escapeXml(content))
    case 'warning':
      return element('skipped', { message }, sanitizer, escapeXml(content))
    case 'info':
      return element('system-out', {}, sanitizer, escapeXml(safe`info: ${content}`))
  }
}

function testCase(item: ReportItem, suite: string, sanitizer: Sanitizer): string {
  const subject = item.name ?? item.code
  const place = lineAndColumn(item)
  const name = place ? `${subject} (${place})` : subject
  const classname = item.file ?? item.project ?? suite
  return element('testcase', { name, classname }, sanitizer, outcome(item, sanitizer))
}

/**
 * A JUnit report: a test case for each item, which fails if the item is an error and is skipped if it
 * is a warning. Without items there is one passing case, because CI servers reject an empty report.
 * @param suite the name of the test suite
 * @param properties what else describes the run
 */
export function* junitReport(
  items: readonly ReportItem[],
  suite: string,
  sanitizer: Sanitizer,
  properties: Record<string, string> = {},
): Blocks {
  const failures = items.filter(({ severity }) => severity === 'error').length
  const skipped = items.filter(({ severity }) => severity === 'warning').length
  const counts = { tests: items.length || 1, failures, errors: 0 }
  const suiteTag = openTag('testsuite', { name: suite, ...counts, skipped }, sanitizer)
  const described = Object.entries(properties).map(
    ([name, value]) => `      ${element('property', { name, value }, sanitizer)}\n`,
  )
  const none = element('testcase', { name: 'no findings', classname: suite }, sanitizer)
  yield formatted(
    [
      '<?xml version="1.0" encoding="UTF-8"?>\n',
      `${openTag('testsuites', counts, sanitizer)}>\n`,
      `  ${suiteTag}>\n`,
      ...(described.length > 0 ? ['    <properties>\n', ...described, '    </properties>\n'] : []),
      ...(items.length > 0 ? [] : [`    ${none}\n`]),
    ].join(''),
  )
  yield* inBlocks(items, (some) =>
    formatted(some.map((item) => `    ${testCase(item, suite, sanitizer)}\n`).join('')),
  )
  yield safe`  </testsuite>\n</testsuites>\n`
}
