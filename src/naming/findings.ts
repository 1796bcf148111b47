import { type AST, visitRegExpAST } from '@eslint-community/regexpp'
import { illegalReasons, isLegalName, legalCharacters, maxNameLength } from '../input/flag-names.ts'
import { Budget, decide, Undecided } from './budget.ts'
import { type Finding, type FindingCode, fieldOf, finding, findingKinds } from './finding.ts'
import { realisticNames, type Survey, survey } from './language.ts'
import { nearestNames } from './nearest.ts'
import { backslashFindings, compileFindings, delimiterFindings } from './notation.ts'
import { foreignFindings, rangeFindings, withoutDelimiters } from './notation.ts'
import { type Relation, relate } from './relation.ts'
import { compileFailure, createNameMatcher, lengthProblem, type NameMatcher } from './rule.ts'
import { type NamingRule, ruleSource, usable } from './rule.ts'
import { type Samples, samplesOf } from './samples.ts'
import { slowName } from './slow.ts'
import { hexEscape, outerAnchors, parsePattern, withoutParts } from './syntax.ts'
import { Terms } from './terms.ts'

/** A rule that is examined; its pattern compiles. */
export interface ExaminedRule {
  rule: NamingRule
  pattern: string
  matcher: NameMatcher
  budget: Budget
  /** @throws Undecided if the syntax is not known */
  tree(): AST.Pattern
  /** The verdicts on legal names. @throws Undecided */
  survey(): Promise<Survey>
}

/** The findings and the samples of a rule. */
export interface LintReport extends Samples {
  rule: NamingRule
  /** Sorted by code, in the order of `findingKinds`. */
  findings: Finding[]
}

/** A function that makes a value when it is first called. */
function once<T>(make: () => T): () => T {
  let value: T | undefined
  return () => {
    value ??= make()
    return value
  }
}

function examined(rule: NamingRule, pattern: string, budget: Budget, signal: AbortSignal) {
  return {
    rule,
    pattern,
    budget,
    matcher: createNameMatcher(pattern, signal),
    tree: once(() => parsePattern(pattern)),
    survey: once(() => survey([pattern], budget)),
  }
}

/** The missing parts of a rule. The service treats an empty part as missing. */
function presenceFindings({ pattern, example, description }: NamingRule): Finding[] {
  if (!pattern) {
    const present = [example && 'an example', description && 'a description'].filter(Boolean)
    if (present.length === 0) return []
    const message = `the rule has ${present.join(' and ')} but no pattern: the service rejects it`
    return [finding('missing-pattern', message)]
  }
  const cleared = 'project settings set keeps the stored one, but other clients clear it'
  return [
    ...(example ? [] : [finding('no-example', `the rule has no example: ${cleared}`)]),
    ...(description ? [] : [finding('no-description', `the rule has no description: ${cleared}`)]),
  ]
}

/** Why an example is not a legal flag name. The suggestion is another example. */
function illegalExampleFindings(example = '', suggestion?: string): Finding[] {
  const reasons = example === '' ? [] : illegalReasons(example)
  return reasons.map((reason) =>
    finding('example-illegal', `the example ${reason}`, { suggestion }),
  )
}

async function exampleFindings({ pattern, rule, matcher }: ExaminedRule): Promise<Finding[]> {
  const { example } = rule
  if (!example) return []
  const [verdict] = await matcher([example])
  if (verdict === 'timeout') throw new Undecided('it takes too long')
  if (verdict && isLegalName(example)) return []
  const [suggestion] = await nearestNames([example], pattern, matcher)
  const illegal = illegalExampleFindings(example, suggestion)
  // Names that are too long are not matched.
  if (verdict || example.length > maxNameLength) return illegal
  const message = `the example "${example}" does not match ${ruleSource(pattern)}`
  return [finding('example-mismatch', message, { suggestion }), ...illegal]
}

/** The first character outside classes that no name can contain. */
function illegalLiteral(tree: AST.Pattern): string | undefined {
  const found: string[] = []
  visitRegExpAST(tree, {
    onCharacterEnter({ value, parent }) {
      const character = String.fromCodePoint(value)
      const isLiteral = parent.type === 'Alternative' || parent.type === 'Quantifier'
      if (isLiteral && !legalCharacters.includes(character)) found.push(character)
    },
  })
  return found[0]
}

