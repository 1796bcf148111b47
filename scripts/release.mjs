// Checks the tag of a release, and prints its notes: the entries of its version in the changelog.
// node scripts/release.mjs v1.2.3 > notes.md
import { readFileSync } from 'node:fs'

const [tag = ''] = process.argv.slice(2)
const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
const { version } = JSON.parse(read('package.json'))

function fail(message) {
  console.error(`error: ${message}`)
  process.exit(1)
}

if (tag !== `v${version}`) fail(`the tag '${tag}' is not v${version}, the version in package.json`)

const sections = read('CHANGELOG.md').split(/^## /m)
const section = sections.find((one) => one.startsWith(`[${version}]`))
if (section === undefined) fail(`CHANGELOG.md has no version ${version}`)
const [title, ...lines] = section.split('\n')
if (!/^\[.+\] - \d{4}-\d\d-\d\d$/.test(title)) fail(`'## ${title}' in CHANGELOG.md has no date`)
// The page of a release is elsewhere, so its links need the address of the repository.
const links = `](https://github.com/flagadm/flagadm/blob/${tag}/docs/`
console.log(lines.join('\n').trim().replaceAll('](docs/', links))
