import { beforeEach } from 'vitest'
import { skippedEntry } from './skipped.ts'

beforeEach(({ task, skip }) => {
  const entry = skippedEntry(task.file.name, task.fullTestName)
  if (entry) skip(entry.reason)
})
