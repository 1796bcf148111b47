// The main flows against each version of Unleash, in their order; version-seed.mjs makes the flags. The project `default` has
// the settings of the open-source edition, which cannot be changed, and `second` those of the enterprise edition.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../../src/host.ts'
import { environment, flagadm } from '../../support/flagadm.ts'

/** What a command line does. Times, the version and the address are placeholders; a text that is left out is empty. */
interface Outcome {
  code: number
  stdout?: string
  stderr?: string
  /** The file that it writes. */
  written?: string
}

/** A command line with its outcomes, by the first version that has each; the one of the oldest has no number. */
export interface VersionCase {
  title: string
  argv: string
  outcomes: Record<string, Outcome>
}

const release = 'this service is Unleash <version> (Open Source)'

/** The error for what a version does not have. */
function lacking(noun: string, reason: string, hint?: string): string {
  const next = hint === undefined ? '' : `hint: ${hint}\n`
  return `error: ${release}, which has no ${noun} (${reason})\n${next}`
}

const noSettings = lacking('mode and naming rule of projects', 'since 5.6')
const noLinks = `linkTemplates: ${release}, which has no link templates (since 7.0)`
const noLinksError = `error: project second: ${noLinks}\nhint: leave them out\n`
const noChange = lacking('operation that changes the settings of projects', 'an Enterprise feature')
const withoutEnvironments =
  'the service does not show which environments projects had before, where flags may have been seen'
const environmentsNote = `\nIncomplete: ${withoutEnvironments}\n`
const token = 'service-tests-admin'
const unlisted = 'the open-source edition lists only the project default'

/** The report of doctor, with what the key may do, what can be read and what is missing. */
function doctor(
  may: string,
  reads: string,
  missing: readonly string[],
  usage = '✓ usage          last seen <ago> in development of default',
): Outcome {
  const lines = [
    '✓ configuration  http://service; API key from FLAGADM_API_KEY',
    '— proxy          none',
    '✓ health         good',
    '✓ token          admin token',
    '✓ version        <version>, Open Source',
    `✓ permission     may read usage${may}`,
    `✓ reads          ${reads}`,
    usage,
    ...missing.map((one) => `— missing        ${one}`),
  ]
  return { code: 0, stdout: lines.map((line) => `${line}\n`).join('') }
}

const mayArchive = '; archive flags of all projects; revive flags of all projects'
const mayDepend = '; add dependencies to flags of all projects'
const maySwitch =
  '; switch on and off flags of all projects; add strategies to flags of all projects'
const noChanges = 'operation that changes the settings of projects: an Enterprise feature'
const before7 = ['link templates: since 7.0', 'list of unknown names: since 7.2']
const before6 = [...before7, noChanges, 'search for events of projects: since 6.1']

const listHead = 'name,project,type,stale,createdAt,flagLastSeenAt,environment,enabled,lastSeenAt\n'

/** A row of each environment of the flags of the project `default`. */
function listed(flagSeen: string, seen: string): Outcome {
  return {
    code: 0,
    stdout: `${listHead}just-changed,default,release,false,<time>,,development,true,
just-changed,default,release,false,<time>,,production,false,
old-unused,default,release,false,<time>,,development,false,
old-unused,default,release,false,<time>,,production,false,
used-now,default,release,false,<time>,${flagSeen},development,true,${seen}
used-now,default,release,false,<time>,${flagSeen},production,true,${seen}
`,
  }
}

const notSeen = "not seen in its project's environments (development, production)"
const removable = `no usage in 48 h; off everywhere; created 50 d ago; ${notSeen}`
const tooRecent = 'too recent until <time> (--not-seen-for 30d)'

/** The review of the project `default`. */
function reviewed(rows: readonly string[], totals: string, notes = ''): Outcome {
  return {
    code: 0,
    stdout: `<!-- flagadm feature review -->
Review of project default on http://service, since <time>

| Flag | Verdict | Last seen | Type | Reasons |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
| \`used-now\` | in use | <time> | release | 23 evaluations in 48 h; last used <ago> by web in development, production |

${totals}
${notes}`,
  }
}

/** The row of a flag that was changed. */
function changedRow(by: string): string {
  const change = `changed <ago> by ${by} (feature-environment-enabled in development)`
  return `| \`just-changed\` | unclear |  | release | ${change}: ${tooRecent}; on in development; ${notSeen} |`
}

