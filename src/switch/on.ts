import type { Define } from '../command/context.ts'
import { withExamples } from '../command/options.ts'
import { switchFlags, switchOptions } from './switch.ts'

const HELP = `Shows what the strategies of the flags do, asks, sends one request for each environment, and reads the flags back. A failure stops before the next environment. With --yes, only the state of the flags is read first. The report has the command that undoes it.

Where no strategy is enabled, Unleash adds one: the project's default strategy of that environment, otherwise one that is on for everyone. That is refused without --add-strategy.`

export const define: Define = (command, context) => {
  const format = context.formats(command, ['text', 'json'])
  const described = withExamples(
    command,
    [
      'flagadm feature on checkout-gift-cards -e production -p sandbox',
      'flagadm feature on checkout-gift-cards -e production --yes -p sandbox',
      'flagadm feature on dark-mode -e staging --add-strategy --dry-run -p sandbox',
    ],
    HELP,
  ).argument('[name...]', 'names of the flags')
  return switchOptions(described)
    .option('--add-strategy', 'switch on also where Unleash adds a strategy for that')
    .action(async (given, options) => {
      await switchFlags(context, 'on', given, format(), options)
    })
}
