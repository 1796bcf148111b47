import type { Severity } from '../output/problems.ts'
import type { NamingRule } from './rule.ts'

/** The part of a rule that a finding is about, and that its suggestion replaces. */
export type RuleField = 'pattern' | 'example' | 'description'

interface FindingKind {
  severity: Severity
  field: RuleField
  /** A full sentence for lists of all kinds. */
  finds: string
  /** What the documentation adds: the consequence, or what to write instead; Markdown. */
  advice: string
  /** Rules that have it, for the documentation. */
  examples: readonly NamingRule[]
}

type Explanation = Pick<FindingKind, 'finds' | 'advice' | 'examples'>

function error(explanation: Explanation, field: RuleField = 'pattern'): FindingKind {
  return { severity: 'error', field, ...explanation }
}

function warning(explanation: Explanation): FindingKind {
  return { severity: 'warning', field: 'pattern', ...explanation }
}

function info(explanation: Explanation, field: RuleField = 'pattern'): FindingKind {
  return { severity: 'info', field, ...explanation }
}

/** Every kind of finding, in the order in which they are reported. */
export const findingKinds = {
  'no-compile': error({
    finds: 'The pattern is not a valid regular expression.',
    advice: 'The service would accept it and enforce nothing.',
    examples: [{ pattern: '[a-z' }],
  }),
  whitespace: error({
    finds: 'The pattern has a space or an escape such as \\s, which the service rejects.',
    advice: 'No name contains any.',
    examples: [{ pattern: 'feat- .+' }],
  }),
  'example-mismatch': error(
    {
      finds: 'The example does not match the pattern.',
      advice: '',
      examples: [{ pattern: 'feat-.+', example: 'Feat-a' }],
    },
    'example',
  ),
  'example-illegal': error(
    {
      finds: 'The example is not a legal flag name.',
      advice: '',
      examples: [{ pattern: '.+', example: 'feat a' }],
    },
    'example',
  ),
  'trailing-backslash': error({
    finds: 'The pattern ends in a backslash, which escapes the added anchor.',
    advice: 'So the end is not anchored.',
    examples: [{ pattern: 'feat-.+\\' }],
  }),
  'missing-pattern': error({
    finds: 'The rule has an example or a description without a pattern.',
    advice: 'The service rejects that.',
    examples: [{ example: 'feat-a' }],
  }),
  unsatisfiable: error({
    finds: 'No legal flag name can match the pattern.',
    advice: 'None contains `/`.',
    examples: [{ pattern: 'feat/.+' }],
  }),
  'loose-alternation': error({
    finds: 'The added anchors bind only to the outer branches of the pattern.',
    advice: '`zzz-fix-a` passes. Write `(?:feat-.+|fix-.+)`.',
    examples: [{ pattern: 'feat-.+|fix-.+' }],
  }),
  catastrophic: error({
    finds: 'A legal name makes the engine take millions of steps.',
    advice: 'That stalls the service.',
    examples: [{ pattern: '([a-z]+-?)+' }],
  }),
  delimiters: warning({
    finds: 'The pattern has delimiters or flags, which the service takes literally.',
    advice: 'Write `feat-.+`.',
    examples: [{ pattern: '/feat-.+/i' }],
  }),
  'foreign-notation': warning({
    finds: 'The pattern has notation of another dialect.',
    advice: 'It means something else here. Write `[a-z-]+`, `[a-z]{0,20}`, `feat-.*`.',
    examples: [
      { pattern: '[[:lower:]-]+' },
      { pattern: '\\A\\p{Lu}.*' },
      { pattern: '[a-z]{,20}' },
      { pattern: 'feat-*' },
    ],
  }),
  'dead-branch': warning({
    finds: 'No legal flag name reaches a part of the pattern.',
    advice:
      'It is a branch, or may be left out. None contains `/`; or names with it are too long, or a look-around excludes them.',
    examples: [{ pattern: '(feat|fix/hot)-[a-z]+' }],
  }),
  'matches-everything': warning({
    finds: 'Every legal flag name matches the pattern.',
    advice: '',
    examples: [{ pattern: '.+' }],
  }),
  'suspicious-range': warning({
    finds: 'A range includes more characters than its ends suggest.',
    advice: '`.-_` also matches A to Z, and not `-`. Write `.\\-_`; for `A-z`, `A-Za-z`.',
    examples: [{ pattern: '[a-z0-9.-_]+' }, { pattern: '[A-z]+' }],
  }),
  'unescaped-dot': info({
    finds: 'A dot between words matches any character.',
    advice: 'Write `\\.` for a dot.',
    examples: [{ pattern: 'team.[a-z]+' }],
  }),
  'redundant-anchor': info({
    finds: 'The pattern has anchors that the service adds itself.',
    advice: '',
    examples: [{ pattern: '^feat-.+$' }],
  }),
  'no-example': info(
    {
      finds: 'The rule has no example.',
      advice: '`project settings set` keeps the stored one, but other clients clear it.',
      examples: [{ pattern: 'feat-.+' }],
    },
    'example',
  ),
  'no-description': info(
    {
      finds: 'The rule has no description.',
      advice: '`project settings set` keeps the stored one, but other clients clear it.',
      examples: [{ pattern: 'feat-.+' }],
    },
    'description',
  ),
  'cannot-decide': info({
    finds: 'A question about the pattern could not be decided.',
    advice: 'The reason is given; flagadm does not guess.',
    examples: [{ pattern: '(a|b)-\\1' }],
  }),
}

export type FindingCode = keyof typeof findingKinds

export interface Finding {
  code: FindingCode
  severity: Severity
  /** One sentence without a full stop. */
  message: string
  /** A replacement for the field that the finding is about. */
  suggestion?: string | undefined
  witness?: string | undefined
}

export function finding(
  code: FindingCode,
  message: string,
  { suggestion, witness }: Pick<Finding, 'suggestion' | 'witness'> = {},
): Finding {
  return { code, severity: findingKinds[code].severity, message, suggestion, witness }
}
