/**
 * The form of a profile's name, which is used on command lines and as the name of a key file. Some letters
 * are invisible (U+3164), so they are excluded.
 */
export const PROFILE_NAME =
  /^(?!.*\p{Default_Ignorable_Code_Point})[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u

export const NAME_HINT =
  'use letters, digits, dots, hyphens and underscores; begin with a letter or digit'

// The schema ignores the first two, which every object inherits.
const reserved = ['constructor', 'prototype', 'sandbox']

/** Whether no profile can have this name. */
export function isReserved(name: string): boolean {
  return reserved.includes(name)
}

/** Whether a profile in a configuration file can have this name. */
export function isProfileName(name: string): boolean {
  return PROFILE_NAME.test(name) && !isReserved(name)
}
