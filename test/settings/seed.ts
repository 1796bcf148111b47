import type { Seed } from '../../src/sandbox/seed.ts'

/** A project with all settings. */
export const checkout = {
  id: 'checkout',
  mode: 'protected' as const,
  featureNaming: { pattern: 'checkout-[a-z]+', example: 'checkout-a', description: 'One\ntwo' },
  linkTemplates: [{ title: 'Issue', urlTemplate: 'https://t.test/' }],
}

/** A project without settings. */
export const plain = (id = 'plain') => ({ id, mode: 'open' as const })

/** Flags of a project, which were never used. */
export function flagsOf(project: string, ...names: string[]): Seed['flags'] {
  return names.map((name) => ({ name, project, usage: [], seenApplications: [] }))
}
