// What archiving takes away from flags, and what of that a revival brings back.
import { readFlagDocument } from '../flags/documents.ts'
import { listed } from '../output/incomplete.ts'
import { readEach } from '../requests/each.ts'
import { optional } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import { environmentsOn, type Listed, type SavedFlag, savedFlagOf } from './saved-flags.ts'

/** What a flag has that archiving takes away. */
export interface Loss {
  name: string
  /** The environments in which it is on. */
  on: readonly string[]
  /** Those in which no strategy is enabled, so that no revival switches it on there. */
  withoutStrategy: readonly string[]
  /** The flags on which it depends; undefined if that could not be read. */
  dependsOn: readonly string[] | undefined
}

function lossOf(listedOn: readonly string[], saved: SavedFlag | undefined): Omit<Loss, 'name'> {
  const { environments = [], withoutStrategy = [], dependencies } = saved ?? {}
  return {
    on: [...new Set([...listedOn, ...environments, ...withoutStrategy])],
    withoutStrategy,
    dependsOn: dependencies?.map(({ feature }) => feature),
  }
}

/** The losses that a file of `archive --save-before` has. */
export const savedLosses = (saved: readonly SavedFlag[]): Loss[] =>
  saved.map((flag) => ({ name: flag.name, ...lossOf([], flag) }))

/** Reads what archiving will take away. Names that are not flags have nothing. */
export async function readLosses(
  connection: Connection,
  projectId: string,
  flags: readonly Listed[],
): Promise<Loss[]> {
  const existing = flags.filter(({ flag }) => flag)
  const reading = readEach('flag', existing, connection, async ({ name }) => {
    const document = await readFlagDocument(connection.service, { projectId, name })
    return savedFlagOf(document)
  })
  const { results = [] } = (await optional(reading)) ?? {}
  const saved = new Map(results.map((one) => [one.name, one]))
  return existing.map(({ name, flag }) => ({
    name,
    ...lossOf(environmentsOn(flag), saved.get(name)),
  }))
}

/** What a revival of flags brings back, and what not, as sentences. */
export interface Revivable {
  restored: readonly string[]
  notRestored: readonly string[]
}

/** @param file what the file of `archive --save-before` is called, if one is written */
export function revivable(losses: readonly Loss[], file: string | undefined): Revivable {
  const textsOf = (of: (loss: Loss) => readonly string[]) =>
    losses.flatMap((loss) => {
      const names = of(loss)
      return names.length > 0 ? [`${loss.name} (${listed(names)})`] : []
    })
  const sentence = (what: string, texts: readonly string[]) =>
    texts.length > 0 ? [`${what}: ${listed(texts)}`] : []
  const dependent = textsOf(({ dependsOn = [] }) => dependsOn.map((name) => `on ${name}`))
  const unread = losses.flatMap(({ name, dependsOn }) => (dependsOn ? [] : [name]))
  const unknown = sentence('dependencies are deleted, and could not be read', unread)
  if (file === undefined) {
    return {
      restored: [],
      notRestored: [
        ...sentence(
          'a revival does not switch these on again',
          textsOf(({ on }) => on),
        ),
        ...sentence('a revival does not add their dependencies again', dependent),
        ...unknown,
      ],
    }
  }
  const switched = textsOf(({ on, withoutStrategy }) =>
    on.filter((name) => !withoutStrategy.includes(name)),
  )
  return {
    restored: [
      ...sentence(`a revival with ${file} switches these on again`, switched),
      ...sentence(`a revival with ${file} adds their dependencies again`, dependent),
    ],
    notRestored: [
      ...sentence(
        'a revival does not switch these on again, because no strategy is enabled',
        textsOf(({ withoutStrategy }) => withoutStrategy),
      ),
      ...unknown,
    ],
  }
}
