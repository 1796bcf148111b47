import { flagadm } from '../support/flagadm.ts'

export interface Violation {
  name: string
  reasons: string[]
  suggestion?: string
}

/** The violations that `naming check` reports for a pattern. */
export async function checkNames(pattern: string, names: readonly string[]): Promise<Violation[]> {
  const options = [`--pattern=${pattern}`, '--json', '--allow-empty']
  const { stdout } = await flagadm(['naming', 'check', ...options, '--', ...names])
  return JSON.parse(stdout).violations
}
