import type { Define } from '../command/context.ts'
import { withExamples } from '../command/options.ts'
import { switchFlags, switchOptions } from './switch.ts'

const HELP = `Shows what the flags do (the usage of this hour and the one before, the flags that depend on them), asks, sends one request for each environment, and reads the flags back. A failure stops before the next environment. With --yes, only the state of the flags is read first. The report has the command that undoes it.`

export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'json'])
  const described = withExamples(
    command,
    [
      'flagadm feature off checkout-express-pay -e production -p sandbox',
      'flagadm feature off checkout-express-pay -e production --yes -p sandbox',
      'flagadm feature off dark-mode --project default -e production --dry-run',
    ],
    HELP,
  ).argument('[name...]', 'names of the flags')
  return switchOptions(described).action(async (given, options) => {
    await switchFlags(context, 'off', given, format(), options)
  })
}
