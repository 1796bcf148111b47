// Ours, because shell-quote does not know PowerShell, and shescape looks for the shell on the machine.

// The user's shell is PowerShell on Windows, where `@`, `,` and `%` are syntax. zsh takes `=ls` for a path.
const plain = { powershell: /^[\w+=:./\\-]+$/, posix: /^(?!=)[\w@%+=:,./-]+$/ }

/** Text in single quotation marks for PowerShell, which also ends it at typographic ones. */
function literal(text: string): string {
  return `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`
}

/** An argument for the user's shell, in quotation marks if it needs them. */
export function quoted(argument: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') {
    return plain.powershell.test(argument) ? argument : literal(argument)
  }
  return plain.posix.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`
}

/** A line that sets environment variables in the user's shell. */
export function settingOf(
  variables: Readonly<Record<string, string>>,
  platform: NodeJS.Platform,
): string {
  const entries = Object.entries(variables)
  if (platform === 'win32') {
    // A value is an expression there, so it always needs quotation marks.
    return entries.map(([name, value]) => `$env:${name} = ${literal(value)}`).join('; ')
  }
  return `export ${entries.map(([name, value]) => `${name}=${quoted(value, platform)}`).join(' ')}`
}

/** A command line to type in the user's shell. */
export function commandLine(words: readonly string[], platform: NodeJS.Platform): string {
  return words.map((word) => quoted(word, platform)).join(' ')
}
