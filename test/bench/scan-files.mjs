// The minimum work of a scan: read the same files and run one regular expression.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const call = /\b(?:isEnabled|getVariant)\(\s*['"]([^'"]+)['"]/g
let found = 0
const folder = process.argv[2]
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue
  const text = readFileSync(join(entry.parentPath ?? entry.path, entry.name), 'utf8')
  for (const _ of text.matchAll(call)) found++
}
console.log(found)
