import { FlagadmError } from '../../errors.ts'
import type { Lookup } from './lookup.ts'

const SPECIFICATION = /^([^:\s*]+(?:::[^:\s*]+)*)(?::(\w+)|(\.\*))?$/

/**
 * The lookup that a function of `--call` describes.
 * @param from where it comes from, for errors
 * @throws a `usage` error for an invalid one
 */
export function parseCall(
  specification: string,
  from = '--call',
): { name: string; lookup: Lookup } {
  const [, path = '', argument, members] = SPECIFICATION.exec(specification) ?? []
  // The function in `client.isOn` or `Flags::on?`.
  const [name = '', receiver] = path.split(/\.|::|->/).reverse()
  if (!/^[\p{L}_$@][\p{L}\p{N}_$]*[?!]?$/u.test(name) || /^0+$/.test(argument ?? '')) {
    throw new FlagadmError('usage', `${from}: invalid function '${specification}'`, {
      hint: 'use the name as in the code: isOn, or isOn:2 or isOn:key for another argument',
    })
  }
  if (members !== undefined) return { name, lookup: { hasMembers: true } }
  const owner = receiver === undefined ? {} : { owner: receiver }
  if (argument === undefined) return { name, lookup: { index: 0, isDefault: true, ...owner } }
  const isPosition = /^\d+$/.test(argument)
  const place = isPosition ? { index: Number(argument) - 1 } : { key: argument }
  return { name, lookup: { ...place, ...owner } }
}
