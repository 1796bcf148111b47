import { readFileSync } from 'node:fs'

function patternsIn(file: string): string[] {
  const text = readFileSync(new URL(`corpus/${file}`, import.meta.url), 'utf8')
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('# '))
}

/** Rules for flag names as people write them. */
export const realisticRules = patternsIn('rules.txt')

/** Patterns in the style of public schemas. */
export const schemaPatterns = patternsIn('schemas.txt')
