import type { Define } from '../command/context.ts'
import { withExamples } from '../command/options.ts'
import { displayPath } from '../paths.ts'
import { editConfiguration, ownProfile, setDefault } from './edit.ts'

export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'json'])
  return withExamples(command, [
    'flagadm profile use staging',
    'flagadm profile use staging --json',
  ])
    .argument('<profile>', 'profile of your configuration to make the default')
    .action(async (name) => {
      const { host, out } = context
      const isJson = format() === 'json'
      const { file } = await editConfiguration(context, ({ configurations, file }) => {
        ownProfile(name, configurations)
        return { file, change: (root) => setDefault(root, name) }
      })
      if (isJson) out.json({ action: 'used', profile: name, file })
      else out.line('Profile ', { bold: name }, ` is now the default in ${displayPath(file, host)}`)
    })
}
