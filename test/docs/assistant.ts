// llms.txt and the skill: what an assistant needs to use flagadm, from the command tree, the tables of the program and its output.
import { exitCodes } from '../../src/errors.ts'
import { commands } from '../../src/cli/commands.ts'
import { questions } from '../../src/review/questions.ts'
import { factsOfVerdict, verdicts } from '../../src/review/verdicts.ts'
import { homepage } from '../../package.json'
import { loadCommands } from '../support/program.ts'
import { table } from './generated.ts'
import { runExample } from './pages.ts'

/** Questions, the command that answers each, and what to know about it. */
const answers: readonly (readonly [question: string, command: string, remark: string])[] = [
  [
    'Who uses a flag, and how often?',
    'flagadm feature usage dark-mode --since 30d -o jsonl',
    'A row for each application and environment; `enabled` and `disabled` count evaluations. Without `--since`, only the current clock hour. `--json` is the document of Unleash, which is not added up. A name that is not a flag exits with 6.',
  ],
  [
    'Which flags can go?',
    'flagadm feature review --all-projects --verdict removable --json',
    'Add `--scan src` so that flags whose name is in the code stay. In `totals`, null was not looked for: `--verdict finished` finds flags that always answer the same.',
  ],
  [
    'May this flag go, and why?',
    'flagadm feature review dark-mode --json',
    '`verdict` and `reasons`; `answers` has each question. As a check: `--expect removable` exits with 9 unless it is.',
  ],
  [
    'Is this name right for a new flag?',
    'flagadm naming check checkout-tips --available --project checkout --json',
    'Right if `violations` is empty. Exits with 9 if the name breaks the rule of the project or is taken. `available` is only whether the latter was asked.',
  ],
  [
    'Is this naming rule right?',
    "flagadm naming lint --pattern 'checkout-[a-z]+' --example checkout-a --description 'Team, then subject' --json",
    'Exits with 9 for findings with the severity `error`; `suggestion` is a better pattern.',
  ],
  [
    'Where is a flag in the code?',
    'flagadm feature references dark-mode --scan src --json',
    'Needs no service. Finds the name as text in any file, also in comments and lists: scan the source, not `.`. `inCode` is false if it is nowhere, and null if that is unclear. Without names: every name that the code looks up with an SDK.',
  ],
  [
    'Who changed what?',
    'flagadm feature history --all-projects --author ada --since 7d --json',
    'Newest first. Needs names of flags, `--project` or `--all-projects`; `-e production` narrows it.',
  ],
  [
    'Which flags are there, and where are they on?',
    'flagadm feature list --project checkout --json',
    'Also `--on`, `--off`, `--stale`, `--never-seen`, `--not-seen-for 30d`.',
  ],
  [
    'Which names do SDKs ask for that no flag has?',
    'flagadm feature unknown --json',
    '`archivedFlags` are archived, but still asked for.',
  ],
  [
    'What would archiving a flag do?',
    'flagadm feature archive legacy-invoice-export --project default --dry-run --json',
    'Sends nothing. Needs the `project` of the flag; one command for each project. If one flag is not removable, it exits with 9, none would be archived, and the hint has the command for the others. To archive, `--yes` instead of `--dry-run`, with `--save-before undo.yaml`.',
  ],
]

/** The keys of a value: `{flags[{flag, reasons[]}]}`. Of a list, those of its first item. */
function keysOf(value: unknown, depth = 0): string {
  if (Array.isArray(value)) return `[${depth > 4 ? '…' : keysOf(value[0], depth + 1)}]`
  if (typeof value !== 'object' || value === null) return ''
  const keys = Object.entries(value).map(([key, part]) => key + keysOf(part, depth + 1))
  return depth > 4 && keys.length > 0 ? '{…}' : `{${keys.join(', ')}}`
}

async function answer([question, command, remark]: (typeof answers)[number]): Promise<string> {
  const { stdout, stderr, code } = await runExample(`${command} -p sandbox`)
  if (code !== 0) throw new Error(`${command}: exits with ${code}: ${stderr}`)
  const [line = ''] = stdout.split('\n')
  const about = remark === '' ? '' : `${remark}\n\n`
  const output = `Prints \`${keysOf(JSON.parse(line))}\`.`
  return `### ${question}\n\n\`\`\`\n${command}\n\`\`\`\n\n${about}${output}\n`
}

