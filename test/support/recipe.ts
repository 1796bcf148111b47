import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { parse } from 'yaml'
import { blocksOf, type Page, pages } from '../docs/pages.ts'
import { type Ended, shell } from './binary.ts'
import { temporaryFolder } from './flagadm.ts'
import { json, serve } from './server.ts'

function pageOf(path: string): Page {
  const page = pages.find((one) => one.path === path)
  if (!page) throw new Error(`there is no ${path}`)
  return page
}

/** The YAML blocks of the pages with recipes. */
function workflowTexts(): string[] {
  return ['docs/ci.md', 'docs/platform.md']
    .flatMap((path) => blocksOf(pageOf(path)))
    .filter(({ language }) => language === 'yaml')
    .map(({ code }) => code)
}

/** The workflow with this name. */
export function workflowText(name: string): string {
  const text = workflowTexts().find((one) => parse(one).name === name)
  if (text === undefined) throw new Error(`no page has the workflow ${name}`)
  return text
}

/** The scripts of a GitLab job in docs/ci.md. */
function gitlabScripts(job: string): string[] {
  const jobs = workflowTexts().flatMap((text) => parse(text)[job] ?? [])
  return jobs[0].script
}

/** The command of docs/ci.md that exports all settings, for the service of the environment. */
function exportScript(): string {
  const scripts = blocksOf(pageOf('docs/ci.md')).filter(({ code }) => code.includes('export --all'))
  return String(scripts[0]?.code.split('\n')[0]).replace(' -p sandbox', '')
}

/** The effects of the recipe: the comment on the merge request, and the run on the main branch. */
export interface RecipeRun {
  comment: string
  applied: Ended
  /** The previous settings. */
  before: string
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

/** A GitLab that accepts comments on merge request 3 of project 5, and the variables of a job there. */
async function serveGitLab() {
  const gitlab = await serve((response) => json(response, 201, {}))
  const variables = {
    CI_API_V4_URL: gitlab.url,
    CI_PROJECT_ID: '5',
    CI_MERGE_REQUEST_IID: '3',
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
    COMMENT_TOKEN: 'a-token',
  }
  const comments = () =>
    gitlab.received.map(({ method, url, headers, body }) => {
      expect([method, url]).toEqual(['POST', '/projects/5/merge_requests/3/notes'])
      expect(headers['private-token']).toBe('a-token')
      return new URLSearchParams(body).get('body') ?? ''
    })
  return { variables, comments }
}

/** Makes a folder a repository whose branch main, also of its origin, has the files of the folder. */
export async function commitAll(folder: string): Promise<void> {
  await runScript(
    {},
    folder,
    'git init --quiet --initial-branch main && git remote add origin . && git add .',
    'git -c user.name=n -c user.email=e@test commit --quiet --message first',
    'git update-ref refs/remotes/origin/main HEAD',
  )
}

/** A repository with a change that removes a name from the code. */
export async function removedFrom(name: string): Promise<string> {
  const folder = await temporaryFolder({
    'src/removed.ts': `isEnabled('${name}')\n`,
    'src/kept.ts': "isEnabled('kept')\n",
  })
  await commitAll(folder)
  await rm(join(folder, 'src/removed.ts'))
  return folder
}

/** Runs a GitLab job of docs/ci.md as it is written; returns the comments on the merge request. */
export async function runGitLabJob(
  job: string,
  env: Record<string, string>,
  folder: string,
): Promise<string[]> {
  const { variables, comments } = await serveGitLab()
  await runScript({ ...env, ...variables }, folder, ...gitlabScripts(job))
  return comments()
}

/**
 * Runs the recipe "Comment on removed flags" for GitLab, for a change that removes a name from the code.
 * @returns the comment; undefined if there is none
 */
export async function commentOnRemoved(
  name: string,
  env: Record<string, string>,
): Promise<string | undefined> {
  const [comment] = await runGitLabJob('removed-flags', env, await removedFrom(name))
  return comment
}

/** Exports all settings to `flags/`, and changes the mode of the project `default` there. */
export async function exportAndChange(env: Record<string, string>, folder: string): Promise<void> {
  await runScript(env, folder, exportScript())
  const file = join(folder, 'flags/default.yaml')
  const document = await readFile(file, 'utf8')
  await writeFile(file, document.replace('mode: open', 'mode: protected'))
}

/** Runs the recipe "Settings as code" for GitLab as it is written: the mode of the project `default` changes. */
export async function runRecipe(env: Record<string, string>, folder: string): Promise<RecipeRun> {
  const { variables, comments } = await serveGitLab()
  const run = (job: string) => runScript({ ...env, ...variables }, folder, ...gitlabScripts(job))
  await exportAndChange(env, folder)
  await run('settings-plan')
  const applied = await run('settings-apply')
  await run('settings-plan')
  const [comment = '', again = ''] = comments()
  return { comment, applied, before: await readFile(join(folder, 'before.yaml'), 'utf8'), again }
}
