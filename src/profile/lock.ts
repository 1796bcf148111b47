// Ours, because proper-lockfile judges a lock by its age instead of whether its process still runs.
import { link, lstat, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import * as v from 'valibot'
import { fileReason, FlagadmError, isAbsent, refuseFile, systemCode, writeHint } from '../errors.ts'
import type { Host } from '../host.ts'
import { checkShape } from '../input/shape.ts'
import { whenFree } from '../old/output/file.ts'
import { join } from '../paths.ts'
import { presenceOf, processSchema, thisProcess } from './process.ts'

// A change takes a fraction of a second.
const MAX_CHANGE_MS = 10_000
const PAUSE_MS = 20

const DRAFT = /^(?:\.takeover)*\.[0-9a-f-]{36}$/

/** A temporary file. A lock in a repository could name others, so that they would be removed. */
function temporary(name: RegExp) {
  return v.pipe(v.string(), v.regex(name))
}

const draftsSchema = v.object({
  config: temporary(/[\\/]\.flagadm-[0-9a-f-]{36}$/),
  key: v.optional(
    v.object({ draft: temporary(/[\\/]\.flagadm-[0-9a-f-]{36}\.key$/), path: v.string() }),
  ),
})

/** A lock file: the process that holds it, and the files to remove if that process is killed. */
const ownerSchema = v.object({
  ...processSchema.entries,
  /** The other name of the lock file. */
  draft: temporary(/\.lock(?:\.takeover)*\.[0-9a-f-]{36}$/),
  drafts: v.optional(draftsSchema),
})

type Owner = v.InferOutput<typeof ownerSchema>

/**
 * The temporary files of a change. The configuration is complete in `config` before the key file is linked
 * to its final path, so as long as `config` exists, the key file has no profile.
 */
export type Drafts = v.InferOutput<typeof draftsSchema>

/** The error for a file of the configuration that cannot be written, or for a folder that cannot be created. */
export function notWritable(path: string, cause: unknown, done = 'written'): FlagadmError {
  return new FlagadmError('unexpected', `${path} cannot be ${done}: ${fileReason(cause)}`, {
    hint: writeHint(cause),
    cause,
  })
}

/** The owner of a lock; undefined if it has been released or is not readable. */
async function readOwner(lock: string): Promise<Owner | undefined> {
  try {
    return checkShape(ownerSchema, JSON.parse(await readFile(lock, 'utf8'))).data
  } catch {
    return undefined
  }
}

function isGone(owner: Owner | undefined): owner is Owner {
  return owner !== undefined && presenceOf(owner) === 'gone'
}

async function inodeOf(path: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await lstat(path, { bigint: true })
    return `${dev}:${ino}`
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

/** Removes what is left of a change. A key file stays only if its profile has been stored. */
export async function discard({ config, key }: Drafts, host: Host): Promise<void> {
  const remove = (path: string) => whenFree(host, () => rm(path, { force: true }))
  if (key && (await inodeOf(config)) !== undefined) {
    const inode = await inodeOf(key.draft)
    if (inode !== undefined && inode === (await inodeOf(key.path))) await remove(key.path)
  }
  await remove(config)
  if (key) await remove(key.draft)
}

/**
 * Releases the lock of a process that is gone. Only one process at a time does so, or the second one could
 * release the lock that a third one has acquired meanwhile.
 */
async function release(lock: string, host: Host): Promise<void> {
  await locked(`${lock}.takeover`, host, async () => {
    const owner = await readOwner(lock)
    if (!isGone(owner)) return
    try {
      if (owner.drafts) await discard(owner.drafts, host)
      for (const path of [owner.draft, lock]) await rm(path, { force: true })
    } catch (cause) {
      throw notWritable(lock, cause)
    }
  })
}

function refuseBusy(lock: string, owner: Owner | undefined): never {
  if (!owner) {
    const what = 'another flagadm is changing the configuration'
    refuseFile(lock, what, 'if none is running, delete it')
  }
  if (presenceOf(owner) === 'elsewhere') {
    const what = `process ${owner.pid} on ${owner.host}, another machine or container, is changing the configuration`
    refuseFile(lock, what, 'if flagadm is not running there, delete it')
  }
  const what = `process ${owner.pid} is changing the configuration`
  refuseFile(lock, what, 'wait until it has ended; if it is not flagadm, delete the lock')
}

/** Links a complete file to the path of the lock; returns false if another one has that path. */
async function take(draft: string, lock: string, host: Host): Promise<boolean> {
  try {
    await whenFree(host, () => link(draft, lock))
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw notWritable(lock, error)
  }
}

async function acquire(draft: string, lock: string, host: Host): Promise<void> {
  const { clock, signal } = host
  const end = clock.monotonic() + MAX_CHANGE_MS
  while (!(await take(draft, lock, host))) {
    const owner = await readOwner(lock)
    if (isGone(owner)) {
      await release(lock, host)
      continue
    }
    if (clock.monotonic() > end) refuseBusy(lock, owner)
    await clock.sleep(PAUSE_MS, signal)
  }
}

/** Removes the files of processes that were killed before they got the lock. */
async function sweep(lock: string): Promise<void> {
  const folder = dirname(lock)
  const own = basename(lock)
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const isDraft = name.startsWith(own) && DRAFT.test(name.slice(own.length))
    if (isDraft && isGone(await readOwner(path))) await rm(path, { force: true })
  }
}

/**
 * Does something while no other process holds a lock. The lock of a process that has been killed is taken
 * over, unless it ran on another machine or in another container.
 * @param drafts what to remove if this process is killed
 * @throws a configuration error if the lock is not released within 10 s
 */
export async function locked(
  lock: string,
  host: Host,
  work: () => Promise<void>,
  drafts?: Drafts,
): Promise<void> {
  const draft = `${lock}.${crypto.randomUUID()}`
  const owner: Owner = { ...thisProcess(), draft, drafts }
  try {
    await writeFile(draft, JSON.stringify(owner), { flag: 'wx', mode: 0o600 }).catch((cause) => {
      throw notWritable(lock, cause)
    })
    await acquire(draft, lock, host)
  } finally {
    await whenFree(host, () => rm(draft, { force: true }))
  }
  try {
    await sweep(lock)
    await work()
  } finally {
    await whenFree(host, () => rm(lock, { force: true }))
  }
}
