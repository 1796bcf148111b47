import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { kill, pid } from 'node:process'
import * as v from 'valibot'
import { systemCode } from '../errors.ts'

/** A process. On Linux, its start distinguishes it from a later one with the same id. */
export const processSchema = v.object({
  pid: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  /** When it started, in ticks since the boot; empty if the system does not report it. */
  started: v.string(),
  host: v.string(),
  /** The namespace of process ids, which differs between containers; empty on other systems. */
  namespace: v.string(),
})

export type ProcessIdentity = v.InferOutput<typeof processSchema>

/** The state and the start of a process, as Linux reports them. */
function statusOf(id: number): { state: string; started: string } | undefined {
  try {
    const text = readFileSync(`/proc/${id}/stat`, 'utf8')
    // The name of the program is in parentheses and may contain any character.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [state = ''] = fields
    return { state, started: fields[19] ?? '' }
  } catch {
    return undefined
  }
}

function namespaceOfIds(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

/** The process that runs this code. */
export function thisProcess(): ProcessIdentity {
  const started = statusOf(pid)?.started ?? ''
  return { pid, started, host: hostname(), namespace: namespaceOfIds() }
}

function isRunning(id: number): boolean {
  try {
    return kill(id, 0)
  } catch (error) {
    // Otherwise it belongs to another user.
    return systemCode(error) !== 'ESRCH'
  }
}

/** Whether a process runs; `elsewhere` is another machine or container, whose processes are unknown. */
export function presenceOf({ pid: id, started, host, namespace }: ProcessIdentity) {
  if (host !== hostname() || namespace !== namespaceOfIds()) return 'elsewhere'
  if (!isRunning(id)) return 'gone'
  const status = statusOf(id)
  if (!status) return 'running'
  // Z: it has ended, but its parent has not noticed, which in a container may be forever.
  return status.started === started && !/[ZX]/.test(status.state) ? 'running' : 'gone'
}
