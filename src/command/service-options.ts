/** The global options that choose a service. */
interface ServiceOptions {
  profile?: string | undefined
  baseUrl?: string | undefined
  apiKeyFile?: string | undefined
  config?: string | undefined
  allowHttp?: true | undefined
}

/** The options that choose the service of this run, to repeat them in a command that the user copies. */
export function serviceOptions({ options }: { options: ServiceOptions }): string[] {
  const { profile, baseUrl, apiKeyFile, config, allowHttp } = options
  const words: string[] = []
  if (profile !== undefined) words.push('-p', profile)
  if (baseUrl !== undefined) words.push('--base-url', baseUrl)
  if (apiKeyFile !== undefined && apiKeyFile !== '-') words.push('--api-key-file', apiKeyFile)
  if (config !== undefined) words.push('--config', config)
  if (allowHttp) words.push('--allow-http')
  return words
}

/** The commands that use no service, or not always that of the run: hints do not repeat its options for them. */
const withoutService: ReadonlySet<string | undefined> = new Set([
  'completion',
  'help',
  'naming',
  'profile',
  'sandbox',
])
const choosing = ['-p', '--profile', '--base-url', '--help']

/** A command with the options that choose the service of this run, unless it chooses one itself. */
export function withService(
  command: readonly string[],
  options: ServiceOptions,
): readonly string[] {
  if (withoutService.has(command[1]) || choosing.some((word) => command.includes(word)))
    return command
  const end = command.includes('--') ? command.indexOf('--') : command.length
  return [...command.slice(0, end), ...serviceOptions({ options }), ...command.slice(end)]
}
