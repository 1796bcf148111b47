import type { AST } from '@eslint-community/regexpp'
import { CharSet, JS } from 'refa'
import { legalCharacters } from './legal.ts'
import { OutOfReach } from './limit.ts'

export const maxCharacter = 0xffff

const ofStrings = 'it uses sets of strings'

export function charactersOf(text: string): CharSet {
  const codes = Array.from(text, (character) => character.charCodeAt(0)).sort((a, b) => a - b)
  return CharSet.fromCharacters(maxCharacter, codes)
}

export const legal = charactersOf(legalCharacters)

/** The legal characters that a part of an expression without flags matches. */
export function legalOf(node: AST.Character | AST.CharacterClass | AST.CharacterSet): CharSet {
  // Both need a flag that the service does not set.
  if (node.type === 'CharacterClass' && node.unicodeSets) throw new OutOfReach(ofStrings)
  if (node.type === 'CharacterSet' && 'strings' in node && node.strings) {
    throw new OutOfReach(ofStrings)
  }
  return JS.parseCharSet(node, {}).intersect(legal)
}

/** The legal characters that `\b` takes for a part of a word, and the others. */
export const word = charactersOf(legalCharacters.replace(/\W/g, ''))
export const other = legal.without(word)

// Anchors are read as characters of their own, beyond the legal ones.
const markers = new Map<string, CharSet>([
  ['start', charactersOf('\ue000')],
  ['end', charactersOf('\ue001')],
  ['word', charactersOf('\ue002')],
  ['no word', charactersOf('\ue003')],
])

/** The character that stands for an anchor: `start` is `^`, `end` is `$`, `word` is `\b`, `no word` is `\B`. */
export function marker(anchor: string): CharSet | undefined {
  return markers.get(anchor)
}

/** The characters for all of these anchors. */
export function markersOf(...anchors: string[]): CharSet {
  return CharSet.empty(maxCharacter).union(...anchors.flatMap((name) => markers.get(name) ?? []))
}

export const legalOrMarker = legal.union(...markers.values())
