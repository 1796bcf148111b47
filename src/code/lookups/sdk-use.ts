import { languages } from '../languages/all.ts'

// Whether code uses an SDK of Unleash or OpenFeature, by its imports and dependencies.

const MANIFESTS = languages.flatMap(({ manifests = [] }) => manifests)
const MANIFEST = new RegExp(
  `(?:^|/)(?:${MANIFESTS.map((name) => name.replaceAll('.', '\\.').replaceAll('*', '[^/]*')).join('|')})$`,
)

/** Whether a file lists what a project depends on. */
export function isManifest(file: string): boolean {
  return MANIFEST.test(file)
}

// Parts of the names of the SDKs, as people write them, to find in bytes.
const WORDS = ['nleash', 'NLEASH', 'penFeature', 'penfeature', 'pen-feature', 'pen_feature']
// The names of the SDKs, their packages and modules; not `unleashed` and `openFeatureModal`.
const SDK = '(?:unleash(?!ed|es|ing)|open[-_]?feature(?![a-z]))'
const DEPENDENCY = new RegExp(SDK, 'i')
const PATH = String.raw`[\w@./\\:-]*${SDK}`
const IMPORT = new RegExp(
  [
    // `import io.getunleash.Unleash`, `using Unleash;`
    String.raw`^[ \t]*(?:global[ \t]+)?(?:import|using|use|from|alias)[ \t]+(?:static[ \t]+)?${PATH}`,
    // `from '@unleash/nextjs'`, `require('unleash-client')`
    String.raw`\b(?:from|require|import)\b[ \t]*\(?[ \t]*['"]${PATH}`,
    // A line of an import of Go: `"github.com/Unleash/unleash-client-go/v4"`
    String.raw`^[ \t]*(?:import[ \t]+)?(?:[\w.]+[ \t]+)?"${PATH}[^"\s]*"[ \t]*$`,
  ].join('|'),
  'im',
)

/** Whether a file imports an SDK, or lists it among dependencies. */
export function usesSdk(file: string, bytes: Buffer): boolean {
  if (!WORDS.some((word) => bytes.includes(word))) return false
  const text = bytes.toString()
  return isManifest(file) ? DEPENDENCY.test(text) : importsSdk(text)
}

/** Whether a text imports an SDK. */
export function importsSdk(text: string): boolean {
  return IMPORT.test(text)
}
