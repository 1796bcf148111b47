// What is asked of every flag before it goes.
import type { Facts, Source } from './facts.ts'
import type { Terms } from './terms.ts'
import type { Verdict } from './verdicts.ts'

/** What the facts say to a question. Each text is true by itself: programs and people see it without the verdict. */
export type Answer = (Stays | Open) & { texts: readonly string[] }

interface Stays {
  says: 'stays'
  verdict: Verdict
  /** The first text with rounded counts, if it has a count. */
  rounded?: string | undefined
  /** What a finished flag answers. */
  outcome?: Outcome
}

/** What production answers to everyone, so that the code can do without the flag. */
export interface Outcome {
  answer: 'on' | 'off' | 'variant'
  variant?: string
  /** For how long at least, as the time when that began; in milliseconds since the epoch. */
  since: number
}

interface Open {
  /** `skipped`: it could not be asked, which does not count against the flag: no code was given, or the service shows no events. */
  says: 'goes' | 'unknown' | 'skipped'
}

export interface Question {
  /** For programs: `answers[].question`. */
  id: string
  /** What is so if the flag goes: a sentence for the documentation and the checklist. */
  states: string
  /** The verdicts that it can give besides `unclear`. */
  gives?: readonly Verdict[]
  /** Whether it is about usage in the span alone, as `--expect unused` is. */
  isAboutUsage?: true
  /** The answer, or the source without which there is none. */
  answer(facts: Facts, terms: Terms): Answer | Source
}

export const goes = (...texts: string[]): Answer => ({ says: 'goes', texts })
export const skipped = (...texts: string[]): Answer => ({ says: 'skipped', texts })
export const unknown = (...texts: string[]): Answer => ({ says: 'unknown', texts })
export const stays = (verdict: Verdict, ...texts: string[]) => {
  return { says: 'stays', verdict, texts } as const
}

/** Unknown if anything speaks against it, otherwise the texts that are true then. */
export function unless(obstacles: readonly string[], ...texts: string[]): Answer {
  return obstacles.length > 0 ? unknown(...obstacles) : goes(...texts)
}
