import { type AST, visitRegExpAST } from '@eslint-community/regexpp'
import { illegalReasons, isLegalName, legalCharacters, maxNameLength } from '../input/flag-names.ts'
import { Budget, decide, Undecided } from './budget.ts'
import { type Finding, type FindingCode, finding, findingKinds } from './finding.ts'
import { realisticNames, type Survey, survey } from './language.ts'
import { backslashFindings, compileFindings, delimiterFindings } from './notation.ts'
import { foreignFindings, rangeFindings, withoutDelimiters } from './notation.ts'
import { type Relation, relate } from './relation.ts'
import { compileFailure, createNameMatcher, lengthProblem } from './rule.ts'
import { type NamingRule, nearestNames, ruleSource, usable } from './rule.ts'
import { type ExaminedRule, type Samples, samplesOf } from './samples.ts'
import { slowName } from './slow.ts'
import { hexEscape, outerAnchors, parsePattern, withoutParts } from './syntax.ts'
import { Terms } from './terms.ts'

/** The findings and the samples of a rule. */
export interface LintReport extends Samples {
  rule: NamingRule
  /** Sorted by code, in the order of `findingKinds`. */
  findings: Finding[]
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
  return reasons.map((why) => finding('example-illegal', `the example ${why}`, suggestion))
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
  return [finding('example-mismatch', message, suggestion), ...illegal]
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
    return [finding('unsatisfiable', message, suggestion)]
  }
  if ((await find(false)) !== undefined) return []
  return [finding('matches-everything', 'every legal flag name matches')]
}

/** Readable names that may pass by mistake: a name with text before or after it. */
async function likelyMistakes(group: string, budget: Budget): Promise<string[]> {
  const name = (await survey([group], budget)).find(true)
  if (name === undefined) return []
  const word = name.includes('checkout') ? 'search' : 'checkout'
  const isRealistic = realisticNames.includes(name)
  const names = isRealistic ? [name] : [`${name.slice(0, -1)}${word}`, `${name}${word}`, name]
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
      return [finding('loose-alternation', message, suggestion, witness)]
    }
  }
  if (own.length === 0) return []
  return [finding('redundant-anchor', 'the service adds ^ and $ itself', suggestion)]
}

/** A short form of a long name: `'a'.repeat(99) + '!'`. */
function formOf(name: string): string {
  const parts = name.split(/((.{1,8}?)\2{3,})/).flatMap((text, index, all) => {
    // Of each three parts, the first is plain, and the last is what the second repeats.
    if (index % 3 === 2 || text === '') return []
    const period = all[index + 1] ?? ''
    return index % 3 === 0 ? [`'${text}'`] : [`'${period}'.repeat(${text.length / period.length})`]
  })
  return parts.join(' + ')
}

/** A legal name that takes an engine long enough to stall the service. */
async function costFindings({ pattern, budget }: ExaminedRule): Promise<Finding[]> {
  const slow = await slowName(pattern, budget)
  if (!slow) return []
  const exponent = Math.floor(Math.log10(slow.steps))
  const count = exponent > 15 ? `over 10^${exponent}` : slow.steps.toLocaleString('en')
  const message = `the name ${formOf(slow.name)} takes ${count} steps to match`
  return [finding('catastrophic', message, undefined, slow.name)]
}

/** Whether an element matches letters and digits only, one or more. */
function isWord(element: AST.Element | undefined): boolean {
  if (element?.type === 'Quantifier') return element.min > 0 && isWord(element.element)
  if (!element?.type.startsWith('Character')) return false
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
  const escaped = (text: string, dot: number) => `${text.slice(0, dot)}\\${text.slice(dot)}`
  const suggestion = dots.reduceRight(escaped, pattern)
  const message = `the dot at character ${first + 1} matches any character: write \\. for a dot`
  return [finding('unescaped-dot', message, suggestion)]
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
  const bare = await decide(() => withoutWhitespace(pattern, budget))
  return [finding('whitespace', message, bare instanceof Undecided ? undefined : bare)]
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
  /** Only if there is a pattern that is short enough. */
  examined?: ExaminedRule
}

async function examine(rule: NamingRule, budget: Budget): Promise<Examination> {
  const presence = presenceFindings(rule)
  const { pattern, example } = rule
  const problem = lengthProblem(rule)
  if (problem !== undefined) return { findings: [...presence, finding('cannot-decide', problem)] }
  if (!pattern) {
    const nothing = finding('matches-everything', 'there is no pattern: every legal name passes')
    return { findings: presence.length > 0 ? presence : [nothing] }
  }
  const broken = compileFindings(pattern)
  let surveyed: Promise<Survey> | undefined
  const examined = {
    rule,
    pattern,
    budget,
    matcher: createNameMatcher(broken.length > 0 ? '' : pattern, budget.signal),
    tree: () => parsePattern(pattern),
    survey() {
      surveyed ??= survey([pattern], budget)
      return surveyed
    },
  }
  const findings = [
    ...broken,
    ...(await whitespaceFindings(pattern, budget)),
    ...delimiterFindings(pattern),
    ...foreignFindings(pattern),
    ...backslashFindings(pattern),
    ...presence,
    ...(broken.length > 0 ? illegalExampleFindings(example) : await meaningFindings(examined)),
  ]
  return { findings, examined }
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

/** The findings in order, with the suggestions that hold. */
async function corrected({ pattern = '' }: NamingRule, findings: Finding[], budget: Budget) {
  const known = new Map<string, Promise<Examination>>()

  /** The pattern if it has no errors, otherwise what is suggested for one of them. */
  async function sound(suggested: string, mayCorrect: boolean): Promise<string | undefined> {
    const examined = known.get(suggested) ?? examine({ pattern: suggested }, budget)
    known.set(suggested, examined)
    const errors = (await examined).findings.filter(isError)
    if (errors.length === 0) return suggested
    const next = errors.find(({ suggestion }) => suggestion !== undefined)?.suggestion
    return mayCorrect && next !== undefined ? sound(next, false) : undefined
  }

  async function checked({ code, severity, suggestion }: Finding): Promise<string | undefined> {
    if (suggestion === undefined || findingKinds[code].field !== 'pattern') return suggestion
    const wanted = closer[code]
    if (wanted && (await relate(pattern, suggestion, budget)).relation !== wanted) return undefined
    // A finding that is not a problem must not suggest a pattern with another meaning.
    return sound(suggestion, severity !== 'info')
  }

  const result: Finding[] = []
  for (const found of findings) result.push({ ...found, suggestion: await checked(found) })
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
  const { findings, examined } = await examine(rule, budget)
  const isSound = examined && !findings.some(isError)
  const samples = isSound ? await samplesOf(examined) : { accepts: [], rejects: [] }
  return { rule, findings: await corrected(rule, findings, budget), ...samples }
}

/** The findings of `lintRule` that are errors, and one for each reason why something could not be decided. */
export async function lintProblems(rule: NamingRule, signal: AbortSignal): Promise<Finding[]> {
  const budget = new Budget(signal)
  const { findings } = await examine(rule, budget)
  const problems = findings.filter((found) => isError(found) || found.code === 'cannot-decide')
  return corrected(rule, problems, budget)
}
