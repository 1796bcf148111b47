import { csharp } from './csharp.ts'
import { dart } from './dart.ts'
import { elixir } from './elixir.ts'
import { go } from './go.ts'
import { java } from './java.ts'
import { javascript } from './javascript.ts'
import { kotlin } from './kotlin.ts'
import { double, embedded, type Language, single } from './language.ts'
import { php } from './php.ts'
import { python } from './python.ts'
import { ruby } from './ruby.ts'
import { rust } from './rust.ts'
import { swift } from './swift.ts'

/** The languages whose lookups are found, and markup with code of them. */
export const languages: readonly Language[] = [
  javascript,
  python,
  go,
  java,
  kotlin,
  csharp,
  ruby,
  elixir,
  php,
  rust,
  swift,
  dart,
  embedded(javascript, 'vue svelte astro html htm hbs ejs', javascript),
  embedded(ruby, 'erb haml slim', javascript),
  embedded(elixir, 'eex heex leex', javascript),
  embedded(csharp, 'cshtml razor', javascript),
  embedded(java, 'jsp jspx ftl', javascript),
  embedded(php, 'blade.php twig', javascript),
]

/** For examples of any language in documentation, and files that only a custom pattern reads. */
export const otherLanguage: Language = {
  family: 'other',
  name: 'other',
  extensions: '',
  quotes: [double, single],
  lineComments: ['//', '#'],
  functionWords: [],
  parameterName: 'first',
  ownerWords: [],
  calls: { functions: languages.flatMap(({ calls }) => calls.functions) },
}
