import type { Define } from '../command/context.ts'
import { withExamples } from '../command/options.ts'
import { displayPath } from '../paths.ts'
import { confirm } from '../prompts/terminal.ts'
import { editConfiguration, ownProfile, readOwn, removeProfile } from './edit.ts'

export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'json'])
  return withExamples(command, [
    'flagadm profile remove staging',
    'flagadm profile remove staging --yes',
  ])
    .argument('<profile>', 'profile to remove')
    .option('-y, --yes', 'do not ask for confirmation')
    .action(async (name, { yes }) => {
      const { host, messages, out } = context
      const isJson = format() === 'json'
      const { configurations, file } = await readOwn(context)
      const { fields } = ownProfile(name, configurations)
      const place = displayPath(file, host)
      if (!yes) {
        const reason = `this removes profile ${name} from ${place}`
        await confirm(context, { what: `remove profile ${name}`, reason }, `from ${place}`)
      }
      await editConfiguration(context, (stored) => {
        ownProfile(name, stored.configurations)
        return { change: (root) => removeProfile(root, name) }
      })
      if (isJson) out.json({ action: 'removed', profile: name, file })
      else out.line({ green: 'Removed' }, ' profile ', { bold: name }, ` from ${place}`)
      // A key file of another name may belong to another profile.
      if (fields.apiKeyFile === `${name}.key`) {
        messages.note(`its key file ${name}.key was kept; delete it if you no longer need it`)
      }
    })
}
