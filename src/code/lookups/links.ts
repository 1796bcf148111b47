import type { Import } from '../languages/language.ts'
import { languageOf } from '../languages/of-file.ts'
import { isTest } from '../lexer/file-names.ts'
import { folderOf, isInFolder, type Projects } from './manifests.ts'

/** What a file can see of others. */
export interface FileScope {
  /** What it imports. */
  imports: readonly Import[]
  /** The package or namespace that it belongs to. */
  namespace: string | undefined
}

/** Something that a file declares. */
interface Declared {
  file: string
}

// How exactly an import leads to a file.
const EXACTLY = 2
const SOMEWHERE = 1

/** Finds which declarations of a name a file can see. */
export class Links {
  readonly #projects: Projects
  readonly #scopes: ReadonlyMap<string, FileScope>
  readonly #repositoryOf: (file: string) => string

  constructor(
    projects: Projects,
    scopes: ReadonlyMap<string, FileScope>,
    repositoryOf: (file: string) => string,
  ) {
    this.#projects = projects
    this.#scopes = scopes
    this.#repositoryOf = repositoryOf
  }

  /**
   * The declarations that a file can see, the nearest first: those in it; those that it imports by name; those of its
   * package, or of one that it imports as a whole; others of its project, from the nearest folder upwards.
   * Declarations in tests are seen only by tests.
   * @param names those that the file uses: of the declaration, and of the objects before it
   */
  groups<Item extends Declared>(
    from: string,
    names: readonly string[],
    declared: readonly Item[],
  ): Item[][] {
    const isOfTest = isTest(from)
    const own = declared.filter(({ file }) => file === from)
    const repository = this.#repositoryOf(from)
    const others = declared.filter(
      ({ file }) =>
        file !== from && (isOfTest || !isTest(file)) && this.#repositoryOf(file) === repository,
    )
    if (others.length === 0) return own.length > 0 ? [own] : []
    const { imports = [] } = this.#scopes.get(from) ?? {}
    const isNamed = ({ name, alias }: Import) =>
      (alias !== undefined && names.includes(alias)) || (name !== undefined && names.includes(name))
    const imported = this.#leadingTo(from, imports.filter(isNamed), others)
    if (imported.length > 0) return own.length > 0 ? [own, imported] : [imported]
    const project = this.#projects.folderOf(from)
    const inReach = new Set(this.#leadingTo(from, imports, others, SOMEWHERE))
    for (const one of others) if (this.#isSamePackage(from, one.file)) inReach.add(one)
    const near = others.filter((one) => this.#projects.folderOf(one.file) === project)
    const groups = [own, [...inReach], ...byDistance(from, near)]
    if (languageOf(from).hasImplicitImports) groups.push(...byDistance(from, others))
    return groups.filter((group) => group.length > 0)
  }

  /** The declarations that imports lead to: those where they lead exactly, if there are some. */
  #leadingTo<Item extends Declared>(
    from: string,
    imports: readonly Import[],
    declared: readonly Item[],
    atLeast = 0,
  ): Item[] {
    if (imports.length === 0) return []
    const ranks = declared.map(({ file }) =>
      Math.max(0, ...imports.map((one) => this.#rankOf(one, from, file))),
    )
    const best = atLeast || Math.max(0, ...ranks)
    return best === 0 ? [] : declared.filter((_, index) => (ranks[index] ?? 0) >= best)
  }

  #isSamePackage(a: string, b: string): boolean {
    const own = this.#scopes.get(a)?.namespace
    const other = this.#scopes.get(b)?.namespace
    if (own === undefined || other === undefined) return false
    return own === other || (own.startsWith(`${other}.`) && this.#hasParents(a))
  }

  /** Whether the namespaces around that of a file are seen as well. */
  #hasParents(file: string): boolean {
    return languageOf(file).seesOuterNamespaces === true
  }

  /** How exactly an import of a file leads to another file; 0 if it does not. */
  #rankOf({ module, name }: Import, from: string, file: string): number {
    const language = languageOf(from)
    const { namespace } = this.#scopes.get(file) ?? {}
    if (language.namespace && namespace !== undefined) {
      return rankOfPackage(module, name, namespace, file)
    }
    const segments = partsOf(module, language.hasPathModules)
    if (/^\.{1,2}(?:\/|$)/.test(module) && language.hasPathModules) {
      return rankOfPath(resolved(folderOf(from), segments), file)
    }
    const isOwn = this.#projects.folderOf(from) === this.#projects.folderOf(file)
    const project = this.#projects.folderNamed(module, language.family)
    if (project !== undefined) {
      if (!isInFolder(file, project)) return 0
      return Math.max(SOMEWHERE, rankOfTail(segments, name, file, project))
    }
    const isExact = isOwn || segments.length > 1 || language.hasModuleFolders === true
    return isExact ? rankOfTail(segments, name, file, this.#projects.folderOf(file)) : 0
  }
}

/** Groups declarations by the number of folders that they share with a file, most first. */
function byDistance<Item extends Declared>(from: string, declared: readonly Item[]): Item[][] {
  const own = folderOf(from).split('/')
  const groups: Item[][] = []
  for (const one of declared) {
    const folders = folderOf(one.file).split('/')
    let shared = 0
    while (shared < own.length && own[shared] === folders[shared]) shared++
    const distance = own.length - shared
    const group = groups[distance] ?? []
    group.push(one)
    groups[distance] = group
  }
  return groups.filter((group) => group !== undefined)
}

/** The parts of the name of a module, without marks of aliases and of the current project. */
function partsOf(module: string, hasPaths: boolean | undefined): string[] {
  const parts = hasPaths ? module.split('/') : module.split(/[./:\\]+/)
  return parts.filter((part) => part !== '' && !/^(?:@|~|#|crate|self|super|package)$/.test(part))
}

function resolved(folder: string, parts: readonly string[]): string {
  const path = folder === '' ? [] : folder.split('/')
  for (const part of parts) {
    if (part === '..') path.pop()
    else if (part !== '.') path.push(part)
  }
  return path.join('/')
}

function stemOf(file: string): string {
  return file.replace(/\.[^./]+$/, '')
}

// Files that stand for their folder.
const INDEX = /\/(?:index|__init__|mod|lib)$/

function rankOfPath(path: string, file: string): number {
  const target = path.replace(/\.[cm]?[jt]sx?$/, '')
  const stem = stemOf(file)
  if (stem === target || stem.replace(INDEX, '') === target || file === path) return EXACTLY
  return isInFolder(file, target) ? SOMEWHERE : 0
}

/** How exactly a module leads to a file whose path ends with its name. */
function rankOfTail(
  parts: readonly string[],
  name: string | undefined,
  file: string,
  project: string,
): number {
  const inProject = project === '' ? file : file.slice(project.length + 1)
  const stem = stemOf(inProject).replace(INDEX, '')
  const modules = [parts.join('/'), [...parts, name].join('/')]
  if (modules.some((module) => endsWith(stem, module))) return EXACTLY
  const folder = folderOf(inProject)
  // The name of a module may begin with that of its project.
  if (folder !== '' && modules.some((module) => endsWith(module, folder))) return EXACTLY
  const [module = ''] = modules
  return module !== '' && `/${folder}/`.includes(`/${module}/`) ? SOMEWHERE : 0
}

function endsWith(path: string, end: string): boolean {
  return end !== '' && (path === end || path.endsWith(`/${end}`))
}

/** How exactly an import leads to a file of a package or namespace. */
function rankOfPackage(
  module: string,
  name: string | undefined,
  namespace: string,
  file: string,
): number {
  const isOfModule = module === namespace
  const isMember = module.startsWith(namespace) && /^[.\\]\w+$/.test(module.slice(namespace.length))
  const full = name === undefined ? module : `${module}.${name}`
  if (!isOfModule && !isMember && full !== namespace) return 0
  const type = isMember ? module.slice(namespace.length + 1) : name
  return type !== undefined && stemOf(file).endsWith(`/${type}`) ? EXACTLY : SOMEWHERE
}
