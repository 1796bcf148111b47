import { expect } from 'vitest'
import type { Finding } from '../../src/naming/finding-kinds.ts'
import { lintRule } from '../../src/naming/findings.ts'
import { wronglyShown } from './engine.ts'

const { signal } = new AbortController()

/** The findings about a pattern itself, which shows only samples that the engine treats as shown. */
export async function findings(pattern: string): Promise<Finding[]> {
  const report = await lintRule({ pattern, description: 'why' }, signal)
  expect(wronglyShown(pattern, report)).toEqual([])
  return report.findings.filter(({ code }) => code !== 'no-example')
}
