import type { Call } from './code/facts.ts'
import type { Collection } from './collection.ts'

type FileCall = Call & { file: number }

// The objects of the SDKs, by their usual names.
const CLIENT = /unleash|client/i

/**
 * A test for calls whose name is only a part of that of the flag, because a function of the project has the
 * name of a lookup and adds to it: `fun isEnabled(name: String) = unleash.isEnabled("shop." + name)`.
 */
export function createPartTest({ calls, groupOf }: Collection): (call: FileCall) => boolean {
  const adding = new Set<string>()
  const plain = new Set<string>()
  const keyOf = (name: string, file: number) => `${groupOf(file)}:${name}`
  for (const { file, receiver, passed, addedBy } of calls) {
    if (!CLIENT.test(receiver)) continue
    if (addedBy !== undefined) adding.add(keyOf(addedBy, file))
    if (passed?.function !== undefined) plain.add(keyOf(passed.function, file))
  }
  return ({ name, file, lookup, receiver }) => {
    const key = keyOf(name, file)
    const isOwn = lookup.sdk !== undefined && !CLIENT.test(receiver)
    return isOwn && adding.has(key) && !plain.has(key)
  }
}
