import { open, rm } from 'node:fs/promises'
import { interrupted, refuse, systemCode } from '../errors.ts'
import type { Host } from '../host.ts'
import { writeFailure } from '../output/file.ts'

const LIMIT_MS = 5000
const PAUSE_MS = 25

/** Creates the lock of a file. @returns false if it exists */
async function tryLock(path: string, lock: string): Promise<boolean> {
  try {
    const file = await open(lock, 'wx', 0o600)
    await file.close()
    return true
  } catch (cause) {
    if (systemCode(cause) === 'EEXIST') return false
    throw writeFailure(path, cause)
  }
}

async function waitForLock(
  { clock, interruption }: Pick<Host, 'clock' | 'interruption'>,
  path: string,
  lock: string,
): Promise<void> {
  const end = clock.monotonic() + LIMIT_MS
  while (!(await tryLock(path, lock))) {
    if (clock.monotonic() >= end) {
      const what = `${lock} exists: another command is changing the configuration`
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
  host: Pick<Host, 'clock' | 'holdSignals' | 'interruption'>,
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