/** The commands that change something, and whether they can ask and be tried. */
async function changes(): Promise<string> {
  const { all } = await loadCommands()
  const writing = commands.filter(({ group }) => group?.includes('change'))
  const rows = writing.flatMap(({ words, summary }) => {
    const found = all.find(({ path }) => path === `flagadm ${words}`)
    if (!found || found.command.commands.length > 0) return []
    const has = (flag: string) => found.command.options.some(({ long }) => long === flag)
    const asks = has('--yes') ? 'asks; `--yes` answers' : 'no'
    return [[`\`${words}\``, summary, asks, has('--dry-run') ? '`--dry-run`' : 'no']]
  })
  return table(['command', 'what it does', 'question', 'try it first'], rows)
}

const SUMMARY =
  'flagadm answers questions about the feature flags of an Unleash service from the command line: who uses them, which can go, whether names and naming rules are right, who changed what, and where they are in the code. It archives, switches and configures only when it is told to.'

const skillHead = `---
name: flagadm
description: >-
  Answers questions about Unleash feature flags with the command flagadm: usage, removal of flags, naming rules, history, places in code.
  Use it when someone asks about feature flags of an Unleash service.
---

`

/** The text of llms.txt. */
export async function llms(): Promise<string> {
  const docs = homepage.replace('#readme', '/blob/main/docs')
  const exits = Object.entries(exitCodes).map(([kind, { code, meaning }]) => {
    return [`${code}`, `\`${kind}\``, meaning]
  })
  const verdictRows = verdicts.map((verdict) => [`\`${verdict}\``, factsOfVerdict(verdict).meaning])
  const asked = questions.map(({ id, states }) => `${id} (${states})`).join('; ')
  const texts = []
  for (const one of answers) texts.push(await answer(one))
  return [
    '# flagadm\n',
    `> ${SUMMARY}\n`,
    '## Rules\n',
    '- Add `-p sandbox` to any command to try it without a service, key or network: an embedded service with example flags in the projects `checkout`, `default` and `mobile`, in which it is always 2026-01-05 10:00 UTC. It forgets changes when the command ends; `flagadm sandbox` serves one that keeps them.',
    '- For a real service, `FLAGADM_BASE_URL` and `FLAGADM_API_KEY`, or a profile: `-p <name>`. `flagadm doctor --json` checks both. Never put a key on the command line or print it.',
    '- stdout is data, stderr is messages. With `--json`, each line on stderr is an object: `{"error":{kind, exitCode, message, hint}}`, `{"warning":…}` or `{"note":…}`. With other formats, messages are text. Follow the hint. Read JSON fields by name; ignore unknown ones.',
    '- `incomplete` in JSON, or exit code 10, means that a part could not be read. What was not read is not "no": say so.',
    '- Select flags by names, `--project <id>` (repeatable) or `--all-projects`. The open-source edition lists only the project `default`. `*` in quotes matches any text.',
    '- Durations: `90s`, `65m`, `2h`, `30d`, `1w`.',
    '- In a pipe nothing asks: what would ask exits with 2. Show `--dry-run` to a person before `--yes`.\n',
    '## Questions and commands\n',
    ...texts,
    '## Verdicts\n',
    table(['verdict', 'the flag'], verdictRows),
    `A flag is removable only if no answer speaks against it: ${asked}.\n`,
    'Tell people the reasons, not only the verdict. `unclear` is not "removable".\n',
    '## What changes something\n',
    await changes(),
    'The others only read the service. `settings export`, `--save` and `--save-before` write files.\n',
    '## Exit codes\n',
    table(['code', '`kind`', 'meaning'], exits),
    '## More\n',
    '`flagadm <command> --help` has all options. Documentation:\n',
    `- [Flags](${docs}/flags.md), [verdicts](${docs}/verdicts.md), [code](${docs}/code.md), [naming rules](${docs}/naming.md), [settings](${docs}/settings.md)`,
    `- [Pipelines](${docs}/ci.md), [incidents](${docs}/incidents.md), [errors](${docs}/errors.md), [reference](${docs}/reference.md)\n`,
  ].join('\n')
}

/** The text of skills/flagadm/SKILL.md. */
export async function skill(): Promise<string> {
  return skillHead + (await llms())
}
