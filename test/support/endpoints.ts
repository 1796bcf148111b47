import type { Operation } from '../../src/service/operations.ts'

/** The fragment of a heading on GitHub and in most renderers. */
function fragmentOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replace(/\s/g, '-')
}

function sourceOf(section: string | undefined): string {
  if (section === undefined) return '[observed](unleash.md)'
  return `[${section}](specification.md#${fragmentOf(section)})`
}

/** A Markdown table of operations, with links from a page in `docs/`. */
export function endpointTable(operations: Readonly<Record<string, Operation>>): string {
  const rows = Object.values(operations).map(({ summary, method, path, permission, section }) => {
    const needed = permission === undefined ? 'any admin key' : `\`${permission}\``
    return `| ${summary} | \`${method} ${path}\` | ${needed} | ${sourceOf(section)} |`
  })
  const head = ['| Operation | Request | Permission | Described in |', '|---|---|---|---|']
  return `${[...head, ...rows].join('\n')}\n`
}