async function unsatisfiableReason({ pattern, budget, tree, matcher }: ExaminedRule) {
  const start = new Terms(budget).read(pattern)
  if (start.type === 'then' && start.least > maxNameLength) {
    return `every match is longer than ${maxNameLength} characters`
  }
  const [matchesEmpty, matchesDot] = await matcher(['', '.'])
  if (matchesEmpty === true && matchesDot === false) return 'it matches only the empty name'
  const illegal = illegalLiteral(tree())
  return illegal === undefined
    ? 'none of its matches is a legal name'
    : `a name cannot contain "${illegal}"`
}

/** Whether the pattern accepts no name, or every name. */
async function extentFindings(it: ExaminedRule): Promise<Finding[]> {
  const { rule, pattern, matcher, budget } = it
  const tried = [rule.example ?? '', ...realisticNames].filter(isLegalName)
  const verdicts = await matcher(tried)
  const find = async (verdict: boolean) =>
    tried[verdicts.indexOf(verdict)] ?? (await it.survey()).find(verdict)
  if ((await find(true)) === undefined) {
    const bare = usable(withoutDelimiters(pattern))
    const accepts = async () => bare && (await survey([bare], budget)).find(true)
    const suggestion = typeof (await decide(accepts)) === 'string' ? bare : undefined
    const message = `no legal flag name can match: ${await unsatisfiableReason(it)}`
    return [finding('unsatisfiable', message, { suggestion })]
  }
  if ((await find(false)) !== undefined) return []
  return [finding('matches-everything', 'every legal flag name matches')]
}

/** Readable names that may pass by mistake: a name with text before or after it. */
async function likelyMistakes(group: string, budget: Budget): Promise<string[]> {
  const name = (await survey([group], budget)).find(true)
  if (name === undefined) return []
  const names = [`${name.slice(0, -1)}checkout`, `${name}checkout`, name]
  return names.flatMap((one) => [`zzz-${one}`, `${one}-zzz`]).filter(isLegalName)
}

/** How the anchors that the service adds affect the branches of the pattern and its own anchors. */
async function anchorFindings({ pattern, tree, budget }: ExaminedRule): Promise<Finding[]> {
  const { alternatives } = tree()
  const source = ruleSource(pattern)
  const own = alternatives
    .flatMap((branch) => [...outerAnchors(branch, 'start'), ...outerAnchors(branch, 'end')])
    .filter(({ start, end }) => start > 0 && end < source.length)
  const bare = withoutParts(source, own).slice(1, -1)
  const group = alternatives.length > 1 ? `(?:${bare})` : bare
  // A pattern that ends in a backslash cannot be put into a group.
  if (compileFailure(group) !== undefined) return []
  const suggestion = group === '' ? undefined : group
  if (alternatives.length > 1) {
    const tried = [...(await likelyMistakes(group, budget)), ...realisticNames]
    const witness = (await survey([pattern, group], budget, tried)).find(true, false)
    if (witness !== undefined) {
      const message = `^ and $ bind only to the outer branches: "${witness}" passes`
      return [finding('loose-alternation', message, { suggestion, witness })]
    }
  }
  if (own.length === 0) return []
  return [finding('redundant-anchor', 'the service adds ^ and $ itself', { suggestion })]
}

const maxPeriod = 8

/** How often the text of this length at an index is repeated. */
function repeats(name: string, start: number, period: number): number {
  let end = start + period
  while (end < name.length && name[end] === name[end - period]) end++
  return Math.floor((end - start) / period)
}

/** A short form of a long name: `'a'.repeat(99) + '!'`. */
function formOf(name: string): string {
  const parts: string[] = []
  let plain = ''
  const flush = () => {
    if (plain !== '') parts.push(`'${plain}'`)
    plain = ''
  }
  for (let start = 0; start < name.length; ) {
    let [best, times] = [1, 1]
    for (let period = 1; period <= maxPeriod; period++) {
      const count = repeats(name, start, period)
      if (count > 2 && count * period > best * times) [best, times] = [period, count]
    }
    const text = name.slice(start, start + best)
    start += best * times
    if (times === 1) plain += text
    else {
      flush()
      parts.push(`'${text}'.repeat(${times})`)
    }
  }
  flush()
  return parts.join(' + ')
}

function countOf(steps: number): string {
  const exponent = Math.floor(Math.log10(steps))
  return exponent > 15 ? `over 10^${exponent}` : Math.round(steps).toLocaleString('en')
}

/** A legal name that takes an engine long enough to stall the service. */
async function costFindings({ pattern, budget }: ExaminedRule): Promise<Finding[]> {
  const slow = await slowName(pattern, budget)
  if (!slow) return []
  const message = `the name ${formOf(slow.name)} takes ${countOf(slow.steps)} steps to match`
  return [finding('catastrophic', message, { witness: slow.name })]
}

