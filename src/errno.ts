const reasons: Record<string, string> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOSPC: 'the disk is full',
}

/** The code of a failed system call (`ENOENT`); undefined for other errors. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined
}

/** Why a file operation failed, in a few words. */
export function fileReason(error: unknown): string {
  const code = systemCode(error) ?? 'unknown reason'
  return reasons[code] ?? code
}