const reviewedUnused = `| \`old-unused\` | removable |  | release | ${removable} |`
const oneRemovable = '3 flags: 1 removable, 1 in use, 1 unclear, 0 permanent'

/** The row of a flag of which no environment has times. */
function unseenRow(name: string, state: string): string {
  return `| \`${name}\` | unclear | ? | release | the hourly figures begin <span> late (48 h requested), and the service does not report when it was last seen (--since 47h needs only the hours); when it was last seen is not reported; ${state} |`
}

/** The review of a flag that was revived. */
function reviewedRevived(why: string, notes = ''): Outcome {
  return {
    code: 0,
    stdout: `<!-- flagadm feature review -->
Review of project default on http://service, since <time>

| Flag | Verdict | Last seen | Type | Reasons |
| --- | --- | --- | --- | --- |
| \`archived-flag\` | unclear |  | release | ${why}: ${tooRecent}; off everywhere; ${notSeen} |

1 flag: 0 removable, 0 in use, 1 unclear, 0 permanent
${notes}`,
  }
}

/** The review of four names. */
function named(code: number, rows: readonly string[], totals: string, error: string): Outcome {
  return {
    code,
    stdout: `<!-- flagadm feature review -->
Review of 4 flags on http://service, since <time>

| Flag | Project | Verdict | Last seen | Type | Reasons |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

${totals}
`,
    stderr: `warning: ${unlisted}; pass the ids of others\n${error}`,
  }
}

const archivedRow = '| `archived-flag` |  | archived |  |  | archived in project default |'
const unchecked =
  'not a flag of any project that the service lists; not checked whether it is one of another project, or archived'
const secondRow =
  '| `second-used` |  | unclear |  |  | a flag of project second, which the service does not list: use --project second; 5 evaluations in 2 h; last used <ago> by web in development |'
const nothingRow =
  '| `nothing` |  | not a flag |  |  | not a flag of any project that the service lists |'
const notFlags = 'error: used-nwo, nothing: not flags\n'
const fourTotals =
  '4 flags: 0 removable, 0 in use, 1 unclear, 0 permanent, 1 archived, 2 not a flag'
const fourNotes = `\nIncomplete: ${unlisted}`

const misspelt = 'error: used-nwo: not a flag of project default; '

/** The stored settings of the project `second`. */
function settings(mode: string, pattern: string, links = ''): Outcome {
  return {
    code: 0,
    stdout: `second
  mode         ${mode}
  pattern      ${pattern}
  example      a-b
  description  kind
${links}`,
  }
}

const pattern = '[a-z]+-[a-z]+'
const wider = '[a-z]+-[a-z-]+'
const link = 'https://tickets.test/{{feature}}'
const linksLine = `  links        ${link}\n`

/** The files that cases read. */
const files = {
  'work/links.yaml': `linkTemplates:\n  - urlTemplate: ${link}\n`,
  'work/second.yaml': `projects:\n  second:\n    featureNaming:\n      pattern: "${wider}"\n`,
  'work/second-links.yaml': `projects:\n  second:\n    linkTemplates:\n      - urlTemplate: ${link}\n`,
}

const exported = `projects:
  second:
    mode: protected
    featureNaming:
      pattern: "${pattern}"
      example: a-b
      description: kind
`

/** The start of the plan, above the counts. */
const planStart = `Plan for http://service

second: would change
  pattern      ${pattern} → ${wider} (wider)

`

/** The start of the plan of a project that cannot be compared. */
function failedStart(why: string): string {
  return `Plan for http://service\n\nsecond: failed: ${why}\n\n`
}

/** The plan of a project that cannot be compared. */
function failedPlan(why: string): string {
  return `${failedStart(why)}1 project: 0 would change, 0 unchanged, 1 failed\n`
}

/** The same, as apply shows it. */
function failedApply(why: string): string {
  return `${failedStart(why)}1 project: 0 changed, 0 unchanged, 1 failed\n`
}

const noSettingsText = `${release}, which has no mode and naming rule of projects (since 5.6)`

const noArchive = lacking(
  'operation that archives flags of a project',
  'since 5.1',
  'archive them in the admin interface of the service',
)

const revivedOff =
  'warning: every environment of a revived flag is off, and its dependencies are gone; only a file of archive --save-before restores them\n'

