import * as v from 'valibot'
import { isObject } from '../input/json.ts'
import type { Problem } from '../input/shape.ts'

/** Accepts objects only: valibot's own object schemas let arrays through. */
export const anObject = v.check(isObject, 'expected an object')

/** An object with these fields and no others. */
export function exactObject<Entries extends v.ObjectEntries>(entries: Entries) {
  return v.pipe(v.unknown(), anObject, v.strictObject(entries))
}

/** A problem as one line of text: `featureNaming.patern: unknown field`. */
export function problemText({ path, message }: Problem): string {
  return path ? `${path}: ${message}` : message
}
