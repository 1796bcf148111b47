import {
  double,
  each,
  type Import,
  kinds,
  type Language,
  single,
  slashComments,
  template,
  words,
} from './language.ts'

// `import a, { b as c } from 'm'`, `export { b } from 'm'`, `import type { b } from 'm'`
const FROM = /\b(?:import|export)\b([^'"`;()]{0,2000}?)\bfrom\s*['"]([^'"\n]+)['"]/g
// `const { b: c } = require('m')`, `const a = await import('m')`
const CALLED =
  /\b(?:const|let|var)\s+([\w$]+|\{[^{}]{0,2000}\})\s*=\s*(?:await\s+)?(?:require|import)\s*\(\s*['"]([^'"\n]+)['"]/g
const NAME = /^(?:type\s+)?([\w$]+)(?:\s*(?:\bas\b|:)\s*([\w$]+))?/

function importsIn(text: string): Import[] {
  const imports: Import[] = []
  for (const pattern of [FROM, CALLED]) {
    for (const [, clause = '', module = ''] of text.matchAll(pattern)) {
      const [whole = '', list] = clause.split(/[{}]/)
      const [, alias] = /([\w$]+)\s*,?\s*$/.exec(whole.replace(/\btype\s*$/, '')) ?? []
      imports.push(alias === undefined ? { module } : { module, alias })
      for (const item of list?.split(',') ?? []) {
        const [, name, renamed = name] = NAME.exec(item.trim()) ?? []
        if (name !== undefined && renamed !== undefined) {
          imports.push({ module, name, alias: renamed })
        }
      }
    }
  }
  return imports
}

export const javascript: Language = {
  family: 'js',
  extensions: 'js jsx mjs cjs ts tsx mts cts es6',
  ...slashComments,
  quotes: [template, double, single],
  hasRegexes: true,
  functionWords: ['function'],
  hasMethods: true,
  arrows: 'anonymous',
  parameterName: 'last',
  hasColonTypes: true,
  ownerWords: words('const let var class enum namespace module interface type'),
  hasPatterns: true,
  hasAttributes: true,
  hasPathModules: true,
  imports: importsIn,
  manifests: { 'package.json': /"name"\s*:\s*"([^"]+)"/ },
  calls: {
    functions: words(
      // Node and browsers; `$` for Angular.
      'isEnabled isDisabled isEnabled$ isDisabled$ isEnabledWithTimer',
      'isFeatureEnabled isFeatureDisabled getVariant getVariant$ forceGetVariant countVariant',
      'getFeatureToggleDefinition',
      // React, Vue, Svelte.
      'useFlag useFlagEnabled useFlagsEnabled useFlagStatus useSuspenseFlag',
      'useVariant useVariants useVariantName useVariantValue useVariantPayload',
      'useVariantEnabled useVariantStatus useIsFlagEnabled',
      // Guards of Angular; decorators of Nest.
      'featureEnabled featureDisabled IfEnabled',
      // OpenFeature.
      ...each('get*Value get*Details get*ValueAsync get*Evaluation', kinds),
      ...each('resolve*Value use*FlagValue use*FlagDetails', kinds),
    ),
    ofAllFlags: ['useFlags'],
    // Next.js.
    evaluations: ['evaluateFlags'],
    onlyMethods: ['isDisabled', 'isDisabled$'],
    annotations: words(
      'FeatureToggle Toggle FeatureFlag FeatureVariant',
      ...each('*FeatureFlag', words('Boolean String Number Object')),
    ),
  },
}
