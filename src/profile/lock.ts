import { open, rm } from 'node:fs/promises'
import { interrupted, refuse, systemCode } from '../errors.ts'
import type { Host } from '../host.ts'
import { isSpecial, readWithin } from '../input/files.ts'
import { writeFailure } from '../output/file.ts'
import { timeText } from '../output/time.ts'

const LIMIT_MS = 5000
const PAUSE_MS = 25

type LockHost = Pick<Host, 'clock' | 'holdSignals' | 'interruption' | 'pid'>

/** Creates the lock of a file, with the process and the time in it. @returns false if it exists */
async function tryLock({ pid, clock }: LockHost, path: string, lock: string): Promise<boolean> {
  try {
    const file = await open(lock, 'wx', 0o600)
    try {
      await file.writeFile(`process ${pid}, since ${timeText(clock.now())}\n`)
    } finally {
      await file.close()
    }
    return true
  } catch (cause) {
    if (systemCode(cause) === 'EEXIST') return false
    throw writeFailure(path, cause)
  }
}

async function holderOf(lock: string): Promise<string> {
  // A pipe in its place may never end.
  const bytes = isSpecial(lock) ? '' : await readWithin(lock, lock, 'configuration').catch(() => '')
  const text = `${bytes}`
  const [holder] = /^process \d+, since [\d: UTC-]+/.exec(text) ?? []
  return holder === undefined ? '' : ` (${holder})`
}

async function waitForLock(host: LockHost, path: string, lock: string): Promise<void> {
  const { clock, interruption } = host
  const end = clock.monotonic() + LIMIT_MS
  while (!(await tryLock(host, path, lock))) {
    if (clock.monotonic() >= end) {
      const holder = await holderOf(lock)
      const what = `${lock} exists: another command is changing the configuration${holder}`
      refuse(what, 'run the command again; if no other one is running, delete that file')
    }
    await clock.sleep(PAUSE_MS, interruption).catch(() => {
      throw interrupted()
    })
  }
}

/**
 * Changes a file that only one command at a time may change: the others wait while `<file>.lock` exists. Signals are held,
 * so that the lock is removed.
 * @param path absolute, without links; its folder exists
 * @throws a configuration error if the lock still exists after 5 s
 */
export async function withLock<Result>(
  host: LockHost,
  path: string,
  change: () => Promise<Result>,
): Promise<Result> {
  const lock = `${path}.lock`
  const release = host.holdSignals()
  try {
    await waitForLock(host, path, lock)
    try {
      return await change()
    } finally {
      await rm(lock, { force: true })
    }
  } finally {
    release()
  }
}
