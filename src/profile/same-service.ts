import type { Context } from '../command/context.ts'

/** The options that choose the service of this run, to repeat them in a command that the user copies. */
export function serviceOptions({ options }: Pick<Context, 'options'>): string[] {
  const { profile, baseUrl, apiKeyFile, config, allowHttp } = options
  const words: string[] = []
  if (profile !== undefined) words.push('-p', profile)
  if (baseUrl !== undefined) words.push('--base-url', baseUrl)
  if (apiKeyFile !== undefined && apiKeyFile !== '-') words.push('--api-key-file', apiKeyFile)
  if (config !== undefined) words.push('--config', config)
  if (allowHttp) words.push('--allow-http')
  return words
}
