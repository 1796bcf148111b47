import {
  double,
  each,
  kinds,
  type Language,
  single,
  slashComments,
  template,
  words,
} from './language.ts'

// `import a, { b as c } from 'm'`, `export { b } from 'm'`, `import type { b } from 'm'`
const FROM = /\b(?:import|export)\b([^'"`;()]{0,2000}?)\bfrom\s*['"]/g
// `const { b: c } = require('m')`, `const { b } = await import('m')`
const CALLED =
  /\b(?:const|let|var)\s+(\{[^{}]{0,2000}\})\s*=\s*(?:await\s+)?(?:require|import)\s*\(/g

export const javascript: Language = {
  family: 'js',
  name: 'JavaScript and TypeScript',
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
  imports: [FROM, CALLED],
  manifests: ['package.json'],
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
