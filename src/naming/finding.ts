/** How serious a finding is; `info` is a fact worth knowing. */
export type Severity = 'error' | 'warning' | 'info'

/** The part of a rule that a finding is about, and that its suggestion replaces. */
export type RuleField = 'pattern' | 'example' | 'description'

interface FindingKind {
  severity: Severity
  /** The field that it is about; by default the pattern. */
  field?: RuleField
  /** A full sentence for lists of all kinds. */
  finds: string
}

/** Every kind of finding, in the order in which they are reported. */
export const findingKinds = {
  'no-compile': { severity: 'error', finds: 'The pattern is not a valid regular expression.' },
  whitespace: {
    severity: 'error',
    finds: 'The pattern contains a space or an escape such as \\s, which the service rejects.',
  },
  'example-mismatch': {
    severity: 'error',
    field: 'example',
    finds: 'The example does not match the pattern.',
  },
  'example-illegal': {
    severity: 'error',
    field: 'example',
    finds: 'The example is not a legal flag name.',
  },
  'trailing-backslash': {
    severity: 'error',
    finds: 'The pattern ends in a backslash, which escapes the anchor that the service adds.',
  },
  'missing-pattern': {
    severity: 'error',
    finds: 'The rule has an example or a description without a pattern.',
  },
  unsatisfiable: { severity: 'error', finds: 'No legal flag name can match the pattern.' },
  'loose-alternation': {
    severity: 'error',
    finds: 'The anchors that the service adds bind only to the outer branches of the pattern.',
  },
  catastrophic: {
    severity: 'error',
    finds: 'A legal name makes the engine take millions of steps.',
  },
  delimiters: {
    severity: 'warning',
    finds: 'The pattern is written with delimiters or flags, which the service takes literally.',
  },
  'foreign-notation': {
    severity: 'warning',
    finds:
      'The pattern has notation of another regular expression dialect, which means something else here.',
  },
  'matches-everything': {
    severity: 'warning',
    finds: 'Every legal flag name matches the pattern.',
  },
  'suspicious-range': {
    severity: 'warning',
    finds: 'A range in a character class includes more characters than its ends suggest.',
  },
  'unescaped-dot': { severity: 'info', finds: 'A dot between words matches any character.' },
  'redundant-anchor': {
    severity: 'info',
    finds: 'The pattern has anchors that the service adds itself.',
  },
  'no-example': {
    severity: 'info',
    field: 'example',
    finds: 'The rule has no example.',
  },
  'no-description': {
    severity: 'info',
    field: 'description',
    finds: 'The rule has no description.',
  },
  'cannot-decide': {
    severity: 'info',
    finds: 'A question about the pattern could not be decided.',
  },
} as const satisfies Record<string, FindingKind>

export type FindingCode = keyof typeof findingKinds

/** The field that findings with a code are about. */
export function fieldOf(code: FindingCode): RuleField {
  const { field = 'pattern' }: FindingKind = findingKinds[code]
  return field
}

/** One problem with a rule, or one fact about it. */
export interface Finding {
  code: FindingCode
  severity: Severity
  /** One sentence without a full stop. May quote the rule, so make it printable. */
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
  parts: Pick<Finding, 'suggestion' | 'witness'> = {},
): Finding {
  return { code, severity: findingKinds[code].severity, message, ...parts }
}