/** The archiving of the unused flag. */
function archived(stderr = ''): Outcome {
  return {
    code: 0,
    stdout: `project default on http://service
old-unused: archived (${removable})
To revive:
  flagadm feature revive --project default old-unused
`,
    stderr,
  }
}

/** The refusal to archive a name that no flag has. */
function refused(why: string): Outcome {
  return {
    code: 6,
    stdout: `project default on http://service
used-nwo: refused (not a flag: not a flag of project default; ${why})
`,
    stderr:
      'error: nothing was archived: 1 of 1 flag cannot go: used-nwo\nhint: check the names and the project\n',
  }
}

/** The command lines, of which some depend on changes by those before them. */
export const versionCases: readonly VersionCase[] = [
  {
    title: 'doctor',
    argv: 'doctor',
    outcomes: {
      '': doctor(
        maySwitch,
        'projects, flags, hourly usage',
        [
          'dependencies between flags: since 5.7',
          ...before7,
          'mode and naming rule of projects: since 5.6',
          'operation that archives flags of a project: since 5.1',
          'operation that changes the settings of projects: since 5.6, an Enterprise feature',
          'operation that revives flags of a project: since 5.1',
          'operation that switches several flags: since 5.1',
          'search for events of projects: since 6.1',
          'search for flags: since 5.9',
        ],
        '— usage          the service does not report where flags were seen',
      ),
      '5.6': doctor(mayArchive + maySwitch, 'projects, settings, flags, hourly usage', [
        'dependencies between flags: since 5.7',
        ...before6,
        'search for flags: since 5.9',
      ]),
      '5.12': doctor(
        mayArchive + mayDepend + maySwitch,
        'projects, settings, flags, hourly usage',
        before6,
      ),
      '6.3': doctor(mayArchive + mayDepend + maySwitch, 'projects, settings, flags, hourly usage', [
        ...before7,
        noChanges,
      ]),
      '7.4': doctor(
        mayArchive + mayDepend + maySwitch,
        'projects, settings, flags, unknown names, hourly usage',
        [noChanges],
      ),
    },
  },
  {
    title: 'feature list',
    argv: 'feature list --project default -o csv',
    outcomes: {
      '': listed('<time>', ''),
      '5.6': listed('<time>', '<time>'),
      // From 8.0 on, only environments have times.
      '8.0': listed('', '<time>'),
    },
  },
  {
    title: 'feature list of a project that is not listed',
    argv: 'feature list --project second -o names',
    outcomes: { '': { code: 0, stdout: 'second-used\n' } },
  },
  {
    title: 'feature usage',
    argv: 'feature usage used-now --since 2h -o markdown',
    outcomes: {
      '': {
        code: 0,
        stdout: `<!-- flagadm feature usage -->
Usage of used-now on http://service, since <time>

| Application | Environment | Enabled | Disabled | Total | Share | Last used |
| --- | --- | ---: | ---: | ---: | ---: | --- |
| \`web\` | \`development\` | 7 | 3 | 10 | 70.0% | <ago> |
| \`web\` | \`production\` | 11 | 2 | 13 | 84.6% | <ago> |
| **Total** |  | **18** | **5** | **23** | **78.3%** |  |
`,
      },
    },
  },
  {
    title: 'feature usage of a misspelt name',
    argv: 'feature usage used-nwo --project default',
    outcomes: {
      '': { code: 6, stderr: `${misspelt}did you mean used-now?\n` },
      '7.4': {
        code: 6,
        stderr: `${misspelt}SDKs ask for it (web); did you mean used-now?\n`,
      },
    },
  },
  {
    title: 'feature usage of an archived flag',
    argv: 'feature usage archived-flag',
    outcomes: {
      '': { code: 6, stderr: 'error: archived-flag: archived in project default\n' },
    },
  },
  {
    title: 'feature review',
    argv: 'feature review --project default -o markdown',
    outcomes: {
      '': reviewed(
        [unseenRow('just-changed', 'on in development'), unseenRow('old-unused', 'off everywhere')],
        '3 flags: 0 removable, 1 in use, 2 unclear, 0 permanent',
      ),
      '5.6': reviewed([reviewedUnused, changedRow('unknown')], oneRemovable, environmentsNote),
      '5.12': reviewed([reviewedUnused, changedRow(token)], oneRemovable, environmentsNote),
      '6.3': reviewed([reviewedUnused, changedRow(token)], oneRemovable),
    },
  },
  {
    title: 'feature review of names',
    argv: 'feature review second-used used-nwo archived-flag nothing --since 2h -o markdown',
    outcomes: {
      '': named(
        0,
        [
          `| \`nothing\` |  | unclear |  |  | ${unchecked} |`,
          `| \`second-used\` |  | unclear |  |  | ${unchecked}; 5 evaluations in 2 h; last used <ago> by web in development |`,
          `| \`used-nwo\` |  | unclear |  |  | ${unchecked}; 2 evaluations in 2 h; last used <ago> by web in development |`,
          archivedRow,
        ],
        `4 flags: 0 removable, 0 in use, 3 unclear, 0 permanent, 1 archived
${fourNotes}

Incomplete: not checked whether names are archived flags, or flags of other projects (second-used, used-nwo, nothing)`,
        '',
      ),
      '5.12': named(
        6,
        [
          secondRow,
          archivedRow,
          nothingRow,
          '| `used-nwo` |  | not a flag |  |  | not a flag of any project that the service lists; did you mean used-now?; 2 evaluations in 2 h; last used <ago> by web in development |',
        ],
        `${fourTotals}\n${fourNotes}`,
        notFlags,
      ),
      '7.4': named(
        6,
        [
          secondRow,
          archivedRow,
          nothingRow,
          '| `used-nwo` |  | not a flag |  |  | not a flag of any project that the service lists; SDKs ask for it (web); did you mean used-now? |',
        ],
        `${fourTotals}\n${fourNotes}`,
        notFlags,
      ),
    },
  },
  {
    title: 'unknown names',
    // A service that has just started got no usage yesterday, and a warning says so.
    argv: 'feature unknown -o names --quiet',
    outcomes: {
      '': {
        code: 6,
        stderr: lacking(
          'list of unknown names',
          'since 7.2',
          'feature usage with the name and --since 48h shows who asks for it',
        ),
      },
      '7.4': { code: 0, stdout: 'used-nwo\n' },
    },
  },
  {
    title: 'naming check with a pattern',
    argv: 'naming check --project default --pattern [a-z]+',
    outcomes: {
      '': {
        code: 9,
        stdout: `Names must match ^[a-z]+$
  error  just-changed  did you mean justchanged
  error  old-unused    did you mean oldunused
  error  used-now      did you mean usednow
`,
        stderr: 'error: 3 of 3 names break the rule\n',
      },
    },
  },
  {
    title: 'naming check of names for new flags',
    argv: 'naming check used-now free-name --project default --pattern [a-z-]+ --available',
    outcomes: {
      '': {
        code: 9,
        stdout: '  error  used-now  is taken by a flag or an archived flag\n',
        stderr: 'error: 1 of 2 names cannot be used for new flags\n',
      },
    },
  },
  {
    title: 'settings get',
    argv: 'project settings get default',
    outcomes: {
      '': { code: 6, stderr: noSettings },
      '5.6': { code: 0, stdout: 'default\n  mode         open\n' },
    },
  },
  {
    title: 'settings get of an unknown project',
    argv: 'project settings get defualt',
    outcomes: {
      '': {
        code: 6,
        stderr: "error: unknown project 'defualt'\nhint: did you mean 'default'?\n",
      },
    },
  },
  {
    title: 'settings set in the open-source edition',
    argv: 'project settings set default --mode protected --yes',
    outcomes: {
      '': { code: 6, stderr: noSettings },
      '5.6': { code: 6, stderr: noChange },
    },
  },
  {
    title: 'settings set',
    argv: `project settings set second --pattern ${pattern} --example a-b --description kind --yes`,
    outcomes: {
      '': { code: 6, stderr: noSettings },
      '5.6': {
        code: 0,
        stdout: `Updated project second on http://service
  pattern      (unset) → ${pattern}
  example      (unset) → a-b
  description  (unset) → kind
`,
      },
    },
  },
  {
    title: 'settings set of something else',
    argv: 'project settings set second --mode protected --yes',
    outcomes: {
      '': { code: 6, stderr: noSettings },
      '5.6': {
        code: 0,
        stdout: 'Updated project second on http://service\n  mode         open → protected\n',
      },
    },
  },
  {
    title: 'export',
    argv: 'project settings export second --dir flags',
    outcomes: {
      '': { code: 6, stderr: noSettings },
      '5.6': {
        code: 0,
        stdout: 'Exported 1 project to flags\n',
        written: exported,
      },
    },
  },
  {
    title: 'settings set of link templates',
    argv: 'project settings set second -f links.yaml --yes',
    outcomes: {
      '': { code: 6, stderr: noSettings },
      '5.6': { code: 6, stderr: noLinksError },
      '7.0': {
        code: 0,
        stdout: `Updated project second on http://service\n  links        (unset) → ${link}\n`,
      },
    },
  },
  {
    title: 'plan of link templates',
    argv: 'project settings plan -f second-links.yaml',
    outcomes: {
      '': { code: 6, stdout: failedPlan(noSettingsText), stderr: noSettings },
      '5.6': {
        code: 6,
        stdout: failedPlan(`${noLinks}; leave them out`),
        stderr: noLinksError,
      },
      '7.0': {
        code: 0,
        stdout: `Plan for http://service

1 project: 0 would change, 1 unchanged
`,
      },
    },
  },
  {
    title: 'apply of link templates',
    argv: 'project settings apply -f second-links.yaml --yes',
    outcomes: {
      '': { code: 6, stdout: failedApply(noSettingsText), stderr: noSettings },
      '5.6': {
        code: 6,
        stdout: failedApply(`${noLinks}; leave them out`),
        stderr: noLinksError,
      },
      '7.0': {
        code: 0,
        stdout: `Plan for http://service

1 project: 0 changed, 1 unchanged, 0 failed
`,
      },
    },
  },
  {
    title: 'plan',
    argv: 'project settings plan -f second.yaml',
    outcomes: {
      '': { code: 6, stdout: failedPlan(noSettingsText), stderr: noSettings },
      '5.6': { code: 0, stdout: `${planStart}1 project: 1 would change, 0 unchanged\n` },
    },
  },
  {
    title: 'apply',
    argv: 'project settings apply -f second.yaml --yes',
    outcomes: {
      '': {
        code: 6,
        stdout: failedApply(noSettingsText),
        stderr: noSettings,
      },
      '5.6': {
        code: 0,
        stdout: `${planStart}1 project: 1 changed, 0 unchanged, 0 failed\n`,
      },
    },
  },
  {
    title: 'settings get after all changes',
    argv: 'project settings get second',
    outcomes: {
      '': { code: 6, stderr: noSettings },
      '5.6': settings('protected', wider),
      '7.0': settings('protected', wider, linksLine),
    },
  },
  {
    title: 'naming check',
    argv: 'naming check --project second',
    outcomes: {
      '': { code: 6, stderr: noSettings },
      '5.6': { code: 0, stdout: '✓ 1 name checked: all follow the rule\n' },
    },
  },
  {
    title: 'archive of a misspelt name',
    argv: 'feature archive used-nwo --project default --yes',
    outcomes: {
      '': { code: 6, stderr: noArchive },
      '5.6': refused('did you mean used-now?'),
      '7.4': refused('SDKs ask for it (web); did you mean used-now?'),
    },
  },
  {
    title: 'archive of a flag in use',
    argv: 'feature archive used-now --project default --force --dry-run',
    outcomes: {
      '': { code: 6, stderr: noArchive },
      '5.6': {
        code: 0,
        stdout: `project default on http://service
used-now: in use: last seen <ago> in development, production; on in production, development

POST http://service/api/admin/projects/default/archive
{
  "features": [
    "used-now"
  ]
}
`,
        stderr: `warning: a revival does not switch these on again: used-now (development, production)
warning: with --save-before <file>, feature revive -f <file> restores that
note: dry run: nothing was sent
`,
      },
    },
  },
  {
    title: 'archive',
    argv: 'feature archive old-unused --project default --yes',
    outcomes: {
      '': { code: 6, stderr: noArchive },
      '5.6': archived(`warning: ${withoutEnvironments}\n`),
      '6.3': archived(),
    },
  },
  {
    title: 'archive of an archived flag',
    argv: 'feature archive old-unused --project default --yes',
    outcomes: {
      '': { code: 6, stderr: noArchive },
      '5.6': {
        code: 0,
        stdout:
          'project default on http://service\nold-unused: unchanged (archived in project default)\n',
      },
    },
  },
  {
    title: 'revive',
    argv: 'feature revive archived-flag --project default --yes',
    outcomes: {
      '': {
        code: 6,
        stdout: `project default on http://service
archived-flag: failed: ${release}, which has no operation that revives flags of a project (since 5.1)
`,
        stderr:
          revivedOff +
          lacking(
            'operation that revives flags of a project',
            'since 5.1',
            'revive them in the admin interface of the service',
          ),
      },
      '5.6': {
        code: 0,
        stdout:
          'project default on http://service\narchived-flag: revived\nEvery environment is off.\n',
        stderr: revivedOff,
      },
    },
  },
  {
    title: 'feature review of a flag that was revived',
    argv: 'feature review archived-flag --project default -o markdown',
    outcomes: {
      '': {
        code: 0,
        stdout: `<!-- flagadm feature review -->
Review of project default on http://service, since <time>

| Flag | Verdict | Last seen | Type | Reasons |
| --- | --- | --- | --- | --- |
| \`archived-flag\` | archived |  |  | archived in project default |

1 flag: 0 removable, 0 in use, 0 unclear, 0 permanent, 1 archived
`,
      },
      '5.6': reviewedRevived('changed <ago> by unknown (feature-revived)', environmentsNote),
      '5.12': reviewedRevived(`changed <ago> by ${token} (feature-revived)`, environmentsNote),
      '6.3': reviewedRevived('revived <ago>'),
    },
  },
]

