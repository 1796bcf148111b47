// Decides questions about the legal names that naming rules accept: exactly, with look-around and word boundaries. A state
// is a formula over the rest of a name, and reading a character turns it into the next formula (Brzozowski).
import { isLegalName, maxNameLength } from '../input/flag-names.ts'
import { type Budget, decide, Undecided } from './budget.ts'
import { holds, isWordCharacter, type Look, type Term, Terms, type Then } from './terms.ts'

/** Names as people write them, which make better examples than the shortest ones. */
export const realisticNames: readonly string[] = [
  ...['checkout', 'search', 'banner-login', 'search-2', 'banner_login', 'newCheckout', 'Checkout'],
  ...['team.checkout.beta', 'NEW_CHECKOUT', 'enableSearch', 'BETA-42', 'v2', '~beta!'],
]

/** The place between two characters of a name, and what the formulas there depend on. */
interface Place {
  before: string | undefined
  /** Undefined at the end of the name. */
  next: string | undefined
  /** Whether look-behinds end here, instead of reading the next character. */
  isHit: boolean
  /** What must follow the next character for each look-behind to match. */
  behinds: Term[]
  /** The formulas that are known. */
  known: Map<Term, Term>
}

interface State {
  rules: Term[]
  behinds: Term[]
  before: string | undefined
}

/** @internal Tests compare it with the engine. */
export class Language {
  readonly kinds: string[]
  readonly start: State
  private readonly terms: Terms
  private readonly places = new Map<string, Map<Term, Term>>()
  private readonly budget: Budget

  /** @throws Undecided for a back-reference */
  constructor(patterns: readonly string[], budget: Budget) {
    this.budget = budget
    this.terms = new Terms(budget)
    const rules = patterns.map((pattern) => this.terms.read(pattern))
    if (this.terms.hasReference) throw new Undecided('a back-reference cannot be analysed')
    this.kinds = this.terms.kinds()
    const behinds = this.terms.looksBehind.map(() => this.terms.no)
    this.start = { rules, behinds, before: undefined }
  }

  /** The formula after the next character; at the end of the name, `yes` or `no`. */
  private after(term: Term, place: Place): Term {
    if (term.type === 'yes' || term.type === 'no') return term
    const known = place.known.get(term)
    if (known) return known
    this.budget.spend('terms' in term ? term.terms.length : 1)
    const result = this.derive(term, place)
    place.known.set(term, result)
    return result
  }

  private derive(term: Term, place: Place): Term {
    const { terms } = this
    switch (term.type) {
      case 'hit':
        return place.isHit ? terms.yes : terms.no
      case 'or':
        return terms.or(term.terms.map((one) => this.after(one, place)))
      case 'and':
        return terms.and(term.terms.map((one) => this.after(one, place)))
      case 'not':
        return terms.not(this.after(term.term, place))
      case 'then':
        return this.afterPart(term, place)
      default:
        return term
    }
  }

  private afterPart({ part, rest, isBehind }: Then, place: Place): Term {
    const { terms } = this
    const { before, next, isHit } = place
    const after = (isPassed = true) => (isPassed ? this.after(rest, place) : terms.no)
    const any = (branches: Look['branches'], end: Term) =>
      terms.or(branches.map((parts) => this.after(terms.prependAll(parts, end), place)))
    switch (part.type) {
      case 'characters': {
        const reads = next !== undefined && part.set.has(next) && !(isHit && isBehind)
        return reads ? terms.moved(rest) : terms.no
      }
      case 'group':
        return any(part.branches, rest)
      case 'loop': {
        if (part.max === 0) return after()
        const round = this.after(terms.round(part, rest), place)
        return part.min > 0 ? round : terms.or([after(), round])
      }
      case 'edge':
        return after(holds(part, before, next))
      case 'look': {
        const behind = part.isBehind ? place.behinds[part.index] : undefined
        const look = behind ?? any(part.branches, terms.yes)
        return terms.and([part.negate ? terms.not(look) : look, after()])
      }
      default:
        return terms.no
    }
  }

