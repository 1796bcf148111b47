import { existsSync } from 'node:fs'
import { displayPath } from '../paths.ts'
import type { Context } from '../old/context.ts'
import { formats } from '../old/output/formats.ts'
import { jsonReport } from '../old/output/json.ts'
import { type ProfileChange, changeText } from './report/profiles.ts'
import {
  type Configurations,
  configured,
  editableFile,
  pathBeside,
  type Profile,
  readCheckedConfiguration,
  sourceText,
} from './configuration.ts'
import { beginEdit } from './edit.ts'
import { chosenName } from './endpoint.ts'
import { ownProfile } from './names.ts'
import { confirm } from '../prompts/confirmation.ts'

/** Writes a change of the configuration in the format of the run. */
export async function reportChange(context: Context, change: ProfileChange): Promise<void> {
  const format = context.format(formats.textOrJson)
  const { host, printer } = context
  await context.write(
    format === 'json' ? jsonReport(change, printer) : changeText(change, host, printer),
  )
}

/** A profile of the user's configuration that a command changes. */
async function profileToChange(context: Context, name: string) {
  context.format(formats.textOrJson)
  const configurations = await readCheckedConfiguration(context)
  const profile = ownProfile(name, configurations)
  const file = editableFile(configurations, context.host)
  return { configurations, profile, file, edit: await beginEdit(file) }
}

/** Warns if a project's file chooses a profile that no longer exists. */
function warnAboutProject(
  { messages, host }: Context,
  configurations: Configurations,
  name: string,
): void {
  const chosen = configured(configurations, 'profile')
  if (chosen?.source.kind !== 'project' || chosen.value !== name) return
  messages.warn(`${sourceText(chosen.source, host)} still chooses the profile '${name}'`)
}

/** Makes a profile the default of the user's configuration. */
export async function useProfile(context: Context, name: string): Promise<void> {
  const { host, messages } = context
  const { configurations, file, edit } = await profileToChange(context, name)
  await context.commit(() => edit.store((editor) => editor.setDefault(name)))
  await reportChange(context, { action: 'used', profile: name, file })
  const others = { ...context, options: { ...context.options, profile: undefined } }
  const chosen = chosenName(others, configurations)
  if (!chosen || chosen.source.kind === 'user' || chosen.value === name) return
  messages.warn(`${sourceText(chosen.source, host)} takes precedence and chooses '${chosen.value}'`)
}

/** The key file that a profile leaves behind; undefined if another profile uses it. */
function leftKeyFile(
  { file, name, fields: { apiKeyFile } }: Profile,
  { profiles }: Configurations,
  { host }: Context,
): string | undefined {
  if (apiKeyFile === undefined) return undefined
  const path = pathBeside(file, apiKeyFile, host)
  const isShared = [...profiles.values()].some(
    (other) =>
      other.name !== name &&
      other.fields.apiKeyFile !== undefined &&
      pathBeside(other.file, other.fields.apiKeyFile, host) === path,
  )
  // The path of a file that does not exist may be an API key given by mistake.
  return isShared || !existsSync(path) ? undefined : path
}

/**
 * Removes a profile from the user's configuration; asks for confirmation first.
 * @throws a usage error if it cannot ask, an `interrupted` error if the user answers no
 */
export async function removeProfile(
  context: Context,
  name: string,
  { yes }: { yes?: true | undefined },
): Promise<void> {
  const { host, messages } = context
  const { configurations, profile, file, edit } = await profileToChange(context, name)
  if (!yes) {
    const target = `from ${displayPath(file, host)}`
    const reason = `this removes profile ${name} ${target}`
    await confirm(context, { what: `remove profile ${name}`, reason }, target)
  }
  await context.commit(() => edit.store((editor) => editor.remove(profile)))
  await reportChange(context, { action: 'removed', profile: name, file })
  const keyFile = leftKeyFile(profile, configurations, context)
  if (keyFile !== undefined) {
    const shown = displayPath(keyFile, host)
    messages.note(`its key file ${shown} was kept; delete it if you no longer need it`)
  }
  warnAboutProject(context, configurations, name)
}
