import {
  double,
  each,
  type Language,
  leveled,
  multiline,
  raw,
  snakeKinds,
  slashComments,
  words,
} from './language.ts'

// `use crate::flags::{A, b::C as D};`
const USE = /^[ \t]*(?:pub[ \t]+)?use[ \t]+([^;()]{0,2000});/gm

export const rust: Language = {
  family: 'rust',
  name: 'Rust',
  extensions: 'rs',
  ...slashComments,
  // An apostrophe begins the name of a lifetime.
  quotes: [leveled(multiline(raw('r#"', '"#')), '#'), multiline(raw('r"', '"')), multiline(double)],
  functionWords: ['fn'],
  parameterName: 'first',
  ownerWords: words('const let struct enum mod impl trait type union'),
  imports: [USE],
  manifests: ['Cargo.toml'],
  calls: {
    functions: words(
      'is_enabled is_enabled_str get_variant get_variant_str',
      // OpenFeature.
      ...each('get_*_value get_*_details resolve_*_value', snakeKinds),
    ),
  },
}
