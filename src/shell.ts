// Ours, because shell-quote does not know PowerShell, and shescape looks for the shell on the machine.

/** Text in single quotation marks for PowerShell, which also ends it at typographic ones. */
function literal(text: string): string {
  return `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`
}

/** A value for a POSIX shell, in quotation marks if it needs them. */
function quoted(value: string): string {
  return /^(?!=)[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`
}

/** A line that sets environment variables in the user's shell, which is PowerShell on Windows. */
export function settingOf(
  variables: Readonly<Record<string, string>>,
  platform: NodeJS.Platform,
): string {
  const entries = Object.entries(variables)
  if (platform === 'win32') {
    return entries.map(([name, value]) => `$env:${name} = ${literal(value)}`).join('; ')
  }
  return `export ${entries.map(([name, value]) => `${name}=${quoted(value)}`).join(' ')}`
}