/** Whether an element matches letters and digits only, one or more. */
function isWord(element: AST.Element | undefined): boolean {
  if (element?.type === 'Quantifier') return element.min > 0 && isWord(element.element)
  if (element?.type !== 'Character' && element?.type !== 'CharacterSet') {
    if (element?.type !== 'CharacterClass') return false
  }
  const raw = element.type === 'Character' ? hexEscape(element.value) : element.raw
  const matches = legalCharacters.match(new RegExp(raw, 'g')) ?? []
  return /^[A-Za-z0-9]+$/.test(matches.join(''))
}

/** Unescaped dots between words, which are probably meant literally. */
function dotFindings({ pattern, tree }: ExaminedRule): Finding[] {
  const dots: number[] = []
  visitRegExpAST(tree(), {
    onAlternativeEnter({ elements }) {
      for (const [i, element] of elements.entries()) {
        const isDot = element.type === 'CharacterSet' && element.kind === 'any'
        // The source has an anchor before the pattern.
        if (isDot && isWord(elements[i - 1]) && isWord(elements[i + 1]))
          dots.push(element.start - 1)
      }
    },
  })
  const [first] = dots.sort((a, b) => a - b)
  if (first === undefined) return []
  const suggestion = dots.reduceRight(
    (text, dot) => `${text.slice(0, dot)}\\${text.slice(dot)}`,
    pattern,
  )
  const message = `the dot at character ${first + 1} matches any character: write \\. for a dot`
  return [finding('unescaped-dot', message, { suggestion })]
}

// The service looks for these in the text of the pattern, also after a backslash that is itself escaped. It accepts
// all other whitespace.
const whitespace = / |\\[tsnrfv]/
// An escaped backslash, which is kept, or whitespace with its quantifier.
const removable = /\\\\|(?:\\[tsnrfv]|\s)(?:[*?]\??)?/g

/** The pattern without its whitespace, if nothing else changes: legal names contain none. */
async function withoutWhitespace(pattern: string, budget: Budget): Promise<string | undefined> {
  const trimmed = usable(pattern.trim())
  if (trimmed === undefined || !whitespace.test(trimmed)) return trimmed
  const text = trimmed
    .replaceAll('[^\\s]', '\\S')
    .replace(removable, (part) => (part === '\\\\' ? part : ''))
  const bare = usable(text)
  if (bare === undefined || whitespace.test(bare)) return undefined
  const { find } = await survey([trimmed, bare], budget)
  const differs = find(true, false) !== undefined || find(false, true) !== undefined
  return !differs && find(true, true) !== undefined ? bare : undefined
}

/** A space or an escape of whitespace, which the service rejects. */
async function whitespaceFindings(pattern: string, budget: Budget): Promise<Finding[]> {
  const found = whitespace.exec(pattern)
  if (!found) return []
  const [text] = found
  const what = text === ' ' ? 'a space' : text
  const message = `the pattern contains ${what} at character ${found.index + 1}: the service rejects it`
  const suggestion = await decide(() => withoutWhitespace(pattern, budget))
  return [
    finding('whitespace', message, {
      suggestion: suggestion instanceof Undecided ? undefined : suggestion,
    }),
  ]
}

interface Check {
  /** The codes that remain undecided if the check cannot be completed. */
  codes: readonly FindingCode[]
  find(it: ExaminedRule): Finding[] | Promise<Finding[]>
}

const checks: readonly Check[] = [
  { codes: ['example-mismatch', 'example-illegal'], find: exampleFindings },
  { codes: ['unsatisfiable', 'matches-everything'], find: extentFindings },
  { codes: ['loose-alternation', 'redundant-anchor'], find: anchorFindings },
  { codes: ['suspicious-range'], find: ({ pattern, tree }) => rangeFindings(pattern, tree()) },
  { codes: ['catastrophic'], find: costFindings },
  { codes: ['unescaped-dot'], find: dotFindings },
]

/** The findings about the meaning of a pattern. */
async function meaningFindings(it: ExaminedRule): Promise<Finding[]> {
  const found: Finding[] = []
  const open = new Map<string, FindingCode[]>()
  for (const { codes, find } of checks) {
    const findings = await decide(() => find(it))
    if (findings instanceof Undecided) {
      open.set(findings.message, [...(open.get(findings.message) ?? []), ...codes])
    } else found.push(...findings)
  }
  for (const [reason, codes] of open) {
    found.push(finding('cannot-decide', `${codes.join(', ')} could not be decided: ${reason}`))
  }
  return found
}

interface Examination {
  findings: Finding[]
  /** Only if the pattern compiles. */
  examined?: ExaminedRule
}

