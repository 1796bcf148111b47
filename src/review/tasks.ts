// What is left to do with finished flags, as tasks that can be pasted into an issue.
import { listed } from '../output/incomplete.ts'
import { positionText } from '../output/problems.ts'
import type { Task } from '../output/rows.ts'
import type { ListedRow } from './comparison.ts'
import { projectOf } from './order.ts'

// A task has room for the first ones.
const MAX_PLACES = 3

/** Where the code has a flag: `src/a.ts:3`, and in other repositories `web: src/b.ts:4`. */
export function placesOf({ code }: ListedRow): string[] {
  const ownPositions = (code?.places ?? []).map(({ file, line }) => positionText({ file, line }))
  const others = (code?.repositories ?? []).map(({ name, place: { file, line } }) => {
    return `${name}: ${positionText({ file, line })}`
  })
  return [...ownPositions, ...others]
}

/** What to keep, where it is, whose it is, and since when: `keep on · project shop · in src/a.ts:3 · ask ada · since 2026-10-21 or earlier` */
export function taskOf(row: ListedRow): Task {
  const { name, outcome, owner } = row
  const { answer = '', variant, since } = outcome ?? {}
  const places = placesOf(row)
  const facts = [
    `keep ${variant ? `variant ${variant}` : answer}`,
    `project ${projectOf(row)}`,
    places.length > 0 ? `in ${listed(places, MAX_PLACES)}` : undefined,
    owner ? `ask ${owner}` : undefined,
    since === undefined
      ? undefined
      : `since ${new Date(since).toISOString().slice(0, 10)} or earlier`,
  ].filter((fact) => fact !== undefined)
  return { name, text: facts.join(' · ') }
}
