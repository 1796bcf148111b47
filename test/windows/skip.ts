import { beforeEach } from 'vitest'
import { skipped } from './skipped.ts'

beforeEach(({ task, skip }) => {
  const entry = skipped.find(
    ({ file, title }) => file === task.file.name && title === task.fullTestName,
  )
  if (entry) skip(entry.reason)
})