  private placeOf({ behinds, before }: State, next: string | undefined) {
    const { terms, places } = this
    const found: Term[] = []
    const at = (isHit: boolean): Place => {
      const side = before === undefined ? '' : isWordCharacter(before)
      const key = `${side} ${next} ${isHit} ${found.map(({ id }) => id).join()}`
      const known = places.get(key) ?? new Map<Term, Term>()
      places.set(key, known)
      return { before, next, isHit, behinds: found, known }
    }
    // A look-behind may start at any place so far.
    const open = terms.looksBehind.map(({ branches }, i) =>
      terms.or([
        behinds[i] ?? terms.no,
        ...branches.map((parts) => terms.prependAll(parts, terms.hit)),
      ]),
    )
    for (const look of open) found.push(this.after(look, at(true)))
    return { place: at(false), open }
  }

  step(state: State, next: string): State {
    const { place, open } = this.placeOf(state, next)
    return {
      rules: state.rules.map((rule) => this.after(rule, place)),
      behinds: open.map((look) => this.after(look, place)),
      before: next,
    }
  }

  /** Which rules accept the name that ends here. */
  verdicts(state: State): boolean[] {
    const { place } = this.placeOf(state, undefined)
    return state.rules.map((rule) => this.after(rule, place) === this.terms.yes)
  }

  /** A text that is the same for states with the same future. */
  keyOf({ rules, behinds, before }: State): string {
    const side = before === undefined ? '' : isWordCharacter(before)
    return `${[...rules, ...behinds].map(({ id }) => id).join()} ${side}`
  }
}

/** The combinations of verdicts that rules have on legal names. */
export interface Survey {
  /** For each combination found, such as `true,false`: up to three realistic names, or otherwise a shortest one. */
  names: ReadonlyMap<string, readonly string[]>
  /**
   * Returns a name on which the rules have these verdicts, if there is one.
   * @throws Undecided if none was found, but not all names were examined
   */
  find(...verdicts: boolean[]): string | undefined
}

interface Beginning {
  state: State
  name: string
}

const surveyWork = 2_000_000

/**
 * Examines all legal names.
 * @param tried legal names to try first
 * @throws Undecided for patterns that cannot be examined
 */
export async function survey(
  patterns: readonly string[],
  whole: Budget,
  tried = realisticNames,
): Promise<Survey> {
  const budget = whole.part(surveyWork)
  await budget.breathe()
  const language = new Language(patterns, budget)
  const names = new Map<string, readonly string[]>()
  const known = new Set<string>()

  /** Returns whether all combinations have been found. */
  function note({ state, name }: Beginning, most = 1): boolean {
    const key = language.verdicts(state).join()
    const noted = names.get(key) ?? []
    if (noted.length < most) names.set(key, [...noted, name])
    return names.size === 2 ** patterns.length
  }

  /** Returns the new states that are one character longer. */
  function longer(beginning: Beginning): Beginning[] {
    return language.kinds.flatMap((kind) => {
      const state = language.step(beginning.state, kind)
      const name = beginning.name + kind
      const key = language.keyOf(state)
      budget.spend(20 + key.length / 8)
      if (known.has(key)) return []
      // These are not legal, but other names may lead to the same states.
      if (name !== '.' && name !== '..') known.add(key)
      return [{ state, name }]
    })
  }

  async function explore(): Promise<void> {
    const areAllFound = tried.map((name) => {
      const state = [...name].reduce((from, next) => language.step(from, next), language.start)
      return note({ state, name }, 3)
    })
    if (areAllFound.at(-1)) return
    let level = [{ state: language.start, name: '' }]
    for (let length = 0; level.length > 0; length++) {
      const next: Beginning[] = []
      for (const beginning of level) {
        await budget.breathe()
        if (isLegalName(beginning.name) && note(beginning)) return
        if (length < maxNameLength) next.push(...longer(beginning))
      }
      level = next
    }
  }

  const end = await decide(explore)
  return {
    names,
    find(...verdicts) {
      const [name] = names.get(verdicts.join()) ?? []
      if (name === undefined && end instanceof Undecided) throw end
      return name
    },
  }
}
