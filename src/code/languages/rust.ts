import {
  double,
  each,
  type Import,
  type Language,
  multiline,
  raw,
  snakeKinds,
  slashComments,
  words,
} from './language.ts'

// `use crate::flags::{A, b::C as D};`
const USE =
  /^[ \t]*(?:pub[ \t]+)?use[ \t]+([\w:]+?)(?:::\{([^{}]*)\}|[ \t]+as[ \t]+(\w+))?[ \t]*;/gm

function importsIn(text: string): Import[] {
  const imports: Import[] = []
  for (const [, path = '', list, renamed] of text.matchAll(USE)) {
    const items = list === undefined ? [renamed ? `${path} as ${renamed}` : path] : list.split(',')
    for (const item of items) {
      const [inner = '', alias] = item.trim().split(/\s+as\s+/)
      const parts = (list === undefined ? inner : `${path}::${inner}`).split('::')
      const name = parts.pop() ?? ''
      imports.push({ module: parts.join('::'), name, alias: alias ?? name })
    }
  }
  return imports
}

export const rust: Language = {
  family: 'rust',
  extensions: 'rs',
  ...slashComments,
  // An apostrophe begins the name of a lifetime.
  quotes: [multiline(raw('r#"', '"#')), multiline(raw('r"', '"')), multiline(double)],
  functionWords: ['fn'],
  parameterName: 'first',
  ownerWords: words('const let struct enum mod impl trait type union'),
  imports: importsIn,
  manifests: { 'Cargo.toml': /^name\s*=\s*"([^"]+)"/m },
  calls: {
    functions: words(
      'is_enabled is_enabled_str get_variant get_variant_str',
      // OpenFeature.
      ...each('get_*_value get_*_details resolve_*_value', snakeKinds),
    ),
  },
}
