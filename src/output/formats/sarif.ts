import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import { homepage, version } from '../../../package.json'
import { type Gap, type Place, sentence } from '../problems.ts'
import { type WriteReport, problemsOf } from '../report.ts'

const levels = { error: 'error', warning: 'warning', info: 'note' } as const

// Percent-encoding turns any path into a valid URI reference without characters to escape.
function uriOf(path: string): string {
  const wellFormed = path.replace(/\p{Cs}/gu, '\ufffd')
  // On Windows, no relative path leads to another drive.
  if (isAbsolute(path)) return pathToFileURL(wellFormed).href
  return wellFormed.split('/').map(encodeURIComponent).join('/')
}

// Viewers would show text of the form `[…](…)` as a link.
function plainText(text: string): string {
  return text.replace(/\[(?=[^\]]*\]\()/g, '\\[')
}

// GitHub's code scanning requires a file and a line.
function locationOf({ file, line = 1, column }: Place, fallbackPath: string): object {
  const artifactLocation = { uri: uriOf(file ?? fallbackPath) }
  return {
    physicalLocation: { artifactLocation, region: { startLine: line, startColumn: column } },
  }
}

function notificationOf({ message, places = [] }: Gap, fallbackPath: string): object {
  return {
    level: 'note',
    message: { text: plainText(message) },
    locations: places.map((place) => locationOf(place, fallbackPath)),
  }
}

/** Prints a SARIF 2.1.0 log of one run. What could not be checked is a notification, not a result. */
export const writeReport: WriteReport = (report, out) => {
  const { kinds = [], incomplete, fallbackPath = '' } = report
  const indexes = new Map(kinds.map(({ id }, index) => [id, index]))
  // GitHub's code scanning requires each of the three texts.
  const rules = kinds.map(({ id, description }) => {
    const text = plainText(description)
    return { id, shortDescription: { text }, fullDescription: { text }, help: { text } }
  })
  const toolExecutionNotifications = incomplete.map((one) => notificationOf(one, fallbackPath))
  const run = {
    tool: {
      driver: { name: 'flagadm', semanticVersion: version, informationUri: homepage, rules },
    },
    columnKind: 'utf16CodeUnits',
    ...(incomplete.length > 0 && {
      invocations: [{ executionSuccessful: true, toolExecutionNotifications }],
    }),
    results: problemsOf(report).map((problem) => ({
      ruleId: problem.code,
      ruleIndex: indexes.get(problem.code),
      level: levels[problem.severity],
      message: { text: plainText(sentence(problem, out)) },
      locations: [locationOf(problem, fallbackPath)],
    })),
  }
  out.json({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [run],
  })
}
