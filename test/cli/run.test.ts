import { describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { triedCommands } from '../../src/cli/usage-error.ts'
import { environment, flagadm } from '../support/flagadm.ts'
import { ending, table, words } from '../support/text.ts'

const env = environment('https://flags.example.com')

it('--version prints the version of the package', async () => {
  expect(await flagadm(['--version'])).toMatchObject({
    code: 0,
    stdout: `${manifest.version}\n`,
    stderr: '',
  })
})

describe('an invalid command line', () => {
  it.each([
    ...table(`
    project settings sett | unknown command 'sett' | did you mean set?
    nosuch | unknown command 'nosuch' | see flagadm --help
    constructor | unknown command 'constructor' | see flagadm --help
    help variabels | unknown command 'variabels' | did you mean variables?
    login | unknown command 'login' | use flagadm profile add
    feature delete x --project default | unknown command 'delete' | use flagadm feature archive --project default x
    feature get dark-mode | unknown command 'get' | use flagadm feature list --all-projects --name dark-mode
    feature show dark-mode -p sandbox | unknown command 'show' | use flagadm feature list --all-projects -p sandbox --name dark-mode
    flag list --project checkout | unknown command 'flag' | use flagadm feature list --project checkout
    profile delete staging | unknown command 'delete' | use flagadm profile remove staging
    naming diff a.yaml b.yaml | unexpected argument 'a.yaml' | use flagadm naming diff --from a.yaml --rule b.yaml
    naming lint a.yaml | unexpected argument 'a.yaml' | use flagadm naming lint --rule a.yaml
    usage dark-mode -p sandbox | unknown command 'usage' | use flagadm feature usage -p sandbox dark-mode
    feature restore x | unknown command 'restore' | use feature on or off to switch a flag back, feature revive for an archived one; feature history shows what was
    feature set x | unknown command 'set' | flagadm switches flags (feature on, feature off); change anything else in the admin interface of the service
    feature enable x -e production | unknown command 'enable' | use flagadm feature on -e production x
    feature create x | unknown command 'create' | flagadm does not create flags or projects
    auth login | unknown command 'auth' | use profile add, or doctor for the connection
    config get-contexts | unknown command 'config' | use profile add, list, show or use
    whoami | unknown command 'whoami' | use flagadm doctor
    flags get dark-mode | unknown command 'flags' | use flagadm feature list --all-projects --name dark-mode
    flags toggle-on --flag x --environment production | unknown command 'flags' | use flagadm feature on -e production x
    flags get --flag x --project p | unknown command 'flags' | use flagadm feature list --project p --name x
    features list --project p | unknown command 'features' | use flagadm feature list --project p
    flags create x | unknown command 'flags' | flagadm does not create flags or projects
    get flags | unknown command 'get' | use flagadm feature list --all-projects
    describe flag dark-mode | unknown command 'describe' | use flagadm feature list --all-projects --name dark-mode
    delete flag x --project p | unknown command 'delete' | use flagadm feature archive --project p x
    list flags --project p | unknown command 'list' | use flagadm feature list --project p
    get project checkout | unknown command 'get' | use flagadm project settings get checkout
    create flag x | unknown command 'create' | flagadm does not create flags or projects
    feature get x -o yaml | unknown command 'get' | use flagadm feature list --all-projects --name x
    naming lint feat-.* | unexpected argument 'feat-.*' | use flagadm naming lint --pattern 'feat-.*'
    naming lint feat-[a-z]+ | unexpected argument 'feat-[a-z]+' | use flagadm naming lint --pattern 'feat-[a-z]+'
    naming diff a-.* b-.* | unexpected argument 'a-.*' | use flagadm naming diff --from-pattern 'a-.*' --pattern 'b-.*'
    naming lint *:*.0123456789 | too many arguments | see flagadm naming lint --help
    project settings plan -f a.yaml -out plan.json | unknown option '-out' | use --save for a plan, or redirect the output: > <file>
    project settings plan -out=plan.json | unknown option '-out' | use --save for a plan, or redirect the output: > <file>
    project settings apply plan.json | unexpected argument 'plan.json' | use flagadm project settings apply --plan plan.json
    project settings validate -f a.yaml | unknown command 'validate' | use flagadm project settings plan -f a.yaml
    feature archive x -p default | --project is required | use --project default: -p is --profile
    feature review -f flags.txt | unknown option '-f' | use --names-from
    feature review --all-projects --out a.html | unknown option '--out' | redirect the output: > <file>
    feature off --flag x -e production | unknown option '--flag' | give the names of flags without an option
    feature list --state on | unknown option '--state' | use --on or --off
    api projects -X POST | unknown option '-X' | flagadm api sends only GET
    feature usage f --token x | unknown option '--token' | set FLAGADM_API_KEY or use --api-key-file: every process can read command lines
    profile rename a b | unknown command 'rename' | use profile add for the new name, then profile remove
    grep dark-mode | unknown command 'grep' | use feature references, with --scan <path>
    feature search dark* | unknown command 'search' | use flagadm feature list --all-projects --name 'dark*'
    feature toggle-on x -e production | unknown command 'toggle-on' | use flagadm feature on -e production x
    feature list -n checkout | unknown option '-n' | use --project
    feature list -A | unknown option '-A' | use --all-projects
    feature archive x --project p --dry-run=client | --dry-run takes no value | use --dry-run
    feature on x --env production -p work | unknown option '--env' | use --environment
    feature on x --enviroment production -p work | unknown option '--enviroment' | did you mean --environment?
    project settings plan a.yaml | unexpected argument 'a.yaml' | use flagadm project settings plan -f a.yaml
    project settings get --project checkout | unknown option '--project' | use flagadm project settings get checkout
    project settings set --project=checkout --mode open | unknown option '--project' | use flagadm project settings set --mode open checkout
    project settings set p --verify | unknown option '--verify' | did you mean one of --no-verify, --version?
    feature usage f --days 30 | unknown option '--days' | use --since
    feature history f --user ada | unknown option '--user' | use --author
    naming check a --regex b | unknown option '--regex' | use --pattern
    project settings apply a.yaml | unexpected argument 'a.yaml' | use flagadm project settings apply -f a.yaml
    feature list --env prod | unknown option '--env' | use --environment
    feature list --url=https://x.test | unknown option '--url' | use --base-url
    feature usage f --json -o csv | --json cannot be combined with --output csv | leave out --json or --output
    feature usage f --unused --group-by environment | --unused cannot be combined with --group-by environment | use --group-by flag
    feature usage f --api-key=*:*.0123456789 | unknown option '--api-key' | set FLAGADM_API_KEY or use --api-key-file: every process can read command lines
    feature list checkout | unexpected argument 'checkout' | use flagadm feature list --project checkout
    feature list dark-mode | unexpected argument 'dark-mode' | use flagadm feature list --all-projects --name dark-mode
    feature list banner --project checkout | unexpected argument 'banner' | use flagadm feature list --name banner --project checkout
    profile add prod https://flags.example.com | unexpected argument 'https://flags.example.com' | use flagadm profile add --base-url https://flags.example.com prod
    profile add https://flags.example.com prod | unexpected argument 'prod' | use flagadm profile add --base-url https://flags.example.com prod
    profile add prod https://u:secret@flags.example.com | too many arguments | see flagadm profile add --help
    profile add https://flags.example.com *:*.0123456789 | too many arguments | see flagadm profile add --help
    profile add a *:*.0123456789 | too many arguments | see flagadm profile add --help
    completion tcsh | shell: unknown value 'tcsh' | choose one of bash, zsh, fish, powershell
    feature usage f --jsn | unknown option '--jsn' | did you mean --json?
    feature usage f -p | --profile needs a value | see flagadm --help
    --color pink feature usage f | --color: unknown value 'pink' | choose one of auto, always, never
    project list --sort nmae | --sort: unknown value 'nmae' | did you mean 'name'?
    project list --limit abc | --limit: 'abc' is not a whole number from 1 to 999999999 | use a number such as 10
    profile list -o txt | this command has no output format 'txt' | choose one of text, json
    feature usage f --timeout 0 | --timeout: invalid value '0' | use a duration of up to 24h, such as 10, 90s or 2h
    feature usage f -p sandbox --base-url https://x.test | --base-url and --api-key-file cannot be combined with the profile sandbox | leave them out, or choose another profile
  `),
    [
      'project settings plan',
      '--file is required',
      'for example:\n  flagadm project settings plan -f flags',
    ],
    [
      'project settings set',
      '<project-id> is required',
      'for example:\n  flagadm project settings set checkout --mode open',
    ],
    [
      'profile delete *:*.0123456789',
      "unknown command 'delete'",
      'use flagadm profile remove, for example:\n  flagadm profile remove staging',
    ],
    [
      'usage',
      "unknown command 'usage'",
      'use flagadm feature usage, for example:\n  flagadm feature usage checkout-new-basket dark-mode',
    ],
    [
      'flag list -p work',
      "unknown command 'flag'",
      'use flagadm feature list, for example:\n  flagadm feature list --project checkout -p work',
    ],
    [
      'reveiw',
      "unknown command 'reveiw'",
      'use flagadm feature review, for example:\n  flagadm feature review --all-projects',
    ],
    [
      'feature off x -p work',
      '--environment is required',
      'for example:\n  flagadm feature off -p work -e production x',
    ],
    [
      'feature off x -p sandbox',
      '--environment is required',
      'for example:\n  flagadm feature off -p sandbox -e production x',
    ],
    [
      'feature off',
      '--environment is required',
      'for example:\n  flagadm feature off checkout-express-pay -e production',
    ],
    [
      'feature disable x -p work',
      "unknown command 'disable'",
      'use flagadm feature off, for example:\n  flagadm feature off -p work -e production x',
    ],
    [
      'feature off *:*.0123456789 x',
      '--environment is required',
      'for example:\n  flagadm feature off -e production x',
    ],
    [
      'feature archive x y -p sandbox',
      '--project is required',
      'add --project <id>; to see the project of a flag:\n  flagadm feature review -p sandbox x y',
    ],
    [
      'feature off x production',
      '--environment is required',
      'for example:\n  flagadm feature off -e production x',
    ],
    [
      'feature usage',
      'no names or projects given',
      'name a flag, use --project <id>, or:\n  flagadm feature usage --all-projects',
    ],
    ['feature revive --all', "unknown option '--all'", 'see flagadm feature revive --help'],
    [
      'feature archive --all-projects',
      "unknown option '--all-projects'",
      'use --project <id>, in a run for each project',
    ],
    [
      'feature archive x --verdict removable',
      "unknown option '--verdict'",
      'let feature review select: its -o names is for --names-from -',
    ],
    ['feature unknown --fail-on x', "--fail-on: unknown value 'x'", "use 'archived'"],
    ['\u001b[31m\n', "unknown command '\\x1b[31m\\x0a'", 'see flagadm --help'],
  ])('such as %j is reported with a hint', async (argv, problem, hint) => {
    const { code, stdout, stderr } = await flagadm(words(argv), { env })
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: ${problem}\nhint: ${hint}\n`,
    })
  })

  it('has an example without the sandbox where a configuration has a default profile', async () => {
    const files = { 'home/.config/flagadm/config.yaml': 'baseUrl: https://flags.test\n' }
    const { stderr } = await flagadm(words('feature off x'), { files })
    expect(stderr).toBe(
      'error: --environment is required\nhint: for example:\n  flagadm feature off -e production x\n',
    )
  })

  it('takes -p for a project only if there is no such profile', async () => {
    const files = {
      'home/.config/flagadm/config.yaml': 'profiles: { work: { baseUrl: https://flags.test } }\n',
    }
    const { stderr } = await flagadm(words('feature archive x -p work'), { files })
    expect(stderr).toBe(
      'error: --project is required\nhint: add --project <id>; to see the project of a flag:\n  flagadm feature review -p work x\n',
    )
  })

  it.each(Object.keys(triedCommands))('such as %s leads to a command', async (tried) => {
    for (const argv of [words(tried), [...words(tried), 'checkout', '-p', 'sandbox']]) {
      const { code, stderr } = await flagadm(argv, { env })
      expect(code).toBe(2)
      expect(stderr).toMatch(/^error: unknown command .*\nhint: (use|see|flagadm) /)
    }
  })

  it('is reported as JSON where --json follows the mistake', async () => {
    for (const line of [
      '--color=1 project list --json',
      'nosuch --json',
      'project list --nosuch -o json',
      'project list --json name',
    ]) {
      const { code, stderr } = await flagadm(words(line), { env })
      expect([code, JSON.parse(stderr).error.kind]).toEqual([2, 'usage'])
    }
  })

  it('is reported as one JSON object with --json', async () => {
    expect(ending(await flagadm(['project', 'settings', 'set', '--json']))).toBe(
      `2 {"error":{"kind":"usage","exitCode":2,"message":"<project-id> is required","hint":"for example: flagadm project settings set checkout --mode open -p sandbox"}}\n`,
    )
  })
})

it('global options are accepted before and after the subcommand', async () => {
  const argv = ['project', 'settings', 'set', 'p', '--mode', 'open', '--dry-run']
  const before = await flagadm(['--json', '--base-url', 'https://x.test', ...argv])
  const after = await flagadm([...argv, '--json', '-o', 'json', '--base-url', 'https://x.test'])
  expect(before.code).toBe(0)
  expect(before.stdout).toBe(after.stdout)
})

it('a missing configuration is reported with the ways to add one', async () => {
  expect(ending(await flagadm(['feature', 'usage', 'f']))).toBe(
    '3 error: no service is configured\nhint: set FLAGADM_BASE_URL and FLAGADM_API_KEY, try it with -p sandbox, or add a profile:\n  flagadm profile add\n',
  )
})
