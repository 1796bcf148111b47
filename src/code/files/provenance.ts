// Where source code comes from.
import { basename } from 'node:path'
import { isoText } from '../../output/time.ts'
import { pathInside, resolve } from '../../paths.ts'
import { realPath } from '../../repository.ts'
import { type GitOptions, readHead, readOrigin, workTreeOf } from './git.ts'
import { wantedGlobs } from './globs.ts'
import type { SelectionOptions } from './source-files.ts'

export interface Provenance {
  /** The address of its `origin` without credentials, or else the name of its folder. */
  repository: string
  /** The checked-out commit and its time; null outside a repository, and in one without commits. */
  commit: string | null
  committedAt: string | null
  /** What is read, from the root of the repository. */
  paths: readonly string[]
}

// An authority without a user: a password with a slash in it would look like a port.
const HOST = /^(?:[^/:@]*|\[[\da-f:.]+\])(?::\d*)?(?:\/|$)/i

/**
 * An address of a remote, which is a URL, `user@host:path` or a path, without user, password, query and fragment. It may
 * follow the name of a remote helper: `hg::https://host/path`.
 */
function withoutCredentials(address: string): string {
  const [, helper = '', remote = ''] = /^((?:\w[\w+.-]*::)*)(.*)$/s.exec(address) ?? []
  const [, scheme, rest = ''] = /^(\w[\w+.-]*:\/\/)([^?#]*)/.exec(remote) ?? []
  if (scheme === undefined) return helper + remote.replace(/^[^/@]*@(?=[^/]*:)/, '')
  const host = rest.replace(/^[^/]*@/, '')
  return helper + scheme + (HOST.test(host) ? host : host.replace(/^.*@/s, ''))
}

/** A path or glob from the root of a repository; one outside stays as it is. */
function placedIn(top: string, glob: string, cwd: string): string {
  const sign = glob.startsWith('!') ? '!' : ''
  const inside = pathInside(resolve(cwd, glob.slice(sign.length)), top)
  return inside === undefined ? glob : `${sign}${inside || '.'}`
}

async function repositoryOf(top: string, options: GitOptions) {
  const [origin, head] = await Promise.all([readOrigin(top, options), readHead(top, options)])
  return {
    repository: withoutCredentials(origin) || basename(top),
    commit: head?.commit ?? null,
    committedAt: isoText(head?.time) ?? null,
  }
}

/** The repository of the code that is read, which is that of the first path. */
export async function readProvenance(
  globs: readonly string[],
  options: SelectionOptions,
): Promise<Provenance> {
  const cwd = realPath(options.cwd)
  const [first] = wantedGlobs(globs, cwd)
  const top = workTreeOf(realPath(first?.base ?? cwd))
  const source = top === undefined ? undefined : await repositoryOf(top, options)
  return {
    ...(source ?? { repository: basename(cwd), commit: null, committedAt: null }),
    paths: globs.map((glob) => placedIn(top ?? cwd, glob, cwd)),
  }
}
