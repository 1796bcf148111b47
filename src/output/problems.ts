import { type Incomplete, incompleteText } from './incomplete.ts'
import type { Writer } from './text.ts'

/** How serious a problem is; `info` is a fact worth knowing. */
export type Severity = 'error' | 'warning' | 'info'

/** A line of a report of problems, such as a finding, a name that breaks a rule, or a flag that fails a check. */
export interface Problem {
  /** A stable code, such as that of a lint finding, or `naming`. */
  code: string
  severity: Severity
  message: string
  /** The flag name. */
  name?: string | undefined
  /** The project of the flag or the rule, if there are several. */
  project?: string | undefined
  /** A corrected name or pattern. */
  suggestion?: string | undefined
  /** From the working directory, with `/`. */
  file?: string | undefined
  /** 1-based. */
  line?: number | undefined
  /** 1-based, in UTF-16 units. */
  column?: number | undefined
}

export type Place = Pick<Problem, 'file' | 'line' | 'column'>

/** `src/a.ts:3:5`, without the parts that are not known. */
export function positionText({ file, line, column }: Place): string {
  return [file, line, column].filter((part) => part !== undefined).join(':')
}

/** What is incomplete, as problems for formats that have only these. */
export function gapProblems(incomplete: readonly Incomplete[]): Problem[] {
  return incomplete.map((one) => {
    return { code: 'incomplete', severity: 'warning', message: incompleteText(one) }
  })
}

/** The problem as a sentence, printable. */
export function sentence({ project, name, message, suggestion }: Problem, out: Writer): string {
  const subject = [project, name].map((part) => (part === undefined ? '' : `${part}: `)).join('')
  const correction = suggestion === undefined ? '' : `; did you mean ${suggestion}`
  return out.printable(subject + message + correction)
}

const commands = { error: 'error', warning: 'warning', info: 'notice' } as const

// Printable text has no line breaks to escape.
function escapeData(text: string): string {
  return text.replaceAll('%', '%25')
}

/**
 * Workflow commands of GitHub Actions, one per line: each annotates a line of a file, or the run if the problem has no
 * file.
 */
export function githubText(problems: readonly Problem[], out: Writer): string {
  const lines = problems.map((problem) => {
    const { severity, file, line, column: col, code: title } = problem
    const properties = Object.entries({ file, line, col, title })
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => {
        const text = escapeData(out.printable(`${value}`))
        return `${key}=${text.replaceAll(':', '%3A').replaceAll(',', '%2C')}`
      })
    const message = escapeData(sentence(problem, out))
    return `::${commands[severity]} ${properties.join(',')}::${message}\n`
  })
  return lines.join('')
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

// Printable text has none of the characters that XML forbids.
function escapeXml(printable: string): string {
  return printable.replace(/[&<>"]/g, (character) => entities[character] ?? character)
}

/** A start tag without its `>`. */
function openTag(name: string, attributes: Record<string, string | number>, out: Writer): string {
  const values = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeXml(out.printable(`${value}`))}"`,
  )
  return `<${name}${values.join('')}`
}

function outcome(problem: Problem, out: Writer): string {
  const { severity, code, file, line, column } = problem
  const message = sentence(problem, out)
  const where = positionText({ file, line, column })
  const content = escapeXml(where ? `${out.printable(where)}: ${message}` : message)
  switch (severity) {
    case 'error':
      return `${openTag('failure', { message, type: code }, out)}>${content}</failure>`
    case 'warning':
      return `${openTag('skipped', { message }, out)}>${content}</skipped>`
    case 'info':
      return `<system-out>info: ${content}</system-out>`
  }
}

/**
 * A JUnit report: a test case for each problem, which fails if it is an error and is skipped if it is a warning. Without
 * problems there is one passing case, because CI servers reject an empty report.
 * @param suite the name of the test suite
 * @param properties what else describes the run
 */
export function junitText(
  problems: readonly Problem[],
  suite: string,
  out: Writer,
  properties: Record<string, string> = {},
): string {
  const failures = problems.filter(({ severity }) => severity === 'error').length
  const skipped = problems.filter(({ severity }) => severity === 'warning').length
  const counts = { tests: problems.length || 1, failures, errors: 0 }
  const described = Object.entries(properties).map(
    ([name, value]) => `      ${openTag('property', { name, value }, out)}/>\n`,
  )
  const cases = problems.map((problem) => {
    const { name, code, file, line, column, project } = problem
    const place = positionText({ line, column })
    const title = `${name ?? code}${place ? ` (${place})` : ''}`
    const tag = openTag('testcase', { name: title, classname: file ?? project ?? suite }, out)
    return `    ${tag}>${outcome(problem, out)}</testcase>\n`
  })
  const none = `    ${openTag('testcase', { name: 'no findings', classname: suite }, out)}/>\n`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    `${openTag('testsuites', counts, out)}>\n`,
    `  ${openTag('testsuite', { name: suite, ...counts, skipped }, out)}>\n`,
    ...(described.length > 0 ? ['    <properties>\n', ...described, '    </properties>\n'] : []),
    ...(cases.length > 0 ? cases : [none]),
    '  </testsuite>\n</testsuites>\n',
  ].join('')
}

/** A part of the source code that could not be read. */
export interface Gap extends Incomplete {
  places?: readonly Place[] | undefined
}

/** A kind of problem: its code and one sentence. */
export interface ProblemKind {
  id: string
  description: string
}
