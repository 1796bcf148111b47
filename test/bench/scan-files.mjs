// The minimum work of a scan: read the same files and search each of them for one literal.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

let found = 0
const folder = process.argv[2]
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue
  const text = readFileSync(join(entry.parentPath ?? entry.path, entry.name), 'utf8')
  if (text.includes("'feat-flag-77'")) found++
}
console.log(found)
