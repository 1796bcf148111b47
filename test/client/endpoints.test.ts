import { expect, test } from 'vitest'
import { operations } from '../../src/service/operations.ts'
import { endpointTable } from '../support/endpoints.ts'

test('the endpoint table has a row for each operation', () => {
  const [, , ...rows] = endpointTable(operations).trimEnd().split('\n')
  expect(rows).toHaveLength(Object.keys(operations).length)
  expect(rows.slice(0, 3)).toEqual([
    "| Update a project's mode and naming rule | `PUT /api/admin/projects/:projectId/settings` | `UPDATE_PROJECT` | [1. Update project enterprise settings](specification.md#1-update-project-enterprise-settings) |",
    '| Read the last hour of usage of a feature flag | `GET /api/admin/client-metrics/features/:featureName` | any admin key | [2. Read last hour of usage of a feature flag](specification.md#2-read-last-hour-of-usage-of-a-feature-flag) |',
    '| List the projects | `GET /api/admin/projects` | any admin key | [observed](unleash.md) |',
  ])
})
