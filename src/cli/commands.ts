import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings'
import {
  type Context,
  createRoot,
  type Define,
  type NewCommand,
  type Program,
} from '../command/context.ts'
import { withExamples } from '../command/options.ts'

/** A command or, without a loader, a group of commands. */
interface Entry {
  words: string
  summary: string
  /** The heading in the help of its group. */
  group?: string
  /** The examples of a group; a command has its own. */
  examples?: readonly string[]
  hidden?: true
  load?: () => Promise<{ define: Define }>
}

const FLAGS = 'Flags:'
const RULES = 'Projects and rules:'
const SETUP = 'Connection and help:'
/** For commands that change something; they are never suggested for a misspelt word. */
const CHANGES = 'Commands that change something:'

/**
 * The whole surface. A group precedes its commands.
 * @internal Tests run every command.
 */
export const commands: readonly Entry[] = [
  {
    words: 'feature',
    summary: 'Show usage and changes of flags, switch them, find flags to remove',
    group: FLAGS,
    examples: [
      'flagadm feature usage checkout-new-basket dark-mode -p sandbox',
      'flagadm feature review --all-projects -p sandbox',
      'flagadm feature references --scan src',
    ],
  },
  {
    words: 'feature list',
    summary: 'List the flags of projects and their state in each environment',
    load: () => import('../flags/list.ts'),
  },
  {
    words: 'feature usage',
    summary: 'Show how often flags were evaluated, in the current clock hour or a longer span',
    load: () => import('../usage/usage.ts'),
  },
  {
    words: 'feature review',
    summary: 'Review flags: which can be removed, and why',
    load: () => import('../review/review.ts'),
  },
  {
    words: 'feature archive',
    summary: 'Archive flags that a review finds removable',
    group: CHANGES,
    load: () => import('../archive/archive.ts'),
  },
  {
    words: 'feature revive',
    summary: 'Revive archived flags, and restore what they had',
    group: CHANGES,
    load: () => import('../archive/revive.ts'),
  },
  {
    words: 'feature off',
    summary: 'Switch flags off in environments, after showing what they do',
    group: CHANGES,
    load: () => import('../switch/off.ts'),
  },
  {
    words: 'feature on',
    summary: 'Switch flags on in environments, after showing what their strategies do',
    group: CHANGES,
    load: () => import('../switch/on.ts'),
  },
  {
    words: 'feature history',
    summary: 'Show who changed what about flags, and when',
    load: () => import('../history/history.ts'),
  },
  {
    words: 'feature unknown',
    summary: 'List names that SDKs ask for although no flag has them',
    load: () => import('../usage/unknown.ts'),
  },
  {
    words: 'feature references',
    summary: 'Show where flags are used in source code',
    load: () => import('../references/references.ts'),
  },
  {
    words: 'project',
    summary: 'List projects; show and change their settings',
    group: RULES,
    examples: [
      'flagadm project list -p sandbox',
      'flagadm project settings get checkout -p sandbox',
    ],
  },
  {
    words: 'project list',
    summary: 'List the projects: mode, number of flags, last reported usage',
    load: () => import('../project/list.ts'),
  },
  {
    words: 'project settings',
    summary: "Show and change projects' settings: mode, naming rule, link templates",
    examples: [
      'flagadm project settings get checkout -p sandbox',
      'flagadm project settings set checkout --mode protected -p sandbox',
      'flagadm project settings plan -f flags -p sandbox',
    ],
  },
  {
    words: 'project settings get',
    summary: 'Show the settings of projects, also as documents for set, plan and apply',
    load: () => import('../settings/get.ts'),
  },
  {
    words: 'project settings set',
    summary: "Set a project's mode, naming rule and link templates; others stay as they are",
    group: CHANGES,
    load: () => import('../settings/set.ts'),
  },
  {
    words: 'project settings plan',
    summary: 'Show what apply would change',
    load: () => import('../settings/plan.ts'),
  },
  {
    words: 'project settings apply',
    summary: 'Change projects to match documents',
    group: CHANGES,
    load: () => import('../settings/apply.ts'),
  },
  {
    words: 'project settings export',
    summary: 'Write the settings of projects to files',
    load: () => import('../settings/export.ts'),
  },
  {
    words: 'naming',
    summary: 'Check naming rules, and names against them',
    group: RULES,
    examples: [
      "flagadm naming lint --pattern 'checkout-[a-z-]+'",
      'flagadm naming check checkout-pay --rule naming.yaml',
    ],
  },
  {
    words: 'naming lint',
    summary: 'Find problems in a naming rule, and show what it accepts and rejects',
    load: () => import('../naming/lint.ts'),
  },
  {
    words: 'naming check',
    summary: 'Check flag names against a naming rule',
    load: () => import('../naming/check.ts'),
  },
  {
    words: 'naming diff',
    summary: 'Show what changes when one naming rule replaces another',
    load: () => import('../naming/diff.ts'),
  },
  {
    words: 'profile',
    summary: 'Show, change and check addresses and API keys',
    group: SETUP,
    examples: ['flagadm profile list', 'flagadm profile check -p sandbox'],
  },
  {
    words: 'profile list',
    summary: 'List the profiles, and which one is the default and why',
    load: () => import('../profile/list.ts'),
  },
  {
    words: 'profile show',
    summary: 'Show every value that a command would use, and where it comes from',
    load: () => import('../profile/show.ts'),
  },
  {
    words: 'profile add',
    summary: 'Add a profile to your configuration; on a terminal, asks for missing values',
    group: CHANGES,
    load: () => import('../profile/add.ts'),
  },
  {
    words: 'profile use',
    summary: 'Make a profile the default',
    group: CHANGES,
    load: () => import('../profile/use.ts'),
  },
  {
    words: 'profile remove',
    summary: 'Remove a profile from your configuration; asks for confirmation',
    group: CHANGES,
    load: () => import('../profile/remove.ts'),
  },
  {
    words: 'profile check',
    summary: 'Check the configuration and the connection to the service',
    load: () => import('../check/check.ts'),
  },
  {
    words: 'doctor',
    summary: 'Check the connection (short for profile check)',
    group: SETUP,
    load: () => import('../check/check.ts'),
  },
  {
    words: 'api',
    summary: 'Print a document of the admin API, without secrets',
    group: SETUP,
    load: () => import('../api/api.ts'),
  },
  {
    words: 'sandbox',
    summary: 'Serve an in-memory Unleash with example data',
    group: SETUP,
    load: () => import('../sandbox/server.ts'),
  },
  {
    words: 'completion',
    summary: 'Print the script that completes flagadm in a shell',
    group: SETUP,
    load: () => import('./completion.ts'),
  },
  {
    words: 'help',
    summary: "Show the help of a command, or of 'variables'",
    group: SETUP,
    load: () => import('./help.ts'),
  },
  { words: 'complete', summary: '', hidden: true, load: () => import('./complete.ts') },
]

