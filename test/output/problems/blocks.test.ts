import { expect, it } from 'vitest'
import { junitReport } from '../../../src/old/output/problems/ci.ts'
import { gitlabReport } from '../../../src/old/output/problems/gitlab.ts'
import { sarifReport } from '../../../src/old/output/problems/sarif.ts'
import { textReport } from '../../../src/old/output/problems/text.ts'
import { plain } from '../../support/printer.ts'
import { items } from './items.ts'

const many = Array.from({ length: 5_000 }, () => items).flat()
const reports = {
  gitlab: () => gitlabReport(many, 'flagadm.yaml', plain),
  junit: () => junitReport(many, 'flagadm naming check', plain),
  sarif: () => sarifReport(many, [], plain, 'flagadm.yaml'),
  text: () => textReport(many, (item) => item, plain),
}

it.each(Object.entries(reports))('%s writes many items in pieces', (_, report) => {
  const lengths = Array.from(report(), ({ length }) => length)
  expect(lengths.length).toBeGreaterThan(50)
  expect(Math.max(...lengths)).toBeLessThan(200_000)
})
