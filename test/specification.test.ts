// Every command against a service with only the two operations of the specification.
import { expect, test } from 'vitest'
import { flagadm } from './support/flagadm.ts'
import { specifiedService } from './support/sandbox.ts'

const files = {
  'work/plan.yaml': 'projects: { default: { mode: private } }\n',
  'work/src/a.ts': "if (unleash.isEnabled('dark-mode')) paint()\n",
}

test.each([
  'feature usage dark-mode --since 48h',
  'feature list --project default',
  'project settings get default',
  'project list',
])('%s reports that the service may lack the operation', async (line) => {
  const { env } = await specifiedService()
  const { stderr } = await flagadm(line.split(' '), { env })
  expect(stderr).toMatch(/\nhint: .*the service may lack this operation/)
})

test.each([
  ['feature usage dark-mode', 0],
  ['feature usage dark-mode --since 48h', 6],
  ['feature usage --project default', 6],
  ['feature list --project default', 6],
  ['feature list --all-projects', 6],
  ['feature unknown', 6],
  ['feature review --project default', 6],
  ['feature review dark-mode --expect in-use', 0],
  ['feature review legacy-invoice-export --expect unused', 9],
  ['feature archive legacy-invoice-export --project default --yes', 6],
  ['feature references dark-mode --scan src', 0],
  ['feature references --scan src --project default', 6],
  ['project list', 6],
  ['project settings get default', 6],
  ['project settings set default --mode private --yes', 0],
  ['project settings set default --mode private --yes --no-read', 0],
  ['project settings plan -f plan.yaml', 6],
  ['project settings apply -f plan.yaml --yes', 6],
  ['project settings export --all-projects --dir out', 6],
  ['naming lint --project default', 6],
  ['naming check a --project default', 6],
  ['naming check a --pattern a --example a --description a', 0],
  ['naming diff --project default --pattern a', 6],
  // It reads the usage of a flag that does not exist, and cannot distinguish that from a wrong address.
  ['profile check', 6],
])('%s exits with %i', async (line, expected) => {
  const service = await specifiedService()
  const { code, stderr } = await flagadm(line.split(' '), { env: service.env, files })
  expect([code, stderr.match(/this is a bug.*/)]).toEqual([expected, null])
  expect(service.requests().filter((request) => / 5\d\d$/.test(request))).toEqual([])
})
