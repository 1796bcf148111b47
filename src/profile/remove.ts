import { existsSync } from 'node:fs'
import type { Define } from '../context.ts'
import type { Host } from '../host.ts'
import { withExamples } from '../options.ts'
import { displayPath } from '../paths.ts'
import { confirm } from '../prompts/confirmation.ts'
import { type Configurations, configured, pathBeside, type Profile } from './configuration.ts'
import { beginEdit, ownProfile, removeProfile } from './edit.ts'

/** The key file that a profile leaves behind; undefined if another profile uses it. */
function leftKeyFile(
  profile: Profile,
  { profiles }: Configurations,
  host: Host,
): string | undefined {
  const keyFileOf = ({ file, fields: { apiKeyFile } }: Profile) =>
    apiKeyFile === undefined ? undefined : pathBeside(file, apiKeyFile, host)
  const path = keyFileOf(profile)
  const others = [...profiles.values()].filter(({ name }) => name !== profile.name)
  // The path of a file that does not exist may be an API key given by mistake.
  if (path === undefined || !existsSync(path)) return undefined
  return others.some((other) => keyFileOf(other) === path) ? undefined : path
}

export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'json'])
  return command
    .description(
      withExamples(
        command.summary(),
        'flagadm profile remove staging',
        'flagadm profile remove staging --yes',
      ),
    )
    .argument('<profile>', 'profile to remove')
    .option('-y, --yes', 'do not ask for confirmation')
    .action(async (name, { yes }) => {
      const { host, messages, out } = context
      const isJson = format() === 'json'
      const { configurations, file, store } = await beginEdit(context)
      const profile = ownProfile(name, configurations)
      const place = displayPath(file, host)
      if (!yes) {
        const reason = `this removes profile ${name} from ${place}`
        await confirm(context, { what: `remove profile ${name}`, reason }, `from ${place}`)
      }
      await store((root) => removeProfile(root, profile))
      if (isJson) out.json({ action: 'removed', profile: name, file })
      else out.line({ green: 'Removed' }, ' profile ', { bold: name }, ` from ${place}`)
      const keyFile = leftKeyFile(profile, configurations, host)
      if (keyFile !== undefined) {
        const shown = displayPath(keyFile, host)
        messages.note(`its key file ${shown} was kept; delete it if you no longer need it`)
      }
      const chosen = configured(configurations, 'profile')
      if (chosen?.source.kind !== 'project' || chosen.value !== name) return
      const project = displayPath(chosen.source.name, host)
      messages.warn(`${project} still chooses the profile '${name}'`)
    })
}
