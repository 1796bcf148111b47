import {
  double,
  each,
  kinds,
  type Language,
  multiline,
  plain,
  prefixed,
  raw,
  single,
  slashComments,
  withHole,
  words,
} from './language.ts'

export const dart: Language = {
  family: 'dart',
  name: 'Dart',
  extensions: 'dart',
  ...slashComments,
  quotes: [
    ...['"""', "'''"].map((mark) => withHole(multiline(plain(mark)), '${', true)),
    ...prefixed('r', raw('"')),
    ...prefixed('r', raw("'")),
    withHole(double, '${', true),
    withHole(single, '${', true),
  ],
  functionWords: [],
  hasMethods: true,
  arrows: 'methods',
  hasBracketedParameters: true,
  parameterName: 'last',
  callMethod: 'call',
  ownerWords: words('const var class enum mixin extension'),
  hasEnumArguments: true,
  manifests: ['pubspec.yaml'],
  calls: {
    functions: words(
      'isEnabled getVariant isFeatureEnabled',
      // OpenFeature.
      ...each('get*Value get*Details', kinds),
    ),
  },
}