const switched = 'project default on http://service\n'

/** The history of flags that were switched. */
function historyOf(subject: string, head: string, rows: readonly string[]): Outcome {
  const line = head.replaceAll(/[^|]+/g, ' --- ')
  const count = rows.length === 1 ? '1 change' : `${rows.length} changes`
  return {
    code: 0,
    stdout: `<!-- flagadm feature history -->
Changes of ${subject} on http://service, since <time>

${[head, line, ...rows].join('\n')}

${count}
`,
  }
}

/** A row of such a history. */
function changeRow(flag: string, environment: string, change: string): string {
  return `| <time> | \`${token}\` | \`${flag}\` | \`default\` | \`${environment}\` | ${change} |`
}

/** The document about the user, which has the key. */
function userDocument(start: string): string {
  return `{"user":{${start}"username":"${token}","permissions":["ADMIN"],"environment":"*","type":"admin","secret":"[redacted]","projects":["*"],"internalAdminTokenUserId":-42},"permissions":[{"permission":"ADMIN"}],"feedback":[],"splash":{}}\n`
}

const added = 'strategy added: gradual rollout 100%'

/**
 * What is done in an incident, after those: only against real services, because what they answer is not recorded.
 * @see versions.check.ts
 */
export const incidentCases: readonly VersionCase[] = [
  {
    title: 'feature off',
    argv: 'feature off used-now --project default -e production --yes',
    outcomes: {
      '': {
        code: 0,
        stdout: `${switched}used-now in production: switched off
To undo:
  flagadm feature on --project default -e production used-now
`,
      },
    },
  },
  {
    title: 'feature on of a flag whose project is searched for',
    argv: 'feature on used-now -e production --yes',
    outcomes: {
      '': {
        code: 0,
        stdout: `${switched}used-now in production: switched on
To undo:
  flagadm feature off --project default -e production used-now
`,
      },
    },
  },
  {
    title: 'feature on without a strategy',
    argv: 'feature on archived-flag --project default -e production --yes',
    outcomes: {
      '': {
        code: 9,
        stdout: `${switched}archived-flag in production: refused: off in production (no strategy is enabled: Unleash adds gradual rollout 100%, for everyone): no evaluations reported since <hour>
`,
        stderr: `error: nothing was switched on: no strategy is enabled for archived-flag in production, so Unleash would add one (gradual rollout 100%, for everyone)
hint: use --add-strategy if that is wanted
`,
      },
    },
  },
  {
    title: 'feature on of several flags',
    argv: 'feature on archived-flag just-changed --project default -e production --add-strategy --yes',
    outcomes: {
      '': {
        code: 0,
        stdout: `${switched}archived-flag in production: switched on; Unleash added gradual rollout 100%
just-changed in production: switched on; Unleash added gradual rollout 100%
Switching off does not remove the added strategy: archived-flag in production, just-changed in production
To undo:
  flagadm feature off --project default -e production archived-flag just-changed
`,
      },
    },
  },
  {
    title: 'feature off of several flags in several environments',
    argv: 'feature off archived-flag just-changed --project default -e production -e development --yes',
    outcomes: {
      '': {
        code: 0,
        stdout: `${switched}archived-flag in production: switched off
just-changed in production: switched off
archived-flag in development: unchanged: off already
just-changed in development: switched off
To undo:
  flagadm feature on --project default -e production archived-flag just-changed
  flagadm feature on --project default -e development just-changed
`,
      },
    },
  },
  {
    title: 'feature off of an archived flag',
    argv: 'feature off old-unused --project default -e production --yes',
    outcomes: {
      '': { code: 6, stderr: 'error: old-unused: archived in project default\n' },
    },
  },
  {
    title: 'feature off of a flag of another project',
    argv: 'feature off second-used --project default -e production --yes',
    outcomes: {
      '': {
        code: 6,
        stderr:
          'error: second-used: not a flag of project default, but of project second (--project second)\n',
      },
    },
  },
  {
    title: 'feature history',
    argv: 'feature history used-now just-changed --since 1h --change on,off,strategy -o markdown',
    outcomes: {
      '': historyOf(
        'used-now, just-changed',
        '| When (UTC) | Author | Flag | Project | Environment | Change |',
        [
          changeRow('just-changed', 'development', 'switched off'),
          changeRow('just-changed', 'production', 'switched off'),
          changeRow('just-changed', 'production', 'switched on'),
          changeRow('just-changed', 'production', added),
          changeRow('used-now', 'production', 'switched on'),
          changeRow('used-now', 'production', 'switched off'),
          changeRow('just-changed', 'development', 'switched on'),
          changeRow('just-changed', 'development', added),
        ],
      ),
    },
  },
  {
    title: 'feature history of a project, by an author in an environment',
    argv: `feature history --project default --since 1h --author ${token} -e development --change off -o markdown`,
    outcomes: {
      '': historyOf('project default', '| When (UTC) | Author | Flag | Change |', [
        `| <time> | \`${token}\` | \`just-changed\` | switched off |`,
      ]),
    },
  },
  {
    title: 'api',
    argv: 'api user',
    outcomes: {
      '': { code: 0, stdout: userDocument('"isAPI":true,') },
      '7.4': { code: 0, stdout: userDocument('') },
    },
  },
]

