/** The usual name of the default export of a file: `useFlag` for `use-flag.js` and `useFlag/index.ts`. */
export function moduleName(file: string): string {
  const [name = '', folder = ''] = file.split('/').reverse()
  const stem = name.slice(0, name.lastIndexOf('.'))
  const words = stem === 'index' ? folder : stem
  return words.replace(/[-_.]+(\w)/g, (_, letter: string) => letter.toUpperCase())
}

const DOCUMENTATION = /\.(?:mdx?|markdown|mdown|rst|adoc|asciidoc|txt|textile|org|tex)$/i

/** Whether a file is documentation, whose code is an example. */
export function isDocumentation(file: string): boolean {
  return DOCUMENTATION.test(file)
}

const WITHOUT_CODE =
  /\.(?:png|jpe?g|gif|ico|webp|bmp|tiff?|psd|woff2?|ttf|otf|eot|mp[34]|mov|avi|webm|ogg|wav|pdf)$/i

/** Whether a file is a picture, a font, a film or a sound, which has no code. */
export function hasNoCode(file: string): boolean {
  return WITHOUT_CODE.test(file)
}

const BUNDLED = /(?:^|\/)(?:\.yarn\/(?:releases|plugins|sdks)\/|\.pnp\.\w+$)/

/** Whether a file is a tool of a package manager, which has no lookups of the project. */
export function isPackageTool(file: string): boolean {
  return BUNDLED.test(file)
}

const TEST =
  /(?:^|\/)(?:__\w+__|tests?|specs?|mocks?|e2e|cypress|stories)\/|[a-z\d](?:Tests?|Mocks?)\/|[._-](?:tests?|spec|mocks?|stories|cy)\.\w+$|(?:Tests?|Spec|Mocks?)\.\w+$|(?:^|\/)test_[^/]*$/

/** Whether a file belongs to tests, which replace functions by others of the same name. */
export function isTest(file: string): boolean {
  return TEST.test(file)
}
