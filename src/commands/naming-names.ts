import type { Context } from '../context.ts'
import type { FlagUse } from '../scan/files.ts'
import { shownPath } from './naming-rule.ts'

/** Where a name is used; empty for an argument. `<stdin>` is the file of standard input. */
export interface Place {
  file?: string
  line?: number
  column?: number
}

/** Some names and where they are used. */
export interface PlacedNames {
  names: readonly string[]
  /** The place of the name with this index. */
  placeOf(index: number): Place
}

/**
 * Names from arguments, from a list and from source code, in that order, in batches.
 * @param namesFrom the path of the list
 */
export async function* placedNames(
  context: Context,
  given: readonly string[],
  namesFrom: string | undefined,
  uses: readonly FlagUse[],
): AsyncGenerator<PlacedNames> {
  if (given.length > 0) yield { names: given, placeOf: () => ({}) }
  if (namesFrom !== undefined) yield* listedNames(context, namesFrom)
  if (uses.length === 0) return
  yield {
    names: uses.map(({ name }) => name),
    placeOf(index) {
      const { file, line, column } = uses[index] ?? {}
      return {
        ...(file !== undefined && { file }),
        ...(line !== undefined && { line }),
        ...(column !== undefined && { column }),
      }
    },
  }
}

async function* listedNames({ inputs, host }: Context, path: string): AsyncGenerator<PlacedNames> {
  const file = path === '-' ? '<stdin>' : shownPath(path, host.cwd)
  for await (const { names, lineOf } of inputs.names(path, '--names-from')) {
    yield {
      names,
      placeOf(index) {
        return { file, line: lineOf(index) }
      },
    }
  }
}
