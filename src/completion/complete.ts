import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { type Candidate, completionOf, type Completion, plain } from './candidates.ts'
import { escapeFor, splitLine } from './shell-line.ts'
import type { Context } from '../old/context.ts'
import { joined, safe } from '../old/output/text.ts'

const sandbox: Candidate = { value: 'sandbox', description: 'embedded service for one command' }

/** The profiles of the configuration that the command line specifies. */
async function profiles(
  { host }: Context,
  { more, position: { given } }: Completion,
): Promise<Candidate[]> {
  const option = given.get('config') ?? (host.env.FLAGADM_CONFIG || undefined)
  const file = typeof option === 'string' ? option : undefined
  const { readConfiguration } = await import('../profile/configuration.ts')
  const known = await readConfiguration({ host, options: { config: file } }).then(
    ({ profiles }) => [...profiles.values()],
    () => [],
  )
  if (more !== 'own profile') return [...plain(known.map(({ name }) => name)), sandbox]
  return plain(known.filter(({ trust }) => trust === 'user').map(({ name }) => name))
}

/** All candidates: those of the command tree, profiles, or names of the service. */
async function candidatesOf(
  context: Context,
  completion: Completion,
): Promise<readonly Candidate[]> {
  const { candidates = [], more, position } = completion
  if (more === 'profile' || more === 'own profile') return profiles(context, completion)
  if (more !== 'project' && more !== 'flag') return candidates
  const { serviceNames } = await import('./service-names.ts')
  return plain(await serviceNames(context, more, position))
}

/** The values that the shell's script completes besides the candidates. */
const directives: Readonly<Record<string, string>> = { path: ':files', folder: ':folders' }

/**
 * Prints the candidates for the last word, one per line with a tab before its description, then a
 * line with what else to complete: `:files`, `:folders` or `:`. For a line of bash, a candidate is only
 * what has to be appended to the word.
 */
export async function complete(
  context: Context,
  program: CommandUnknownOpts,
  given: readonly string[],
  { line }: { line?: string | undefined },
): Promise<void> {
  const { text } = context.printer
  const split = line === undefined ? undefined : splitLine(line)
  const words = split?.words ?? given
  if (split?.redirects) {
    await context.write(safe`:files\n`)
    return
  }
  const completion = completionOf(program, words)
  const { prefix, more } = completion
  const word = words.at(-1) ?? ''
  const all = await candidatesOf(context, completion)
  const lines = all
    .map(({ value, description }) => ({ value: prefix + value, description }))
    .filter(({ value }) => value.startsWith(word))
    .map(({ value, description }) => {
      const shown = split ? escapeFor(split.quote, value.slice(word.length)) : value
      return safe`${text(shown)}\t${text(description)}\n`
    })
  await context.write(safe`${joined(lines)}${text(directives[more ?? ''] ?? ':')}\n`)
}
