import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { blocksOf, type Page, pages } from '../docs/pages.ts'
import { type Ended, shell } from './binary.ts'
import { temporaryFolder } from './flagadm.ts'

function pageOf(path: string): Page {
  const page = pages.find((one) => one.path === path)
  if (!page) throw new Error(`there is no ${path}`)
  return page
}

/** The scripts of a job in the workflow of docs/ci.md with this name. */
function scriptsOf(workflow: string, job: string): string[] {
  const workflows = blocksOf(pageOf('docs/ci.md'))
    .filter(({ language }) => language === 'yaml')
    .map(({ code }) => parse(code))
  const { jobs } = workflows.find(({ name }) => name === workflow)
  const steps: { run?: string }[] = jobs[job].steps
  return steps.flatMap(({ run }) => run ?? []).filter((script) => /flagadm|cat/.test(script))
}

/** The command of docs/ci.md that exports all settings, for the service of the environment. */
function exportScript(): string {
  const scripts = blocksOf(pageOf('docs/ci.md')).filter(({ code }) => code.includes('export --all'))
  return String(scripts[0]?.code.split('\n')[0]).replace(' -p sandbox', '')
}

/** What the recipe did: the comment on the pull request, and the run on the main branch. */
export interface RecipeRun {
  comment: string
  applied: Ended
  /** The plan afterwards. */
  again: string
}

async function runScript(
  env: Record<string, string>,
  folder: string,
  ...scripts: readonly string[]
): Promise<Ended> {
  const script = ['set -e', 'npx() { "$@"; }', ...scripts].join('\n')
  const outcome = await shell(script, env, { cwd: folder })
  if (outcome.code !== 0) throw new Error(`${script}\n${outcome.stderr}`)
  return outcome
}

/**
 * Runs the recipe "Comment on a pull request" as it is written, for a change that removes a name from the code.
 * @returns the comment; undefined if there is none
 */
export async function commentOnRemoved(
  name: string,
  env: Record<string, string>,
): Promise<string | undefined> {
  const folder = await temporaryFolder({
    'src/removed.ts': `isEnabled('${name}')\n`,
    'src/kept.ts': "isEnabled('kept')\n",
  })
  const commit = 'git -c user.name=n -c user.email=e@test commit --quiet --message first'
  await runScript(
    { ...env, BASE: 'main' },
    folder,
    `git init --quiet && git add src && ${commit}`,
    'git update-ref refs/remotes/origin/main HEAD',
    'rm src/removed.ts',
    ...scriptsOf('usage of removed flags', 'comment'),
  )
  return readFile(join(folder, 'usage.md'), 'utf8').catch(() => undefined)
}

/** Runs the recipe "Settings as code" as it is written: the mode of the project `default` changes. */
export async function runRecipe(env: Record<string, string>, folder: string): Promise<RecipeRun> {
  const run = (...scripts: string[]) => runScript(env, folder, ...scripts)
  const comment = () => readFile(join(folder, 'plan.md'), 'utf8')
  await run(exportScript())
  const file = join(folder, 'flags/default.yaml')
  const document = await readFile(file, 'utf8')
  await writeFile(file, document.replace('mode: open', 'mode: protected'))
  await run(...scriptsOf('settings', 'plan'))
  const planned = await comment()
  const applied = await run(...scriptsOf('settings', 'apply'))
  await run(...scriptsOf('settings', 'plan'))
  return { comment: planned, applied, again: await comment() }
}
