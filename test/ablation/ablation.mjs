// Switches one mechanism of the search for names in code off at a time, and prints what that changes in repositories:
//
//   node test/ablation/ablation.mjs <folder of repositories>... [--only <text>]
//
// A file <repository>.names beside a repository lists names of flags that its lookups do not have, such as composed ones;
// <repository>.yaml is the configuration to use.
// Names lost are those that the mechanism finds, names gained are wrong ones that it keeps away.
import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { inLookups, inTexts } from './mechanisms.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { values, positionals } = parseArgs({
  options: { only: { type: 'string', default: '' } },
  allowPositionals: true,
})
const repositories = positionals.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => !/\.(?:names|yaml)$/.test(name))
    .map((name) => resolve(folder, name)),
)
const work = mkdtempSync(join(tmpdir(), 'ablation-'))
const empty = join(work, 'empty.yaml')
writeFileSync(empty, '{}\n')

function run(command, args, options) {
  return new Promise((fulfil, reject) => {
    execFile(command, args, { maxBuffer: 2 ** 30, ...options }, (error, stdout, stderr) => {
      if (error && error.code !== 9) reject(new Error(`${error.message}${stderr}`))
      else fulfil(stdout)
    })
  })
}

/** Applies changes to a copy of the program, and builds it. */
async function build(name, changes) {
  const folder = join(work, name.replace(/\W+/g, '-'))
  const parts = ['bin', 'rolldown.config.mjs', 'scripts', 'src', 'package.json', 'node_modules']
  for (const part of parts) {
    if (part !== 'node_modules') cpSync(join(root, part), join(folder, part), { recursive: true })
  }
  await run('ln', ['-s', join(root, 'node_modules'), join(folder, 'node_modules')])
  for (const { file, from, to } of changes) {
    const path = join(folder, file)
    const source = readFileSync(path, 'utf8')
    const changed = source.replace(from, () => to)
    if (changed === source) throw new Error(`${name}: ${file} has no text ${from}`)
    writeFileSync(path, changed)
  }
  await run('node', ['scripts/build.mjs'], { cwd: folder })
  return join(folder, 'bin/flagadm.js')
}

async function search(program, repository, names) {
  const own = `${repository}.yaml`
  const config = existsSync(own) ? own : empty
  const args = ['feature', 'references', '--scan', '.', '--json', '--config', config]
  const given = names ? ['--names-from', names] : []
  const output = await run('node', [program, ...args, ...given], { cwd: repository })
  return JSON.parse(output)
}

/** Runs tasks, as many at a time as there are cores. */
async function inParallel(items, task) {
  const results = []
  const queue = items.entries()
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await task(item)
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
  return results
}

const namesOf = ({ references }) => new Set(references.map(({ name }) => name).filter(Boolean))
const placesOf = ({ references }) =>
  new Set(references.map(({ name, kind, file, line }) => `${name} ${kind} ${file}:${line}`))
const minus = (one, other) => [...one].filter((item) => !other.has(item))

function report(mechanism, before, after, keysOf) {
  const lost = []
  const gained = []
  const unresolved = []
  const changed = new Set()
  for (const [index, repository] of repositories.entries()) {
    const [old, now] = [keysOf(before[index]), keysOf(after[index])]
    const name = basename(repository)
    for (const item of minus(old, now)) lost.push(`${name}: ${item}`)
    for (const item of minus(now, old)) gained.push(`${name}: ${item}`)
    const difference = after[index].unresolved - before[index].unresolved
    if (difference !== 0) unresolved.push(`${name}: ${difference > 0 ? '+' : ''}${difference}`)
    if (minus(old, now).length + minus(now, old).length + difference !== 0) changed.add(name)
  }
  console.log(
    `${mechanism}: ${lost.length} lost, ${gained.length} gained, in ${changed.size} repositories`,
  )
  if (lost.length > 0) console.log(`  lost    ${lost.slice(0, 12).join(', ')}`)
  if (gained.length > 0) console.log(`  gained  ${gained.slice(0, 12).join(', ')}`)
  if (unresolved.length > 0) console.log(`  unread  ${unresolved.join(', ')}`)
}

/** @param lists the file of names to search for in each repository */
async function compareAll(mechanisms, program, keysOf, lists = []) {
  const searchAll = (one) =>
    inParallel([...repositories.entries()], ([index, repository]) =>
      search(one, repository, lists[index]),
    )
  const before = await searchAll(program)
  for (const [name, changes] of Object.entries(mechanisms)) {
    if (!name.includes(values.only)) continue
    const changed = await build(name, changes)
    report(name, before, await searchAll(changed), keysOf)
    rmSync(join(changed, '../..'), { recursive: true })
  }
  return before
}

try {
  const program = await build('as it is', [])
  const found = await compareAll(inLookups, program, namesOf)
  const lists = found.map((result, index) => {
    const list = join(work, `names-${index}`)
    const path = `${repositories[index]}.names`
    const others = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
    writeFileSync(list, [...namesOf(result), ...others, 'no-such-flag'].join('\n'))
    return list
  })
  await compareAll(inTexts, program, placesOf, lists)
} finally {
  rmSync(work, { recursive: true })
}
