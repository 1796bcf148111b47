import { languages } from '../languages/all.ts'
import { familyOf } from '../languages/of-file.ts'
import { ownCopy } from '../files/positions.ts'

/** What captures the name of a project in a manifest, by the name of the file: `package.json`, `*.gemspec`. */
const MANIFESTS = new Map(
  languages.flatMap(({ family, manifests = {} }) =>
    Object.entries(manifests).map(([file, name]) => [file, { family, name }] as const),
  ),
)

function manifestOf(file: string) {
  const base = file.slice(file.lastIndexOf('/') + 1)
  return MANIFESTS.get(base) ?? MANIFESTS.get(base.replace(/^.*\./, '*.'))
}

/** Whether a file begins a project: its folder and those in it. */
export function isManifest(file: string): boolean {
  return manifestOf(file) !== undefined
}

export function folderOf(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf('/')))
}

// As people write the names of the SDKs and of their packages.
const SDK_WORDS = ['nleash', 'NLEASH', 'penFeature', 'penfeature', 'pen-feature', 'pen_feature']

/** The projects of a tree, each with the languages of one family. */
export class Projects {
  /** The names of the projects, by family and folder; empty for a project without one. */
  readonly #names = new Map<string, Map<string, string>>()
  /** The folders of files that mention an SDK. */
  readonly #withSdk = new Set<string>()
  /** The folders of outermost projects that were searched for an SDK as a whole. */
  readonly #searched = new Set<string>()
  readonly #folders = new Map<string, string>()

  /** Adds the project that a manifest begins. */
  add(file: string, bytes: Buffer): void {
    this.noteSdk(file, bytes)
    const manifest = manifestOf(file)
    if (!manifest) return
    const [, name = ''] = manifest.name?.exec(bytes.toString()) ?? []
    // Such a file without a name only configures a tool for its folder.
    if (manifest.name && name === '') return
    const ofFamily = this.#names.get(manifest.family) ?? new Map<string, string>()
    ofFamily.set(folderOf(file), ownCopy(name))
    this.#names.set(manifest.family, ofFamily)
    this.#folders.clear()
  }

  /** The folder of the project that a file belongs to; that of the tree if it has none. */
  folderOf(file: string): string {
    const family = familyOf(file)
    const ofFamily = this.#names.get(family)
    if (!ofFamily) return ''
    const folder = folderOf(file)
    const key = `${family}:${folder}`
    let nearest = this.#folders.get(key)
    if (nearest === undefined) {
      nearest = folder
      while (nearest !== '' && !ofFamily.has(nearest)) nearest = folderOf(nearest)
      this.#folders.set(key, nearest)
    }
    return nearest
  }

  /** The folder of the project with the longest name that a module begins with. */
  folderNamed(module: string, family: string): string | undefined {
    let [folder, length]: [string | undefined, number] = [undefined, 0]
    for (const [one, name] of this.#names.get(family) ?? []) {
      const isIn = module.startsWith(name) && /^(?:$|[/:.\\])/.test(module.slice(name.length))
      if (isIn && name.length > length) {
        folder = one
        length = name.length
      }
    }
    return folder
  }

  /** Notes whether the bytes of a file mention an SDK. @returns whether a file in its folder does */
  noteSdk(file: string, bytes: Buffer): boolean {
    const folder = folderOf(file)
    if (this.#withSdk.has(folder)) return true
    const hasSdk = SDK_WORDS.some((word) => bytes.includes(word))
    if (hasSdk) this.#withSdk.add(folder)
    return hasSdk
  }

  /** The folder of the outermost project that a file is in. */
  outermostOf(file: string): string {
    const manifests = [...this.#names.values()]
    const hasManifest = (folder: string) => manifests.some((folders) => folders.has(folder))
    if (hasManifest('')) return ''
    let outermost = ''
    for (let folder = folderOf(file); folder !== ''; folder = folderOf(folder)) {
      if (hasManifest(folder)) outermost = folder
    }
    return outermost
  }

  /** Whether an SDK is mentioned in the outermost project that a file is in. */
  hasSdk(file: string): boolean {
    const outermost = this.outermostOf(file)
    return [...this.#withSdk].some((folder) => isInFolder(folder, outermost))
  }

  isSearched(folder: string): boolean {
    return this.#searched.has(folder)
  }

  setSearched(folder: string): void {
    this.#searched.add(folder)
  }
}

/** Whether a path is a folder, or in it. */
export function isInFolder(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`)
}