async function examine(
  rule: NamingRule,
  budget: Budget,
  signal: AbortSignal,
): Promise<Examination> {
  const presence = presenceFindings(rule)
  const { pattern, example } = rule
  const problem = lengthProblem(rule)
  if (problem !== undefined) return { findings: [...presence, finding('cannot-decide', problem)] }
  if (!pattern) {
    const nothing = finding('matches-everything', 'there is no pattern: every legal name passes')
    return { findings: presence.length > 0 ? presence : [nothing] }
  }
  const broken = compileFindings(pattern)
  const it = broken.length === 0 ? examined(rule, pattern, budget, signal) : undefined
  const findings = [
    ...broken,
    ...(await whitespaceFindings(pattern, budget)),
    ...delimiterFindings(pattern),
    ...foreignFindings(pattern),
    ...backslashFindings(pattern),
    ...presence,
    ...(it ? await meaningFindings(it) : illegalExampleFindings(example)),
  ]
  return { findings, ...(it && { examined: it }) }
}

function isError({ severity }: Finding): boolean {
  return severity === 'error'
}

/** How a suggestion must relate to the pattern. */
const closer: Partial<Record<FindingCode, Relation>> = {
  'loose-alternation': 'narrower',
  'redundant-anchor': 'equal',
  'unescaped-dot': 'narrower',
}

/** Checks suggestions before they are shown. */
class Corrector {
  private readonly known = new Map<string, Promise<Finding[]>>()
  private readonly pattern: string
  private readonly budget: Budget
  private readonly signal: AbortSignal

  constructor(pattern: string, budget: Budget, signal: AbortSignal) {
    this.pattern = pattern
    this.budget = budget
    this.signal = signal
  }

  private errorsOf(pattern: string): Promise<Finding[]> {
    const errors =
      this.known.get(pattern) ??
      examine({ pattern }, this.budget, this.signal).then((it) => it.findings.filter(isError))
    this.known.set(pattern, errors)
    return errors
  }

  /** The finding, with a suggestion that has no errors itself, if there is one. */
  async correct(found: Finding): Promise<Finding> {
    const { code, suggestion } = found
    if (suggestion === undefined || fieldOf(code) !== 'pattern') return found
    const wanted = closer[code]
    if (wanted) {
      const { relation } = await relate(this.pattern, suggestion, this.budget)
      if (relation !== wanted) return { ...found, suggestion: undefined }
    }
    // A finding that is not a problem must not suggest a pattern with another meaning.
    const next = findingKinds[code].severity === 'info' ? undefined : 1
    return { ...found, suggestion: await this.sound(suggestion, next) }
  }

  /** The pattern if it has no errors, otherwise the suggestion for one of them. */
  private async sound(pattern: string, corrections = 0): Promise<string | undefined> {
    const errors = await this.errorsOf(pattern)
    if (errors.length === 0) return pattern
    const next = errors.find(({ suggestion }) => suggestion !== undefined)?.suggestion
    if (next === undefined || corrections === 0) return undefined
    return this.sound(next, corrections - 1)
  }
}

async function corrected(
  { pattern = '' }: NamingRule,
  findings: readonly Finding[],
  budget: Budget,
  signal: AbortSignal,
): Promise<Finding[]> {
  const corrector = new Corrector(pattern, budget, signal)
  const result: Finding[] = []
  for (const found of findings) result.push(await corrector.correct(found))
  const order = Object.keys(findingKinds)
  return result.sort((a, b) => order.indexOf(a.code) - order.indexOf(b.code))
}

/**
 * Finds the problems of a rule and, if it has no errors, samples for it. A question that cannot be decided is a finding,
 * too.
 * @param signal stops the work when it aborts
 */
export async function lintRule(rule: NamingRule, signal: AbortSignal): Promise<LintReport> {
  const budget = new Budget(signal)
  const { findings, examined } = await examine(rule, budget, signal)
  const isSound = examined && !findings.some(isError)
  const samples = isSound ? await samplesOf(examined) : { accepts: [], rejects: [] }
  return { rule, findings: await corrected(rule, findings, budget, signal), ...samples }
}

/** The findings of `lintRule` that are errors, and one for each reason why something could not be decided. */
export async function lintProblems(rule: NamingRule, signal: AbortSignal): Promise<Finding[]> {
  const budget = new Budget(signal)
  const { findings } = await examine(rule, budget, signal)
  const problems = findings.filter((found) => isError(found) || found.code === 'cannot-decide')
  return corrected(rule, problems, budget, signal)
}
