import { readFileSync } from 'node:fs'
import { DOMParser, type Element } from '@xmldom/xmldom'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { junitText, type Problem } from '../../../src/output/problems.ts'
import { openWriter } from '../../support/writer.ts'
import { anyItems, dangerous, hostile, items } from './items.ts'

const { out } = openWriter()

const schema = readFileSync(new URL('schemas/junit.xsd', import.meta.url), 'utf8')

async function problems(...reports: string[]): Promise<string[]> {
  const xml = reports.map((contents, index) => ({ fileName: `${index}.xml`, contents }))
  const { errors } = await validateXML({ xml, schema })
  return errors.map(({ rawMessage }) => rawMessage)
}

function testCases(report: string): Element[] {
  const onError = (level: string, message: string) => {
    if (level !== 'warning') throw new Error(message)
  }
  const document = new DOMParser({ onError }).parseFromString(report, 'text/xml')
  return Array.from(document.getElementsByTagName('testcase'))
}

it('writes a test case for each item, which fails for an error and is skipped for a warning', async () => {
  const report = junitText(items, 'flagadm naming check', out)
  expect(report).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="4" failures="2" errors="0">
  <testsuite name="flagadm naming check" tests="4" failures="2" errors="0" skipped="1">
    <testcase name="NewUi (3:12)" classname="src/a.ts"><failure message="NewUi: does not match the rule; did you mean new-ui" type="naming">src/a.ts:3:12: NewUi: does not match the rule; did you mean new-ui</failure></testcase>
    <testcase name="x (120:5)" classname="src/a.ts"><failure message="x: is too long" type="naming">src/a.ts:120:5: x: is too long</failure></testcase>
    <testcase name="redundant-anchor (2)" classname="rules/my rule.yaml"><skipped message="the service adds ^ itself">rules/my rule.yaml:2: the service adds ^ itself</skipped></testcase>
    <testcase name="no-example" classname="flagadm naming check"><system-out>info: an example helps people who create a flag</system-out></testcase>
  </testsuite>
</testsuites>
`)
  expect(await problems(report)).toEqual([])
})

it('writes one test case that passes without items', async () => {
  const report = junitText([], 'flagadm naming check', out)
  expect(report).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="1" failures="0" errors="0">
  <testsuite name="flagadm naming check" tests="1" failures="0" errors="0" skipped="0">
    <testcase name="no findings" classname="flagadm naming check"/>
  </testsuite>
</testsuites>
`)
  expect(await problems(report)).toEqual([])
})

it('shows hostile names and paths as text, without what XML forbids', async () => {
  const item: Problem = {
    code: 'naming',
    severity: 'error',
    message: 'is illegal',
    name: ']]><!--</failure>&amp;"\'\u0000\ufffe',
    file: '##[group]\u001b[0m\ud800.ts',
  }
  const report = junitText([item], 'a "suite"', out)
  expect(report.split('\n')[3]).toBe(
    '    <testcase name="]]&gt;&lt;!--&lt;/failure&gt;&amp;amp;&quot;\'\\x00\\ufffe" classname="#\\x23[group]\\x1b[0m\\ud800.ts"><failure message="]]&gt;&lt;!--&lt;/failure&gt;&amp;amp;&quot;\'\\x00\\ufffe: is illegal" type="naming">#\\x23[group]\\x1b[0m\\ud800.ts: ]]&gt;&lt;!--&lt;/failure&gt;&amp;amp;&quot;\'\\x00\\ufffe: is illegal</failure></testcase>',
  )
  expect(await problems(report)).toEqual([])
  const [testCase] = testCases(report)
  expect(testCase?.getAttribute('name')).toBe(']]><!--</failure>&amp;"\'\\x00\\ufffe')
})

it('is refused by the schema when something is wrong, so that the schema is known to work', async () => {
  const report = junitText(items, 'suite', out).replace('errors="0"', 'wrong="0"')
  expect(await problems(report)).not.toEqual([])
})

it('is well-formed for any items, with a case for each', () => {
  fc.assert(
    fc.property(anyItems, (any) => {
      const report = junitText(any, 'suite', out)
      expect(report).not.toMatch(dangerous)
      const found = testCases(report)
      expect(found).toHaveLength(Math.max(1, any.length))
      const failed = found.filter((testCase) => testCase.getElementsByTagName('failure').length > 0)
      expect(failed).toHaveLength(any.filter(({ severity }) => severity === 'error').length)
    }),
  )
})

it('is valid for any items', async () => {
  const fooling = hostile.map((text): Problem => {
    return { code: 'naming', severity: 'error', message: text, name: text, file: text }
  })
  const sampled = fc.sample(anyItems, 200).map((any) => junitText(any, 'suite', out))
  expect(await problems(junitText(fooling, 'suite', out), ...sampled)).toEqual([])
})

it('writes the properties of a run and counts only errors as failures', async () => {
  const warning: Problem = { code: 'a', severity: 'warning', message: 'm' }
  const error: Problem = { code: 'b', severity: 'error', message: 'n' }
  const properties = { baseUrl: 'https://x.test', 'a"': '<b>' }
  const report = junitText([warning, warning, error], 'suite', out, properties)
  expect(report.split('\n').slice(1, 7)).toEqual([
    '<testsuites tests="3" failures="1" errors="0">',
    '  <testsuite name="suite" tests="3" failures="1" errors="0" skipped="2">',
    '    <properties>',
    '      <property name="baseUrl" value="https://x.test"/>',
    '      <property name="a&quot;" value="&lt;b&gt;"/>',
    '    </properties>',
  ])
  expect(await problems(report)).toEqual([])
})
