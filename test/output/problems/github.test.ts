import { execFileSync } from 'node:child_process'
import { EOL } from 'node:os'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { safeText } from '../../../src/output/escapes.ts'
import { type Problem, sentence } from '../../../src/output/problems.ts'
import { openWriter } from '../../support/writer.ts'
import { anyItems, dangerous, hostile, items, printed } from './items.ts'

const { out } = openWriter()

it('annotates lines of files, and the run for an item without a file', async () => {
  expect(
    await printed('github', items),
  ).toBe(`::error file=src/a.ts,line=3,col=12,title=naming::NewUi: does not match the rule; did you mean new-ui
::error file=src/a.ts,line=120,col=5,title=naming::x: is too long
::warning file=rules/my rule.yaml,line=2,title=redundant-anchor::the service adds ^ itself
::notice title=no-example::an example helps people who create a flag
`)
})

it('is empty without items', async () => {
  expect(await printed('github', [])).toBe('')
})

it('keeps hostile names and paths inside their annotation', async () => {
  const item: Problem = {
    code: 'naming',
    severity: 'error',
    message: 'is illegal',
    name: '\u001b[31m%0A\n::add-mask::x',
    file: 'a,line=1::b%2C\r\n.ts',
    line: 7,
  }
  expect(await printed('github', [item])).toBe(
    '::error file=a%2Cline=1%3A%3Ab%252C\\x0d\\x0a.ts,line=7,title=naming::\\x1b[31m%250A\\x0a::add-mask::x: is illegal\n',
  )
})

/** The text that GitHub's own toolkit writes for the items. */
function toolkitReport(all: readonly Problem[]): string {
  const calls = all.map((item) => ({
    command: { error: 'error', warning: 'warning', info: 'notice' }[item.severity],
    message: sentence(item, out),
    properties: {
      title: item.code,
      file: item.file === undefined ? undefined : safeText(item.file),
      startLine: item.line,
      startColumn: item.column,
    },
  }))
  const script = `import * as core from '@actions/core'
    const calls = JSON.parse(process.argv[1])
    for (const { command, message, properties } of calls) core[command](message, properties)`
  const argv = ['--input-type=module', '--eval', script, JSON.stringify(calls)]
  return execFileSync(process.execPath, argv, { encoding: 'utf8' }).replaceAll(EOL, '\n')
}

// Properties may be in any order; their commas are escaped.
function sorted(report: string): string {
  return report.replace(/^(::\w+ )(.*?)(?=::)/gm, (_, command: string, properties: string) => {
    return command + properties.split(',').sort().join(',')
  })
}

it("writes the same as GitHub's own toolkit", async () => {
  const fooling = hostile.map((text): Problem => {
    return { code: 'naming', severity: 'warning', message: text, name: text, file: text, line: 1 }
  })
  const all = [...items, ...fooling]
  expect(sorted(await printed('github', all))).toBe(sorted(toolkitReport(all)))
})

// As the runner does: ActionCommand.cs of actions/runner.
function unescaped(text: string): string {
  const plain = text.replaceAll('%0D', '\r').replaceAll('%0A', '\n')
  return plain.replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%25', '%')
}

it('writes one line for each item, from which the runner reads its path and message', async () => {
  await fc.assert(
    fc.asyncProperty(anyItems, async (any) => {
      const report = await printed('github', any)
      expect(report).not.toMatch(dangerous)
      const lines = report.split('\n').slice(0, -1)
      expect(lines).toHaveLength(any.length)
      for (const [index, item] of any.entries()) {
        const [, properties = '', message = ''] =
          /^::(?:error|warning|notice) (.*?)::(.*)$/.exec(lines[index] ?? '') ?? []
        const file = /^file=([^,]*),/.exec(properties)?.[1]
        expect(file && unescaped(file)).toBe(item.file && safeText(item.file))
        expect(message.replaceAll('%25', '%')).toBe(sentence(item, out))
      }
    }),
  )
})
