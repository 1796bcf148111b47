import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const { config } = ts.readConfigFile(resolve('tsconfig.json'), (path) => readFileSync(path, 'utf8'))
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, resolve('.'))

/** The type errors in a file of the sources if its text were changed. */
function errorsIn(path: string, change: (text: string) => string): string[] {
  const file = resolve(path)
  const host = ts.createCompilerHost(options)
  const { readFile } = host
  host.readFile = (name) => (resolve(name) === file ? change(readFile(name) ?? '') : readFile(name))
  const program = ts.createProgram([file], { ...options, incremental: false }, host)
  const errors = program.getSemanticDiagnostics(program.getSourceFile(file))
  return errors.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
}

test('a report that prints text without making it safe does not compile', () => {
  const errors = errorsIn('src/doctor/report/checks.ts', (text) => {
    const unsafe = text.replace('text(message + next)', 'message + next')
    expect(unsafe).not.toBe(text)
    return unsafe
  })
  // There are no others, so the report itself has none.
  expect(errors).toEqual([expect.stringContaining("Type 'string' is not assignable to type")])
})
