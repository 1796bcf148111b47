import { importsBy, type Language, words } from './language.ts'
import { ruby } from './ruby.ts'

const ALIAS =
  /^[ \t]*(?:alias|import)[ \t]+(?<module>[A-Z][\w.]*)(?:,[ \t]*as:[ \t]*(?<alias>\w+))?/gm

// Calls, texts and comments are like those of Ruby.
export const elixir: Language = {
  ...ruby,
  family: 'elixir',
  extensions: 'ex exs',
  functionWords: words('def defp fn'),
  ownerWords: ['defmodule'],
  imports: importsBy(ALIAS),
  namespace: /^[ \t]*defmodule[ \t]+([\w.]+)/m,
  manifests: { 'mix.exs': undefined },
  calls: { functions: words('enabled? is_enabled? get_variant') },
}
