// Prints a curl command for each project that archives its removable flags, for you to read and run:
//   flagadm feature review --all-projects --verdict removable -o jsonl | node archive-commands.mjs
// The commands read the address and the key from FLAGADM_BASE_URL and FLAGADM_API_KEY.
import { createInterface } from 'node:readline'

const flagsOf = new Map()
for await (const line of createInterface({ input: process.stdin })) {
  const { project, flag, verdict } = JSON.parse(line)
  if (verdict !== 'removable') continue
  flagsOf.set(project, [...(flagsOf.get(project) ?? []), flag])
}

const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`

for (const [project, features] of flagsOf) {
  const path = quoted(`/api/admin/projects/${encodeURIComponent(project)}/archive`)
  const body = quoted(JSON.stringify({ features }))
  // The key is not an argument, because every process can read those.
  console.log(
    `printf 'Authorization: %s' "$FLAGADM_API_KEY" | curl -sS --fail-with-body -X POST -H @- -H 'Content-Type: application/json' "$FLAGADM_BASE_URL"${path} --data ${body}`,
  )
}
