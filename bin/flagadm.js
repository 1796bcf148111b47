#!/usr/bin/env node
// Starts flagadm. Keeps the compiled code of dist/ in the user's cache folder, since compiling it takes a
// sixth of a run; without a cache, everything works the same. All in one file, since each further one
// takes a third of a millisecond.
const fs = require('node:fs')
const { isAbsolute, join } = require('node:path')
const { Script } = require('node:vm')

const dist = join(__dirname, '../dist')

/** The folder for compiled code, created if needed; undefined unless only the user can write it. */
function privateFolder({ HOME = '', XDG_CACHE_HOME = '', NODE_DISABLE_COMPILE_CACHE }) {
  const [base, ...path] = isAbsolute(XDG_CACHE_HOME) ? [XDG_CACHE_HOME] : [HOME, '.cache']
  if (!isAbsolute(base) || NODE_DISABLE_COMPILE_CACHE !== undefined) return undefined
  try {
    const user = process.getuid?.()
    // Do not create a folder of root in the home directory of another user.
    if (fs.statSync(base).uid !== user) return undefined
    let folder = base
    // In folders such as /proc, mkdirSync with the option `recursive` never ends.
    for (const part of [...path, 'flagadm']) {
      folder = join(folder, part)
      if (!fs.existsSync(folder)) fs.mkdirSync(folder, { mode: 0o700 })
    }
    const { uid, mode } = fs.lstatSync(folder)
    return uid === user && (mode & 0o077) === 0 ? folder : undefined
  } catch {
    return undefined
  }
}

/** The compiled code in a file, if it belongs to this source and is undamaged. */
function readCompiled(file, source) {
  try {
    const bytes = fs.readFileSync(file)
    const middle = (source.length + bytes.length) / 2
    const [first, second] = [bytes.subarray(source.length, middle), bytes.subarray(middle)]
    const isUsable = bytes.subarray(0, source.length).equals(source) && first.equals(second)
    return isUsable ? first : undefined
  } catch {
    return undefined
  }
}

/**
 * Stores the source and two copies of the compiled code. V8 compares only the length of the source, and
 * crashes if compiled code is damaged; nothing checks them faster than comparing bytes.
 */
function store({ script, source }, file) {
  const draft = `${file}.${process.pid}`
  try {
    const compiled = script.createCachedData()
    const bytes = Buffer.concat([source, compiled, compiled])
    fs.writeFileSync(draft, bytes, { mode: 0o600, flag: 'wx' })
    fs.renameSync(draft, file)
  } catch {
    fs.rmSync(draft, { force: true })
  }
}

// As in Node.js. The files contain only ASCII characters.
const [head, tail] = ['(function (exports, require, module) {', '\n})'].map((text) =>
  Buffer.from(text),
)

/** A function like `require` for the files of dist/, for Node.js 20. */
function createLoader(folder) {
  const modules = new Map()
  const scripts = new Map()
  let isComplete = true
  // Functions are compiled when they are first called, so most of the code exists only at the end. A
  // command that loads other files also calls other functions of those already stored.
  process.once('exit', () => isComplete || scripts.forEach(store))
  return function load(id) {
    if (!id.startsWith('./')) return require(id)
    const known = modules.get(id)
    if (known) return known.exports
    const module = { exports: {} }
    modules.set(id, module)
    const filename = join(dist, id)
    const source = Buffer.concat([head, fs.readFileSync(filename), tail])
    // With the length, since cli.js has the same name in every version.
    const name = `${process.version}-${process.arch}-${source.length}-${id.slice('./'.length)}`
    const file = join(folder, name)
    const cachedData = readCompiled(file, source)
    const script = new Script(source.toString('latin1'), { filename, cachedData })
    scripts.set(file, { script, source })
    if (script.cachedDataRejected !== false) isComplete = false
    script.runInThisContext()(module.exports, load, module)
    return module.exports
  }
}

/** What loads the files of dist/. */
function loader() {
  const folder = privateFolder(process.env)
  if (folder && process.version.startsWith('v20.')) return createLoader(folder)
  // Since version 22.1, Node.js has a cache of its own.
  if (folder) require('node:module').enableCompileCache?.(folder)
  return (id) => require(join(dist, id))
}

const { hostOf, run } = loader()('./cli.js')

const INTERRUPTED = 130

// Most users have a variable HOME, so the module is loaded on demand.
const homedir = () => require('node:os').homedir()

run(process.argv.slice(2), hostOf(process, homedir)).then((code) => {
  process.exitCode = code
  // A blocked system call would even keep process.exit() waiting, so kill the process.
  if (code === INTERRUPTED) setTimeout(() => process.kill(process.pid, 'SIGINT'), 500).unref()
})
