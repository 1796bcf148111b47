import { existsSync, type Stats } from 'node:fs'
import {
  lstat,
  mkdir,
  open,
  readlink,
  realpath,
  rename,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { fileReason, FlagadmError, isAbsent, systemCode, writeHint } from '../../errors.ts'
import type { Host } from '../../host.ts'
import { isReservedName, join, resolve } from '../../paths.ts'
import type { Redactor } from '../../redact.ts'
import { type Blocks, writeBlocks } from './blocks.ts'
import { createPrinter, type Printer } from './printer.ts'
import type { Write } from './stream.ts'
import type { Safe } from './text.ts'

/** Where and how to write files. */
type FileHost = Pick<Host, 'cwd' | 'platform' | 'clock'>

/** The text of a file; in pieces if it may be longer than a string can be. */
type FileText = string | readonly string[]

// These open a stream of the process, which may be a file that others also write to.
const DESCRIPTOR = /^\/dev\/(std(in|out|err)$|fd\/)|^\/proc\//

const MAX_WAIT_MS = 2_000
const PAUSE_MS = 50

// Windows reports these while another process, such as a virus scanner, has the file open.
const busy = ['EPERM', 'EACCES', 'EBUSY']

/**
 * Replaces, links or removes a file. On Windows, tries it again for 2 s while another process has the file
 * open; elsewhere, these errors are permanent.
 * @throws the last error of the system
 */
export async function whenFree<T>(
  { platform, clock }: Pick<Host, 'platform' | 'clock'>,
  action: () => Promise<T>,
): Promise<T> {
  const end = clock.monotonic() + MAX_WAIT_MS
  for (;;) {
    try {
      return await action()
    } catch (error) {
      const isBusy = platform === 'win32' && busy.includes(systemCode(error) ?? '')
      if (!isBusy || clock.monotonic() >= end) throw error
      await clock.sleep(PAUSE_MS)
    }
  }
}

/** Facts about a file; undefined if it does not exist. */
export async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** The file that a path leads to after following links; it may not exist yet, but its folder does. */
export async function targetOf(path: string): Promise<string> {
  await stat(dirname(path))
  const link = await readlink(path).catch(() => undefined)
  return link === undefined ? path : targetOf(resolve(await realpath(dirname(path)), link))
}

/**
 * Creates a folder and those that contain it, unless they exist. Node's own way of doing so never ends
 * where the system does not allow new folders, as in /proc.
 */
export async function createFolder(path: string, mode = 0o777): Promise<void> {
  const create = () =>
    mkdir(path, { mode }).catch(async (error: unknown) => {
      const existing = await statOf(path)
      if (!existing?.isDirectory()) throw error
    })
  try {
    await create()
  } catch (error) {
    const parent = dirname(path)
    if (systemCode(error) !== 'ENOENT' || parent === path) throw error
    await createFolder(parent, mode)
    await create()
  }
}

/**
 * Writes a new file completely, for another name. The caller removes it after a failure.
 * @param existing the file it will replace, whose owner it gets
 * @param mode by default the mode of that file, or what the umask allows
 */
export async function writeDraft(
  draft: string,
  text: FileText,
  existing: Stats | undefined,
  mode = existing?.mode,
): Promise<void> {
  // Opened exclusively, because another user could have put a link there.
  const file = await open(draft, 'wx', mode === undefined ? 0o666 : mode & 0o777)
  try {
    await writeFile(file, text)
    if (existing) {
      // Only root may change the owner.
      await file.chown(existing.uid, existing.gid).catch(() => {})
    }
    if (mode !== undefined) await file.chmod(mode)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Writes a new file and renames it over the target, whose owner and mode it keeps. */
async function replace(
  target: string,
  existing: Stats | undefined,
  text: FileText,
  host: FileHost,
): Promise<void> {
  const draft = join(dirname(target), `.flagadm-${crypto.randomUUID()}`)
  try {
    await writeDraft(draft, text, existing)
    await whenFree(host, () => rename(draft, target))
  } catch (error) {
    await unlink(draft).catch(() => {})
    throw error
  }
}

/** @throws an `unexpected` error when the file cannot be written */
async function reporting(
  path: string,
  { cwd, platform }: FileHost,
  write: (file: string) => Promise<void>,
): Promise<void> {
  const file = resolve(cwd, path)
  // Node.js would create a file that other programs cannot open.
  if (platform === 'win32' && isReservedName(basename(path))) {
    const what = `${path} cannot be written: Windows reserves the name`
    throw new FlagadmError('usage', what, { hint: 'choose another name' })
  }
  if (path.endsWith('/') || (platform === 'win32' && path.endsWith('\\'))) {
    throw new FlagadmError('usage', `${path} is a folder, not a file`, {
      hint: 'add the name of the file',
    })
  }
  try {
    await write(file)
  } catch (cause) {
    // As with standard output, a closed pipe is not an error.
    if (systemCode(cause) === 'EPIPE') return
    const folder = dirname(path)
    const isFolderMissing = isAbsent(cause) && !existsSync(dirname(file))
    const reason = isFolderMissing ? `there is no folder ${folder}` : fileReason(cause)
    throw new FlagadmError('unexpected', `${path} cannot be written: ${reason}`, {
      hint: isFolderMissing ? 'create the folder first' : writeHint(cause),
      cause,
    })
  }
}

/**
 * Writes a file atomically, so that a reader sees either the old text or the new one. Links are
 * followed; a pipe, a device or a file descriptor is written to directly. An existing file keeps its mode.
 * @throws an `unexpected` error when it cannot be written
 */
export function writeWhole(path: string, host: FileHost, text: FileText): Promise<void> {
  return reporting(path, host, async (file) => {
    const existing = await statOf(file)
    const isStream = DESCRIPTOR.test(file) || (existing && !existing.isFile())
    // Appending keeps what a log already has; pipes and devices ignore it.
    if (isStream) await writeFile(file, text, { flag: 'a' })
    else await replace(await targetOf(file), existing, text, host)
  })
}

/**
 * Writes a file atomically without following a link of this name, which it would replace.
 * @throws an `unexpected` error when it cannot be written
 */
export function replaceFile(path: string, host: FileHost, text: string): Promise<void> {
  return reporting(path, host, async (file) => {
    const existing = await lstat(file).catch(() => undefined)
    await replace(file, existing?.isFile() ? existing : undefined, text, host)
  })
}

/** The parts of a context that write a report. */
interface Writer {
  printer: Printer
  write: Write
  redactor: Redactor
  host: FileHost
}

/** Where a report goes: stdout, also for `-`, or a file that is replaced once the report is complete. */
export function openOutput({ printer, write, redactor, host }: Writer, path: string | undefined) {
  if (path === undefined || path === '-') return { printer, write, close: async () => {} }
  const pieces: Safe[] = []
  const collect: Write = async (text) => {
    pieces.push(text)
    return true
  }
  return {
    printer: createPrinter(redactor),
    write: collect,
    close: () => writeWhole(path, host, pieces),
  }
}

/**
 * Writes a report in blocks to stdout or, with a path, to a file that is replaced once the report is complete.
 * @throws an `interrupted` error when the user interrupts
 */
export async function writeReport(
  writer: Writer & { signal: AbortSignal },
  path: string | undefined,
  render: (printer: Printer) => Blocks | Promise<Blocks>,
): Promise<void> {
  const { printer, write, close } = openOutput(writer, path)
  await writeBlocks(await render(printer), write, writer.signal)
  await close()
}
