import { FlagadmError } from '../errors.ts'
import type { Host } from '../host.ts'
import type { ConfigurationFile } from './files.ts'
import type { Configurations } from './profiles.ts'

const ROOT = 0

function hasLiteralKey({ configuration }: ConfigurationFile): boolean {
  const profiles = Object.values(configuration.profiles ?? {})
  return [configuration, ...profiles].some(({ apiKey }) => apiKey !== undefined)
}

/** Whether the file decides where requests go or which commands run. */
function isSensitive({ configuration }: ConfigurationFile): boolean {
  const { baseUrl, apiKeyCommand, profiles } = configuration
  return [baseUrl, apiKeyCommand, profiles].some((field) => field !== undefined)
}

function refuse(path: string, what: string, hint: string): never {
  throw new FlagadmError('configuration', `${path} ${what}`, { hint })
}

function refuseOthersFile(file: ConfigurationFile, user: number): void {
  const { path, stats } = file
  if (!isSensitive(file) || !stats.isFile()) return
  if (stats.mode & 0o002) {
    refuse(path, 'can be written by everyone', `run: chmod o-w '${path}'`)
  }
  if (stats.uid !== user && stats.uid !== ROOT) {
    refuse(path, 'belongs to another user', `check its content, then run: chown ${user} '${path}'`)
  }
}

function warningsOf(file: ConfigurationFile): string[] {
  const { path, stats } = file
  const warnings: string[] = []
  if (hasLiteralKey(file) && stats.mode & 0o044) {
    warnings.push(`${path} contains an API key and others can read it: run chmod 600 '${path}'`)
  }
  if (isSensitive(file) && stats.mode & 0o020) {
    warnings.push(`${path} can be written by its group: run chmod g-w '${path}'`)
  }
  return warnings
}

/**
 * Checks who can change the configuration files, by their POSIX mode bits and owners.
 * @returns warnings for files that others can read or the group can write
 * @throws a configuration error for a file that others control
 */
export function checkPermissions({ files }: Configurations, { uid }: Host): string[] {
  if (uid === undefined) return []
  for (const file of files) refuseOthersFile(file, uid)
  return files.flatMap(warningsOf)
}
