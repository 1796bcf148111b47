import { execFileSync } from 'node:child_process'

const settings = ['user.name=n', 'user.email=e@test', 'commit.gpgsign=false']

/** Runs git as somebody who may clone from folders. @returns what it prints */
export function git(cwd: string, ...args: readonly string[]): string {
  const all = [...settings, 'protocol.file.allow=always'].flatMap((one) => ['-c', one])
  return execFileSync('git', [...all, ...args], { cwd, encoding: 'utf8', stdio: 'pipe' })
}
