import type { Severity } from '../output/problems.ts'

/** The part of a rule that a finding is about, and that its suggestion replaces. */
export type RuleField = 'pattern' | 'example' | 'description'

interface FindingKind {
  severity: Severity
  field: RuleField
  /** A full sentence for lists of all kinds. */
  finds: string
}

function error(finds: string, field: RuleField = 'pattern'): FindingKind {
  return { severity: 'error', field, finds }
}

function warning(finds: string): FindingKind {
  return { severity: 'warning', field: 'pattern', finds }
}

/** A fact worth knowing. */
function info(finds: string, field: RuleField = 'pattern'): FindingKind {
  return { severity: 'info', field, finds }
}

/** Every kind of finding, in the order in which they are reported. */
export const findingKinds = {
  'no-compile': error('The pattern is not a valid regular expression.'),
  whitespace: error('The pattern has a space or an escape such as \\s, which the service rejects.'),
  'example-mismatch': error('The example does not match the pattern.', 'example'),
  'example-illegal': error('The example is not a legal flag name.', 'example'),
  'trailing-backslash': error('The pattern ends in a backslash, which escapes the added anchor.'),
  'missing-pattern': error('The rule has an example or a description without a pattern.'),
  unsatisfiable: error('No legal flag name can match the pattern.'),
  'loose-alternation': error('The added anchors bind only to the outer branches of the pattern.'),
  catastrophic: error('A legal name makes the engine take millions of steps.'),
  delimiters: warning('The pattern has delimiters or flags, which the service takes literally.'),
  'foreign-notation': warning('The pattern has notation of another dialect.'),
  'dead-branch': warning('No legal flag name reaches a part of the pattern.'),
  'matches-everything': warning('Every legal flag name matches the pattern.'),
  'suspicious-range': warning('A range includes more characters than its ends suggest.'),
  'unescaped-dot': info('A dot between words matches any character.'),
  'redundant-anchor': info('The pattern has anchors that the service adds itself.'),
  'no-example': info('The rule has no example.', 'example'),
  'no-description': info('The rule has no description.', 'description'),
  'cannot-decide': info('A question about the pattern could not be decided.'),
}

export type FindingCode = keyof typeof findingKinds

/** One problem with a rule, or one fact about it. */
export interface Finding {
  code: FindingCode
  severity: Severity
  /** One sentence without a full stop. */
  message: string
  /** A replacement for the field that the finding is about. */
  suggestion?: string | undefined
  /** A flag name that demonstrates it. */
  witness?: string | undefined
}

/** Creates a finding with the severity of its kind. */
export function finding(
  code: FindingCode,
  message: string,
  { suggestion, witness }: Pick<Finding, 'suggestion' | 'witness'> = {},
): Finding {
  return { code, severity: findingKinds[code].severity, message, suggestion, witness }
}