/** Whether a version is at least another one. */
function isAtLeast(version: string, since: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [sinceMajor = 0, sinceMinor = 0] = since.split('.').map(Number)
  return major > sinceMajor || (major === sinceMajor && minor >= sinceMinor)
}

/** What a version does with a command line. */
export function expectedOf({ outcomes }: VersionCase, version: string) {
  const sinces = Object.keys(outcomes).filter((since) => isAtLeast(version, since || '0'))
  const last = sinces.toSorted((a, b) => (isAtLeast(a || '0', b || '0') ? 1 : -1)).at(-1) ?? ''
  const { code, stdout = '', stderr = '', written } = outcomes[last] ?? { code: -1 }
  return { code, stdout, stderr, written }
}

/** A service of a version. */
interface VersionTarget {
  url: string
  key: string
  version: string
  clock?: Clock
}

/** A text with placeholders for what differs between runs and versions. */
function placeholders(text: string, { url, version }: VersionTarget): string {
  return (
    text
      .replaceAll('\r\n', '\n')
      .replaceAll(url, 'http://service')
      .replaceAll(version, '<version>')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d( UTC)?/g, '<time>')
      .replaceAll(/since \d\d:\d\d UTC/g, 'since <hour>')
      .replaceAll(/since <time> \([^)]+\)/g, 'since <time>')
      .replaceAll(/begin [\dhm ]+ late/g, 'begin <span> late')
      // The service adds the first stage of a revived flag a moment later.
      .replaceAll(/entered the stage \w+/g, 'revived')
      .replaceAll(/just now|this hour|\d+ (?:s|min) ago/g, '<ago>')
  )
}

/** Runs a command line against a service. */
export async function outcomeOf({ argv, outcomes }: VersionCase, target: VersionTarget) {
  const { url, key, clock } = target
  const world = { files, env: environment(url, key), ...(clock && { clock }) }
  const { code, stdout, stderr, folder } = await flagadm(argv.split(' '), world)
  const writes = Object.values(outcomes).some(({ written }) => written !== undefined)
  const written =
    writes && code === 0 ? readFileSync(join(folder, 'work/flags/second.yaml'), 'utf8') : undefined
  return {
    code,
    stdout: placeholders(stdout, target),
    stderr: placeholders(stderr, target),
    // The first line is about the schema.
    written: written?.replace(/^#.*\n/, ''),
  }
}
