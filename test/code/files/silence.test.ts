import { execFileSync } from 'node:child_process'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { listWorkTree, readContents } from '../../../src/code/files/git.ts'
import { temporaryFolder } from '../../support/flagadm.ts'
import { git } from '../../support/git.ts'

const path = process.env.PATH ?? ''
const { signal } = new AbortController()
const patienceMs = 500

/** A repository with a large file that is committed. */
async function repository(): Promise<string> {
  const work = await temporaryFolder({ 'src/large.txt': 'x'.repeat(4_000_000) })
  git(work, 'init', '--quiet', '--template=')
  git(work, 'add', '--all')
  git(work, 'commit', '--quiet', '--message', 'm')
  return work
}

/** A path on which `git` is a shell script. */
async function pathWith(script: string): Promise<string> {
  const folder = await temporaryFolder({ git: `#!/bin/sh\n${script}\n` })
  await chmod(join(folder, 'git'), 0o755)
  return `${folder}:${path}`
}

describe('git that writes nothing for too long', () => {
  const silence = (work: string) => ({
    message: `git wrote nothing for 0.5 s in ${work}, and was ended`,
    hint: 'look for a pipe in place of a file that git reads, such as .gitignore, or a file system that does not respond',
    exitCode: 2,
  })

  test.each([
    ['from the start', 'exec sleep 100'],
    ['because of what it has started', 'sleep 100'],
    ['after a part of its output', "printf 'x'; exec sleep 100"],
    ['after its output', 'exec >&-; exec sleep 100'],
  ])('%s is ended', async (_what, script) => {
    const work = await repository()
    const env = { PATH: await pathWith(script) }
    const listing = listWorkTree(work, { env, signal, patienceMs })
    await expect(listing).rejects.toMatchObject(silence(work))
  })

  test('because of a pipe in place of an ignore file is ended', async () => {
    const work = await repository()
    await mkdir(join(work, 'new'))
    execFileSync('mkfifo', [join(work, 'new/.gitignore')])
    const listing = listWorkTree(work, { env: { PATH: path }, signal, patienceMs })
    await expect(listing).rejects.toMatchObject(silence(work))
  })

  test('is not started with a pipe in place of the ignore file of a tracked folder', async () => {
    const work = await repository()
    const file = join(work, 'src/.gitignore')
    execFileSync('mkfifo', [file])
    const listing = listWorkTree(work, { env: { PATH: path }, signal })
    await expect(listing).rejects.toMatchObject({
      message: `${file} is not a regular file`,
      hint: 'git would wait for it: remove it',
    })
  })

  test('because flagadm does not read it is not ended', async () => {
    const work = await repository()
    const id = git(work, 'rev-parse', 'HEAD:src/large.txt').trim()
    let size = 0
    let pieces = 0
    for await (const [, piece] of readContents(work, [id], {
      env: { PATH: path },
      signal,
      patienceMs,
    })) {
      size += piece.length
      pieces++
      if (pieces === 1) await delay(2 * patienceMs)
    }
    expect(size).toBe(4_000_000)
  })
})
