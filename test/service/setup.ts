import type { TestProject } from 'vitest/node'
import type { Service } from './service.ts'
import { path, startService } from './start.ts'

declare module 'vitest' {
  interface ProvidedContext {
    service: Service
  }
}

/** Starts the real service for all tests; returns the function that stops it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { service, folder, stop } = await startService(path('.'), [])
  // The tests' folders go here, too, so that they are always removed.
  process.env.TMPDIR = folder
  project.provide('service', service)
  return stop
}
