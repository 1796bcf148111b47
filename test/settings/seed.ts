import type { Seed } from '../../src/sandbox/seed.ts'

/** Settings with every field. */
export const full = {
  mode: 'protected' as const,
  featureNaming: { pattern: 'checkout-[a-z]+', example: 'checkout-a', description: 'One\ntwo' },
  linkTemplates: [{ title: 'Issue', urlTemplate: 'https://t.test/' }],
}

export const checkout = { id: 'checkout', ...full }

/** A project with only a mode. */
export const plain = (id = 'plain') => ({ id, mode: 'open' as const })

/** A naming rule that is not set. */
export const noRule = { pattern: '', example: '', description: '' }

/** Flags of a project, which were never used. */
export function flagsOf(project: string, ...names: string[]): Seed['flags'] {
  return names.map((name) => ({ name, project, usage: [], seenApplications: [] }))
}
