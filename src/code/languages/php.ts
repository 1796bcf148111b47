import {
  double,
  each,
  type Import,
  kinds,
  type Language,
  single,
  slashComments,
  withHole,
  words,
} from './language.ts'

// `use App\Enums\Flags as F;`, `use App\Enums\{Flags, Old as O};`
const USE =
  /^[ \t]*use[ \t]+(?:function[ \t]+|const[ \t]+)?\\?([\w\\]+?)(?:\\?\{([^{}]*)\}|[ \t]+as[ \t]+(\w+))?[ \t]*;/gm

function importsIn(text: string): Import[] {
  const imports: Import[] = []
  for (const [, path = '', list, renamed] of text.matchAll(USE)) {
    const items =
      list === undefined ? [`${path}${renamed ? ` as ${renamed}` : ''}`] : list.split(',')
    for (const item of items) {
      const [inner = '', alias] = item.trim().split(/\s+as\s+/)
      const parts = (list === undefined ? inner : `${path}\\${inner}`).split('\\')
      const name = parts.pop() ?? ''
      imports.push({ module: parts.join('\\'), name, alias: alias ?? name })
    }
  }
  return imports
}

export const php: Language = {
  family: 'php',
  extensions: 'php inc',
  ...slashComments,
  lineComments: ['//', '#'],
  quotes: [withHole(double, '{$', true), single],
  codeEnd: '?>',
  sigil: '$',
  join: '.',
  functionWords: words('function fn'),
  parameterName: 'last',
  ownerWords: words('const class enum interface trait'),
  hasArrowMaps: true,
  imports: importsIn,
  namespace: /^[ \t]*(?:<\?php[ \t]+)?namespace[ \t]+([\w\\]+)/m,
  manifests: { 'composer.json': /"name"\s*:\s*"([^"]+)"/ },
  calls: {
    functions: words(
      'isEnabled isDisabled getVariant',
      // Attributes of Symfony; functions of Twig.
      'IsEnabled IsNotEnabled feature_is_enabled feature_variant',
      // Laravel, also in Blade.
      'isFeatureEnabled isFeatureDisabled featureEnabled featureDisabled',
      // OpenFeature.
      ...each('get*Value get*Details', kinds),
    ),
    ofObjects: words('Feature.enabled Feature.disabled'),
  },
}
