import type { FindingCode } from '../../src/naming/finding-kinds.ts'

/** Patterns as people write them, with the expected findings of each. */
export const patterns: readonly [pattern: string, ...codes: FindingCode[]][] = [
  // No findings.
  ['feat-[a-z]+'],
  ['[a-z]+(-[a-z]+)*'],
  ['[a-z][a-z0-9-]{2,48}[a-z0-9]'],
  ['[A-Z][A-Z0-9_]*'],
  ['(feat|fix|chore)-[a-z0-9-]+'],
  ['team-(web|api|ios)-(exp|ops|perm)-.+'],
  ['[a-z]+\\.[a-z]+\\.[a-z0-9-]+'],
  ['[^_]+'],
  ['[\\w.-]{1,100}'],
  ['\\d{4}-\\d{2}-\\d{2}-[a-z-]+'],
  ['(?<team>[a-z]+)-(?<name>[a-z]+)'],
  ['\\bfeat\\b.*'],
  ['a{1,100000}'],
  // Anchors.
  ['^feat-[a-z]+$', 'redundant-anchor'],
  ['(^feat|^fix)-.+', 'redundant-anchor'],
  ['^feat-.*$|^fix-.*$', 'redundant-anchor'],
  ['^feat-.*|fix-.*$', 'loose-alternation'],
  // The end of every name matches the empty branch.
  ['feat-.+|', 'loose-alternation', 'matches-everything'],
  ['.*|feat-.*', 'matches-everything'],
  // Match too much.
  ['[^/]+', 'matches-everything'],
  // Match too little.
  ['\\p{L}+', 'unsatisfiable', 'foreign-notation'],
  ['\\.{1,2}', 'unsatisfiable'],
  ['feat\\', 'trailing-backslash', 'unsatisfiable'],
  ['a^b', 'unsatisfiable'],
  ['[]', 'unsatisfiable'],
  ['(feat|)'],
  // Whitespace.
  ['feat -.*', 'whitespace', 'unsatisfiable'],
  // The service accepts these, but no name can contain them.
  ['feat-.*\n', 'unsatisfiable'],
  ['[a-z\t\u3000]+'],
  ['[^\\s]+', 'whitespace', 'matches-everything'],
  ['feat-\\s*[a-z]+', 'whitespace'],
  // Other notations.
  ['(?P<team>[a-z]+)-.*', 'no-compile'],
  // Broken.
  ['*-feat', 'no-compile', 'foreign-notation'],
  ['a{3,1}', 'no-compile'],
  ['[a-z]++', 'no-compile'],
  // Slow.
  ['(a+)+', 'catastrophic'],
  ['(.*)(.*)(.*)(.*)(.*)x', 'catastrophic'],
  ['[a-z]*[a-z]*[a-z]*[a-z]*(?:1|2|3|4|5|6|7|8|9|0)', 'catastrophic'],
  ['[^]*?(?:(a+)+b)?', 'catastrophic', 'matches-everything'],
  // No legal name can make them slow.
  ['(.+)+', 'matches-everything'],
  ['feat-([a-z]+-?)+.*'],
  ['.*-.*-.*'],
  // With look-around.
  ['(?!test-)[a-z-]+'],
  ['(?=.{1,50}$)[a-z]+(-[a-z]+)*'],
  ['[a-z]+(?<!-)'],
  ['(?!.*--)[a-z][a-z0-9-]*[a-z0-9]'],
  ['(?=.*\\d)[a-z0-9-]+'],
  ['[a-z-]+(?<!-flag)'],
  ['(?!x)x.*', 'unsatisfiable'],
  ['(?=[a-z])[^]*(?<=[0-9])(?<!7)'],
  ['(?!(?:test|tmp)(?:-|$))[a-z]+(?:-[a-z]+)*'],
  ['(?!x)(?:a{101}|b)', 'dead-branch'],
  ['(?!x)a{101}', 'unsatisfiable'],
  // With back-references, whose languages are not decided.
  ['(a|b)-\\1', 'cannot-decide'],
  ['(?!.*(.)\\1)[a-z]+'],
  ['(?=(a|b)).*\\1'],
  ['([a-z])\\1*-[a-z]+'],
  ['(a)(a|\\1)+b', 'catastrophic', 'cannot-decide'],
  ['(?<n>a)(?:a|\\k<n>)+b', 'catastrophic', 'cannot-decide'],
  // Tried, without a proof.
  ['([a-z]+)\\1*x', 'cannot-decide'],
  ['(?:.*|(a)\\1)', 'cannot-decide'],
  ['(?<sep>[-_])[a-z]+\\k<sep>[a-z]+', 'cannot-decide'],
  // The back-reference ends the match early for some names.
  ['(?:(a+)+\\1|.*)', 'catastrophic', 'cannot-decide'],
  ['(?:(a+)+(?!(?!\\1))|.*)', 'catastrophic', 'cannot-decide'],
  // Notations of other regular expressions.
  ['\\A[a-z]+\\z', 'foreign-notation'],
  ['[[:alnum:]_-]+', 'unsatisfiable', 'foreign-notation'],
  ['feat-*', 'foreign-notation'],
  // Ranges between different kinds of characters.
  ['[A-z0-9_]+'],
  ['[!-~]+', 'matches-everything'],
  ['[0-Z]+'],
  ['team.[a-z]+', 'unescaped-dot'],
  ['a|b\\', 'trailing-backslash'],
  ['a\\\\', 'unsatisfiable'],
  // Parts that no name reaches.
  ['feat-.+|x{101}', 'dead-branch'],
  ['feat-[a-z]+|x{101}', 'loose-alternation', 'dead-branch'],
  ['x{60}(a|b{50})', 'dead-branch'],
  ['(?:feat-[a-z]+|fix-[a-z]{,20})', 'foreign-notation', 'dead-branch'],
  ['(feat|fix/hot)-[a-z]+', 'dead-branch'],
  ['(feat|fix\\>)-[a-z]+', 'dead-branch'],
  ['feat-[a-z]+(-[a-z]{,5})?', 'foreign-notation', 'dead-branch'],
  ['(?=a|b/)[a-z]+', 'dead-branch'],
  ['(?!a/|b)[a-z]+'],
  ['(feat|fix\\s)-[a-z]+', 'whitespace'],
]
