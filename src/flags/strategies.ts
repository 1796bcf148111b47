// What the strategies of a flag do.
import { counted } from '../output/incomplete.ts'
import type { Strategy } from '../service/schema.ts'

/** The names of segments, by id. */
export type SegmentNames = ReadonlyMap<number, string>

/** Whether an environment of a flag has a strategy that is enabled. */
export function hasEnabledStrategy({
  strategies,
}: {
  strategies?: readonly Strategy[] | null | undefined
}): boolean {
  return strategies?.some(({ disabled }) => disabled !== true) === true
}

/** The users, addresses or hosts that a strategy lists, which have other names in each. */
const lists = new Map<string, [parameter: string, noun: string]>([
  ['userWithId', ['userIds', 'user']],
  ['remoteAddress', ['IPs', 'address']],
  ['applicationHostname', ['hostNames', 'host']],
])

/** ` 25%`; empty for what is no share, such as an object */
function shareText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? ` ${value}%` : ''
}

/** Whom a strategy is for, without its constraints: `gradual rollout 25%` */
function audienceText({ name, parameters }: Strategy): string {
  const { rollout, percentage } = parameters ?? {}
  if (name === 'default') return 'everyone'
  if (name === 'flexibleRollout') return `gradual rollout${shareText(rollout)}`
  const [parameter = '', noun = ''] = lists.get(name ?? '') ?? []
  const values = parameters?.[parameter]
  if (typeof values === 'string') {
    const count = values.split(',').filter((value) => value.trim() !== '').length
    return noun === 'address' && count !== 1 ? `${count} addresses` : counted(count, noun)
  }
  return `strategy ${name ?? 'without a name'}${shareText(percentage)}`
}

/** What a strategy does: `gradual rollout 25%, segment beta, 2 constraints` */
export function strategyText(strategy: Strategy, names: SegmentNames): string {
  const { segments, constraints, variants, disabled } = strategy
  const parts = [audienceText(strategy)]
  for (const id of segments ?? []) parts.push(`segment ${names.get(id) ?? id}`)
  if (constraints?.length) parts.push(counted(constraints.length, 'constraint'))
  if (variants?.length) parts.push(counted(variants.length, 'variant'))
  if (disabled) parts.push('disabled')
  return parts.join(', ')
}

/** What the enabled strategies of a flag in an environment do: `gradual rollout 25%; 3 users` */
export function strategiesText(strategies: readonly Strategy[], names: SegmentNames): string {
  const enabled = strategies.filter(({ disabled }) => disabled !== true)
  return enabled.map((one) => strategyText(one, names)).join('; ')
}
