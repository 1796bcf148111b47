import {
  double,
  each,
  kinds,
  type Language,
  single,
  slashComments,
  withHole,
  words,
} from './language.ts'

// `use App\Enums\Flags as F;`, `use App\Enums\{Flags, Old as O};`
const USE = /^[ \t]*use[ \t]+([^;()]{0,2000});/gm

export const php: Language = {
  family: 'php',
  name: 'PHP',
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
  imports: [USE],
  manifests: ['composer.json'],
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
