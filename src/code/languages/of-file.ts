import type { BlockComment, Language, Quote } from './language.ts'
import { languages, otherLanguage } from './all.ts'

/** The strings and comments that can begin at a character. */
export interface Marks {
  quotes: Quote[]
  lineComments: string[]
  blockComments: BlockComment[]
}

const byExtension = new Map(
  languages.flatMap((language) =>
    language.extensions.split(' ').map((extension) => [extension, language] as const),
  ),
)

/** Marks by the code of their first character. Longer quotes come first. */
function marksFor({ quotes, lineComments = [], blockComments = [] }: Language): readonly Marks[] {
  const marks: Marks[] = []
  const at = (mark: string) =>
    (marks[mark.charCodeAt(0)] ??= { quotes: [], lineComments: [], blockComments: [] })
  for (const quote of quotes) at(quote.open).quotes.push(quote)
  for (const mark of lineComments) at(mark).lineComments.push(mark)
  for (const comment of blockComments) at(comment.open).blockComments.push(comment)
  return marks
}

const marksByLanguage = new Map(
  [...languages, otherLanguage].map((language) => [language, marksFor(language)]),
)

/** The marks of a language, by the code of their first character. */
export function marksOf(language: Language): readonly Marks[] {
  return marksByLanguage.get(language) ?? []
}

/** The language of a file, by its name; undefined if it is not known. */
export function knownLanguageOf(file: string): Language | undefined {
  const [, long = '', short = ''] = /\.(\w+\.(\w+)|\w+)$/i.exec(file.toLowerCase()) ?? []
  return byExtension.get(long) ?? byExtension.get(short)
}

export function languageOf(file: string): Language {
  return knownLanguageOf(file) ?? otherLanguage
}

/** The family of the language of a file, which shares constants and functions. */
export function familyOf(file: string): string {
  return languageOf(file).family
}
