import { type Language, words } from './language.ts'
import { ruby } from './ruby.ts'

// Calls, texts and comments are like those of Ruby.
export const elixir: Language = {
  ...ruby,
  family: 'elixir',
  name: 'Elixir',
  extensions: 'ex exs',
  functionWords: words('def defp fn'),
  ownerWords: ['defmodule'],
  manifests: ['mix.exs'],
  calls: { functions: words('enabled? is_enabled? get_variant') },
}