/**
 * Builds the tree of commands.
 * @param configure settings that subcommands inherit, so they are made first
 */
export function createProgram(
  context: Context,
  configure: (root: CommandUnknownOpts) => void,
): Program {
  const root = createRoot()
  configure(root)
  let current: CommandUnknownOpts = root
  const definitions = new Map<CommandUnknownOpts, () => Promise<unknown>>()
  const load = async (command: CommandUnknownOpts) => {
    await definitions.get(command)?.()
    definitions.delete(command)
  }
  const enter = (_: CommandUnknownOpts, command: CommandUnknownOpts) => {
    current = command
    return load(command)
  }
  const groups = new Map<string, CommandUnknownOpts>([['', root]])
  root.hook('preSubcommand', enter)
  for (const entry of commands) {
    const { words, summary, group = 'Commands:', examples = [], hidden = false } = entry
    const path = words.split(' ')
    const name = path.at(-1) ?? ''
    const parent = groups.get(path.slice(0, -1).join(' '))
    if (!parent) throw new Error(`${words} precedes its group`)
    // `parent.command(name)` would infer arguments from a name that is not a literal.
    const command: NewCommand = new Command(name)
      .copyInheritedSettings(parent)
      .helpCommand(false)
      .summary(summary)
      .helpGroup(group)
    parent.addCommand(command, { hidden })
    if (entry.load) {
      const { load: loadFile } = entry
      definitions.set(command, async () => (await loadFile()).define(command, context))
    } else {
      groups.set(words, command)
      withExamples(command, examples)
      command.hook('preSubcommand', enter)
    }
  }
  return {
    root,
    current: () => current,
    async find(words) {
      let foundCommand: CommandUnknownOpts = root
      for (const word of words) {
        const next = foundCommand.commands.find((one) => one.name() === word)
        if (!next) break
        foundCommand = next
      }
      await load(foundCommand)
      return foundCommand
    },
  }
}
