// The answers to "may this flag go?", and what is known about each wherever it is shown.

interface VerdictFacts {
  /** What the flag is: for the page and the documentation. */
  meaning: string
  /** Of several answers about a flag, the strongest decides. */
  strength: number
  /** Its place in a list by verdict. */
  place: number
  /** Its colour on a terminal and on the page. */
  style: 'green' | 'magenta' | 'dim' | 'red'
  /** Whether counts have it even if no flag is this. */
  isAlwaysCounted: boolean
  /** Whether someone acts on it. Of the others, a terminal shows only how many there are. */
  isWork: boolean
  /** Whether the lists of flags may show it, so that usage is read only to be shown. */
  isSettledByLists: boolean
}

// In the order of counts and of the help.
const table = {
  removable: {
    meaning: 'not used or seen for a long time, and off: can go',
    strength: 0,
    place: 0,
    style: 'green',
    isAlwaysCounted: true,
    isWork: true,
    isSettledByLists: false,
  },
  'still-on': {
    meaning: 'not used or seen for a long time, but on: find out why first',
    strength: 1,
    place: 1,
    style: 'magenta',
    isAlwaysCounted: false,
    isWork: true,
    isSettledByLists: false,
  },
  finished: {
    meaning: 'in use, but its answer has long been the same: keep that in the code',
    strength: 4,
    place: 3,
    style: 'green',
    isAlwaysCounted: false,
    isWork: true,
    isSettledByLists: true,
  },
  'in-use': {
    meaning: 'used or seen in the span',
    strength: 3,
    place: 4,
    style: 'dim',
    isAlwaysCounted: true,
    isWork: false,
    isSettledByLists: true,
  },
  unclear: {
    meaning: 'something is not known: see the reasons',
    strength: 2,
    place: 2,
    style: 'magenta',
    isAlwaysCounted: true,
    isWork: true,
    isSettledByLists: false,
  },
  permanent: {
    meaning: 'kill switches, permissions, and flags to keep',
    strength: 5,
    place: 5,
    style: 'dim',
    isAlwaysCounted: true,
    isWork: false,
    isSettledByLists: true,
  },
  archived: {
    meaning: 'archived already',
    strength: 6,
    place: 6,
    style: 'dim',
    isAlwaysCounted: false,
    isWork: true,
    isSettledByLists: true,
  },
  'not-a-flag': {
    meaning: 'the service has no such flag',
    strength: 6,
    place: 7,
    style: 'red',
    isAlwaysCounted: false,
    isWork: true,
    isSettledByLists: true,
  },
} as const satisfies Record<string, VerdictFacts>

export type Verdict = keyof typeof table

/** The verdicts on flags that nothing keeps. */
export const going: ReadonlySet<Verdict | null> = new Set(['removable', 'still-on'] as const)

const isVerdict = (text: string): text is Verdict => Object.hasOwn(table, text)

export const verdicts: readonly Verdict[] = Object.keys(table).filter(isVerdict)

export const factsOfVerdict = (verdict: Verdict): VerdictFacts => table[verdict]

/** The colour of a verdict; null is the verdict of a flag that is gone. */
export function verdictStyle(verdict: Verdict | null): VerdictFacts['style'] {
  return verdict ? table[verdict].style : 'dim'
}

/** A verdict for people: `in use`; `gone` for a flag that only an earlier review has. */
export const verdictText = (verdict: Verdict | null) => (verdict ?? 'gone').replaceAll('-', ' ')

// Behind all verdicts.
const GONE_PLACE = 8

/** The place of a flag in a list by verdict; null is the verdict of a flag that is gone. */
export const placeOfVerdict = (verdict: Verdict | null) =>
  verdict === null ? GONE_PLACE : table[verdict].place
