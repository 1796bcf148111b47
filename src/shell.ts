import { about, type FlagadmError } from './errors.ts'

/** The system that a command line is for: on Windows, the shell is PowerShell. */
type Platform = NodeJS.Platform

// In PowerShell, `@`, `,` and `%` have a meaning of their own.
const plain = { powershell: /^[\w+=:./\\-]+$/, posix: /^[\w@%+=:,./-]+$/ }

/** Text in single quotation marks, which PowerShell ends at typographic ones as well. */
function literal(text: string): string {
  return `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`
}

/** An argument as the user's shell takes it, in quotation marks if it needs them. */
export function quoted(argument: string, platform: Platform): string {
  if (platform === 'win32') {
    return plain.powershell.test(argument) ? argument : literal(argument)
  }
  return plain.posix.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`
}

/** A line that sets environment variables in the user's shell. */
export function settingOf(variables: Readonly<Record<string, string>>, platform: Platform): string {
  const entries = Object.entries(variables)
  if (platform === 'win32') {
    // A value is an expression there, so it always needs quotation marks.
    return entries.map(([name, value]) => `$env:${name} = ${literal(value)}`).join('; ')
  }
  return `export ${entries.map(([name, value]) => `${name}=${quoted(value, platform)}`).join(' ')}`
}

/** A command line to type in the user's shell. */
export function commandLine(words: readonly string[], platform: Platform): string {
  return words.map((word) => quoted(word, platform)).join(' ')
}

const readingCommand =
  /\bflagadm (?:feature list|project list|project settings get|naming lint(?= --project))/g

/** The error with `-p` in those commands of its hint that read from the service. */
export function withProfileInHint(error: FlagadmError, profile: string | undefined): FlagadmError {
  const { hint } = error
  // Some errors occur before the name is checked, and an invalid one may need quotation marks.
  if (hint === undefined || profile === undefined || !/^[\w.-]+$/.test(profile)) return error
  const withOption = hint.replace(readingCommand, (command) => `${command} -p ${profile}`)
  return about(error, { hint: withOption })
}

/** The error with the corrected command line as its hint, if it has a correction for it. */
export function withCorrection(
  error: FlagadmError,
  argv: readonly string[],
  platform: Platform,
): FlagadmError {
  const { correction = new Map<string, string[]>(), addition } = error
  const corrected = argv.flatMap((word) => {
    const [, option, value = ''] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? []
    if (option === undefined) return correction.get(word) ?? word
    const [meant = option] = correction.get(option) ?? []
    const [first = value, ...others] = correction.get(value) ?? []
    return correction.get(word) ?? [`${meant}=${first}`, ...others]
  })
  const words = [...corrected, ...addition]
  if (words.join('\0') === argv.join('\0')) return error
  return about(error, { hint: `did you mean ${commandLine(['flagadm', ...words], platform)}?` })
}
