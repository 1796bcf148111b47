import { gapProblems, positionText, type Problem, sentence } from '../problems.ts'
import { type WriteReport, problemsOf } from '../report.ts'
import { escapeMarkup, type Writer } from '../text.ts'

/** A start tag without its `>`. Printable text has none of the characters that XML forbids. */
function openTag(name: string, attributes: Record<string, string | number>, out: Writer): string {
  const values = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeMarkup(out.printable(`${value}`))}"`,
  )
  return `<${name}${values.join('')}`
}

function outcome(problem: Problem, out: Writer): string {
  const { severity, code, file, line, column } = problem
  const message = sentence(problem, out)
  const where = positionText({ file, line, column })
  const content = escapeMarkup(where ? `${out.printable(where)}: ${message}` : message)
  switch (severity) {
    case 'error':
      return `${openTag('failure', { message, type: code }, out)}>${content}</failure>`
    case 'warning':
      return `${openTag('skipped', { message }, out)}>${content}</skipped>`
    case 'info':
      return `<system-out>info: ${content}</system-out>`
  }
}

function testCase(problem: Problem, suite: string, out: Writer): string {
  const { name, code, file, line, column, project } = problem
  const place = positionText({ line, column })
  const title = `${name ?? code}${place ? ` (${place})` : ''}`
  const tag = openTag('testcase', { name: title, classname: file ?? project ?? suite }, out)
  return `    ${tag}>${outcome(problem, out)}</testcase>\n`
}

/**
 * Prints a JUnit report: a test case for each problem, which fails if it is an error and is skipped if it is a warning.
 * Without problems there is one passing case, because CI servers reject an empty report.
 */
export const writeReport: WriteReport = (report, out) => {
  const { title: suite, incomplete, properties = {} } = report
  const problems = [...problemsOf(report), ...gapProblems(incomplete)]
  const failures = problems.filter(({ severity }) => severity === 'error').length
  const skipped = problems.filter(({ severity }) => severity === 'warning').length
  const counts = { tests: problems.length || 1, failures, errors: 0 }
  const described = Object.entries(properties).map(
    ([name, value]) => `      ${openTag('property', { name, value }, out)}/>\n`,
  )
  const cases = problems.map((problem) => testCase(problem, suite, out))
  const none = `    ${openTag('testcase', { name: 'no findings', classname: suite }, out)}/>\n`
  const parts = [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    `${openTag('testsuites', counts, out)}>\n`,
    `  ${openTag('testsuite', { name: suite, ...counts, skipped }, out)}>\n`,
    ...(described.length > 0 ? ['    <properties>\n', ...described, '    </properties>\n'] : []),
    ...(cases.length > 0 ? cases : [none]),
    '  </testsuite>\n</testsuites>\n',
  ]
  out.raw(parts.join(''))
}
